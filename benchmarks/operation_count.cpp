#include "operation_count.hpp"

#include <vector>

#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

namespace bench {
namespace {

Operations counted;

/// A number that is not computed, only counted. Zeros that the sweeps write where a joint has no
/// component are free, as they are for the compiler; the constants of a model are not, whatever
/// their value.
struct Counting {
  bool zero = true;
  Counting() = default;
  Counting(double x) : zero(x == 0) {}  // NOLINT(google-explicit-constructor)
  static Counting number() { return {1.0}; }
};

Counting add(Counting a, Counting b) {
  if (a.zero) return b;
  if (b.zero) return a;
  ++counted.additions;
  return Counting::number();
}
Counting operator+(Counting a, Counting b) { return add(a, b); }
Counting operator-(Counting a, Counting b) { return add(a, b); }
Counting operator-(Counting a) { return a; }
Counting operator*(Counting a, Counting b) {
  if (a.zero || b.zero) return {};
  ++counted.multiplications;
  return Counting::number();
}
Counting operator/(Counting, Counting) {
  ++counted.divisions;
  return Counting::number();
}
Counting operator*(Counting a, double) { return a * Counting::number(); }
Counting operator*(double, Counting b) { return Counting::number() * b; }
Counting operator+(Counting a, double) { return a + Counting::number(); }
Counting operator-(Counting a, double) { return a - Counting::number(); }
Counting& operator+=(Counting& a, Counting b) { return a = a + b; }
Counting& operator+=(Counting& a, double b) { return a = a + b; }
Counting& operator-=(Counting& a, Counting b) { return a = a - b; }
linkwright::spatial::SinCos<Counting> sin_cos(Counting) {
  ++counted.sines;
  return {Counting::number(), Counting::number()};
}
Counting square_root(Counting) {
  ++counted.divisions;
  return Counting::number();
}

}  // namespace
}  // namespace bench

template <>
struct linkwright::spatial::ConstantOf<bench::Counting> {
  using type = double;
};

namespace bench {
namespace {

using linkwright::Scratch;

/// Runs `sweep` once on numbers that are all non-zero and returns what it cost.
template <class Sweep>
Operations count(const linkwright::System& system, Sweep sweep) {
  const auto& tree = system.tree();
  Scratch<Counting> s(tree);
  const auto numbers = [](int n) {
    return std::vector<Counting>(static_cast<std::size_t>(n), Counting::number());
  };
  std::vector<Counting> q = numbers(tree.nq), v = numbers(tree.nv), x = numbers(tree.nv),
                        out = numbers(tree.nv * tree.nv);
  counted = {};
  linkwright::sweeps::place_joints(tree, s, q.data());
  sweep(tree, s, v.data(), x.data(), out.data());
  return counted;
}

}  // namespace

Operations count_inverse_dynamics(const linkwright::System& system) {
  return count(system, [](const auto& tree, auto& s, auto* v, auto* x, auto* out) {
    linkwright::sweeps::inverse_dynamics<Counting>(tree, s, v, x, nullptr, out);
  });
}
Operations count_forward_dynamics(const linkwright::System& system) {
  return count(system, [](const auto& tree, auto& s, auto* v, auto* x, auto* out) {
    linkwright::sweeps::forward_dynamics_filter<Counting>(tree, s, v, x, nullptr);
    linkwright::sweeps::forward_dynamics_smoother<Counting>(tree, s, out);
  });
}
Operations count_mass_matrix(const linkwright::System& system) {
  return count(system, [](const auto& tree, auto& s, auto*, auto*, auto* out) {
    linkwright::sweeps::mass_matrix<Counting>(tree, s, out, tree.nv);
  });
}

}  // namespace bench
