#pragma once
/// The library's vectors, matrices and arrays as numpy arrays, and numbers of one shape out of Python's.
///
///     Array G = copy_of(influence.G.view());                       // (of, by)
///     const Eigen::MatrixXd W = matrix_from(given, "W", n, n);     // refused by name where it is not n × n

#include "linkwright/coordinates/array.hpp"
#include "verbs.hpp"

namespace linkwright::python {

/// A vector or a matrix, of any Eigen expression.
template <class Derived>
Array copy_of(const Eigen::MatrixBase<Derived>& from) {
  if constexpr (Derived::IsVectorAtCompileTime) {
    const Array out = Array::vector(from.size());
    Vector(out.data(), from.size()) = from;
    return out;
  } else {
    const Array out = Array::matrix(from.rows(), from.cols());
    Matrix(out.data(), from.rows(), from.cols()) = from;
    return out;
  }
}
inline Array copy_of(const std::vector<double>& from) {
  return copy_of(Eigen::Map<const Eigen::VectorXd>(from.data(), static_cast<Index>(from.size())));
}
inline Array copy_of(const coordinates::Matrix& from) { return copy_of(from.view()); }
inline Array column_of(const coordinates::Matrix& from) { return copy_of(from.view().col(0)); }
/// [moment; force] and [angular; linear]
inline Array copy_of(const Force& from) { return copy_of(to_eigen(from)); }
inline Array copy_of(const Motion& from) { return copy_of(to_eigen(from)); }
/// (plane, j, k) and (block, j, k, l), as the library counts them.
Array copy_of(const coordinates::Array& from);
Array copy_of(const coordinates::Array4& from);

/// One vector of `width` numbers.
Eigen::VectorXd vector_from(Numbers given, const char* name, Index width);
/// The same, zeros where nothing is given.
Eigen::VectorXd vector_or_zeros(Numbers given, const char* name, Index width);
/// One number each, or none where nothing is given.
std::vector<double> numbers_from(Numbers given, const char* name, Index width);
Eigen::MatrixXd matrix_from(Numbers given, const char* name, Index rows, Index columns);

/// A state that is given by its parts; v may be None: at rest.
void place(PySystem& self, State& state, Numbers q, Numbers v);

/// A workspace with this state in it, placed on closed loops where there are any.
PySystem::Lease work_at(PySystem& self, Numbers q, Numbers v);
/// The same of a system that must have loops; `verb` says who asks.
PySystem::Lease closed_work_at(PySystem& self, const char* verb, Numbers q, Numbers v);

}  // namespace linkwright::python
