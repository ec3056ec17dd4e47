// Chains of elastic joints against Euler and Bernoulli's beam: static deflections, frequencies, damping.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "support/beams.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;

Analysis modes_of(const System& system, const OperatingPoint& point) {
  ClosedWorkspace work(system);
  return analyse(linearize(work, point, {}));
}
Analysis modes_of(const System& system) { return modes_of(system, OperatingPoint(system)); }

/// Of the modes that oscillate, each pair once, by growing frequency.
std::vector<double> frequencies_of(const Analysis& found) {
  std::vector<double> all;
  for (const Mode& mode : found.modes)
    if (mode.eigenvalue.imag() > 1e-6) all.push_back(mode.frequency);
  return all;
}

double relative_error(const Analysis& found, const Beam& beam, int mode) {
  const double exact = clamped_frequencies(beam, BeamMotion::bend_y, mode).back();
  return frequencies_of(found).at(static_cast<std::size_t>(mode - 1)) / exact - 1;
}

/// Where the tip is when everything rests.
Pose resting_tip(const System& system, const std::vector<ExternalForce>& forces = {}) {
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  point.forces = forces;
  const Equilibrium found = find_equilibrium(work, point);
  EXPECT_TRUE(found.found) << describe(found);
  Workspace tree(system);
  compute_forward_kinematics(tree, point.state, Eigen::VectorXd::Zero(system.nv()));
  return frame_pose(tree, system.frame("tip"));
}

double pitch_of(const Pose& pose) {
  return std::atan2(-pose.rotation.column_x().z, pose.rotation.column_x().x);
}

/// Bends so little that the beam stays in the linear range: errors of that are below 1e-7.
TEST(FlexibleLink, bends_at_its_tip_as_the_beam_whatever_the_number_of_elements) {
  for (const int k : {2, 3, 8, 20}) {
    const FlexibleLink link = planar_strip(k);
    const Beam beam = beam_of(link);
    const double L = beam.length, EI = beam.stiffness[0], P = 1e-4 * EI / (L * L);
    const System system = cantilever(link);
    const FrameId tip = system.frame("tip");
    const Pose pushed = resting_tip(system, {{tip, {{}, {0, 0, -P}}, Axes::world}});
    EXPECT_NEAR(pushed.translation.z / (-P * L * L * L / (3 * EI)), 1, 1e-6) << k;
    EXPECT_NEAR(pitch_of(pushed) / (P * L * L / (2 * EI)), 1, 1e-6) << k;
    const Pose turned = resting_tip(system, {{tip, {{0, P * L, 0}, {}}, Axes::world}});
    EXPECT_NEAR(turned.translation.z / (-P * L * L * L / (2 * EI)), 1, 1e-6) << k;
    EXPECT_NEAR(pitch_of(turned) / (P * L * L / EI), 1, 1e-6) << k;
    Model heavy = boom_on(JointType::fixed);
    const double g = 1e-3;
    heavy.gravity = {0, 0, -g};
    const Pose sagged = resting_tip(compile(to_elastic_chains(heavy, {link})));
    const double q = beam.mass_per_length * g;
    EXPECT_NEAR(sagged.translation.z / (-q * std::pow(L, 4) / (8 * EI)), 1, 1e-6) << k;
    EXPECT_NEAR(pitch_of(sagged) / (q * std::pow(L, 3) / (6 * EI)), 1, 1e-6) << k;
  }
}

/// Large deflections of a cantilever under a force that keeps its direction: K. Mattiasson, Int. J. Numer.
/// Methods Eng. 17 (1981), table of elliptic integrals.
TEST(FlexibleLink, follows_the_elastica) {
  struct Row {
    double load, shortening, deflection;
  };
  const auto largest_error = [](int k) {
    const FlexibleLink link = planar_strip(k);
    const Beam beam = beam_of(link);
    const System system = cantilever(link);
    double worst = 0;
    for (const Row& row : {Row{1, 0.05643, 0.30172},
                           {2, 0.16064, 0.49346},
                           {5, 0.38763, 0.71379},
                           {10, 0.55500, 0.81061}}) {
      const double P = row.load * beam.stiffness[0] / (beam.length * beam.length);
      const FrameId tip = system.frame("tip");
      const Vector3 at = (1 / beam.length) *
                         resting_tip(system, {{tip, {{}, {0, 0, -P}}, Axes::world}}).translation;
      worst =
          std::max({worst, std::abs(1 - at.x - row.shortening), std::abs(-at.z - row.deflection)});
    }
    return worst;
  };
  const double coarse = largest_error(8), fine = largest_error(16);
  EXPECT_LT(fine, 3e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.5) << "second order";
}

