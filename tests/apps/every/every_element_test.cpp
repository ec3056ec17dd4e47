/// Every element and attribute of URDF that is understood has an effect, as every key of the system
/// file has (every_key_test.cpp).

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "apps/every/effects.hpp"
#include "linkwright/io/vocabulary.hpp"

namespace apps {
namespace {

constexpr std::string_view robot = R"(<robot name="thing" version="1.0">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.5 0 0" rpy="0 0.1 0"/>
      <mass value="2"/>
      <inertia ixx="0.16" ixy="0.001" ixz="0.002" iyy="0.17" iyz="0.003" izz="0.18"/>
    </inertial>
    <visual name="skin">
      <origin xyz="0.4 0 0"/>
      <geometry><box size="1 0.1 0.1"/></geometry>
      <material name="red"/>
    </visual>
    <visual><geometry><cylinder radius="0.11" length="0.51"/></geometry></visual>
    <visual><geometry><capsule radius="0.12" length="0.52"/></geometry></visual>
    <visual><geometry><sphere radius="0.13"/></geometry></visual>
    <visual><geometry><mesh filename="triangle.obj" scale="1 2 1"/></geometry></visual>
    <collision name="bumper">
      <origin xyz="0.7 0 0"/>
      <geometry><sphere radius="0.23"/></geometry>
    </collision>
    <collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1" quat_xyzw="0.6 0 0 0.8"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0.36 0.48 0.8"/>
    <limit lower="-2" upper="2" velocity="3" effort="50"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="prismatic">
    <origin xyz="1 0 0"/>
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/>
    <mimic joint="shoulder" multiplier="-2" offset="0.3"/>
  </joint>
</robot>
)";

constexpr std::string_view triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::vector<Change> changes() {
  struct Short {
    std::string_view section, word, from, to;
    Shows shows = Shows::numbers;
  };
  constexpr auto told = Shows::told;
  constexpr auto drawing = Shows::drawing;
  static const std::vector<Short> all{
      {"robot", "name", "name=\"thing\"", "name=\"other\"", told},
      {"robot", "version", "version=\"1.0\"", "version=\"7.0\""},
      {"robot", "<material>", "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>", ""},
      {"robot", "<link>", "<link name=\"base\"/>", ""},
      {"robot", "<joint>", "<joint name=\"elbow\" type=\"prismatic\">",
       "<joint name=\"slide\" type=\"prismatic\">"},
      {"material", "name", "<material name=\"red\"><", "<material name=\"blue\"><"},
      {"material", "<color>", "<color rgba=\"1 0 0 1\"/>", ""},
      {"color", "rgba", "rgba=\"1 0 0 1\"", "rgba=\"0 1 0 1\"", drawing},
      {"link", "name", "link name=\"base\"", "link name=\"foot\""},
      {"link", "<inertial>", "<inertial>\n      <mass value=\"1\"/>",
       "<inertial>\n      <mass value=\"1.5\"/>"},
      {"link", "<visual>", "<visual><geometry><sphere radius=\"0.13\"/></geometry></visual>", "",
       drawing},
      {"inertial", "<origin>", "<origin xyz=\"0.5 0 0\" rpy=\"0 0.1 0\"/>", ""},
      {"inertial", "<mass>", "<mass value=\"2\"/>", ""},
      {"inertial", "<inertia>", "<inertia ixx=\"0.16\"", "<inertia ixx=\"0.15\""},
      {"mass", "value", "value=\"2\"", "value=\"2.1\""},
      {"inertia", "ixx", "ixx=\"0.16\"", "ixx=\"0.15\""},
      {"inertia", "ixy", "ixy=\"0.001\"", "ixy=\"0.0011\""},
      {"inertia", "ixz", "ixz=\"0.002\"", "ixz=\"0.0021\""},
      {"inertia", "iyy", "iyy=\"0.17\"", "iyy=\"0.171\""},
      {"inertia", "iyz", "iyz=\"0.003\"", "iyz=\"0.0031\""},
      {"inertia", "izz", "izz=\"0.18\"", "izz=\"0.181\""},
      {"origin", "xyz", "xyz=\"0.5 0 0\"", "xyz=\"0.6 0 0\""},
      {"origin", "rpy", "rpy=\"0 0.1 0\"", "rpy=\"0 0.2 0\""},
      {"origin", "quat_xyzw", "quat_xyzw=\"0.6 0 0 0.8\"", "quat_xyzw=\"0.8 0 0 0.6\""},
      {"visual", "name", "visual name=\"skin\"", "visual name=\"hide\"", drawing},
      {"visual", "<origin>", "<origin xyz=\"0.4 0 0\"/>", "", drawing},
      {"visual", "<geometry>", "<geometry><box size=\"1 0.1 0.1\"/></geometry>", ""},
      {"visual", "<material>", "<material name=\"red\"/>", "", drawing},
      {"link", "<collision>",
       "<collision><geometry><box size=\"0.3 0.3 0.3\"/></geometry></collision>", "", told},
      {"collision", "name", "collision name=\"bumper\"", "collision name=\"guard\"", told},
      {"collision", "<origin>", "<origin xyz=\"0.7 0 0\"/>", "", told},
      {"collision", "<geometry>", "<geometry><sphere radius=\"0.23\"/></geometry>",
       "<geometry><sphere radius=\"0.24\"/></geometry>", told},
      {"geometry", "<box>", "<box size=\"1 0.1 0.1\"/>", "", drawing},
      {"geometry", "<cylinder>", "<cylinder radius", "<capsule radius", drawing},
      {"geometry", "<capsule>", "<capsule radius", "<cylinder radius", drawing},
      {"geometry", "<sphere>", "<sphere radius=\"0.13\"/>", "<box size=\"1 1 1\"/>", drawing},
      {"geometry", "<mesh>", "<mesh filename=\"triangle.obj\" scale=\"1 2 1\"/>",
       "<sphere radius=\"1\"/>", drawing},
      {"box", "size", "size=\"1 0.1 0.1\"", "size=\"1 0.2 0.1\"", drawing},
      {"cylinder", "radius", "radius=\"0.11\"", "radius=\"0.15\"", drawing},
      {"cylinder", "length", "length=\"0.51\"", "length=\"0.55\"", drawing},
      {"capsule", "radius", "radius=\"0.12\"", "radius=\"0.15\"", drawing},
      {"capsule", "length", "length=\"0.52\"", "length=\"0.55\"", drawing},
      {"sphere", "radius", "radius=\"0.13\"", "radius=\"0.15\"", drawing},
      {"mesh", "filename", "filename=\"triangle.obj\"", "filename=\"square.obj\"", drawing},
      {"mesh", "scale", "scale=\"1 2 1\"", "scale=\"1 3 1\"", drawing},
      {"joint", "name", "joint name=\"elbow\"", "joint name=\"slide\""},
      {"joint", "type", "type=\"prismatic\"", "type=\"revolute\""},
      {"joint", "<origin>", "<origin xyz=\"1 0 0\"/>", ""},
      {"joint", "<parent>", "<parent link=\"upper\"/>", "<parent link=\"base\"/>"},
      {"joint", "<child>", "<child link=\"lower\"/>", "<child link=\"upper\"/>"},
      {"joint", "<axis>", "<axis xyz=\"0.36 0.48 0.8\"/>", ""},
      {"joint", "<limit>", "<limit lower=\"-2\" upper=\"2\" velocity=\"3\" effort=\"50\"/>", ""},
      {"joint", "<dynamics>", "<dynamics damping=\"0.1\" friction=\"0.2\"/>", ""},
      {"joint", "<mimic>", "<mimic joint=\"shoulder\" multiplier=\"-2\" offset=\"0.3\"/>", "",
       told},
      {"parent", "link", "parent link=\"upper\"", "parent link=\"base\""},
      {"child", "link", "child link=\"lower\"", "child link=\"base\""},
      {"axis", "xyz", "axis xyz=\"0.36 0.48 0.8\"", "axis xyz=\"1 0 0\""},
      {"limit", "lower", "lower=\"-2\"", "lower=\"-1.5\""},
      {"limit", "upper", "upper=\"2\"", "upper=\"1.5\""},
      {"limit", "velocity", "velocity=\"3\"", "velocity=\"4\"", told},
      {"limit", "effort", "effort=\"50\"", "effort=\"60\"", told},
      {"dynamics", "damping", "damping=\"0.1\"", "damping=\"0.2\""},
      {"dynamics", "friction", "friction=\"0.2\"", "friction=\"0.3\""},
      {"mimic", "joint", "mimic joint=\"shoulder\"", "mimic joint=\"elbow\""},
      {"mimic", "multiplier", "multiplier=\"-2\"", "multiplier=\"-3\"", told},
      {"mimic", "offset", "offset=\"0.3\"", "offset=\"0.4\"", told},
  };
  std::vector<Change> found;
  for (const Short& s : all) {
    const bool child = s.word.starts_with('<');
    const std::string_view bare = child ? s.word.substr(0, s.word.size() - 1) : s.word;
    found.push_back({"robot.urdf", s.section, bare, s.from, s.to, s.shows});
  }
  return found;
}

class EveryElement : public ::testing::Test {
 protected:
  EveryElement()
      : observer({{"robot.urdf", std::string(robot)}, {"triangle.obj", std::string(triangle)}}) {}
  Observer observer;
};

TEST_F(EveryElement, of_the_reader_is_changed_here) {
  std::set<std::string> changed;
  for (const Change& change : changes())
    changed.insert(std::string(change.section) + ' ' + std::string(change.word));
  const auto require = [&](std::string_view tag, const std::string& word) {
    EXPECT_EQ(changed.erase(std::string(tag) + ' ' + word), 1U)
        << "no change of " << word << " in <" << tag << "> is tried";
  };
  for (const linkwright::ElementWords& element : linkwright::urdf_vocabulary()) {
    for (const std::string_view name : element.attributes) require(element.kind, std::string(name));
    for (const std::string_view tag : element.children)
      require(element.kind, '<' + std::string(tag));
  }
  for (const std::string& left : changed) ADD_FAILURE() << left << " is not in the vocabulary";
}

/// The reader uses each of them: no word of the vocabulary is noted as ignored, every other one is.
TEST_F(EveryElement, is_used_and_no_other) {
  const Folder folder;
  (void)folder.file("triangle.obj", triangle);
  EXPECT_FALSE(contains(run({"check", folder.file("robot.urdf", robot)}).err, "ignored"));
  for (const linkwright::ElementWords& element : linkwright::urdf_vocabulary()) {
    const std::string tag(element.kind), open = "<" + tag;
    std::string text(robot);
    std::size_t at = text.find(open);
    while (at != std::string::npos && std::isalpha(text[at + open.size()]) != 0)
      at = text.find(open, at + 1);
    ASSERT_NE(at, std::string::npos) << tag;
    text.insert(at + open.size(), " colour=\"1\"");
    const std::size_t end = text.find('>', at);
    const bool is_leaf = text[end - 1] == '/';
    if (is_leaf)
      text.replace(end - 1, 2, "><novelty/></" + tag + ">");
    else
      text.insert(end + 1, "<novelty/>");
    const std::string err = run({"check", folder.file("robot.urdf", text)}).err;
    EXPECT_TRUE(contains(err, "ignored attribute colour of <" + tag + ">")) << err;
    EXPECT_TRUE(contains(err, "ignored <novelty>")) << tag << ": " << err;
  }
}

TEST_F(EveryElement, has_an_effect) {
  for (const std::string& word : observer.find_dropped(changes()))
    ADD_FAILURE() << word << " is read and dropped";
}

TEST_F(EveryElement, that_is_dropped_is_found) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(observer.find_dropped(changes(),
                                  [](linkwright::Model& m) {
                                    for (auto& joint : m.joints) joint.friction.clear();
                                  }),
            Words{"dynamics.friction"});
}

/// What a joint of that type cannot use is told.
TEST(Urdf, what_a_fixed_joint_cannot_use_is_told) {
  const Folder folder;
  const std::string file =
      folder.file("welded.urdf", R"(<robot name="r"><link name="a"/><link name="b"/>
<joint name="weld" type="fixed"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/><dynamics damping="1"/></joint></robot>)");
  const Outcome outcome = run({"check", file});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string tag : {"<axis>", "<limit>", "<dynamics>"})
    EXPECT_TRUE(contains(outcome.err, "ignored " + tag + " of a fixed joint")) << outcome.err;
}

}  // namespace
}  // namespace apps
