#include "docs/figures.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/drawing.hpp"

namespace docs {
namespace {

using namespace linkwright::network;

std::string draw(const std::string& file) {
  const linkwright::System system = linkwright::compile(linkwright::read_model(file));
  const SystemGraph graph = make_system_graph(system);
  return draw_system_graph(system, graph, make_formulation_tree(graph.graph, graph.preferred));
}

}  // namespace

std::string graph_stewart(const std::string& root) { return draw(root + "/models/stewart.yaml"); }
std::string graph_motors(const std::string& root) {
  return draw(root + "/models/five_bar_motors.yaml");
}

}  // namespace docs
