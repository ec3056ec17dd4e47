/// SDF files: what each element means, on small files, against numbers worked out by hand.

#include "linkwright/io/sdf.hpp"

#include <gtest/gtest.h>

#include "io/writers/written.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/model/loops.hpp"
#include "linkwright/system/system.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::expect_same_dynamics;
using testing::judged;
using testing::warns;

const std::filesystem::path files = std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/sdf";

Model read(const std::string& name, const ReadOptions& options = {}) {
  ReadOptions all = options;
  if (name == "world.world") all.packages["wheel"] = files / "models/wheel";
  return judged(read_model(files / name, all));
}

const Joint& joint_of(const Model& model, const std::string& name) {
  for (const Joint& joint : model.joints)
    if (joint.name == name) return joint;
  throw Error("no joint " + name);
}
const Body& body_of(const Model& model, const std::string& name) {
  for (const Body& body : model.bodies)
    if (body.name == name) return body;
  throw Error("no body " + name);
}
const Frame& frame_of(const Model& model, const std::string& name) {
  for (const Frame& frame : model.frames)
    if (frame.name == name) return frame;
  throw Error("no frame " + name);
}

void expect_vector(const Vector3& a, const Vector3& b, const std::string& what) {
  EXPECT_LT(norm(a - b), 1e-14) << what << ": " << a.x << ' ' << a.y << ' ' << a.z;
}
void expect_pose(const Pose& a, const Vector3& xyz, const Vector3& rpy, const std::string& what) {
  expect_vector(a.translation, xyz, what);
  const Matrix3 b = spatial::from_rpy(rpy);
  expect_vector(a.rotation.column_x(), b.column_x(), what);
  expect_vector(a.rotation.column_y(), b.column_y(), what);
}

TEST(Sdf, every_joint_type_moves_as_the_same_mechanism_in_a_system_file) {
  const Model sdf = read("joints.sdf"), yaml = read_system_file(files / "joints.yaml");
  EXPECT_EQ(all_texts(sdf.warnings), "");
  expect_same_dynamics(sdf, yaml, "joints", 1e-14, 10);
  const Limits &a = joint_of(sdf, "j1").limits.at(0), &b = joint_of(yaml, "j1").limits.at(0);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
  EXPECT_EQ(a.effort, b.effort);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.stiffness, b.stiffness);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(joint_of(sdf, "j2").limits.size(), 0U);
}

TEST(Sdf, frames_stand_where_others_say_and_move_with_what_they_are_attached_to) {
  const Model model = read("frames.sdf");
  const double right = M_PI / 2;
  expect_pose(joint_of(model, "base").pose, {10, 1, 1}, {0, 0, right}, "trunk in the world");
  EXPECT_EQ(frame_of(model, "above").body, "trunk");
  expect_pose(frame_of(model, "above").pose, {-1, 0, 0}, {}, "above");
  expect_pose(frame_of(model, "tilted").pose, {}, {0, right, 0}, "tilted");
  EXPECT_EQ(frame_of(model, "turned").body, "trunk");
  expect_pose(frame_of(model, "turned").pose, {-1, 0, 0}, {0, 0, right}, "turned");
  // The grip stands at the hand's pose, one metre before the trunk.
  EXPECT_EQ(frame_of(model, "hand::palm::grip").body, "hand::palm::plate");
  const Joint& wrist = joint_of(model, "wrist");
  EXPECT_EQ(wrist.child, "hand::palm::plate");
  expect_pose(wrist.pose, {1, 0, 0}, {}, "grip on the trunk");
  expect_pose(wrist.at_child, {0.125, 0, 0}, {}, "grip on the plate");
  // What a merged model holds has no prefix.
  expect_pose(frame_of(model, "rim").pose, {0, 0, -0.25}, {}, "rim on its box");
  expect_pose(joint_of(model, "axle").pose, {4, 0, -0.5}, {0, 0, -right}, "box on the trunk");
  expect_pose(joint_of(model, "waist").pose, {}, {0, 0, right}, "side on the trunk");
  EXPECT_TRUE(warns(model.warnings, {"without a mass", "1 kg", "'side'"}))
      << all_texts(model.warnings);
  EXPECT_EQ(body_of(model, "side").mass, 1);
  EXPECT_EQ(body_of(model, "trunk").inertia.xx, 1);
}

