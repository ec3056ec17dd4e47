#include "compute/input/closed_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

void complete_derivatives(ClosedWorkspace& work, int count, Input& input) {
  const System& system = work.system();
  const Independent chosen = choose_independent(work, input.state.q);
  Eigen::MatrixXd rates(system.nv(), count);
  for (int n = 0; n < count; ++n)
    rates.col(n) = input.values(all_rates[static_cast<std::size_t>(n)]);
  actuation::complete_rates(work, input.state, chosen.entries, rates);
  for (int n = 0; n < count; ++n) {
    const Variable variable = all_rates[static_cast<std::size_t>(n)];
    Eigen::VectorXd& given = input.values(variable);
    const double allowed = 1e-8 * (1 + rates.col(n).cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < given.size(); ++i) {
      if (given[i] == 0 || std::abs(given[i] - rates(i, n)) <= allowed) continue;
      std::vector<std::string> names;
      for (const int entry : chosen.entries)
        names.push_back(system.velocity_names()[static_cast<std::size_t>(entry)]);
      throw Error(fmt::format(
          "--{} {}={:g}: the closures make it {:.9g} for the {} of {}. Give those of the "
          "independent coordinates alone, or name others in `coordinates`",
          letter(variable), system.velocity_names()[static_cast<std::size_t>(i)], given[i],
          rates(i, n), actuation::NominalVoltages::name_of_derivative(n + 1),
          list_in_quotes(names)));
    }
    given = rates.col(n);
  }
}

std::vector<int> choose_coordinates(ClosedWorkspace& work, const ClosedArguments& arguments,
                                    const Quantity& quantity, const State& state) {
  const std::string& text = arguments.coordinates;
  const bool selects = quantity.coordinates == Quantity::Coordinates::selects;
  if (quantity.coordinates != Quantity::Coordinates::reduces && !selects) {
    if (!text.empty())
      report_note(fmt::format("--coordinates: {} is the same in all of them", quantity.name));
    return {};
  }
  if (work.rows() == 0 && (text.empty() || text == "full" || text == "independent")) return {};
  if (text == "full" || (selects && text.empty())) return {};
  if (text.empty() || text == "independent") return choose_independent(work, state.q).entries;
  return require_independent(work, state.q, split_names(text)).entries;
}

}  // namespace linkwright::app
