#include "results.hpp"

#include "coordinates.hpp"

namespace linkwright::python {

Array copy_of(const coordinates::Array& from) {
  const Index n = from.size();
  const Array out = Array::create({from.planes(), n, n});
  std::copy_n(from.flat().data(), from.planes() * n * n, out.data());
  return out.with_last_axes_swapped();
}

Array copy_of(const coordinates::Array4& from) {
  const Index n = from.size();
  const Array out = Array::create({from.planes(), n, n, n});
  double* to = out.data();
  for (Index p = 0; p < from.planes(); ++p)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        for (Index k = 0; k < n; ++k) *to++ = from(p, i, j, k);
  return out;
}

Eigen::VectorXd vector_from(Numbers given, const char* name, Index width) {
  return Input(given, name, width, Input::Many::refused).vector();
}

Eigen::VectorXd vector_or_zeros(Numbers given, const char* name, Index width) {
  if (given.is_none()) return Eigen::VectorXd::Zero(width);
  return vector_from(given, name, width);
}

std::vector<double> numbers_from(Numbers given, const char* name, Index width) {
  if (given.is_none()) return {};
  const Input input(given, name, width, Input::Many::refused);
  return {input.state(0), input.state(0) + width};
}

Eigen::MatrixXd matrix_from(Numbers given, const char* name, Index rows, Index columns) {
  Input input(given, name, columns);
  if (!input.is_many() || input.rows() != rows)
    throw Error(std::string(name) + " has shape (" +
                (input.is_many() ? std::to_string(input.rows()) + ", " : "") +
                std::to_string(columns) + (input.is_many() ? ")" : ",)") + "; expected (" +
                std::to_string(rows) + ", " + std::to_string(columns) + ")");
  return input.columns(rows);
}

void place(PySystem& self, State& state, Numbers q, Numbers v) {
  state.q = vector_from(q, "q", self.system().nq());
  state.v = vector_or_zeros(v, "v", self.system().nv());
}

PySystem::Lease work_at(PySystem& self, Numbers q, Numbers v) {
  PySystem::Lease work = self.work();
  place(self, work->state, q, v);
  if (self.is_closed()) check_closed(self, *work);
  return work;
}

PySystem::Lease closed_work_at(PySystem& self, const char* verb, Numbers q, Numbers v) {
  require_loops(self, verb);
  return work_at(self, q, v);
}

}  // namespace linkwright::python
