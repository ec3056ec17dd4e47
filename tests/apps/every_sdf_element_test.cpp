/// Every element and attribute of SDF that is understood has an effect (every_element_test.cpp does it for URDF).

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "apps/effects.hpp"
#include "linkwright/io/vocabulary.hpp"

namespace apps {
namespace {

constexpr std::string_view model_sdf = R"(<sdf version="1.11">
  <model name="thing" canonical_link="base" placement_frame="origin">
    <pose>0 0 0.1 0 0 0</pose>
    <static>false</static>
    <frame name="origin" attached_to="base"><pose relative_to="base">0.11 0 0 0 0 0</pose></frame>
    <frame name="loose"><pose degrees="true">0.12 0 0 0 0 30</pose></frame>
    <frame name="spun"><pose rotation_format="quat_xyzw">0 0 0 0.6 0 0 0.8</pose></frame>
    <link name="base"><inertial><mass>1</mass></inertial></link>
    <link name="upper">
      <pose relative_to="base">0 0 1 0 0 0</pose>
      <gravity>false</gravity>
      <inertial auto="false">
        <pose>0.5 0 0 0 0.1 0</pose>
        <mass>2</mass>
        <inertia><ixx>0.16</ixx><ixy>0.001</ixy><ixz>0.002</ixz><iyy>0.17</iyy><iyz>0.003</iyz><izz>0.18</izz></inertia>
      </inertial>
      <visual name="skin"><pose>0.4 0 0 0 0 0</pose><geometry><box><size>1 0.1 0.1</size></box></geometry>
        <material><ambient>0.1 0.1 0.1 1</ambient><diffuse>1 0 0 1</diffuse></material></visual>
      <visual name="v2"><geometry><cylinder><radius>0.11</radius><length>0.51</length></cylinder></geometry>
        <material><ambient>0.2 0.3 0.4 1</ambient></material></visual>
      <visual name="v3"><geometry><capsule><radius>0.12</radius><length>0.52</length></capsule></geometry></visual>
      <visual name="v4"><geometry><sphere><radius>0.13</radius></sphere></geometry></visual>
      <visual name="v5"><geometry><mesh><uri>triangle.obj</uri><scale>1 2 1</scale></mesh></geometry></visual>
      <collision name="bumper"><pose>0.7 0 0 0 0 0</pose><geometry><sphere><radius>0.23</radius></sphere></geometry></collision>
    </link>
    <link name="lower"><pose>1 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
    <link name="nut"><pose>2 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
    <link name="bolt"><pose>3 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
    <link name="cross"><pose>4 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
    <model name="inner"><link name="tail"><pose>5 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link></model>
    <include merge="false" placement_frame="grip"><uri>part.sdf</uri><name>part</name><pose>6 0 1 0 0 0</pose><static>false</static></include>
    <include><uri>part.sdf</uri><name>other</name><placement_frame>grip</placement_frame><pose>0 6 1 0 0 0</pose></include>
    <joint name="shoulder" type="revolute"><pose>0.01 0 0 0 0 0</pose><parent>base</parent><child>upper</child>
      <axis><xyz expressed_in="__model__">0.36 0.48 0.8</xyz>
        <limit><lower>-2</lower><upper>2.5</upper><effort>50</effort><velocity>3</velocity><stiffness>800</stiffness><dissipation>7</dissipation></limit>
        <dynamics><damping>0.1</damping><friction>0.2</friction><spring_reference>0.3</spring_reference><spring_stiffness>4</spring_stiffness></dynamics></axis></joint>
    <joint name="elbow" type="prismatic"><parent>upper</parent><child>lower</child>
      <axis><xyz>0 0 1</xyz><mimic joint="shoulder" axis="axis"><multiplier>-2</multiplier><offset>0.3</offset><reference>0.4</reference></mimic></axis></joint>
    <joint name="old_screw" type="screw"><parent>lower</parent><child>nut</child><axis><xyz>0 0 1</xyz></axis><thread_pitch>5</thread_pitch></joint>
    <joint name="new_screw" type="screw"><pose>0 0 0 0.4 0 0</pose><parent>nut</parent><child>bolt</child><axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.6</screw_thread_pitch></joint>
    <joint name="cardan" type="universal"><parent>bolt</parent><child>cross</child><axis><xyz>1 0 0</xyz></axis>
      <axis2><xyz>0 1 0</xyz><use_parent_model_frame>false</use_parent_model_frame><limit><upper>1.5</upper></limit><dynamics><damping>0.15</damping></dynamics></axis2></joint>
    <joint name="tail_joint" type="revolute"><pose>0 0 0 1 0 0</pose><parent>cross</parent><child>inner::tail</child><axis><xyz>0 1 0</xyz><use_parent_model_frame>true</use_parent_model_frame></axis></joint>
    <joint name="driver" type="revolute"><parent>base</parent><child>part::block</child><axis><xyz>0 0 1</xyz></axis></joint>
    <joint name="driven" type="revolute"><parent>base</parent><child>other::block</child><axis><xyz>0 0 1</xyz></axis></joint>
    <joint name="gears" type="gearbox"><parent>part::block</parent><child>other::block</child><gearbox_ratio>0.25</gearbox_ratio>
      <gearbox_reference_body>base</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>
  </model>
</sdf>
)";

constexpr std::string_view part_sdf = R"(<sdf version="1.9"><model name="part">
  <link name="block"><inertial><mass>1</mass></inertial></link><frame name="grip"><pose>0.2 0 0 0 0 0</pose></frame></model></sdf>)";

