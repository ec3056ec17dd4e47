/// Models written as system files and read back: the same to the last bit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/writers/written.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/model/flexible_links.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/system/system.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_same_model;

const std::filesystem::path root = LINKWRIGHT_SOURCE_DIR;

Model back(const Model& model) { return parse_system_file(write_system_file(model), "back.yaml"); }

void expect_comes_back(const Model& model, const std::string& what) {
  const Model again = back(model);
  expect_same_model(model, again, what);
  EXPECT_EQ(write_system_file(again), write_system_file(model)) << what;
}

void expect_folder_comes_back(const std::filesystem::path& folder, const std::string& extension,
                              int at_least) {
  int count = 0;
  for (const auto& file : testing::files_in(folder, extension)) {
    if (file.stem().extension() == ".closures") continue;
    SCOPED_TRACE(file.string());
    Model model;
    const auto read = [&] { model = read_model(file), compile(model); };
    if (!error_of(read).empty()) continue;  // not a model by itself
    expect_comes_back(model, file.filename().string());
    // What `compile` keeps, with its shafts and its elastic chains, comes back too.
    expect_comes_back(compile(model).model(), "compiled " + file.filename().string());
    ++count;
  }
  EXPECT_GE(count, at_least) << folder;
}

TEST(WriteSystemFile, bundled_models_come_back_to_the_last_bit) {
  expect_folder_comes_back(root / "models", ".yaml", 23);
  expect_folder_comes_back(root / "models", ".urdf", 4);
  expect_folder_comes_back(root / "tests/data", ".yaml", 12);
  expect_folder_comes_back(root / "tests/data/sdf", ".sdf", 4);
}

TEST(WriteSystemFile, shared_models_come_back_to_the_last_bit) {
  const auto folder = testing::shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "writing the collection of real models");
  expect_folder_comes_back(folder, ".urdf", 19);
  expect_folder_comes_back(folder, ".sdf", 3);
}

TEST(WriteSystemFile, free_bases_come_back) {
  for (const Base base : {Base::free, Base::planar})
    expect_comes_back(read_model(root / "models/quadruped.urdf", {.base = base}), "quadruped");
}

/// A model that has every kind of everything, with numbers that take all their digits.
class Everything {
 public:
  explicit Everything(unsigned seed) : random_(seed) {}

  Model model() {
    Model model = random_.tree(12, Base::free, testing::all_joint_types());
    model.name = "every \"thing\": é\t";
    add_ends(model);
    add_closures(model);
    add_forces(model);
    add_motors(model);
    add_network(model);
    add_shapes(model);
    return model;
  }

 private:
  double x() { return random_.between(0.1, 2); }
  Friction friction() {
    const double forward = x(), backward = x();
    return {forward, backward, forward + backward};
  }

  /// Joints with known freedoms at the end, "hinge" and "slot", and freedoms of all joints.
  void add_ends(Model& model) {
    for (const auto& [name, type] : {std::pair{"hinge", JointType::revolute},
                                     {"slot", JointType::cylindrical},
                                     {"ball: 1", JointType::spherical},
                                     {"slide", JointType::prismatic}}) {
      const std::string link = std::string("link of ") + name;
      model.bodies.push_back(random_.body(link));
      model.joints.push_back(random_.joint(name, type, "body3", link));
    }
    model.bodies.push_back({.name = "mere frame", .has_inertial = false});
    model.joints.push_back(random_.joint("weld", JointType::fixed, "world", "mere frame"));
    model.joints.front().implied = true;
    for (Joint& joint : model.joints) add_freedoms(joint);
    Joint closing = random_.joint("closing", JointType::universal, "body2", "link of slide");
    closing.at_child = random_.pose(1);
    model.joints.push_back(closing);
    model.cut = {"closing"};
    model.frames.push_back({"on the world", "world", random_.pose(1), {}});
    model.objects = {"link of ball: 1"};
    model.flexible_bases.push_back({.joint = "base", .stiffness = {x(), x(), x(), x(), x(), x()}});
    model.flexible_bases.back().damping.rows[0][0] =
        model.flexible_bases.back().damping.rows[1][1] = 2;
    model.flexible_bases.back().damping.rows[0][1] =
        model.flexible_bases.back().damping.rows[1][0] = 0.3;
    model.coordinates = {"slide", "hinge"};
    model.initial.q = {{"ball: 1", {1, x(), x(), x()}, {}}, {"hinge", {x()}, {}}};
    model.initial.v = {{"slot", {x(), x()}, {}}};
    model.initial.hold = {"slide"};
  }

