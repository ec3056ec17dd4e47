#pragma once
/// Verbs over states, one or many: q, v and what else there is per state come in, an array per state goes out.
///
///     return for_each_state(self, {&q, &v}, {nv}, 1, [&](Work& work, Eigen::Index s, double* out) {
///       place(work.state, q, v, s);
///       compute_bias(work.tree(), work.state, Vector(out, nv));
///     });

#include <exception>
#include <thread>
#include <vector>

#include "system.hpp"

namespace linkwright::python {

using Vector = Eigen::Map<Eigen::VectorXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;
using Eigen::Index;

/// Adds "state 17: " to what is thrown for one of many states.
[[noreturn]] void rethrow_for_state(const Error& error, Index state);

inline void place(State& state, const Input& q, Index s) { state.q = q.vector(s); }
inline void place(State& state, const Input& q, const Input& v, Index s) {
  state.q = q.vector(s);
  state.v = v.vector(s);
}

/// Runs compute(work, s) for the states first … last − 1.
template <class Compute>
void run_states(PySystem& self, Index first, Index last, const Compute& compute) {
  const auto work = self.work();
  for (Index s = first; s < last; ++s) {
    try {
      compute(*work, s);
    } catch (const Error& error) {
      rethrow_for_state(error, s);
    }
  }
}

/// The same on several threads, without the interpreter's lock. Several may read the inputs: Input::lay_out first.
template <class Compute>
void run_all_states(PySystem& self, Index count, int threads, const Compute& compute) {
  const nb::gil_scoped_release without_lock;
  const Index team = std::min<Index>(threads, std::max<Index>(count, 1));
  std::vector<std::exception_ptr> failed(static_cast<std::size_t>(team));
  const auto part = [&](Index t) {
    try {
      run_states(self, count * t / team, count * (t + 1) / team, compute);
    } catch (...) {
      failed[static_cast<std::size_t>(t)] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (Index t = 1; t < team; ++t) others.emplace_back(part, t);
  part(0);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failed)
    if (failure) std::rethrow_exception(failure);
}

/// An array of `shape` per state; a matrix is written column after column. Several states: one behind the
/// other, (K, …).
template <class Compute>
Array for_each_state(PySystem& self, std::span<const Input* const> given, std::vector<Index> shape,
                     int threads, const Compute& compute) {
  const Index count = common_rows(given);
  const bool is_many =
      std::any_of(given.begin(), given.end(), [](const Input* i) { return i->is_many(); });
  for (const Input* input : given) input->lay_out();
  Index size = 1;
  for (const Index n : shape) size *= n;
  const bool is_matrix = shape.size() == 2;
  if (is_matrix) std::swap(shape[0], shape[1]);
  if (is_many) shape.insert(shape.begin(), count);
  const Array memory = Array::create(shape);
  double* const out = memory.data();
  if (is_many)
    run_all_states(self, count, threads,
                   [&](Work& work, Index s) { compute(work, s, out + s * size); });
  else
    compute(*self.work(), 0, out);
  return is_matrix ? memory.with_last_axes_swapped() : memory;
}
template <class Compute>
Array for_each_state(PySystem& self, std::initializer_list<const Input*> given,
                     std::vector<Index> shape, int threads, const Compute& compute) {
  return for_each_state(self, std::span(given.begin(), given.size()), std::move(shape), threads,
                        compute);
}

}  // namespace linkwright::python
