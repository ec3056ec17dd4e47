// Linear graphs: what they hold and what they refuse.
#include <gtest/gtest.h>

#include "linkwright/network/graph.hpp"
#include "network/graph_random.hpp"

namespace linkwright::network {
namespace {

using testing::message_of;

TEST(linear_graph, finds_by_name_and_knows_its_references) {
  LinearGraph graph;
  const int ground = graph.reference(Domain::electrical);
  EXPECT_EQ(graph.reference(Domain::electrical), ground);
  EXPECT_EQ(graph.nodes().at(0).name, "ground");
  EXPECT_NE(graph.reference(Domain::mechanical), ground);
  const int plus = graph.add_node("plus", Domain::electrical);
  const int lamp = graph.add_edge("lamp", plus, ground);
  EXPECT_EQ(graph.node("plus"), plus);
  EXPECT_EQ(graph.edge("lamp"), lamp);
  EXPECT_EQ(graph.edges().at(0).domain, Domain::electrical);
  EXPECT_EQ(dimension(Domain::mechanical), 6);
  EXPECT_EQ(dimension(Domain::shaft), 1);
  EXPECT_EQ(message_of([&] { static_cast<void>(graph.edge("lanp")); }),
            "the graph has no edge 'lanp'; did you mean 'lamp'?");
  EXPECT_EQ(message_of([&] { static_cast<void>(graph.node("minus")); }),
            "the graph has no terminal 'minus'");
}

TEST(linear_graph, refuses_by_name) {
  LinearGraph graph;
  const int ground = graph.reference(Domain::electrical), housing = graph.reference(Domain::shaft);
  const int plus = graph.add_node("plus", Domain::electrical);
  const int lamp = graph.add_edge("lamp", plus, ground),
            coil = graph.add_edge("coil", plus, ground);
  const int source = graph.add_edge("source", plus, ground, Driver::across);
  EXPECT_NE(
      message_of([&] { graph.add_node("plus", Domain::shaft); }).find("'plus' is there already"),
      std::string::npos);
  EXPECT_NE(
      message_of([&] { graph.add_edge("lamp", plus, ground); }).find("'lamp' is there already"),
      std::string::npos);
  EXPECT_NE(message_of([&] {
              graph.add_edge("odd", plus, housing);
            }).find("'odd' joins terminal 'plus' (electrical) and terminal 'housing' (shaft)"),
            std::string::npos);
  EXPECT_NE(message_of([&] { graph.add_edge("far", plus, 17); }).find("index 17"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              graph.add_group("m", {lamp, source}, 1);
            }).find("'source' is a driver"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              graph.add_group("m", {lamp, lamp}, 1);
            }).find("'lamp' is named twice"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              graph.add_group("m", {lamp, coil}, 3);
            }).find("expected 0 to 2"),
            std::string::npos);
  graph.add_group("m", {lamp, coil}, 1);
  EXPECT_NE(
      message_of([&] { graph.add_group("n", {coil}, 1); }).find("'coil' belongs to 'm' already"),
      std::string::npos);
}

}  // namespace
}  // namespace linkwright::network