  template <class Pair>
  void add_freedoms_of(Pair& pair, int freedoms) {
    pair.rotor_inertia.clear();
    for (int i = 0; i < freedoms; ++i) {
      pair.damping.push_back(x());
      pair.friction.push_back(i % 2 == 0 ? friction() : Friction{0.5, 0.5});
      pair.rotor_inertia.push_back(x());
      pair.limits.push_back({.lower = -x(), .velocity = x(), .restitution = 0.5});
      pair.passive.push_back(i % 2 == 1);
    }
    pair.limits[0] = {.upper = x(), .effort = x(), .stiffness = x(), .damping = x()};
  }
  void add_freedoms(Joint& joint) {
    const int freedoms = velocity_count(joint);
    if (freedoms == 0 || freedoms != position_count(joint)) return;
    add_freedoms_of(joint, freedoms);
    if (joint.name == "slide") joint.passive = {false}, joint.limits = {Limits{}};
  }

  void add_closures(Model& model) {
    using Kind = Closure::Kind;
    for (const Kind kind :
         {Kind::point_on_line, Kind::point_on_plane, Kind::distance, Kind::rolling}) {
      Closure closure = pair(std::string(to_string(kind)));
      closure.kind = kind, closure.distance = x();
      model.closures.push_back(closure);
    }
    Closure disc = pair("disc");
    disc.kind = Kind::rolling, disc.disc = true, disc.distance = x();
    model.closures.push_back(disc);
    for (const JointType type : testing::all_joint_types()) {
      Closure closure = pair("pair " + std::string(to_string(type)));
      closure.joint = type, closure.pitch = x();
      if (type == JointType::custom) closure.modes = random_.modes(3);
      if (velocity_count(to_joint(closure)) > 0)
        add_freedoms_of(closure, velocity_count(to_joint(closure)));
      if (type != JointType::fixed) model.closures.push_back(closure);
    }
    Closure gear{.name = "gear", .kind = Kind::gear, .leader = "hinge", .follower = "slide"};
    gear.ratio = x(), gear.offset = x();
    model.closures.push_back(gear);
    add_grasps(model);
  }
  Closure pair(const std::string& name) {
    Closure closure{.name = name, .body_a = "body1", .body_b = "link of hinge"};
    closure.at_a = random_.pose(1), closure.at_b = random_.pose(1);
    closure.axis = random_.direction(), closure.axis2 = random_.direction();
    return closure;
  }
  void add_grasps(Model& model) {
    using Contact = Grasp::Contact;
    for (const Contact contact :
         {Contact::rigid, Contact::line, Contact::point, Contact::soft_finger}) {
      Grasp grasp{
          .name = std::string(to_string(contact)), .arm = "tip", .object = "link of ball: 1"};
      grasp.contact = contact, grasp.at = random_.pose(1);
      if (contact != Contact::rigid) grasp.normal = random_.direction();
      if (contact == Contact::line) grasp.axis = random_.direction();
      if (contact == Contact::soft_finger) grasp.friction = x(), grasp.torsion = x();
      model.grasps.push_back(grasp);
    }
  }

  void add_forces(Model& model) {
    model.line_springs = {
        {"coil", "world", "body2", random_.vector(1), random_.vector(1), x(), x(), x(), {}},
        {"", "body1", "link of slot", {}, {}, x(), 0, 0, {}}};
    model.joint_springs = {{"slot", 1, x(), x(), x(), {}}, {"pair universal", 1, x(), 0, 0, {}}};
    model.joint_loads = {{"slot", 1, x(), {}}, {"slot", 0, x(), {}}, {"hinge", 0, x(), {}}};
    model.body_loads = {
        {"body1", {random_.vector(1), random_.vector(1)}, random_.vector(1), true, {}},
        {"body2", {random_.vector(1), {}}, {}, false, {}}};
  }

  void add_motors(Model& model) {
    Actuator plain{.name = "plain", .joint = "slot"};
    Actuator geared{.name = "geared", .joint = "hinge", .gear = -50.5};
    geared.motor = {.rotor_inertia = x(),
                    .damping = x(),
                    .friction = friction(),
                    .Ra = x(),
                    .La = x(),
                    .k = x()};
    geared.motor->voltage_limit = 24, geared.motor->current_limit = x();
    Actuator coupled{.name = "coupled", .transmission = {{"hinge", 0, x()}, {"slot", 0, -x()}}};
    coupled.motor = {.rotor_inertia = x(), .Ra = x(), .field_constant = x(), .field_current = x()};
    Actuator soft{.name = "soft: one", .joint = "slide", .gear = x()};
    soft.elastic = {x(), x()}, soft.motor = {.rotor_inertia = x()};
    model.actuators = {plain, geared, coupled, soft};
    model.initial.current = {{"geared", x(), {}}};
    model.initial.shaft_angle = {{"soft: one", x(), {}}};
    model.initial.shaft_speed = {{"soft: one", x(), {}}};
  }