constexpr std::string_view world_sdf = R"(<sdf version="1.11">
  <world name="hall">
    <gravity>0 0 -3.7</gravity>
    <frame name="corner"><pose frame="post">1 0 0 0 0 0</pose></frame>
    <model name="post"><pose>0 2 0 0 0 0</pose><link name="stem"><inertial><mass>1</mass></inertial></link></model>
    <include><uri>part.sdf</uri></include>
    <joint name="hook" type="revolute"><parent>post</parent><child>part</child><axis><xyz>0 1 0</xyz></axis></joint>
  </world>
</sdf>
)";

constexpr std::string_view triangle_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::vector<Change> sdf_changes() {
  struct Short {
    std::string_view section, word, from, to;
    Shows shows = Shows::numbers;
    std::string_view document = "model.sdf";
  };
  constexpr auto told = Shows::told;
  constexpr auto drawing = Shows::drawing;
  static const std::vector<Short> all{
      {"sdf", "version", "version=\"1.11\"", "version=\"1.4\""},
      {"sdf", "<model", "<model name=\"thing\"", "<model name=\"stuff\"", told},
      {"sdf", "<world", "<world name=\"hall\"", "<world name=\"room\"", told, "world.sdf"},
      {"world", "name", "name=\"hall\"", "name=\"room\"", told, "world.sdf"},
      {"world", "<gravity", "<gravity>0 0 -3.7</gravity>", "", Shows::numbers, "world.sdf"},
      {"world", "<model", "<model name=\"post\"><pose>0 2", "<model name=\"post\"><pose>0 3",
       Shows::numbers, "world.sdf"},
      {"world", "<include", "<include><uri>part.sdf</uri>",
       "<include><uri>part.sdf</uri><pose>1 0 0 0 0 0</pose>", Shows::numbers, "world.sdf"},
      {"world", "<frame", "<frame name=\"corner\"", "<frame name=\"edge\"", Shows::numbers,
       "world.sdf"},
      {"world", "<joint", "<joint name=\"hook\"", "<joint name=\"eye\"", Shows::numbers,
       "world.sdf"},
      {"model", "name", "model name=\"thing\"", "model name=\"stuff\"", told},
      {"model", "canonical_link", "canonical_link=\"base\"", "canonical_link=\"upper\""},
      {"model", "placement_frame", " placement_frame=\"origin\"", ""},
      {"model", "<pose", "<pose>0 0 0.1", "<pose>0 0 0.2"},
      {"model", "<static", "<static>false</static>\n", "<static>true</static>\n"},
      {"model", "<link", "<link name=\"bolt\"", "<link name=\"pin\""},
      {"model", "<joint", "<joint name=\"elbow\"", "<joint name=\"slide\""},
      {"model", "<frame", "<frame name=\"loose\"", "<frame name=\"free\""},
      {"model", "<model", "<model name=\"inner\"", "<model name=\"within\""},
      {"model", "<include", "<include><uri>part.sdf</uri><name>other</name>",
       "<include><uri>part.sdf</uri><name>more</name>"},
      {"include", "merge", "merge=\"false\"", "merge=\"true\""},
      {"include", "placement_frame", " placement_frame=\"grip\"", ""},
      {"include", "<uri", "<uri>part.sdf</uri><name>other", "<uri>gone.sdf</uri><name>other"},
      {"include", "<name", "<name>part</name>", "<name>piece</name>"},
      {"include", "<pose", "<pose>6 0 1", "<pose>6 0 2"},
      {"include", "<static", "<static>false</static></include>", "<static>true</static></include>"},
      {"include", "<placement_frame", "<placement_frame>grip</placement_frame>", ""},
      {"pose", "relative_to", "<pose relative_to=\"base\">0 0 1",
       "<pose relative_to=\"lower\">0 0 1"},
      {"pose", "frame", "pose frame=\"post\"", "pose frame=\"part\"", Shows::numbers, "world.sdf"},
      {"pose", "degrees", "degrees=\"true\"", "degrees=\"false\""},
      {"pose", "rotation_format", " rotation_format=\"quat_xyzw\"", ""},
      {"frame", "name", "frame name=\"loose\"", "frame name=\"free\""},
      {"frame", "attached_to", "attached_to=\"base\"", "attached_to=\"upper\""},
      {"frame", "<pose", "<pose relative_to=\"base\">0.11", "<pose relative_to=\"base\">0.13"},
      {"link", "name", "link name=\"bolt\"", "link name=\"pin\""},
      {"link", "<pose", "<pose>1 0 1", "<pose>1 0 2"},
      {"link", "<inertial", "<inertial auto", "<inertia auto"},
      {"link", "<gravity", "<gravity>false</gravity>", ""},
      {"link", "<visual",
       "<visual name=\"v4\"><geometry><sphere><radius>0.13</radius></sphere></geometry></visual>",
       "", drawing},
      {"link", "<collision", "<collision name=\"bumper\"", "<collision name=\"guard\"", told},
      {"inertial", "auto", "auto=\"false\"", "auto=\"true\""},
      {"inertial", "<pose", "<pose>0.5 0 0 0 0.1 0</pose>", ""},
      {"inertial", "<mass", "<mass>2</mass>", "<mass>3</mass>"},
      {"inertial", "<inertia", "<inertia><ixx>0.16", "<inertia><ixx>0.161"},
      {"inertia", "<ixx", "<ixx>0.16</ixx>", "<ixx>0.162</ixx>"},
      {"inertia", "<iyy", "<iyy>0.17</iyy>", "<iyy>0.172</iyy>"},
      {"inertia", "<izz", "<izz>0.18</izz>", "<izz>0.182</izz>"},
      {"inertia", "<ixy", "<ixy>0.001</ixy>", "<ixy>0.0012</ixy>"},
      {"inertia", "<ixz", "<ixz>0.002</ixz>", "<ixz>0.0022</ixz>"},
      {"inertia", "<iyz", "<iyz>0.003</iyz>", "<iyz>0.0032</iyz>"},
      {"visual", "name", "visual name=\"skin\"", "visual name=\"hide\"", drawing},
      {"visual", "<pose", "<pose>0.4", "<pose>0.5", drawing},
      {"visual", "<geometry", "<geometry><box><size>1 0.1 0.1</size></box></geometry>",
       "<geometry/>"},
      {"visual", "<material", "<material><ambient>0.2 0.3 0.4 1</ambient></material>", "", drawing},
      {"collision", "name", "collision name=\"bumper\"", "collision name=\"guard\"", told},
      {"collision", "<pose", "<pose>0.7", "<pose>0.8", told},
      {"collision", "<geometry", "<geometry><sphere><radius>0.23", "<geometry><sphere><radius>0.24",
       told},
      {"geometry", "<box", "<box><size>1 0.1 0.1</size></box>",
       "<sphere><radius>1</radius></sphere>", drawing},
      {"geometry", "<cylinder", "<cylinder><radius>0.11</radius><length>0.51</length></cylinder>",
       "<sphere><radius>1</radius></sphere>", drawing},
      {"geometry", "<capsule", "<capsule><radius>0.12</radius><length>0.52</length></capsule>",
       "<sphere><radius>1</radius></sphere>", drawing},
      {"geometry", "<sphere", "<sphere><radius>0.13</radius></sphere>",
       "<box><size>1 1 1</size></box>", drawing},
      {"geometry", "<mesh", "<mesh><uri>triangle.obj</uri><scale>1 2 1</scale></mesh>",
       "<sphere><radius>1</radius></sphere>", drawing},
      {"box", "<size", "<size>1 0.1", "<size>1 0.2", drawing},
      {"cylinder", "<radius", "<radius>0.11", "<radius>0.14", drawing},
      {"cylinder", "<length", "<length>0.51", "<length>0.54", drawing},
      {"capsule", "<radius", "<radius>0.12", "<radius>0.14", drawing},
      {"capsule", "<length", "<length>0.52", "<length>0.54", drawing},
      {"sphere", "<radius", "<radius>0.13", "<radius>0.14", drawing},
      {"mesh", "<uri", "<uri>triangle.obj", "<uri>square.obj", drawing},
      {"mesh", "<scale", "<scale>1 2 1", "<scale>1 3 1", drawing},
      {"material", "<diffuse", "<diffuse>1 0", "<diffuse>0 1", drawing},
      {"material", "<ambient", "<ambient>0.2", "<ambient>0.5", drawing},
      {"joint", "name", "joint name=\"elbow\"", "joint name=\"slide\""},
      {"joint", "type", "name=\"elbow\" type=\"prismatic\"", "name=\"elbow\" type=\"revolute\""},
      {"joint", "<pose", "<pose>0.01", "<pose>0.02"},
      {"joint", "<parent", "<parent>lower</parent>", "<parent>base</parent>"},
      {"joint", "<child", "<child>cross</child>", "<child>bolt</child>"},
      {"joint", "<axis", "<axis><xyz>0 1 0</xyz><use", "<axis><xyz>0 0.6 0.8</xyz><use"},
      {"joint", "<axis2", "<axis2><xyz>0 1 0", "<axis2><xyz>0 0.6 0.8"},
      {"joint", "<gearbox_ratio", "<gearbox_ratio>0.25", "<gearbox_ratio>0.26", told},
      {"joint", "<gearbox_reference_body", "<gearbox_reference_body>base",
       "<gearbox_reference_body>upper"},
      {"joint", "<thread_pitch", "<thread_pitch>5", "<thread_pitch>6"},
      {"joint", "<screw_thread_pitch", "<screw_thread_pitch>0.6", "<screw_thread_pitch>0.7"},
      {"axis", "<xyz", "<xyz expressed_in=\"__model__\">0.36 0.48 0.8",
       "<xyz expressed_in=\"__model__\">0.48 0.36 0.8"},
      {"axis", "<use_parent_model_frame", "<use_parent_model_frame>true",
       "<use_parent_model_frame>false"},
      {"axis", "<limit", "<limit><lower>-2</lower>", "<limit><lower>-1.9</lower>"},
      {"axis", "<dynamics", "<dynamics><damping>0.1</damping>",
       "<dynamics><damping>0.12</damping>"},
      {"axis", "<mimic", "<mimic joint=\"shoulder\" axis=\"axis\"><multiplier>-2",
       "<mimic joint=\"shoulder\" axis=\"axis\"><multiplier>-2.2", told},
      {"axis2", "<xyz", "<axis2><xyz>0 1 0", "<axis2><xyz>0 0.8 0.6"},
      {"axis2", "<use_parent_model_frame", "<use_parent_model_frame>false",
       "<use_parent_model_frame>no"},
      {"axis2", "<limit", "<limit><upper>1.5</upper></limit>", ""},
      {"axis2", "<dynamics", "<dynamics><damping>0.15</damping></dynamics>", ""},
      {"axis2", "<mimic", "<damping>0.15</damping></dynamics>",
       "<damping>0.15</damping></dynamics><mimic joint=\"shoulder\"/>"},
      {"xyz", "expressed_in", "expressed_in=\"__model__\"", "expressed_in=\"spun\""},
      {"limit", "<lower", "<lower>-2</lower>", "<lower>-1.8</lower>"},
      {"limit", "<upper", "<upper>2.5</upper>", "<upper>2.4</upper>"},
      {"limit", "<effort", "<effort>50", "<effort>60", told},
      {"limit", "<velocity", "<velocity>3", "<velocity>4", told},
      {"limit", "<stiffness", "<stiffness>800", "<stiffness>900"},
      {"limit", "<dissipation", "<dissipation>7", "<dissipation>8"},
      {"dynamics", "<damping", "<damping>0.1</damping>", "<damping>0.13</damping>"},
      {"dynamics", "<friction", "<friction>0.2", "<friction>0.25"},
      {"dynamics", "<spring_reference", "<spring_reference>0.3", "<spring_reference>0.4"},
      {"dynamics", "<spring_stiffness", "<spring_stiffness>4", "<spring_stiffness>5"},
      {"mimic", "joint", "mimic joint=\"shoulder\"", "mimic joint=\"cardan\""},
      {"mimic", "axis", "axis=\"axis\"", "axis=\"axis2\""},
      {"mimic", "<multiplier", "<multiplier>-2", "<multiplier>-3", told},
      {"mimic", "<offset", "<offset>0.3", "<offset>0.5", told},
      {"mimic", "<reference", "<reference>0.4", "<reference>0.5", told},
  };
  std::vector<Change> found;
  for (const Short& s : all)
    found.push_back({s.document, s.section, s.word, s.from, s.to, s.shows});
  return found;
}

