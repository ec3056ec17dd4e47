// What becomes of a flexible link and of what sits on it; what is refused.
#include "linkwright/model/flexible_links.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/beams.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

constexpr double pi = 3.14159265358979323846;

TEST(FlexibleLinks, keep_the_order_of_joints_and_name_what_is_new) {
  Model model = boom_on(JointType::revolute);
  model.bodies.push_back({.name = "hand", .mass = 1});
  model.joints.push_back({.name = "wrist",
                          .type = JointType::revolute,
                          .parent = "boom",
                          .child = "hand",
                          .pose = {.translation = {2, 0, 0}}});
  FlexibleLink link = strip(3);
  link.axial = true;
  const Model chain = to_elastic_chains(model, {link});
  std::vector<std::string> names;
  for (const Joint& joint : chain.joints) names.push_back(joint.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"root", "wrist", "boom:bend1", "boom:twist1", "boom:stretch1",
                                      "boom:bend2", "boom:twist2", "boom:stretch2", "boom:bend3",
                                      "boom:twist3", "boom:stretch3"}));
  EXPECT_EQ(chain.bodies[0].name, "boom");
  EXPECT_EQ(chain.bodies[1].name, "hand");
  EXPECT_EQ(chain.joints[1].parent, "boom:3");
  EXPECT_EQ(chain.frames[0].body, "boom:3");
  const System system = compile(chain);
  EXPECT_EQ(system.nv(), 2 + 3 * 4);
  std::vector<int> passive;
  for (int i = 2; i < system.nv(); ++i) passive.push_back(i);
  EXPECT_EQ(system.passive_freedoms(), passive) << "active inputs stay where they were";
  EXPECT_TRUE(to_elastic_chains(model, {}).joints.size() == model.joints.size());
}

/// The rule of the places is exact for cubics, the stiffnesses in a row are those of the beam.
TEST(FlexibleLinks, have_joints_where_cubics_are_summed_exactly) {
  for (const int k : {2, 3, 8, 31}) {
    const Beam beam = beam_of(strip(k));
    for (int power = 0; power <= 3; ++power) {
      double sum = 0;
      for (const double x : elastic_joint_places(beam)) {
        EXPECT_GT(x, 0);
        EXPECT_LT(x, beam.length);
        sum += beam.length / k * std::pow(x, power);
      }
      EXPECT_NEAR(sum * (power + 1) / std::pow(beam.length, power + 1), 1, 1e-14 * k) << power;
    }
    const Model chain = to_elastic_chains(boom_on(JointType::fixed), {strip(k)});
    double compliance = 0;
    for (const JointSpring& spring : chain.joint_springs)
      if (spring.joint.starts_with("boom:twist")) compliance += 1 / spring.stiffness;
    EXPECT_NEAR(compliance * beam.stiffness[2] / beam.length, 1, 1e-14 * k);
  }
}

TEST(FlexibleLinks, have_the_moments_of_their_sections) {
  const auto stiffness = [](const BeamSection& section) {
    FlexibleLink link = strip(2);
    link.section = section, link.axial = true, link.E = 1, link.G = 1;
    return beam_of(link).stiffness;
  };
  const auto flat = stiffness({.width = 3, .height = 2});
  EXPECT_NEAR(flat[0], 3 * 8 / 12.0, 1e-14);
  EXPECT_NEAR(flat[1], 2 * 27 / 12.0, 1e-14);
  EXPECT_NEAR(flat[2], 0.1958 * 3 * 8, 5e-4 * 24) << "Timoshenko's table: 0.196 at 1.5";
  EXPECT_NEAR(flat[3], 6, 1e-14);
  EXPECT_NEAR(stiffness({.width = 1, .height = 1})[2], 0.1405770, 1e-6) << "a square";
  EXPECT_NEAR(stiffness({.width = 1, .height = 1000})[2] / (1000 / 3.0), 1, 1e-3) << "a strip";
  const auto round = stiffness({.shape = BeamSection::Shape::circle, .radius = 2});
  EXPECT_NEAR(round[0], pi * 4, 1e-13);
  EXPECT_NEAR(round[2], pi * 8, 1e-13);
  const auto tube = stiffness({.shape = BeamSection::Shape::tube, .radius = 2, .inner_radius = 1});
  EXPECT_NEAR(tube[1], pi / 4 * 15, 1e-13);
  EXPECT_NEAR(tube[3], pi * 3, 1e-13);
}

