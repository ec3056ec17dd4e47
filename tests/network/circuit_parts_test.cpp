/// Networks as components of others, and components of a user's own.

#include <cmath>
#include <memory>

#include "network/circuits.hpp"

namespace circuits {
namespace {

/// A motor with its circuit behind an elastic gear, as far as its output shaft; all between two nodes `supply` and
/// `out` of the network it is put in.
void add_servo(Network& network, const std::string& supply, const std::string& out) {
  network.add(resistor("r", 1.2, supply, "coil"));
  network.add(inductor("l", 3e-3, "coil", "brush"));
  network.add(motor("m", 0.08, {"brush", ""}, {"rotor", ""}));
  network.add(inertia("rotor_inertia", 2e-4, "rotor"));
  network.add(damper("bearing", 1e-4, "rotor"));
  network.add(spring("belt", 3, "rotor", "drum"));
  network.add(damper("belt_damping", 2e-3, "rotor", "drum"));
  network.add(gear("gear", 7, {"drum", ""}, {out, ""}));
}

void add_rest(Network& network) {
  network.add(voltage_source("battery", 9, "plus"));
  network.add(resistor("cable", 0.1, "plus", "supply"));
  network.add(capacitor("buffer", 1e-3, "supply"));
  network.add(inertia("load", 0.05, "shaft"));
  network.add(damper("water", 0.03, "shaft"));
}

void expect_same_motion(Running& full, Running& parts, const std::vector<std::string>& names,
                        double t, double step) {
  full.run(t, step);
  parts.run(t, step);
  for (const std::string& name : names) {
    const double wanted = full.output(name);
    EXPECT_NE(wanted, 0) << name;
    EXPECT_NEAR(parts.output(name), wanted, 1e-12 * std::max(1.0, std::abs(wanted))) << name;
  }
  const auto stored = [](Running& run) { return run.circuit.power(run.work, run.states).stored; };
  EXPECT_NEAR(stored(parts), stored(full), 1e-12 * stored(full));
}

Network full_servo() {
  Network network;
  add_rest(network);
  add_servo(network, "supply", "shaft");
  return network;
}

std::shared_ptr<const Circuit> servo_part(Driver at_supply) {
  Network inside;
  add_servo(inside, "in", "out");
  inside.add_port({"supply", Domain::electrical, {"in", ""}, at_supply});
  inside.add_port({"shaft", Domain::shaft, {"out", ""}, Driver::across});
  return std::make_shared<Circuit>(std::move(inside));
}

TEST(Parts, a_reduced_network_is_the_same_as_all_of_it) {
  const std::vector<std::string> outside{"network:load:speed", "network:cable:current",
                                         "network:buffer:voltage"};
  Running full(full_servo());
  Network network;
  add_rest(network);
  network.add("servo", servo_part(Driver::across), {{"supply", "supply"}, {"shaft", "shaft"}});
  Running parts(std::move(network));
  EXPECT_EQ(parts.states.size(), full.states.size());
  expect_same_motion(full, parts, outside, 0.2, 1e-4);
  EXPECT_NEAR(parts.output("network:servo:belt:torque"), full.output("network:belt:torque"), 1e-11);
  EXPECT_NEAR(parts.output("network:servo:l:current"), full.output("network:l:current"), 1e-11);
}

/// The outside gives the current, and the part answers with a voltage.
TEST(Parts, either_variable_may_be_given) {
  Network inside;
  inside.add(resistor("r", 2, "in", "c"));
  inside.add(capacitor("c", 1e-3, "c"));
  inside.add_port({"in", Domain::electrical, {"in", ""}, Driver::through});
  Network network, all;
  for (Network* one : {&network, &all}) {
    one->add(voltage_source("v", 3, "p"));
    one->add(inductor("choke", 0.01, "p", "x"));
  }
  network.add("rc", std::make_shared<Circuit>(std::move(inside)), {{"in", "x"}});
  all.add(resistor("r", 2, "x", "c"));
  all.add(capacitor("c", 1e-3, "c"));
  Running full(std::move(all)), parts(std::move(network));
  expect_same_motion(full, parts, {"network:choke:current"}, 0.01, 1e-5);
  EXPECT_NEAR(parts.output("network:rc:c:voltage"), full.output("network:c:voltage"), 1e-12);
}

TEST(Parts, may_be_nested) {
  Network middle;
  middle.add(resistor("cable", 0.1, "plus", "supply"));
  middle.add(capacitor("buffer", 1e-3, "supply"));
  middle.add("servo", servo_part(Driver::across), {{"supply", "supply"}, {"shaft", "out"}});
  middle.add_port({"plus", Domain::electrical, {"plus", ""}, Driver::across});
  middle.add_port({"shaft", Domain::shaft, {"out", ""}, Driver::across});
  Network network;
  network.add(voltage_source("battery", 9, "plus"));
  network.add("drive", std::make_shared<Circuit>(std::move(middle)),
              {{"plus", "plus"}, {"shaft", "shaft"}});
  network.add(inertia("load", 0.05, "shaft"));
  network.add(damper("water", 0.03, "shaft"));
  Running full(full_servo()), parts(std::move(network));
  expect_same_motion(full, parts, {"network:load:speed", "network:battery:current"}, 0.2, 1e-4);
  EXPECT_NEAR(parts.output("network:drive:servo:belt:torque"), full.output("network:belt:torque"),
              1e-11);
}

/// A rotor that its port turns rigidly: the part answers with J times a derivative, which adds to the load.
TEST(Parts, rigid_inertias_act_through_ports) {
  const auto add_motor = [](Network& network, const std::string& shaft) {
    network.add(voltage_source("battery", 9, "plus"));
    network.add(resistor("r", 1.2, "plus", "brush"));
    network.add(motor("m", 0.08, {"brush", ""}, {"rotor", ""}));
    network.add(inertia("rotor", 2e-4, "rotor"));
    network.add(gear("gear", 7, {"rotor", ""}, {shaft, ""}));
  };
  Network all, inside, network;
  add_motor(all, "shaft");
  add_motor(inside, "out");
  inside.add_port({"shaft", Domain::shaft, {"out", ""}, Driver::across});
  const auto part = std::make_shared<Circuit>(std::move(inside));
  EXPECT_NEAR(part->inertia()(0, 0), 49 * 2e-4, 1e-15);
  for (Network* one : {&all, &network}) {
    one->add(inertia("load", 0.05, "shaft"));
    one->add(damper("water", 0.03, "shaft"));
  }
  network.add("drive", part, {{"shaft", "shaft"}});
  Running full(std::move(all)), parts(std::move(network));
  EXPECT_EQ(parts.states.size(), 1);
  EXPECT_EQ(names_of(parts.circuit.sources()), std::vector<std::string>{"voltage:drive:battery"});
  expect_same_motion(full, parts, {"network:load:speed", "network:water:torque"}, 0.5, 1e-3);
  EXPECT_NEAR(parts.output("network:drive:rotor:torque"), full.output("network:rotor:torque"),
              1e-12);
  EXPECT_NEAR(parts.output("network:drive:battery:current"), full.output("network:battery:current"),
              1e-12);
}

TEST(Parts, start_with_what_their_stores_were_given) {
  Network inside;
  NetworkComponent c = capacitor("c", 1e-3, "in");
  c.initial = 4;
  inside.add(c);
  inside.add(resistor("r", 5, "in"));
  inside.add_port({"in", Domain::electrical, {"in", ""}, Driver::through});
  Network network;
  network.add("rc", std::make_shared<Circuit>(std::move(inside)), {{"in", "x"}});
  network.add(resistor("load", 5, "x"));
  Running run(std::move(network));
  run.rates_at(0, run.states);
  EXPECT_NEAR(run.output("network:load:current"), 0.8, 1e-13);
}

TEST(Parts, with_joints_or_own_components_inside_are_refused) {
  Network inside;
  inside.add(inertia("rotor", 1, "joint:elbow"));
  inside.add_port({"in", Domain::shaft, {"x", ""}, Driver::across});
  inside.add(damper("d", 1, "x"));
  const auto part = std::make_shared<Circuit>(std::move(inside));
  Network network;
  expect_words(error_of([&] { network.add("p", part, {{"in", "y"}}); }), {"'p'", "joint:elbow"});
}

OwnComponent diode() {
  OwnComponent own{.name = "diode", .ports = {{"anode", Domain::electrical}}};
  own.compute = [](const OwnMoment& at, std::span<double> through, std::span<double>) {
    through[0] = 1e-12 * std::expm1(at.across[0] / 0.026);
  };
  return own;
}

/// In parallel with a capacitor its voltage is known; in series with an inductor its current; with resistors alone
/// both are sought.
TEST(Own, a_diode_fits_anywhere) {
  {
    Network network;
    NetworkComponent c = capacitor("c", 1e-6, "a");
    c.initial = 0.6;
    network.add(c);
    network.add(diode(), {{"anode", "a"}});
    Running run(std::move(network));
    const double i = 1e-12 * std::expm1(0.6 / 0.026);
    EXPECT_NEAR(run.rates_at(0, run.states)[0], -i / 1e-6, 1e-9 * i / 1e-6);
  }
  {
    Network network;
    NetworkComponent l = inductor("l", 0.1, "a");
    l.initial = -0.02;  // out of its first node, into the diode
    network.add(l);
    network.add(diode(), {{"anode", "a"}});
    Running run(std::move(network));
    EXPECT_NEAR(run.rates_at(0, run.states)[0], 0.026 * std::log1p(0.02 / 1e-12) / 0.1, 1e-9);
  }
  {
    Network network;
    network.add(voltage_source("v", 5, "p"));
    network.add(resistor("r", 1000, "p", "a"));
    network.add(diode(), {{"anode", "a"}});
    Running run(std::move(network));
    run.rates_at(0, run.states);
    const double v = run.output("network:diode:voltage"), i = run.output("network:diode:current");
    EXPECT_NEAR(v + 1000 * i, 5, 1e-12);
    EXPECT_NEAR(i, 1e-12 * std::expm1(v / 0.026), 1e-12);
    EXPECT_GT(i, 0.004);
  }
}

/// A linear component written by hand is the same as the library's own.
TEST(Own, states_of_its_own_count) {
  OwnComponent coil{
      .name = "coil", .ports = {{"ends", Domain::electrical}}, .states = {{"current", "A"}}};
  coil.compute = [](const OwnMoment& at, std::span<double> through, std::span<double> rates) {
    through[0] = at.states[0];
    rates[0] = at.across[0] / 0.03;
  };
  coil.stored = [](std::span<const double> states) { return 0.5 * 0.03 * states[0] * states[0]; };
  Network own, library;
  for (Network* network : {&own, &library}) {
    network->add(voltage_source("v", 5, "p"));
    network->add(resistor("r", 2, "p", "a"));
    network->add(capacitor("c", 1e-3, "a"));
  }
  own.add(coil, {{"ends", "a"}});
  library.add(inductor("coil", 0.03, "a"));
  Running mine(std::move(own)), theirs(std::move(library));
  EXPECT_EQ(names_of(mine.circuit.states()).back(), "network:coil:current");
  expect_same_motion(theirs, mine, {"network:c:voltage", "network:coil:current"}, 0.01, 1e-5);
}

TEST(Own, newton_solves_several_together) {
  Network network;
  network.add(voltage_source("v", 3, "p"));
  network.add(resistor("r", 100, "p", "a"));
  OwnComponent cubic{.name = "cubic", .ports = {{"ends", Domain::electrical}}};
  cubic.compute = [](const OwnMoment& at, std::span<double> y, std::span<double>) {
    y[0] = 0.01 * at.across[0] * at.across[0] * at.across[0];
  };
  network.add(cubic, {{"ends", "a", "b"}});
  network.add(diode(), {{"anode", "b"}});
  Running run(std::move(network));
  run.rates_at(0, run.states);
  const double i = run.output("network:r:current"), v1 = run.output("network:cubic:voltage"),
               v2 = run.output("network:diode:voltage");
  EXPECT_NEAR(v1 + v2 + 100 * i, 3, 1e-11);
  EXPECT_NEAR(0.01 * v1 * v1 * v1, i, 1e-12);
  EXPECT_NEAR(1e-12 * std::expm1(v2 / 0.026), i, 1e-11);
}

}  // namespace
}  // namespace circuits
