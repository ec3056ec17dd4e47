#include "docs/figures.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/linear/transfer_function.hpp"
#include "linkwright/network/linear_network.hpp"
#include "linkwright/network/mechanism_network.hpp"

namespace docs {

std::string elbow_bode(const std::string& root) {
  using namespace linkwright;
  const Model model = network::reflect_inertias(read_model(root + "/models/network_arm.yaml"));
  const System system = compile(model);
  const network::Circuit circuit{network::Network(model)};
  ClosedWorkspace work(system);
  const linear::LinearModel whole = network::linearize(
      work, circuit, network::NetworkPoint(system, circuit),
      {.inputs = {"voltage:battery"}, .outputs = {"v:elbow", "network:elbow_belt:torque"}});
  std::vector<linear::FrequencyResponse> curves;
  for (const std::string& output : whole.outputs)
    curves.push_back(compute_frequency_response(whole, whole.inputs.front(), output));
  return draw_frequency_response(curves);
}

}  // namespace docs