TEST(Sdf, worlds_hold_static_included_and_floating_models) {
  const Model model = read("world.world", {.base = Base::free});
  EXPECT_EQ(model.name, "hall");
  EXPECT_EQ(model.gravity.z, -1.62);
  expect_pose(frame_of(model, "corner").pose, {1, 2, 3}, {}, "corner");
  const Joint& post = joint_of(model, "stand::base");
  EXPECT_EQ(post.type, JointType::fixed);
  expect_pose(post.pose, {1, 2, 4}, {}, "stand");
  EXPECT_TRUE(warns(model.warnings, {"joint between static links", "'stand::bolt'"}));
  // The pose of an <include> replaces that of the model.
  const Joint& front = joint_of(model, "front::base");
  EXPECT_EQ(front.type, JointType::free);
  EXPECT_EQ(front.child, "front::hub");
  expect_pose(front.pose, {0, 0, 5}, {}, "front");
  EXPECT_EQ(joint_of(model, "rear::base").type, JointType::fixed);
  // An axis in the frame of the model, seen from a joint that is turned by 90°.
  expect_vector(joint_of(model, "front::spin").axis, {1, 0, 0}, "axis");
  EXPECT_TRUE(warns(model.warnings, {"without a meaning here", "<physics>, <light>, <plugin>"}))
      << all_texts(model.warnings);
  // What gravity does not pull is carried at its centre of mass.
  ASSERT_EQ(model.body_loads.size(), 1U);
  EXPECT_EQ(model.body_loads[0].body, "lamp::bulb");
  expect_vector(model.body_loads[0].force.force, {0, 0, 0.5 * 1.62}, "carried");
  expect_vector(model.body_loads[0].at, {0.1, 0, 0}, "carried at");
}

TEST(Sdf, what_floats_is_attached_as_the_base_says_and_fixed_is_told) {
  const Model fixed = read("world.world");
  EXPECT_EQ(joint_of(fixed, "lamp::base").type, JointType::fixed);
  EXPECT_TRUE(warns(fixed.warnings, {"no joint ties to the world", "'lamp::bulb'"}));
  EXPECT_EQ(joint_of(read("world.world", {.base = Base::planar}), "lamp::base").type,
            JointType::planar);
  EXPECT_FALSE(warns(read("world.world", {.base = Base::free}).warnings, {"no joint ties"}));
  EXPECT_TRUE(contains(error_of([] { read("loop.sdf", {.base = Base::free}); }),
                       "nothing here can be free"));
}

TEST(Sdf, joints_that_close_loops_close_them_and_backward_ones_are_turned_round) {
  const Model model = read("loop.sdf");
  EXPECT_EQ(compute_closing_joints(model), std::vector<std::string>{"j3"});
  const Joint &j1 = joint_of(model, "j1"), &balance = joint_of(model, "balance");
  EXPECT_EQ(j1.parent, "world");
  EXPECT_EQ(j1.child, "crank");
  EXPECT_EQ(balance.parent, "crank");
  EXPECT_EQ(balance.child, "weight");
  EXPECT_EQ(balance.axis.x, -1);
  EXPECT_TRUE(warns(model.warnings, {"turned round", "'j1'", "'balance'"}))
      << all_texts(model.warnings);
  // The same as a system file: q of j1 is the angle of the world against the crank.
  const Model same = parse_system_file(R"(linkwright: 1
bodies:
  - {name: crank, mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01, 0, 0, 0]}
  - {name: coupler, mass: 2, com: [0.45, 0, 0], inertia: [0.01, 0.14, 0.14, 0, 0, 0]}
  - {name: rocker, mass: 1.5, com: [0.35, 0, 0], inertia: [0.01, 0.06, 0.06, 0, 0, 0]}
  - {name: weight, mass: 0.5, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
frames:
  - {name: rocker_end, body: rocker, pose: {xyz: [0.7, 0, 0]}}
joints:
  - {name: j1, type: revolute, parent: world, child: crank, axis: [0, 0, -1]}
  - {name: j2, type: revolute, parent: crank, child: coupler, pose: {xyz: [0.3, 0, 0]}}
  - {name: j3, type: revolute, parent: world, child: rocker, pose: {xyz: [0.8, 0, 0]}}
  - {name: pin, type: revolute, parent: coupler, child: rocker_end, pose: {xyz: [1.2, 0, 0]}, damping: 0.02}
  - {name: balance, type: prismatic, parent: crank, child: weight, pose: {xyz: [-0.2, 0, 0]}, axis: [-1, 0, 0]}
)",
                                       "same.yaml");
  expect_same_dynamics(model, same, "loop");
}

