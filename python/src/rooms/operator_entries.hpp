#pragma once
/// Expressions of operators that are compiled, as a table: the letters, their transposes, and those products that
/// the library has compiled or that many lines of the paper share. What Python combines is a chain of these.
///
///     for (const OperatorEntry& entry : operator_entries()) print(entry.text);

#include <string>
#include <vector>

#include "linkwright/operators/dense.hpp"
#include "linkwright/operators/operators.hpp"

namespace linkwright::python {

struct OperatorEntry {
  std::string name;  // in Python: "phi", "phi.T"; none of products
  std::string text;  // "φᵀ"
  operators::Space range, domain;
  operators::Kind kind;
  void (*apply)(operators::Operators&, const ConstVectorRef& x, VectorRef y);
  std::vector<operators::SweepNote> (*sweeps)(const operators::Operators&);
  Eigen::MatrixXd (*dense)(const operators::Operators&);  // none of products
};

template <operators::Operator X>
OperatorEntry product_entry(X) {
  return {{},
          operators::describe(X{}),
          X::range,
          X::domain,
          X::kind,
          [](operators::Operators& at, const ConstVectorRef& x, VectorRef y) {
            operators::apply(X{}, at, x, y);
          },
          [](const operators::Operators& at) { return operators::sweeps_of(X{}, at); },
          nullptr};
}
template <operators::Operator X>
OperatorEntry letter_entry(const char* name, X x) {
  OperatorEntry entry = product_entry(x);
  entry.name = name;
  entry.dense = [](const operators::Operators& at) {
    operators::check_meaning(X{}, at);
    operators::check_updated(at);
    return operators::dense(X{}, at);
  };
  return entry;
}

// In two sources each, since every one holds a sweep of its own.
void add_inward_letters(std::vector<OperatorEntry>& to);
void add_outward_letters(std::vector<OperatorEntry>& to);
void add_local_letters(std::vector<OperatorEntry>& to);
void add_products(std::vector<OperatorEntry>& to);
/// All of them; an entry of several factors after the single ones.
const std::vector<OperatorEntry>& operator_entries();

}  // namespace linkwright::python