  void add_network(Model& model) {
    using Kind = NetworkComponent::Kind;
    auto& all = model.network.components;
    all.push_back({.name = "supply",
                   .kind = Kind::voltage_source,
                   .value = x(),
                   .wires = {{"plus", "ground"}}});
    all.push_back({.name = "coil",
                   .kind = Kind::inductor,
                   .value = x(),
                   .initial = x(),
                   .wires = {{"plus", "b"}}});
    all.push_back({.name = "motor",
                   .kind = Kind::motor,
                   .value = x(),
                   .wires = {{"b", "ground"}, {"s", "housing"}}});
    all.push_back({.name = "wheel", .kind = Kind::inertia, .value = x(), .wires = {{"s", ""}}});
    all.push_back({.name = "gear box",
                   .kind = Kind::gear,
                   .value = x(),
                   .wires = {{"s", "housing"}, {"t", "housing"}}});
    all.push_back({.name = "mix",
                   .kind = Kind::transformer,
                   .ratios = {1, x(), x()},
                   .wires = {{"t", "housing"}, {"joint:hinge", "housing"}, {"joint:slot:0", ""}}});
  }

  void add_shapes(Model& model) {
    using Shape = Visual::Shape;
    for (const Shape shape :
         {Shape::box, Shape::cylinder, Shape::sphere, Shape::capsule, Shape::mesh}) {
      Visual visual{.body = "body1", .pose = random_.pose(1), .shape = shape};
      visual.size = {x(), x(), x()};
      if (shape == Shape::sphere) visual.size = {x(), 0, 0};
      if (shape == Shape::cylinder || shape == Shape::capsule) visual.size.z = 0;
      if (shape == Shape::mesh) visual.file = "package://a b/c.stl", visual.name = "skin";
      model.collisions.push_back(visual);
      visual.rgba = {x() / 2, 0, 1, 0.5};
      model.visuals.push_back(visual);
    }
  }

  testing::RandomModel random_;
};

TEST(WriteSystemFile, a_model_with_every_field_comes_back_to_the_last_bit) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = Everything(seed).model();
    ASSERT_EQ(error_of([&] { validate(model); }), "");
    expect_comes_back(model, "everything");
    testing::expect_same_dynamics(model, back(model), "everything", 0, 1);
  }
}

TEST(WriteSystemFile, inertias_that_are_in_the_mechanism_stay_there_once) {
  const Model reflected = network::reflect_inertias(read_model(root / "models/network_arm.yaml"));
  ASSERT_TRUE(reflected.network.is_reflected);
  expect_comes_back(reflected, "network arm");
  testing::expect_same_dynamics(reflected, back(reflected), "network arm", 0);
}

TEST(WriteSystemFile, flexible_links_are_found_in_what_was_written) {
  const Model arm = read_model(root / "models/flexible_arm.yaml");
  const auto before = find_flexible_links(arm), after = find_flexible_links(back(arm));
  ASSERT_EQ(before.size(), after.size());
  ASSERT_FALSE(before.empty());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].body, after[i].body);
}

TEST(WriteSystemFile, rotations_are_angles_where_a_person_typed_them) {
  Model model;
  model.bodies.push_back({.name = "rod", .mass = 1});
  model.joints.push_back({.name = "j", .type = JointType::free, .parent = "world", .child = "rod"});
  const auto written = [&](const Pose& pose) {
    model.joints[0].pose = pose;
    return write_system_file(model);
  };
  EXPECT_TRUE(contains(written({spatial::from_rpy({0, 0.1, -2.5}), {1, 0, 0.5}}),
                       "pose: {xyz: [1, 0, 0.5], rpy: [0, 0.1, -2.5]}"))
      << written({spatial::from_rpy({0, 0.1, -2.5}), {1, 0, 0.5}});
  for (const double pitch : {1.5708, -1.5708, 1.5707963267948966, 3.14159, 0.7})
    EXPECT_TRUE(contains(written({spatial::from_rpy({0, pitch, 0}), {}}),
                         fmt::format("rpy: [0, {}, 0]", pitch)))
        << written({spatial::from_rpy({0, pitch, 0}), {}});
  EXPECT_FALSE(contains(written({}), "pose"));
  const Matrix3 third{0, 1, 0, 0, 0, 1, 1, 0, 0};  // exact, and no angles give it exactly
  EXPECT_TRUE(contains(written({third, {}}), "quaternion: [0.5, -0.5, -0.5, -0.5]") ||
              contains(written({third, {}}), "rotation: [[0, 1, 0], [0, 0, 1], [1, 0, 0]]"))
      << written({third, {}});
}