/// `up` is the direction of the height, whatever the beam's own direction.
TEST(FlexibleLinks, turn_their_section_with_up) {
  FlexibleLink link = strip(2);
  const auto z_of = [&](const Vector3& along, const Vector3& up) {
    link.along = along, link.up = up;
    return beam_of(link).axes.column_z();
  };
  EXPECT_LT(norm(z_of({2, 0, 0}, {}) - Vector3{0, 0, 1}), 1e-15);
  EXPECT_LT(norm(z_of({0, 0, 2}, {}) - Vector3{1, 0, 0}), 1e-15);
  EXPECT_LT(norm(z_of({0, 0, -2}, {}) - Vector3{1, 0, 0}), 1e-15);
  EXPECT_LT(norm(z_of({2, 0, 0}, {7, 3, 0}) - Vector3{0, 1, 0}), 1e-15);
  const Matrix3 R = beam_of(link).axes;
  EXPECT_LT(norm(cross(R.column_x(), R.column_y()) - R.column_z()), 1e-15) << "right-handed";
}

TEST(FlexibleLinks, put_things_on_the_piece_at_their_place) {
  Model model = boom_on(JointType::fixed);
  model.bodies.push_back({.name = "ball", .mass = 1});
  model.joints.push_back(
      {.name = "ball", .type = JointType::free, .parent = "world", .child = "ball"});
  model.objects = {"ball"};
  model.frames.push_back({.name = "middle", .body = "boom", .pose = {.translation = {1, 0.1, 0}}});
  model.closures = {{.name = "rope",
                     .kind = Closure::Kind::distance,
                     .body_a = "boom",
                     .body_b = "ball",
                     .at_a = {.translation = {1.99, 0, 0}},
                     .distance = 1}};
  model.grasps = {{.name = "grip", .arm = "tip", .object = "ball"},
                  {.name = "hold",
                   .arm = "ball",
                   .object = "boom",
                   .at = {.translation = {-1, 0, 0}},
                   .contact = Grasp::Contact::point}};
  model.line_springs = {{.name = "coil", .body_a = "ball", .body_b = "boom", .at_b = {1, 0, 0}}};
  model.body_loads = {{.body = "boom", .force = {{}, {0, 0, 1}}, .at = {3, 0, 0}}};
  const Model chain = to_elastic_chains(model, {strip(2)});
  // Joints at 0.4226 m and 1.5774 m.
  EXPECT_EQ(chain.frames[1].body, "boom:1");
  EXPECT_NEAR(chain.frames[1].pose.translation.x, 1 / std::sqrt(3.0), 1e-14);
  EXPECT_EQ(chain.frames[1].pose.translation.y, 0.1);
  EXPECT_EQ(chain.closures[0].body_a, "boom:2");
  EXPECT_EQ(chain.closures[0].body_b, "ball");
  EXPECT_EQ(chain.grasps[1].object, "boom");
  EXPECT_EQ(chain.grasps[1].at.translation.x, -1) << "before the root: on the first piece";
  EXPECT_EQ(chain.line_springs[0].body_b, "boom:1");
  EXPECT_EQ(chain.body_loads[0].body, "boom:2");
  EXPECT_NEAR(chain.body_loads[0].at.x, 3 - 1 - 1 / std::sqrt(3.0), 1e-14);
}

TEST(FlexibleLinks, cut_long_shapes_and_draw_sections) {
  const auto length_of = [](const std::vector<Visual>& shapes, double Vector3::*entry) {
    double sum = 0;
    for (const Visual& shape : shapes) sum += shape.size.*entry;
    return sum;
  };
  const Model plain = to_elastic_chains(boom_on(JointType::fixed), {strip(4)});
  ASSERT_EQ(plain.visuals.size(), 5U);
  EXPECT_NEAR(length_of(plain.visuals, &Vector3::x), 2, 1e-14);
  EXPECT_EQ(plain.visuals[2].body, "boom:2");
  FlexibleLink bare{.body = "boom", .along = {2, 0, 0}, .EI = {10}, .mass_per_length = 1};
  EXPECT_TRUE(to_elastic_chains(boom_on(JointType::fixed), {bare}).visuals.empty());
  Model drawn = boom_on(JointType::fixed);
  const Matrix3 z_along_x{0, 0, 1, 1, 0, 0, 0, 1, 0};
  drawn.visuals = {{.body = "boom",
                    .pose = {z_along_x, {1, 0, 0}},
                    .shape = Visual::Shape::cylinder,
                    .size = {0.1, 2.4, 0}},
                   {.body = "boom",
                    .pose = {.translation = {2, 0, 0}},
                    .shape = Visual::Shape::sphere,
                    .size = {0.2, 0, 0}}};
  const Model cut = to_elastic_chains(drawn, {strip(4)});
  ASSERT_EQ(cut.visuals.size(), 6U);
  EXPECT_NEAR(length_of(cut.visuals, &Vector3::y), 2.4, 1e-14) << "ends beyond the beam stay";
  EXPECT_EQ(cut.visuals[5].body, "boom:4");
}

