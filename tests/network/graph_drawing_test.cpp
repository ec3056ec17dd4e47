// Drawings of system graphs: complete, well formed, and no text upon another.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "linkwright/io/read_model.hpp"
#include "linkwright/network/drawing.hpp"

namespace linkwright::network {
namespace {

std::string draw(const System& system, const SystemGraphOptions& options = {}) {
  const SystemGraph graph = make_system_graph(system, options);
  return draw_system_graph(system, graph, make_formulation_tree(graph.graph, graph.preferred));
}
std::vector<std::filesystem::path> models() {
  std::vector<std::filesystem::path> files;
  const std::string root = LINKWRIGHT_SOURCE_DIR;
  for (const auto& folder : {root + "/models", root + "/tests/data"})
    for (const auto& file : std::filesystem::directory_iterator(folder))
      if (file.path().extension() == ".yaml" || file.path().extension() == ".urdf")
        files.push_back(file.path());
  return files;
}

struct Text {
  std::string words;
  double left, right, top, bottom;
};
/// Where the texts of a drawing stand, in a font of ordinary width.
std::vector<Text> texts_of(const std::string& svg) {
  static const std::regex text(
      R"re(<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="(\w+)" fill="[^"]*" font-size="([\d.]+)"[^>]*>([^<]*)</text>)re");
  std::vector<Text> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const std::smatch& m = *it;
    const double x = std::stod(m[1]), y = std::stod(m[2]), size = std::stod(m[4]);
    const double width = 0.55 * size * static_cast<double>(m[5].length());
    const double left = m[3] == "start" ? x : m[3] == "end" ? x - width : x - width / 2;
    found.push_back({m[5], left, left + width, y - 0.75 * size, y + 0.1 * size});
  }
  return found;
}

TEST(graph_drawing, names_every_edge_once_and_lays_no_text_upon_another) {
  int drawn = 0;
  for (const auto& file : models()) {
    SCOPED_TRACE(file.filename());
    const System system = compile(read_model(file.string()));
    const SystemGraph graph = make_system_graph(system);
    const std::string svg = draw(system);
    for (const GraphEdge& edge : graph.graph.edges()) {
      const std::string title = "<title>" + edge.name + " (";
      const auto first = svg.find(title);
      ASSERT_NE(first, std::string::npos) << edge.name;
      EXPECT_EQ(svg.find(title, first + 1), std::string::npos) << edge.name;
    }
    const std::vector<Text> texts = texts_of(svg);
    EXPECT_GT(texts.size(), graph.bodies.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Text &a = texts[i], &b = texts[j];
        EXPECT_FALSE(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
            << a.words << " and " << b.words;
      }
    ++drawn;
  }
  EXPECT_GE(drawn, 35);
}

TEST(graph_drawing, tells_branches_and_drivers) {
  const System system =
      compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/four_bar.yaml"));
  const std::string plain = draw(system);
  EXPECT_NE(plain.find("<title>crank_pivot (joint, branch)</title><path"), std::string::npos);
  EXPECT_NE(plain.find("<title>rocker_pin (closure, chord)</title><path"), std::string::npos);
  // A branch is heavy, a chord dashed.
  const auto strokes = [&](const std::string& title) {
    const auto at = plain.find("<title>" + title);
    return plain.substr(at, plain.find("</g>", at) - at);
  };
  EXPECT_NE(strokes("crank_pivot (").find("stroke-width=\"3.2\""), std::string::npos);
  EXPECT_EQ(strokes("crank_pivot (").find("dasharray"), std::string::npos);
  EXPECT_NE(strokes("rocker_pin (").find("dasharray"), std::string::npos);
  EXPECT_EQ(plain.find("across driver"), std::string::npos);
  const std::string driven = draw(system, {.across = {"crank_pivot"}, .through = {"rocker_pivot"}});
  EXPECT_NE(driven.find("<title>crank_pivot (joint, across driver, branch)"), std::string::npos);
  EXPECT_NE(driven.find("<title>rocker_pivot (joint, through driver, chord)"), std::string::npos);
  EXPECT_NE(driven.find(">across driver</text>"), std::string::npos);
}

/// Names that would break a drawing are written as text.
TEST(graph_drawing, escapes_names) {
  Model model;
  model.bodies.push_back({.name = "<b>&\"rod\"", .mass = 1, .com = {0, 0, -0.5}});
  model.joints.push_back({.name = "a<b",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "<b>&\"rod\"",
                          .axis = {0, 1, 0}});
  const std::string svg = draw(compile(model));
  EXPECT_NE(svg.find("&lt;b&gt;&amp;&quot;rod&quot;"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
}

TEST(graph_drawing, of_a_system_without_moving_bodies_is_empty_and_whole) {
  Model model;
  model.bodies.push_back({.name = "table"});
  model.joints.push_back(
      {.name = "bolt", .type = JointType::fixed, .parent = "world", .child = "table"});
  const std::string svg = draw(compile(model));
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace linkwright::network
