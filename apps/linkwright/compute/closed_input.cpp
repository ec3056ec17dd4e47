#include "compute/closed_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {

void complete_accelerations(ClosedWorkspace& work, const State& state, Eigen::VectorXd& a) {
  const System& system = work.system();
  const Independent chosen = choose_independent(work, state.q);
  Eigen::MatrixXd G(system.nv(), static_cast<Eigen::Index>(chosen.entries.size()));
  Eigen::VectorXd g(system.nv());
  compute_coordinate_map(work, state, chosen.entries, G, g);
  Eigen::VectorXd own(G.cols());
  for (Eigen::Index i = 0; i < own.size(); ++i)
    own[i] = a[chosen.entries[static_cast<std::size_t>(i)]];
  const Eigen::VectorXd full = G * own + g;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (a[i] == 0 || std::abs(a[i] - full[i]) <= 1e-8 * (1 + full.cwiseAbs().maxCoeff())) continue;
    std::vector<std::string> names;
    for (const int entry : chosen.entries)
      names.push_back(system.velocity_names()[static_cast<std::size_t>(entry)]);
    throw Error(fmt::format(
        "--a {}={:g}: the closures make it {:.9g} for the accelerations of {}. Give those "
        "of the independent coordinates alone, or name others in `coordinates`",
        system.velocity_names()[static_cast<std::size_t>(i)], a[i], full[i],
        list_in_quotes(names)));
  }
  a = full;
}

std::vector<int> choose_coordinates(ClosedWorkspace& work, const ClosedArguments& arguments,
                                    const Quantity& quantity, const State& state) {
  const std::string& text = arguments.coordinates;
  const bool selects = quantity.coordinates == Quantity::Coordinates::selects;
  if (quantity.coordinates != Quantity::Coordinates::reduces && !selects) {
    if (!text.empty() && text != "full")
      throw Error(fmt::format("--coordinates has no meaning for {}; remove it", quantity.name));
    return {};
  }
  if (work.rows() == 0 && (text.empty() || text == "full" || text == "independent")) return {};
  if (text == "full" || (selects && text.empty())) return {};
  if (text.empty() || text == "independent") return choose_independent(work, state.q).entries;
  return require_independent(work, state.q, split_names(text)).entries;
}

}  // namespace linkwright::app