TEST(WriteSystemFile, a_rotation_that_is_none_is_refused) {
  const auto refusal = [](const std::string& turn) {
    return error_of([&] {
      parse_system_file(
          "linkwright: 1\nbodies: [{name: a, mass: 1}]\njoints:\n  - {name: j, type: free, "
          "parent: world, child: a, pose: {" +
              turn + "}}\n",
          "t.yaml");
    });
  };
  EXPECT_EQ(refusal("rotation: [[1, 0, 0], [0, 0, -1], [0, 1, 0]]"), "");
  EXPECT_TRUE(contains(refusal("rotation: [[1, 0, 0], [0, 0, -1]]"), "t.yaml:4"));
  EXPECT_TRUE(contains(refusal("rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]"), "right-handed"));
  EXPECT_TRUE(contains(refusal("rotation: [[1, 0, 0], [0, 0.707, -0.707], [0, 0.707, 0.707]]"),
                       "off by 0.0003"));
  EXPECT_TRUE(contains(refusal("rpy: [0, 0, 1], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
                       "beside rpy"));
}

TEST(WriteSystemFile, what_no_yaml_file_can_hold_is_refused_by_name) {
  Model model;
  model.bodies.push_back({.name = "rod\xff", .mass = 1});
  model.joints.push_back(
      {.name = "j", .type = JointType::revolute, .parent = "world", .child = "rod\xff"});
  EXPECT_TRUE(contains(error_of([&] { write_system_file(model); }), "no UTF-8"));
  model.bodies[0].name = model.joints[0].child = "rod";
  model.joints[0].name = "<<";
  model.initial.q = {{"<<", {1}, {}}};
  EXPECT_TRUE(contains(error_of([&] { write_system_file(model); }), "cannot be a key"));
  model.bodies[0].mass = -1;
  EXPECT_TRUE(contains(error_of([&] { write_system_file(model); }), "mass is -1"));
}

TEST(WriteSystemFile, a_shaft_whose_joints_name_would_mean_another_is_refused) {
  Model model;
  model.name = "wrist";
  for (const char* name : {"a", "b", "c"})
    model.bodies.push_back({.name = name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back(
      {.name = "wrist", .type = JointType::universal, .parent = "world", .child = "a"});
  model.joints.push_back(
      {.name = "wrist:1", .type = JointType::revolute, .parent = "a", .child = "b"});
  model.joints.push_back({.name = "j", .type = JointType::revolute, .parent = "b", .child = "c"});
  model.actuators.push_back({.name = "m", .transmission = {{"wrist", 1, 2}, {"j", 0, 3}}});
  model.actuators[0].motor = {.rotor_inertia = 1};
  EXPECT_TRUE(contains(error_of([&] { write_system_file(model); }), "another joint's name"));
  model.actuators[0].transmission[0] = {"wrist:1", 0, 2};
  expect_comes_back(model, "colon");
}

TEST(WriteSystemFile, meshes_are_named_from_where_the_file_will_stand) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "a/meshes");
  std::filesystem::create_directories(folder.path() / "out");
  (void)folder.write("a/meshes/t.stl", "solid t\n");
  const auto file =
      folder.write("a/m.urdf",
                   "<robot name='m'><link name='l'><visual><geometry>"
                   "<mesh filename='meshes/t.stl'/></geometry></visual></link></robot>");
  const Model model = read_model(file);
  const auto name = [&](const std::filesystem::path& out) {
    return parse_system_file(write_system_file(model, out), "back.yaml").visuals.at(0).file;
  };
  EXPECT_EQ(name({}), "meshes/t.stl");
  EXPECT_EQ(name(folder.path() / "a"), "meshes/t.stl");
  EXPECT_EQ(name(folder.path() / "out"), "../a/meshes/t.stl");
}

}  // namespace
}  // namespace linkwright
