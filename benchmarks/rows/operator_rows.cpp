#include "rows/operator_rows.hpp"

#include <cstdio>

#include "agreement.hpp"
#include "clock.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/operators/operators.hpp"
#include "linkwright_peer.hpp"

namespace bench {
namespace {

using namespace linkwright::operators;

/// Ten letters, three changes of direction.
constexpr auto long_product =
    H * phi * M * transpose(psi) * transpose(H) * inverse(D) * H * psi * M * transpose(phi);

/// The most that the expression may take, in terms of the trunk's hand-written solve.
constexpr double most_times_the_trunk = 1.3;

nlohmann::json row(const BenchModel& model, const char* quantity, double ns, double ratio) {
  return {{"model", model.name},
          {"quantity", quantity},
          {"library", linkwright_as_peer()->library},
          {"compiler", linkwright_as_peer()->compiler},
          {"batch", 1},
          {"scalar", "double"},
          {"ns", ns},
          {"ratio_to_trunk", ratio},
          {"ratio_to_P", nullptr}};
}

}  // namespace

bool run_operators(const BenchModel& model, nlohmann::json& rows) {
  const linkwright::System system = linkwright::compile(to_model(model.bodies));
  const States states = random_states(model.layout(), model, 1);
  Operators at(system);
  at.update(Eigen::VectorXd::Map(states.q.data(), system.nq()));
  const Eigen::VectorXd x = Eigen::VectorXd::Map(states.tau.data(), system.nv());
  Eigen::VectorXd trunk(system.nv()), swept(system.nv());
  const Eigen::VectorXd link = Eigen::VectorXd::Ones(at.size(Space::link_motion));
  const auto inverse_mass = inverse(H * phi * M * transpose(phi) * transpose(H));
  Eigen::VectorXd result(at.size(decltype(long_product)::range));
  const auto ns = race(
      {{[&] { linkwright::kernels().solve(system.tree(), at.data().s, x.data(), trunk.data()); },
        1},
       {[&] { apply(inverse_mass, at, x, swept); }, 1},
       {[&] { apply(long_product, at, link, result); }, 1}},
      0.2);
  const double error = (trunk - swept).norm() / trunk.norm();
  std::printf("%-12s %-43s %10.1f ns\n", model.name.c_str(),
              "M⁻¹ x, the trunk's filter and smoother", ns[0]);
  const bool fast = ns[1] <= most_times_the_trunk * ns[0], agrees = error <= 1e-9;
  std::printf("%-12s %-43s %10.1f ns  %5.2f times the trunk's  %8.1e%s%s\n", model.name.c_str(),
              "M⁻¹ x, the expression", ns[1], ns[1] / ns[0], error, fast ? "" : "  SLOW",
              agrees ? "" : "  DISAGREES");
  std::printf("%-12s %-43s %10.1f ns  %5.2f ns per body\n", model.name.c_str(),
              "a product of ten operators", ns[2],
              ns[2] / static_cast<double>(model.bodies.size()));
  rows.push_back(row(model, "mass-matrix-solve", ns[0], 1));
  rows.push_back(row(model, "apply-inverse-mass", ns[1], ns[1] / ns[0]));
  rows.push_back(row(model, "apply-ten-operators", ns[2], ns[2] / ns[0]));
  return agrees && fast;
}

}  // namespace bench