TEST(FlexibleLinks, take_the_mass_of_the_body_or_tell_that_theirs_counts) {
  Model model = boom_on(JointType::fixed);
  model.bodies[0].mass = 5;
  FlexibleLink link = strip(4);
  const auto mass_of = [](const Model& chain) {
    double sum = 0;
    for (const Body& body : chain.bodies) sum += body.mass;
    return sum;
  };
  const Model own = to_elastic_chains(model, {link});
  EXPECT_NEAR(mass_of(own), 2.7, 1e-12);
  EXPECT_TRUE(warns(own.warnings, {"'boom'", "2.7 kg", "in", "5 kg"})) << all_texts(own.warnings);
  link.density.reset();
  const Model spread = to_elastic_chains(model, {link});
  EXPECT_NEAR(mass_of(spread), 5, 1e-12);
  EXPECT_TRUE(warns(spread.warnings, {"'boom'", "5 kg are spread"}));
  EXPECT_TRUE(to_elastic_chains(boom_on(JointType::fixed), {strip(4)}).warnings.empty());
  // What a body has without a mass is replaced as well.
  for (const bool by_com : {true, false}) {
    Model massless = boom_on(JointType::fixed);
    if (by_com)
      massless.bodies[0].com = {1, 0, 0};
    else
      massless.bodies[0].inertia.yy = 3;
    const Model chain = to_elastic_chains(massless, {strip(4)});
    EXPECT_TRUE(warns(chain.warnings, {"'boom'", "com and inertia", "left out"}))
        << all_texts(chain.warnings);
  }
}

TEST(FlexibleLinks, tell_of_meshes_that_do_not_bend) {
  Model model = boom_on(JointType::fixed);
  model.visuals = {{.body = "boom",
                    .pose = {.translation = {1, 0, 0}},
                    .shape = Visual::Shape::mesh,
                    .size = {1, 1, 1},
                    .file = "boom.stl"}};
  const Model chain = to_elastic_chains(model, {strip(2)});
  EXPECT_TRUE(warns(chain.warnings, {"'boom'", "'boom.stl'", "'boom:1'", "does not bend"}))
      << all_texts(chain.warnings);
  model.visuals[0].shape = Visual::Shape::sphere;
  EXPECT_TRUE(to_elastic_chains(model, {strip(2)}).warnings.empty());
}

/// Length, mass, stiffness of each kind and damping come back from the chain, wherever the beam is held and
/// whichever way it moves.
TEST(FlexibleLinks, can_be_read_back_from_their_chains) {
  using Bending = FlexibleLink::Bending;
  for (const Bending bending : {Bending::both, Bending::y, Bending::z})
    for (const int k : {1, 2, 7})
      for (const double held_at : {0.0, 0.9, 2.0}) {
        FlexibleLink link = strip(k);
        link.along = {0, 1.2, -1.6};
        link.up = {0.3, 0.1, 1};
        link.bending = bending, link.axial = k != 2, link.damping_ratio = 0.02;
        if (k == 1) link.G.reset();
        Model model = boom_on(JointType::fixed);
        model.joints[0].at_child.translation = (held_at / 2) * link.along;
        model.joint_springs = {};
        const auto found = find_flexible_links(to_elastic_chains(model, {link}));
        ASSERT_EQ(found.size(), 1U);
        const Beam expected = beam_of(link), &beam = found[0].beam;
        EXPECT_EQ(found[0].body, "boom");
        EXPECT_EQ(beam.elements, k);
        EXPECT_NEAR(beam.length, 2, 1e-13);
        EXPECT_NEAR(beam.mass_per_length / expected.mass_per_length, 1, 1e-13);
        EXPECT_NEAR(beam.inertia_per_length.x / expected.inertia_per_length.x, 1, 1e-12);
        EXPECT_NEAR(found[0].damping_ratio, 0.02, 1e-14);
        for (std::size_t i = 0; i < 4; ++i)
          EXPECT_NEAR(beam.stiffness[i], expected.stiffness[i], 1e-13 * expected.stiffness[i]) << i;
      }
  EXPECT_TRUE(find_flexible_links(boom_on(JointType::revolute)).empty());
}