TEST(Sdf, gearboxes_and_mimic_joints_are_gears) {
  const Model model = read("gearbox.sdf");
  ASSERT_EQ(model.closures.size(), 2U);
  // θ(arm) = −0.25 θ(rotor) against the frame; `swing` is written from the arm to the frame, and its angle is −θ(arm).
  const Closure &mimic = model.closures[0], &gears = model.closures[1];
  EXPECT_EQ(gears.name, "gears");
  EXPECT_EQ(gears.leader, "turn");
  EXPECT_EQ(gears.follower, "swing");
  EXPECT_EQ(gears.ratio, 0.25);
  EXPECT_EQ(mimic.name, "mimic:grip");
  EXPECT_EQ(mimic.leader, "turn");
  EXPECT_EQ(mimic.follower, "grip");
  EXPECT_EQ(mimic.ratio, 2);
  EXPECT_EQ(mimic.offset, 0);
}

Model parse(const std::string& inside, const std::string& version = "1.11") {
  return judged(
      parse_sdf("<sdf version='" + version + "'><model name='m'>\n" + inside + "</model></sdf>",
                "m.sdf", files));
}
const std::string two_links = R"(<link name="a"/>
<link name="b"><pose>0 0 0 0 0 1.5707963267948966</pose></link>
)";
Joint joint(const std::string& text, const std::string& version = "1.11") {
  return joint_of(parse(two_links + "<joint name='j' " + text + "</joint>", version), "j");
}
const std::string ends = "<parent>a</parent><child>b</child>";

TEST(Sdf, threads_of_screws_have_the_signs_of_their_keys) {
  const auto pitch = [](const std::string& thread) {
    return joint("type='screw'>" + ends + "<axis><xyz>0 0 1</xyz></axis>" + thread).pitch;
  };
  EXPECT_DOUBLE_EQ(pitch("<screw_thread_pitch>0.5</screw_thread_pitch>"), 0.5 / (2 * M_PI));
  EXPECT_DOUBLE_EQ(pitch("<thread_pitch>4</thread_pitch>"),
                   -0.25);  // left-handed, radians per metre
  EXPECT_DOUBLE_EQ(pitch(""), -1);
}

TEST(Sdf, axes_are_given_in_the_joint_frame_the_model_frame_or_any_other) {
  const auto axis = [](const std::string& inside, const std::string& version) {
    return joint("type='revolute'>" + ends + "<axis>" + inside + "</axis>", version).axis;
  };
  expect_vector(axis("<xyz>1 0 0</xyz>", "1.11"), {1, 0, 0}, "joint frame");
  expect_vector(axis("<xyz>1 0 0</xyz>", "1.5"), {1, 0, 0}, "joint frame");
  expect_vector(axis("<xyz expressed_in='__model__'>1 0 0</xyz>", "1.7"), {0, -1, 0}, "model");
  expect_vector(axis("<xyz expressed_in='a'>1 0 0</xyz>", "1.10"), {0, -1, 0}, "link a");
  expect_vector(
      axis("<xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame>", "1.6"),
      {0, -1, 0}, "model");
  expect_vector(axis("<xyz>1 0 0</xyz>", "1.4"), {0, -1, 0}, "model before 1.5");
}