TEST(FlexibleLink, has_the_frequencies_of_the_clamped_beam) {
  const FlexibleLink twelve = planar_strip(12), more = planar_strip(24);
  const Analysis coarse = modes_of(cantilever(twelve)), fine = modes_of(cantilever(more));
  for (int mode = 1; mode <= 3; ++mode) {
    EXPECT_LT(std::abs(relative_error(coarse, beam_of(twelve), mode)), 0.008) << mode;
    const double ratio =
        relative_error(coarse, beam_of(twelve), mode) / relative_error(fine, beam_of(more), mode);
    EXPECT_NEAR(ratio, 4, mode == 1 ? 1.2 : 0.2) << mode << ": second order";
  }
}

TEST(FlexibleLink, has_as_many_good_modes_as_asked_for) {
  for (int modes = 1; modes <= 8; ++modes) {
    FlexibleLink link = planar_strip(1);
    link.elements.reset();
    link.modes = modes;
    const Beam beam = beam_of(link);
    EXPECT_EQ(beam.elements, 2 * modes + 2);
    const Analysis found = modes_of(cantilever(link));
    for (int mode = 1; mode <= modes; ++mode)
      EXPECT_LT(std::abs(relative_error(found, beam, mode)), 0.02) << mode << " of " << modes;
  }
}

/// Both ways of bending, torsion and stretch at once, along any direction: each finds its own first mode, and
/// it has the damping ratio asked for.
TEST(FlexibleLink, moves_in_every_way_with_its_damping) {
  for (const Vector3& along : {Vector3{2, 0, 0}, {0, 0, 2}, {0.4, -1.2, 1.5}}) {
    FlexibleLink link = strip(12);
    link.along = along;
    link.axial = true;
    link.damping_ratio = 0.01;
    const Beam beam = beam_of(link);
    const Analysis found = modes_of(cantilever(link));
    for (const BeamMotion motion : all_beam_motions) {
      const double exact = clamped_frequencies(beam, motion, 1).front();
      const Mode* nearest = &found.modes.front();
      for (const Mode& mode : found.modes)
        if (std::abs(mode.frequency - exact) < std::abs(nearest->frequency - exact))
          nearest = &mode;
      EXPECT_NEAR(nearest->frequency / exact, 1, 2e-3) << to_string(motion);
      EXPECT_NEAR(nearest->damping_ratio, 0.01, 3e-5) << to_string(motion);
    }
  }
}

/// Torsion of a shaft with a disc: tan β = J_shaft / (J_disc β).
TEST(FlexibleLink, twists_with_a_disc_at_its_end) {
  FlexibleLink link{.body = "boom",
                    .along = {0, 0, 0.5},
                    .EI = {4e3},
                    .GJ = 1.5e3,
                    .mass_per_length = 2,
                    .inertia_per_length = 1e-3,
                    .elements = 10};
  Model model = boom_on(JointType::fixed, link.along);
  const double disc = 5e-4;  // as much as the shaft itself
  model.bodies.push_back({.name = "disc", .mass = 1e-6, .inertia = {disc / 2, disc / 2, disc}});
  model.joints.push_back(
      {.name = "weld", .parent = "boom", .child = "disc", .pose = {.translation = link.along}});
  const Analysis found = modes_of(compile(to_elastic_chains(model, {link})));
  const double beta = 0.8603335890;  // β tan β = 1
  const double exact = beta / 0.5 * std::sqrt(1.5e3 / 1e-3);
  double nearest = 1e9;
  for (const double f : frequencies_of(found))
    if (std::abs(f / exact - 1) < std::abs(nearest)) nearest = f / exact - 1;
  EXPECT_LT(std::abs(nearest), 1e-3);
}

/// A mass at the tip as large as the beam's: β = 1.24792, and clamped at both ends: β = 4.73004.
TEST(FlexibleLink, carries_a_mass_and_can_be_held_at_both_ends) {
  FlexibleLink link = planar_strip(12);
  const Beam beam = beam_of(link);
  const double unit = std::sqrt(beam.stiffness[0] / beam.mass_per_length) / (2.0 * 2.0);
  Model loaded = boom_on(JointType::fixed);
  loaded.bodies.push_back({.name = "weight", .mass = beam.mass_per_length * beam.length});
  loaded.joints.push_back(
      {.name = "weld", .parent = "boom", .child = "weight", .pose = {.translation = {2, 0, 0}}});
  const Analysis heavy = modes_of(compile(to_elastic_chains(loaded, {link})));
  EXPECT_NEAR(frequencies_of(heavy).front() / (1.2479175 * 1.2479175 * unit), 1, 1e-4);

  Model held = boom_on(JointType::fixed);
  held.closures.push_back({.name = "wall",
                           .body_a = "boom",
                           .body_b = "world",
                           .at_a = {.translation = {2, 0, 0}},
                           .at_b = {.translation = {2, 0, 0}}});
  link.axial = true;
  const Analysis clamped = modes_of(compile(to_elastic_chains(held, {link})));
  EXPECT_NEAR(frequencies_of(clamped).front() / (4.7300407 * 4.7300407 * unit), 1, 0.02);
}