TEST(FlexibleLinks, know_their_springs_from_those_that_are_added) {
  Model model = boom_on(JointType::fixed);
  FlexibleLink link = planar_strip(2);
  link.source = {"beam.yaml", 3};
  model.joint_springs = {{.joint = "boom:bend1", .stiffness = 4, .source = {"beam.yaml", 9}}};
  const Model chain = to_elastic_chains(model, {link});
  EXPECT_EQ(find_springs_of_beams(chain), (std::vector<bool>{false, true, true}));
  EXPECT_NEAR(find_flexible_links(chain).at(0).beam.stiffness[0], beam_of(link).stiffness[0],
              1e-12 * beam_of(link).stiffness[0]);
}

/// `cut` is judged as it is without flexible links.
TEST(FlexibleLinks, leave_no_mistake_in_cut_untold) {
  Model model = boom_on(JointType::revolute);
  const auto text = [&] { return error_of([&] { (void)to_elastic_chains(model, {strip(3)}); }); };
  model.cut = {"root"};
  EXPECT_TRUE(contains(text(), "'root' is in no loop")) << text();
  model.cut = {"rot"};
  EXPECT_TRUE(contains(text(), "'rot'")) << text();
  model.bodies.push_back({.name = "rod", .mass = 1});
  model.joints.push_back({.name = "elbow",
                          .type = JointType::revolute,
                          .parent = "boom",
                          .child = "rod",
                          .pose = {.translation = {2, 0, 0}},
                          .axis = {0, 0, 1}});
  model.joints.push_back({.name = "pin",
                          .type = JointType::spherical,
                          .parent = "world",
                          .child = "rod",
                          .pose = {.translation = {1, 0, 0}},
                          .at_child = {.translation = {1, 0, 0}}});
  model.cut = {"root"};
  EXPECT_TRUE(contains(text(), "hangs in the air")) << text();
  model.cut = {"pin", "pin"};
  EXPECT_TRUE(contains(text(), "listed twice")) << text();
  model.cut = {"elbow"};
  EXPECT_EQ(text(), "");
}

/// A loop is cut where it was cut before.
TEST(FlexibleLinks, leave_loops_cut_where_they_were) {
  Model model = boom_on(JointType::revolute);
  model.bodies.push_back(
      {.name = "rod", .mass = 1, .com = {0.5, 0, 0}, .inertia = {0.1, 0.1, 0.1}});
  model.joints.push_back({.name = "elbow",
                          .type = JointType::revolute,
                          .parent = "boom",
                          .child = "rod",
                          .pose = {.translation = {2, 0, 0}},
                          .axis = {0, 0, 1}});
  model.joints.push_back({.name = "pin",
                          .type = JointType::spherical,
                          .parent = "world",
                          .child = "rod",
                          .pose = {.translation = {1, 0, 0}},
                          .at_child = {.translation = {1, 0, 0}}});
  const System system = compile(to_elastic_chains(model, {strip(3)}));
  ASSERT_EQ(system.closures().size(), 1U);
  EXPECT_EQ(system.closures()[0].name, "pin");
}

struct Mistake {
  std::string what;
  std::function<void(FlexibleLink&)> make;
  std::vector<std::string> words;
};