TEST(Sdf, limits_that_mean_none_are_none_and_an_effort_of_0_leaves_no_motor) {
  const Joint j =
      joint("type='revolute'>" + ends +
            "<axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>1</upper><effort>-1</effort>"
            "<velocity>-1</velocity></limit></axis>");
  EXPECT_TRUE(std::isinf(j.limits.at(0).lower));
  EXPECT_EQ(j.limits[0].upper, 1);
  EXPECT_TRUE(std::isinf(j.limits[0].effort) && std::isinf(j.limits[0].velocity));
  EXPECT_TRUE(j.passive.empty());
  const Joint idle =
      joint("type='revolute2'>" + ends +
            "<axis><xyz>0 0 1</xyz><limit><effort>0</effort></limit></axis><axis2><xyz>1 0 "
            "0</xyz></axis2>");
  EXPECT_EQ(idle.passive, (std::vector<bool>{true, false}));
  EXPECT_EQ(idle.type, JointType::universal);
}

TEST(Sdf, a_universal_joint_turned_round_exchanges_its_freedoms) {
  const Model model = parse(
      two_links +
      R"(<link name="c"/><joint name="w" type="fixed"><parent>world</parent><child>b</child></joint>
<joint name="j" type="universal"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz><dynamics><damping>1</damping>
<spring_stiffness>3</spring_stiffness></dynamics></axis><axis2><xyz>0 1 0</xyz><dynamics><damping>2</damping></dynamics></axis2></joint>
<joint name="k" type="ball"><parent>c</parent><child>world</child><axis><xyz>0 0 1</xyz><dynamics><damping>0.5</damping></dynamics></axis></joint>)");
  const Joint& j = joint_of(model, "j");
  EXPECT_EQ(j.parent, "b");
  EXPECT_EQ(j.axis.y, -1);
  EXPECT_EQ(j.axis2.x, -1);
  EXPECT_EQ(j.damping, (std::vector<double>{2, 1}));
  EXPECT_EQ(model.joint_springs.at(0).freedom, 1);
  EXPECT_EQ(joint_of(model, "k").child, "c");
  EXPECT_EQ(joint_of(model, "k").damping, std::vector<double>{0.5});
  EXPECT_TRUE(warns(model.warnings, {"ball joint whose parent", "'k'"}));
}

TEST(Sdf, all_mistakes_are_told_in_one_run_with_their_lines) {
  const std::string text = error_of([] { read("many_mistakes.sdf"); });
  const std::pair<int, std::vector<std::string>> expected[] = {
      {3, {"link 'a'", "<mass>", "'2kg'"}},
      {4, {"link 'b'", "<pose>", "3 number(s)"}},
      {5, {"link 'b'", "the name is taken"}},
      {6, {"link 'c'", "there is no link, joint, frame or model 'd'"}},
      {7, {"joint 'j1'", "'revolut'", "'revolute'?"}},
      {8, {"joint 'j2'", "'bb'", "did you mean 'b'?"}},
      {9, {"joint 'j3'", "no <child>"}},
      {10, {"joint 'j4'"}},
      {11, {"joint 'j5'", "the same link"}},
      {12, {"f", "itself"}},
      {14, {"'world'", "reserved"}},
      {15, {"model://nowhere"}},
      {16, {"is an address"}}};
  for (const auto& [line, words] : expected) {
    const std::string place = "many_mistakes.sdf:" + std::to_string(line) + ": ";
    const std::size_t at = text.find(place);
    EXPECT_TRUE(at != std::string::npos || line == 10) << place << " in\n" << text;
    if (at == std::string::npos) continue;
    const std::string told = text.substr(at, text.find('\n', at) - at);
    for (const std::string& word : words)
      EXPECT_TRUE(contains(told, word)) << word << " in " << told;
  }
}

