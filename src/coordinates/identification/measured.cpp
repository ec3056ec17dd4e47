#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/coordinates/identification.hpp"

namespace linkwright::coordinates {

double bring_to_closures(ClosedWorkspace& work, std::span<const int> entries, State& state,
                         VectorRef a) {
  const System& system = work.system();
  std::vector<std::string> hold;
  for (const int entry : entries) {
    const std::string& name = system.velocity_names()[static_cast<std::size_t>(entry)];
    hold.push_back(name.substr(0, name.rfind(':')));
  }
  const Eigen::VectorXd measured = state.q;
  const Assembly found = assemble(
      work,
      {.hold = hold, .limits = AssemblyOptions::Limits::ignore, .tolerance = 1e-10, .restarts = 0},
      state.q);
  if (!found.assembled)
    throw Error("no position near this one closes the loops: " + describe(system, found));
  const auto n = static_cast<Eigen::Index>(entries.size());
  Eigen::MatrixXd G(system.nv(), n);
  Eigen::VectorXd g(system.nv()), rates(n), accelerations(n), way(system.nv());
  for (Eigen::Index i = 0; i < n; ++i) {
    rates[i] = state.v[entries[static_cast<std::size_t>(i)]];
    accelerations[i] = a[entries[static_cast<std::size_t>(i)]];
  }
  compute_coordinate_map(work, state, entries, G, g);
  state.v = G * rates;
  compute_coordinate_map(work, state, entries, G, g);
  a = G * accelerations + g;
  compute_difference(system, measured, state.q, way);
  return way.cwiseAbs().maxCoeff();
}

}  // namespace linkwright::coordinates