const std::vector<Mistake> mistakes{
    {"unknown body", [](FlexibleLink& l) { l.body = "bom"; }, {"'bom'", "did you mean 'boom'?"}},
    {"the world", [](FlexibleLink& l) { l.body = "world"; }, {"world", "does not bend"}},
    {"no length", [](FlexibleLink& l) { l.along = {}; }, {"`along` is [0, 0, 0]"}},
    {"not a number", [](FlexibleLink& l) { l.along.y = NAN; }, {"`along`", "finite"}},
    {"up along it",
     [](FlexibleLink& l) {
       l.up = {3, 0, 0};
     },
     {"`up`", "parallel"}},
    {"negative E", [](FlexibleLink& l) { l.E = -1; }, {"E is -1", "more than zero"}},
    {"zero G", [](FlexibleLink& l) { l.G = 0; }, {"G is 0"}},
    {"no E", [](FlexibleLink& l) { l.E.reset(); }, {"E is missing"}},
    {"no section", [](FlexibleLink& l) { l.section.reset(); }, {"section is missing"}},
    {"E and EI", [](FlexibleLink& l) { l.EI = {3}; }, {"`EI`", "beside E", "keep one"}},
    {"E and GJ", [](FlexibleLink& l) { l.GJ = 3; }, {"GJ", "follow from"}},
    {"flat section",
     [](FlexibleLink& l) { l.section->height = 0; },
     {"height of its section is 0"}},
    {"hollow tube",
     [](FlexibleLink& l) {
       l.section = BeamSection{.shape = BeamSection::Shape::tube, .radius = 1, .inner_radius = 1};
     },
     {"inner radius 1 leaves nothing"}},
    {"negative density", [](FlexibleLink& l) { l.density = -2; }, {"density is -2"}},
    {"no mass", [](FlexibleLink& l) { l.density.reset(); }, {"no mass", "density (kg/m³)"}},
    {"two masses", [](FlexibleLink& l) { l.mass_per_length = 1; }, {"density and mass_per_length"}},
    {"no elements", [](FlexibleLink& l) { l.elements = 0; }, {"elements is 0", "1 … 1000"}},
    {"too many", [](FlexibleLink& l) { l.elements = 100000; }, {"elements is 100000"}},
    {"no modes",
     [](FlexibleLink& l) { l.elements.reset(), l.modes = -1; },
     {"modes is -1", "expected 1"}},
    {"elements and modes", [](FlexibleLink& l) { l.modes = 3; }, {"elements and modes"}},
    {"negative damping",
     [](FlexibleLink& l) { l.damping_ratio = -0.1; },
     {"damping ratio is -0.1"}},
    {"three EI",
     [](FlexibleLink& l) {
       l = {.body = "boom", .along = {1, 0, 0}, .EI = {1, 2, 3}, .mass_per_length = 1};
     },
     {"EI has 3"}},
    {"zero EI",
     [](FlexibleLink& l) {
       l = {.body = "boom", .along = {1, 0, 0}, .EI = {0}, .mass_per_length = 1};
     },
     {"EI is 0"}},
    {"nothing at all",
     [](FlexibleLink& l) {
       l = {.body = "boom", .along = {1, 0, 0}};
     },
     {"no stiffness"}},
    {"stretch of what",
     [](FlexibleLink& l) {
       l = {.body = "boom", .along = {1, 0, 0}, .EI = {1}, .mass_per_length = 1, .axial = true};
     },
     {"EA (N) is missing"}},
    {"EA of what does not stretch",
     [](FlexibleLink& l) {
       l = {.body = "boom", .along = {1, 0, 0}, .EI = {1}, .EA = 3, .mass_per_length = 1};
       l.axial = false;
     },
     {"EA is given", "`axial: false`", "remove one"}},
    // Numbers that are in order, and amount to what a double cannot hold.
    {"far too long",
     [](FlexibleLink& l) {
       l.along = {1e160, 0, 0};
     },
     {"comes to inf"}},
    {"longer still",
     [](FlexibleLink& l) {
       l.along = {1e200, 0, 0};
     },
     {"comes to inf"}},
    {"long",
     [](FlexibleLink& l) {
       l.along = {1e150, 0, 0};
     },
     {"comes to inf"}},
    {"far too short",
     [](FlexibleLink& l) {
       l.along = {1e-200, 0, 0};
     },
     {"comes to 0"}},
    {"far too thin",
     [](FlexibleLink& l) { l.section = BeamSection{.width = 1e-110, .height = 1e-110}; },
     {"comes to 0", "above zero"}},
    {"thin one way",
     [](FlexibleLink& l) { l.section = BeamSection{.width = 1e-120, .height = 1}; },
     {"comes to 0"}},
    {"as light as nothing", [](FlexibleLink& l) { l.density = 1e-308; }, {"frequency", "inf"}},
    {"too soft",
     [](FlexibleLink& l) {
       l = {.body = "boom", .along = {1, 0, 0}, .EI = {1e-300}, .mass_per_length = 1e300};
     },
     {"first frequency of bend_y comes to 0"}},
    {"damped beyond numbers",
     [](FlexibleLink& l) { l.damping_ratio = 1e308; },
     {"damping", "comes to inf"}},
};

TEST(FlexibleLinks, tell_every_mistake_by_name_and_line) {
  for (const Mistake& mistake : mistakes) {
    FlexibleLink link = strip(4);
    mistake.make(link);
    link.source = {"beam.yaml", 7};
    const std::string text =
        error_of([&] { (void)to_elastic_chains(boom_on(JointType::fixed), {link}); });
    EXPECT_TRUE(contains(text, "beam.yaml:7")) << mistake.what << ": " << text;
    EXPECT_TRUE(contains(text, "flexible link '")) << mistake.what << ": " << text;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(text, word)) << mistake.what << ": " << text;
  }
  const std::string twice = error_of([] {
    (void)to_elastic_chains(boom_on(JointType::fixed), {strip(4), strip(5)});
  });
  EXPECT_TRUE(contains(twice, "'boom' is described twice")) << twice;
}

}  // namespace
}  // namespace linkwright::testing