struct Refusal {
  std::string inside;
  std::vector<std::string> words;
};

TEST(Sdf, each_mistake_names_its_line_and_what_to_do) {
  const std::string arm = two_links + "<joint name='j' type='revolute'>" + ends;
  const Refusal refusals[] = {
      {arm + "</joint>", {"m.sdf:4", "joint 'j'", "no <axis>"}},
      {arm + "<axis><xyz>0 0</xyz></axis></joint>", {"<xyz>", "2 number(s)"}},
      {arm + "<axis><xyz>0 0 0</xyz></axis></joint>", {"joint 'j'", "its axis is [0, 0, 0]"}},
      {arm + "<axis><xyz expressed_in='x'>0 0 1</xyz></axis></joint>", {"joint 'j'", "'x'"}},
      {arm + "<axis><xyz>0 0 1</xyz><limit><lower>2</lower><upper>1</upper></limit></axis></joint>",
       {"lower limit 2 exceeds"}},
      {arm + "<axis><xyz>0 0 "
             "1</xyz><use_parent_model_frame>yes</use_parent_model_frame></axis></joint>",
       {"'yes'", "true or false"}},
      {arm + "<axis><xyz>0 0 1</xyz><mimic joint='gone'/></axis></joint>", {"'gone'"}},
      {"<link name='a'><inertial auto='true'/></link>", {"auto", "give <mass>"}},
      {"<link name='a'><inertial><mass>-1</mass></inertial></link>", {"mass is -1"}},
      {"<link name='a'><inertial><pose relative_to='b'>0 0 0 0 0 0</pose></inertial></link>",
       {"relative to the link"}},
      {"<link name='a'><pose degrees='maybe'>0 0 0 0 0 0</pose></link>",
       {"degrees", "true or false"}},
      {"<link name='a'><pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose></link>",
       {"quaternion of zeros"}},
      {"<link name='__x__'/>", {"reserved"}},
      {"<link/>", {"no attribute name"}},
      {"<frame name='f'/>", {"no link in this model"}},
      {"<link name='a'><pose relative_to='f'/></link><frame name='f'><pose "
       "relative_to='a'/></frame>",
       {"relative to itself"}},
      {"<link name='a'/><include><uri>models/empty</uri></include>", {"models/empty"}},
      {"<link name='a'/><include/>", {"no <uri>"}},
      {two_links + "<joint name='g' type='gearbox'>" + ends +
           "<gearbox_reference_body>a</gearbox_reference_body><axis><xyz>0 0 "
           "1</xyz></axis></joint>",
       {"joint 'g'", "no revolute joint turns"}},
  };
  for (const Refusal& refusal : refusals) {
    const std::string text = error_of([&] { parse(refusal.inside); });
    EXPECT_TRUE(contains(text, "m.sdf")) << refusal.inside << '\n' << text;
    for (const std::string& word : refusal.words)
      EXPECT_TRUE(contains(text, word)) << word << " in " << text;
  }
}

TEST(Sdf, poses_through_any_number_of_frames_are_refused_before_the_stack_ends) {
  std::string text = "<link name='l'/>";
  for (int i = 0; i < 20000; ++i)
    text += "<frame name='f" + std::to_string(i) + "'><pose relative_to='f" +
            std::to_string(i + 1) + "'>0 0 0 0 0 0</pose></frame>\n";
  EXPECT_TRUE(contains(error_of([&] { parse(text + "<frame name='f20000'/>"); }), "1000 frames"));
}

TEST(Sdf, what_stands_in_a_model_that_cannot_be_read_is_not_told_as_missing) {
  const std::string text = error_of([] {
    parse(
        "<link name='a'/><model name='inner'><pose>1</pose><link name='b'/></model>"
        "<joint name='j' type='fixed'><parent>a</parent><child>inner::b</child></joint>");
  });
  EXPECT_TRUE(contains(text, "1 number(s)")) << text;
  EXPECT_FALSE(contains(text, "inner::b")) << text;
}

