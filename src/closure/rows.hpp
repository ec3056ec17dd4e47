#pragma once
/// The rows of single closures over the joints between their frames.

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::closure {

/// Joints placed, poses of all nodes and motions per unit of every freedom: what the rows are made of.
void place_columns(ClosedWorkspace& work, const ConstVectorRef& q);

/// Which column of a matrix an entry of v has; by default its own.
struct Columns {
  const int* of = nullptr;
  [[nodiscard]] int operator[](int entry) const { return of == nullptr ? entry : of[entry]; }
};

/// Rows of J, and of L (rates of the freedoms of a closing joint), from `first` on; after place_columns.
/// Entries of joints that do not move the closure are left as they are.
void write_closure_rows(const ClosedWorkspace& work, const ClosurePlace& c, Columns columns,
                        MatrixRef out, int first);
void write_closing_rows(const ClosedWorkspace& work, const ClosurePlace& c, Columns columns,
                        MatrixRef out, int first);

/// Σ ratio · q and Σ ratio · v over the terms of a gear or a shaft.
double sum_of_terms(const ClosurePlace& c, const double* q);
double rate_of_terms(const ClosurePlace& c, const double* v);

/// The last node that both have inboard of them.
int common_node(const System& system, int a, int b);

}  // namespace linkwright::closure
