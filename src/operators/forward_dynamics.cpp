#include "linkwright/operators/forward_dynamics.hpp"

#include "dynamics/door.hpp"
#include "operators/operator_kernels.hpp"

namespace linkwright::operators {

const char* name(Algorithm algorithm) {
  constexpr const char* names[] = {"FD1", "FD2", "FD3", "FD4"};
  return names[static_cast<int>(algorithm)];
}

void compute_forward_dynamics(Algorithm algorithm, Operators& at, const State& state,
                              const ConstVectorRef& tau, ExternalForces forces, VectorRef a,
                              VectorRef link, VectorRef tip) {
  const System& system = at.system();
  const bool all = algorithm == Algorithm::FD2;
  door::check_output(a.size(), system.nv(), "a");
  door::check_output(link.size(), all ? at.size(Space::link_motion) : 0, "link");
  door::check_output(tip.size(), all ? at.size(Space::tip_motion) : 0, "tip");
  at.update(state, tau, forces);
  Given<double> x{at.a(), at.b(), at.g(), {}, at.T()};
  if (tip.size() > 0) x.a_0 = at.a_0();
  Evaluation<double>& e = at.evaluation();
  const std::size_t before = e.in_use;
  double* own = at.is_closed() ? e.take(e.size(Space::joint_rate)) : a.data();
  operator_kernels().run(algorithm, e, x, {own, link.data(), tip.data()});
  if (at.is_closed())
    at.compute_accelerations(Eigen::Map<const Eigen::VectorXd>(own, at.size(Space::joint_rate)), a);
  e.in_use = before;
}

std::string explain(Algorithm algorithm, const Operators& at) {
  return std::string(name(algorithm)) + "\n" + explain_notes(sweeps_of(algorithm, at));
}

}  // namespace linkwright::operators