TEST(Sdf, models_of_a_system_file_may_be_sdf_files_with_a_prefix_and_the_systems_gravity) {
  const testing::TemporaryFolder folder;
  (void)folder.write(
      "lamp.sdf",
      "<sdf version='1.9'><world name='w'><gravity>0 0 -5</gravity><model name='lamp'><pose>0 0 1 "
      "0 0 0</pose>"
      "<link name='bulb'><gravity>0</gravity><inertial><mass>2</mass></inertial></link>"
      "<frame name='top'/></model></world></sdf>");
  const auto file =
      folder.write("s.yaml",
                   "linkwright: 1\ngravity: [0, 0, -3]\nmodels:\n"
                   "  - {file: lamp.sdf, name: left, base: free, pose: {xyz: [0, 5, 0]}}\n");
  const Model model = judged(read_model(file));
  const Joint& base = joint_of(model, "left/lamp::base");
  EXPECT_EQ(base.type, JointType::free);
  expect_pose(base.pose, {0, 5, 1}, {}, "lamp");
  EXPECT_EQ(frame_of(model, "left/lamp::top").body, "left/lamp::bulb");
  EXPECT_EQ(model.body_loads.at(0).force.force.z, 6);
  EXPECT_TRUE(warns(model.warnings, {"s.yaml:4", "gravity of 'lamp.sdf'", "-5"}))
      << all_texts(model.warnings);
}

TEST(Sdf, files_that_include_themselves_are_refused) {
  const testing::TemporaryFolder folder;
  const auto file =
      folder.write("a.sdf",
                   "<sdf version='1.9'><model name='m'><link name='l'/><include><uri>a.sdf</uri>"
                   "<name>n</name></include></model></sdf>");
  EXPECT_TRUE(contains(error_of([&] { read_sdf(file); }), "includes itself"));
}

TEST(Sdf, what_lenience_drops_is_told) {
  const std::string text =
      "<sdf version='1.9'><model name='m'><link name='l'><visual "
      "name='v'><geometry><sphere><radius>x"
      "</radius></sphere></geometry></visual></link></model></sdf>";
  EXPECT_TRUE(contains(error_of([&] { parse_sdf(text, "m.sdf"); }), "--lenient"));
  const Model model = parse_sdf(text, "m.sdf", {}, {.lenient = true});
  EXPECT_TRUE(warns(model.warnings, {"this <visual> is left out"}));
  EXPECT_TRUE(model.visuals.empty());
}

TEST(Sdf, shared_models_load_and_mean_what_was_worked_out_before) {
  const auto folder = testing::shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "the collection of SDF models");
  const std::filesystem::path data = std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data";
  const auto open = [](Model model) {
    model.closures.clear(), model.initial = {};
    return model;
  };
  const Model four_bar = judged(read_model(folder / "drake_four_bar.sdf"));
  expect_same_dynamics(four_bar, open(read_model(data / "drake_four_bar.yaml")), "four-bar");
  EXPECT_EQ(joint_of(four_bar, "joint_AB").passive, std::vector<bool>{true});
  const Model parallelogram = judged(read_model(folder / "pinocchio_parallel.sdf"));
  expect_same_dynamics(parallelogram, open(read_model(data / "pinocchio_parallelogram.yaml")),
                       "parallelogram");
  const Model cassie = judged(read_model(folder / "cassie.sdf", {.base = Base::free}));
  EXPECT_EQ(cassie.bodies.size(), 35U);
  EXPECT_EQ(cassie.closures.size(), 10U);
  EXPECT_EQ(compute_closing_joints(cassie).size(), 6U);
  const System system = compile(cassie);
  EXPECT_EQ(system.nv(), 44);
  // cassie.yaml takes angles that the file prints with four digits as multiples of π; axes differ by a thousandth.
  const System worked_out = compile(read_model(data / "cassie.yaml"));
  EXPECT_EQ(system.velocity_names(), worked_out.velocity_names());
}

}  // namespace
}  // namespace linkwright
