/// Circuits against exact solutions, their index, and what depends on what.

#include <cmath>
#include <numbers>

#include "network/circuits.hpp"

namespace circuits {
namespace {

TEST(Circuit, series_rlc_follows_its_exact_solution) {
  const double V = 5, R = 2, L = 0.01, C = 1e-3;
  Network network;
  network.add(voltage_source("supply", V, "plus"));
  network.add(resistor("r", R, "plus", "a"));
  network.add(inductor("coil", L, "a", "b"));
  network.add(capacitor("c", C, "b"));
  Running run(std::move(network));
  EXPECT_EQ(run.circuit.index(), 1);
  EXPECT_EQ(names_of(run.circuit.states()).size(), 2U);
  const double t = 0.02, alpha = R / (2 * L), omega = std::sqrt(1 / (L * C) - alpha * alpha);
  run.run(t, 1e-6);
  const double i = V / (omega * L) * std::exp(-alpha * t) * std::sin(omega * t);
  const double v =
      V - V * std::exp(-alpha * t) * (std::cos(omega * t) + alpha / omega * std::sin(omega * t));
  EXPECT_NEAR(run.output("network:coil:current"), i, 1e-11);
  EXPECT_NEAR(run.output("network:c:voltage"), v, 1e-11);
  // The source takes what it gives with a minus sign; currents in series are one.
  EXPECT_NEAR(run.output("network:supply:current"), -i, 1e-11);
  EXPECT_NEAR(run.output("network:r:voltage"), R * i, 1e-11);
}

TEST(Circuit, parallel_rlc_under_a_current_follows_its_exact_solution) {
  const double I = 3, R = 40, L = 0.02, C = 2e-4;
  Network network;
  network.add(current_source("drive", I, "top"));
  network.add(resistor("r", R, "top"));
  network.add(inductor("coil", L, "top"));
  network.add(capacitor("c", C, "top"));
  Running run(std::move(network));
  const double t = 0.004, alpha = 1 / (2 * R * C), omega = std::sqrt(1 / (L * C) - alpha * alpha);
  run.run(t, 1e-6);
  const double v = I / (omega * C) * std::exp(-alpha * t) * std::sin(omega * t);
  EXPECT_NEAR(run.output("network:c:voltage"), v, 1e-10);
  EXPECT_NEAR(run.output("network:drive:current"), -I, 1e-12);
}

TEST(Circuit, power_into_all_components_is_zero) {
  Network network;
  network.add(voltage_source("supply", 7, "plus"));
  network.add(resistor("r1", 3, "plus", "a"));
  network.add(capacitor("c1", 1e-3, "a"));
  network.add(inductor("l1", 1e-2, "a", "b"));
  network.add(motor("m", 0.3, {"b", ""}, {"shaft", ""}));
  network.add(inertia("rotor", 1e-3, "shaft"));
  network.add(spring("belt", 5, "shaft", "drum"));
  network.add(damper("oil", 0.02, "shaft", "drum"));
  network.add(gear("g", -3, {"drum", ""}, {"load", ""}));
  network.add(inertia("flywheel", 0.4, "load"));
  network.add(torque_source("brake", -0.2, "load"));
  Running run(std::move(network));
  run.run(0.05, 1e-5);
  double sum = 0, size = 0;
  for (std::size_t e = 0; e < run.circuit.network().edges().size(); ++e) {
    run.output("network:r1:voltage");
    const auto at = static_cast<Eigen::Index>(2 * e);
    sum += run.outputs[at] * run.outputs[at + 1];
    size += std::abs(run.outputs[at] * run.outputs[at + 1]);
  }
  EXPECT_GT(size, 1);
  EXPECT_NEAR(sum, 0, 1e-12 * size);
}

TEST(Circuit, energy_stored_changes_by_what_is_fed_and_lost) {
  Network network;
  network.add(voltage_source("supply", 7, "plus"));
  network.add(resistor("r", 3, "plus", "a"));
  network.add(inductor("l", 1e-2, "a", "b"));
  network.add(motor("m", 0.3, {"b", ""}, {"shaft", ""}));
  network.add(inertia("rotor", 1e-3, "shaft"));
  network.add(spring("belt", 5, "shaft"));
  Running run(std::move(network));
  run.run(0.03, 1e-5);
  const auto stored = [&](double shift) {
    const Eigen::VectorXd s = run.states + shift * run.rates_at(0.03, run.states);
    run.rates_at(0.03, s);
    return run.circuit.power(run.work, s).stored;
  };
  const double h = 1e-6, change = (stored(h) - stored(-h)) / (2 * h);
  run.rates_at(0.03, run.states);
  const double i = run.output("network:l:current");
  EXPECT_NEAR(change, 7 * i - 3 * i * i, 1e-7 * std::abs(7 * i));
  const Circuit::Power power = run.circuit.power(run.work, run.states);
  EXPECT_NEAR(power.fed, std::abs(7 * i), 1e-12);
  EXPECT_FALSE(power.is_lossless);
}

TEST(Index, is_none_where_every_component_stores) {
  Network network;
  network.add(capacitor("c", 1e-3, "a"));
  network.add(inductor("l", 1e-2, "a"));
  const Circuit circuit(network);
  EXPECT_EQ(circuit.index(), 0);
  EXPECT_EQ(names_of(circuit.states()),
            (std::vector<std::string>{"network:c:voltage", "network:l:current"}));
  EXPECT_TRUE(circuit.dependent().empty());
}

TEST(Index, is_one_with_dissipators) {
  Network network;
  network.add(capacitor("c", 1e-3, "a"));
  network.add(resistor("r", 2, "a"));
  EXPECT_EQ(Circuit(network).index(), 1);
}

TEST(Index, is_two_where_a_source_fixes_a_capacitor) {
  Network network;
  network.add(voltage_source("v", 2, "a"));
  network.drive("v", [](double t) { return SourceValue{std::sin(t), std::cos(t)}; });
  network.add(capacitor("c", 1e-3, "a"));
  Running run(std::move(network));
  EXPECT_EQ(run.circuit.index(), 2);
  EXPECT_EQ(run.states.size(), 0);
  ASSERT_EQ(run.circuit.dependent().size(), 1U);
  EXPECT_EQ(run.circuit.dependent()[0].component, "c");
  expect_words(run.circuit.dependent()[0].reason, {"voltage:v"});
  run.rates_at(0.7, run.states);
  EXPECT_NEAR(run.output("network:c:voltage"), 2 + std::sin(0.7), 1e-14);
  EXPECT_NEAR(run.output("network:c:current"), 1e-3 * std::cos(0.7), 1e-16);
  EXPECT_NEAR(run.output("network:v:current"), -1e-3 * std::cos(0.7), 1e-16);
}

TEST(Index, is_two_where_a_source_fixes_an_inductor) {
  Network network;
  network.add(current_source("i", 0, "a"));
  network.drive("i", [](double t) { return SourceValue{std::sin(t), std::cos(t)}; });
  network.add(inductor("l", 0.5, "a"));
  Running run(std::move(network));
  EXPECT_EQ(run.circuit.index(), 2);
  run.rates_at(0.7, run.states);
  EXPECT_NEAR(run.output("network:l:current"), std::sin(0.7), 1e-15);
  EXPECT_NEAR(run.output("network:l:voltage"), 0.5 * std::cos(0.7), 1e-15);
}

/// A divider of capacitors: charge is kept when the source jumps, and no derivative of the source is asked for.
TEST(Index, dependent_capacitors_share_a_jump_by_their_charge) {
  Network network;
  network.add(voltage_source("v", 0, "a"));
  network.add(capacitor("c1", 1e-3, "a", "b"));
  network.add(capacitor("c2", 3e-3, "b"));
  network.add(resistor("r", 100, "b"));
  Running run(std::move(network));
  EXPECT_EQ(run.circuit.index(), 2);
  ASSERT_EQ(run.states.size(), 1);
  EXPECT_TRUE(run.circuit.states()[0].name.find("free_voltage") != std::string::npos)
      << run.circuit.states()[0].name;
  run.usual[0] = 8;  // a jump from 0
  run.rates_at(0, run.states);
  EXPECT_NEAR(run.output("network:c1:voltage"), 6, 1e-13);
  EXPECT_NEAR(run.output("network:c2:voltage"), 2, 1e-13);
  run.run(0.4, 1e-4);  // then c2 fades over (c1 + c2) r
  EXPECT_NEAR(run.output("network:c2:voltage"), 2 * std::exp(-1), 1e-10);
}

TEST(Index, springs_in_series_are_one_state) {
  Network network;
  network.add(inertia("rotor", 0.2, "a"));
  network.add(spring("s1", 30, "a", "b"));
  network.add(spring("s2", 60, "b"));
  Running run(std::move(network));
  EXPECT_EQ(run.circuit.index(), 2);
  EXPECT_EQ(run.states.size(), 2);
  run.states.setZero();
  run.states[run.circuit.states()[0].name == "network:rotor:speed" ? 0 : 1] = 1;
  const double omega = std::sqrt(20 / 0.2);
  run.run(0.3, 1e-4);
  EXPECT_NEAR(run.output("network:rotor:speed"), std::cos(omega * 0.3), 1e-9);
  EXPECT_NEAR(run.output("network:s1:torque"), 20 / omega * std::sin(omega * 0.3), 1e-8);
}

/// Values that are ten orders of magnitude apart are no zeros.
TEST(Index, does_not_take_small_for_nothing) {
  for (const double tiny : {1e-3, 1e-9, 1e-12}) {
    Network network;
    network.add(voltage_source("v", 1, "a"));
    network.add(resistor("r", 1e9, "a", "b"));
    network.add(capacitor("c", tiny, "b"));
    network.add(inductor("l", 1e3, "b"));
    const Circuit circuit(network);
    EXPECT_EQ(circuit.index(), 1) << tiny;
    EXPECT_EQ(circuit.states().size(), 2U) << tiny;
  }
}

TEST(Start, what_is_given_decides_for_what_depends_on_it) {
  Network network;
  NetworkComponent c1 = capacitor("c1", 1e-3, "a"), c2 = capacitor("c2", 3e-3, "a");
  c1.initial = 5;
  network.add(c1);
  network.add(c2);
  network.add(resistor("r", 10, "a"));
  Running run(std::move(network));
  run.rates_at(0, run.states);
  EXPECT_NEAR(run.output("network:c2:voltage"), 5, 1e-13);
}

TEST(Start, contradictions_are_refused_with_the_nearest_that_fits) {
  Network network;
  NetworkComponent c1 = capacitor("c1", 1e-3, "a"), c2 = capacitor("c2", 3e-3, "a");
  c1.initial = 5, c2.initial = 1;
  network.add(c1);
  network.add(c2);
  network.add(resistor("r", 10, "a"));
  // Nearest by energy: that of the same charge.
  expect_words(error_of([&] { Running run(network); }), {"c1 = 2, given 5", "c2 = 2, given 1"});
}

TEST(Start, a_twisted_spring_pushes) {
  Network network;
  NetworkComponent belt = spring("belt", 40, "a");
  belt.initial = 0.25;
  network.add(belt);
  network.add(inertia("rotor", 0.1, "a"));
  Running run(std::move(network));
  run.rates_at(0, run.states);
  EXPECT_NEAR(run.output("network:belt:torque"), 10, 1e-13);
  EXPECT_NEAR(run.output("network:rotor:torque"), -10, 1e-13);
}

}  // namespace
}  // namespace circuits