class EverySdfElement : public ::testing::Test {
 protected:
  EverySdfElement()
      : observer({{"model.sdf", std::string(model_sdf)},
                  {"world.sdf", std::string(world_sdf)},
                  {"part.sdf", std::string(part_sdf)},
                  {"triangle.obj", std::string(triangle_obj)}}) {}
  Observer observer;
};

TEST_F(EverySdfElement, of_the_reader_is_changed_here) {
  std::set<std::string> changed;
  for (const Change& change : sdf_changes())
    changed.insert(std::string(change.section) + ' ' + std::string(change.word));
  const auto require = [&](std::string_view kind, const std::string& word) {
    EXPECT_EQ(changed.erase(std::string(kind) + ' ' + word), 1U)
        << "no change of " << word << " in <" << kind << "> is tried";
  };
  for (const linkwright::SdfElement& element : linkwright::sdf_vocabulary()) {
    for (const std::string_view name : element.attributes) require(element.kind, std::string(name));
    for (const std::string_view tag : element.children)
      require(element.kind, '<' + std::string(tag));
  }
  for (const std::string& left : changed) ADD_FAILURE() << left << " is not in the vocabulary";
}

TEST_F(EverySdfElement, has_an_effect) {
  for (const std::string& word : observer.find_dropped(sdf_changes()))
    ADD_FAILURE() << word << " is read and dropped";
}

/// No word of the vocabulary is noted as ignored, every other one is.
TEST_F(EverySdfElement, is_used_and_no_other) {
  const Folder folder;
  (void)folder.file("triangle.obj", triangle_obj);
  (void)folder.file("part.sdf", part_sdf);
  (void)folder.file("world.sdf", world_sdf);
  EXPECT_FALSE(contains(run({"check", folder.file("model.sdf", model_sdf)}).err, "ignored"));
  for (const linkwright::SdfElement& element : linkwright::sdf_vocabulary()) {
    const std::string tag(element.kind), open = "<" + tag;
    std::string text(tag == "world" ? world_sdf : model_sdf);
    std::size_t at = text.find(open);
    while (at != std::string::npos &&
           (std::isalnum(text[at + open.size()]) != 0 || text[at + open.size()] == '_'))
      at = text.find(open, at + 1);
    ASSERT_NE(at, std::string::npos) << tag;
    text.insert(at + open.size(), " colour=\"1\"");
    const std::string err = run({"check", folder.file("observed.sdf", text)}).err;
    EXPECT_TRUE(contains(err, "ignored attribute colour of <" + tag + ">")) << err;
  }
}

}  // namespace
}  // namespace apps
