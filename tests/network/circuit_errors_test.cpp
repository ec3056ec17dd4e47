/// What a network refuses, by name.

#include <cmath>

#include "network/circuits.hpp"

namespace circuits {
namespace {

TEST(Refused, a_loop_of_across_sources) {
  Network network;
  network.add(voltage_source("left", 1, "a"));
  network.add(voltage_source("right", 2, "a"));
  network.add(resistor("r", 1, "a"));
  expect_words(error_of([&] { Circuit circuit(network); }), {"left", "right"});
}

TEST(Refused, a_cut_set_of_through_sources) {
  Network network;
  network.add(current_source("one", 1, "a"));
  network.add(current_source("two", 1, "a", "b"));
  network.add(resistor("r", 1, "b"));
  expect_words(error_of([&] { Circuit circuit(network); }), {"one", "two"});
}

TEST(Refused, a_part_that_floats) {
  Network network;
  network.add(voltage_source("v", 1, "a"));
  network.add(resistor("r", 1, "a"));
  network.add(capacitor("lost", 1e-3, "x", "y"));
  network.add(resistor("alone", 1, "x", "y"));
  expect_words(error_of([&] { Circuit circuit(network); }), {"x"});
}

TEST(Refused, two_speeds_on_one_joint) {
  Network network;
  network.add(speed_source("crank", 1, "joint:elbow"));
  expect_words(error_of([&] { Circuit circuit(network); }), {"crank", "joint:elbow"});
}

TEST(Refused, mixed_domains) {
  Network network;
  network.add(resistor("r", 1, "a"));
  expect_words(error_of([&] { network.add(inertia("rotor", 1, "a")); }), {"rotor", "'a'", "mixed"});
  expect_words(error_of([&] { network.add(resistor("r2", 1, "joint:elbow")); }),
               {"r2", "joint:elbow", "mixed"});
  expect_words(error_of([&] { network.add(inertia("wheel", 1, "b", "ground")); }),
               {"wheel", "ground", "mixed"});
}

TEST(Refused, names_and_values_without_meaning) {
  Network network;
  network.add(resistor("r", 1, "a"));
  expect_words(error_of([&] { network.add(resistor("r", 1, "b")); }), {"two components", "'r'"});
  expect_words(error_of([&] { network.add(resistor("", 1, "b")); }), {"no name"});
  expect_words(error_of([&] { network.add(resistor("bad", 0, "b")); }),
               {"bad", "resistance", "more than zero"});
  expect_words(error_of([&] { network.add(capacitor("bad", -1, "b")); }), {"bad", "capacitance"});
  expect_words(error_of([&] {
                 network.add(gear("bad", 0, {"b", ""}, {"c", ""}));
               }),
               {"bad", "ratio"});
  expect_words(error_of([&] { network.add(resistor("bad", NAN, "b")); }), {"bad", "nan"});
  expect_words(error_of([&] { network.add(resistor("bad", 1, "b", "b")); }),
               {"bad", "both ends", "'b'"});
  expect_words(error_of([&] { network.add(resistor("bad", 1, "ground")); }), {"bad", "both ends"});
  NetworkComponent odd = resistor("odd", 1, "b");
  odd.initial = 3;
  expect_words(error_of([&] { network.add(odd); }), {"odd", "stores nothing"});
  expect_words(error_of([&] {
                 network.add(transformer("t", {1}, {{"s", ""}}));
               }),
               {"'t'", "two or more"});
  expect_words(error_of([&] { network.drive("s", [](double) { return SourceValue{}; }); }),
               {"no source 's'"});
}

TEST(Refused, ports_that_are_wired_twice_or_not_at_all) {
  OwnComponent own{.name = "valve",
                   .ports = {{"in", Domain::electrical}, {"out", Domain::electrical}}};
  own.compute = [](const OwnMoment& at, std::span<double> y, std::span<double>) {
    y[0] = at.across[0], y[1] = at.across[1];
  };
  Network network;
  expect_words(error_of([&] {
                 network.add(own, {{"in", "a"}, {"in", "b"}});
               }),
               {"valve", "'in'", "connected twice"});
  own.name = "valve2";
  expect_words(error_of([&] {
                 network.add(own, {{"in", "a"}});
               }),
               {"valve2", "'out'", "not connected"});
  own.name = "valve3";
  expect_words(error_of([&] {
                 network.add(own, {{"inn", "a"}, {"out", "b"}});
               }),
               {"valve3", "'inn'", "did you mean 'in'"});
}

Network two_gears(double second) {
  Network network;
  network.add(inertia("rotor", 1, "a"));
  network.add(gear("g1", 2, {"a", ""}, {"b", ""}));
  network.add(gear("g2", second, {"a", ""}, {"b", ""}));
  network.add(inertia("wheel", 1, "b"));
  return network;
}

/// Two equal gears side by side: which of them carries the torque cannot be said.
TEST(Refused, gears_that_repeat_each_other) {
  expect_words(error_of([] { Circuit circuit(two_gears(2)); }), {"g1", "g2"});
}

/// Of several things side by side only those that contradict each other are named, with their place in the file.
TEST(Refused, equations_that_repeat_each_other_name_nobody_innocent) {
  Network network;
  NetworkComponent first = gear("g1", 2, {"a", ""}, {"b", ""});
  first.source = {"machine.yaml", 12};
  network.add(inertia("rotor", 1, "a"));
  network.add(first);
  network.add(gear("g2", 2, {"a", ""}, {"b", ""}));
  network.add(inertia("wheel", 1, "b"));
  network.add(gear("innocent", 5, {"b", ""}, {"c", ""}));
  network.add(damper("brake", 1, "c"));
  network.add(motor("drive", 0.1, {"p", ""}, {"a", ""}));
  network.add(resistor("winding", 1, "p"));
  const std::string told = error_of([&] { Circuit circuit(network); });
  expect_words(told, {"machine.yaml:12", "'g1'", "'g2'"});
  for (const char* name : {"innocent", "drive", "brake"})
    EXPECT_EQ(told.find(name), std::string::npos) << told;
}

/// What a file wrote is told with its line, and what to do in its own words.
TEST(Refused, with_file_and_line_where_there_are_any) {
  const auto placed = [](NetworkComponent component, int line) {
    component.source = {"machine.yaml", line};
    return component;
  };
  Network loop;
  loop.add(placed(voltage_source("left", 1, "a"), 3));
  loop.add(placed(voltage_source("right", 2, "a"), 4));
  expect_words(error_of([&] { Circuit circuit(loop); }),
               {"machine.yaml:3", "'left', 'right'", "in series"});
  Network cut;
  cut.add(placed(current_source("pump", 1, "x"), 5));
  expect_words(error_of([&] { Circuit circuit(cut); }),
               {"machine.yaml:5", "'pump'", "beside one of them"});
  Network lost;
  lost.add(placed(resistor("alone", 1, "x", "y"), 7));
  expect_words(error_of([&] { Circuit circuit(lost); }),
               {"machine.yaml:7", "'x', 'y'", "`ground`"});
  Network both;
  both.add(placed(speed_source("s1", 1, "in"), 8));
  both.add(placed(speed_source("s2", 1, "out"), 9));
  both.add(placed(gear("g", 2, {"in", ""}, {"out", ""}), 10));
  expect_words(error_of([&] { Circuit circuit(both); }),
               {"machine.yaml:", "'g'", "'s1'", "damper"});
  EXPECT_EQ(error_of([&] { Circuit circuit(both); }).find("through driver"), std::string::npos);
}

/// Three capacitors in a loop whose voltages add up to nothing: rounding is no contradiction, a tenth of a microvolt is.
TEST(Start, values_that_cancel_to_zero_are_no_contradiction) {
  for (const double off : {0.0, 1e-7}) {
    Network network;
    const auto charged = [](NetworkComponent component, double volts) {
      component.initial = volts;
      return component;
    };
    network.add(charged(capacitor("c1", 1e-6, "a"), 0.3));
    network.add(charged(capacitor("c2", 3e-6, "a", "b"), 0.1));
    network.add(charged(capacitor("c3", 7e-6, "b", "c"), 0.2));
    network.add(charged(capacitor("c4", 5e-6, "c"), off));
    network.add(resistor("r", 10, "a"));
    if (off == 0)
      EXPECT_NO_THROW(Running{network});
    else
      expect_words(error_of([&] { Running run(network); }), {"c4", "contradicts"});
  }
}

/// Two unequal ones hold both shafts still.
TEST(Dependent, shafts_between_unequal_gears_stand_still) {
  const Circuit circuit(two_gears(3));
  EXPECT_TRUE(circuit.states().empty());
  ASSERT_EQ(circuit.dependent().size(), 2U);
  EXPECT_EQ(circuit.dependent()[0].reason, "nothing moves it");
}

TEST(Refused, a_component_that_newton_cannot_satisfy) {
  Network network;
  network.add(current_source("push", 2, "a"));
  OwnComponent own{.name = "fuse", .ports = {{"ends", Domain::electrical}}};
  own.compute = [](const OwnMoment& at, std::span<double> y, std::span<double>) {
    y[0] = std::tanh(at.across[0]);  // never 2
  };
  network.add(own, {{"ends", "a"}});
  Running run(std::move(network));
  expect_words(error_of([&] { run.rates_at(0.5, run.states); }), {"t = 0.5", "'fuse'", "Newton"});
}

}  // namespace
}  // namespace circuits