/// On a hinge at each end: κ² √(EI / (µ + I κ²)), κ = nπ/L, I the rotary inertia of a slice. The errors are a
/// series in (n/k)²: their ratio for twice the elements comes to 4, four times as near with each doubling.
TEST(FlexibleLink, has_the_frequencies_of_the_simply_supported_beam) {
  const auto errors_of = [](int elements) {
    FlexibleLink link = planar_strip(elements);
    link.axial = true;
    const Beam beam = beam_of(link);
    Model model = boom_on(JointType::revolute, link.along, {0, 1, 0});
    model.closures = {{.name = "far",
                       .body_a = "world",
                       .body_b = "boom",
                       .at_a = {.translation = {2, 0, 0}},
                       .at_b = {.translation = {2, 0, 0}},
                       .joint = JointType::revolute,
                       .axis = {0, 1, 0}}};
    const auto found = frequencies_of(modes_of(compile(to_elastic_chains(model, {link}))));
    std::array<double, 3> errors{};
    for (std::size_t n = 1; n <= errors.size(); ++n) {
      const double wave = static_cast<double>(n) * std::numbers::pi / beam.length;
      const double inertia = beam.mass_per_length + beam.inertia_per_length.y * wave * wave;
      const double exact = wave * wave * std::sqrt(beam.stiffness[0] / inertia);
      errors[n - 1] = found.at(n - 1) / exact - 1;
    }
    return errors;
  };
  const auto coarse = errors_of(8), middle = errors_of(16), fine = errors_of(32);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    EXPECT_LT(std::abs(middle[i]), 0.02) << i;
    const double first = coarse[i] / middle[i] - 4, second = middle[i] / fine[i] - 4;
    EXPECT_LT(std::abs(first), 4) << i << ": first order, or none";
    EXPECT_LT(std::abs(second), std::abs(first) / 2) << i << ": " << first << ", " << second;
  }
}

/// Coordinates mean the same wherever the beam is held: seen from its root, the tip goes the same way.
TEST(FlexibleLink, has_coordinates_that_do_not_depend_on_where_it_is_held) {
  FlexibleLink link = strip(3);
  link.axial = true;
  const auto tip_from_root = [&](double held_at, const std::string& joint, int freedom, double q) {
    Model model = boom_on(JointType::fixed);
    model.joints[0].at_child.translation = {held_at, 0, 0};
    model.frames.push_back({.name = "root", .body = "boom"});
    const System system = compile(to_elastic_chains(model, {link}));
    State state(system);
    state.q[system.joint(joint).q + freedom] = q;
    Workspace work(system);
    compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
    return inverse(frame_pose(work, system.frame("root"))) * frame_pose(work, system.frame("tip"));
  };
  for (const double held_at : {0.0, 1.0, 2.0}) {
    EXPECT_NEAR(tip_from_root(held_at, "boom:stretch1", 0, 0.1).translation.x, 2.1, 1e-14);
    EXPECT_NEAR(tip_from_root(held_at, "boom:stretch3", 0, 0.1).translation.x, 2.1, 1e-14);
    for (const auto& [joint, freedom] :
         {std::pair{"boom:bend1", 0}, {"boom:bend2", 1}, {"boom:twist3", 0}}) {
      const Pose expected = tip_from_root(0, joint, freedom, 0.3),
                 found = tip_from_root(held_at, joint, freedom, 0.3);
      EXPECT_LT(norm(found.translation - expected.translation), 1e-14) << joint << held_at;
      EXPECT_LT(norm(found.rotation.column_y() - expected.rotation.column_y()), 1e-14) << joint;
    }
  }
  EXPECT_LT(tip_from_root(2, "boom:bend1", 0, 0.3).translation.z, -0.3) << "about y: down";
}

/// Out of its plane a spinning beam is stiffer: A. D. Wright et al., J. Appl. Mech. 49 (1982), hub of no size.
TEST(FlexibleLink, is_stiffened_by_spinning) {
  struct Row {
    double spin, frequency;  // in units of √(EI/µL⁴)
  };
  const FlexibleLink link = planar_strip(24);
  const Beam beam = beam_of(link);
  const double unit = std::sqrt(beam.stiffness[0] / beam.mass_per_length) / (2.0 * 2.0);
  const System system = compile(to_elastic_chains(boom_on(JointType::continuous), {link}));
  for (const Row& row : {Row{0, 3.5160}, {1, 3.6816}, {3, 4.7973}, {5, 6.4495}, {10, 11.2023}}) {
    OperatingPoint point(system);
    point.state.v[0] = row.spin * unit;
    EXPECT_NEAR(frequencies_of(modes_of(system, point)).front() / (row.frequency * unit), 1, 2e-3)
        << row.spin;
  }
}

}  // namespace
}  // namespace linkwright::testing
