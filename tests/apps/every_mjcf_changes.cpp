#include "apps/every_mjcf_changes.hpp"

namespace apps {
namespace {

constexpr std::string_view tree = R"(<mujoco model="thing">
  <compiler angle="degree" eulerseq="zyx" autolimits="true" coordinate="local" meshdir="." strippath="true"/>
  <option gravity="0 0 -9" density="0" viscosity="0" wind="0 0 0">
    <flag gravity="enable" constraint="enable" equality="enable" frictionloss="enable" limit="enable" spring="enable" damper="enable" passive="enable"/>
  </option>
  <default>
    <mesh scale="1 1 1.5"/>
    <material rgba="0.1 0.2 0.3 1"/>
    <joint armature="0.01"/>
    <geom density="800"/>
    <site pos="0 0 0.01"/>
    <default class="stiff"><joint stiffness="7"/><geom size="0.09 0.08 0.07"/><site pos="0 0 0.02"/><mesh scale="2 2 2"/><material rgba="0 0 1 1"/></default>
  </default>
  <asset>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 0.3" face="0 2 1 0 1 3 0 3 2 1 2 3" refpos="0.1 0 0" refquat="1 0.2 0 0" inertia="legacy"/>
    <mesh name="dent" class="stiff" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.2 0.2 0.2" face="0 2 1 0 1 3 0 3 2 1 2 4 2 3 4 3 1 4" inertia="exact"/>
    <mesh name="wall" file="sub/wall.obj" material="paint" scale="1 2 3"/>
    <material name="paint" rgba="0.9 0.1 0.1 1"/>
    <material name="plain"/>
    <material name="fancy" class="stiff"/>
  </asset>
  <worldbody>
    <site name="origin" pos="1 0 0"/>
    <geom name="rug" type="box" size="1 1 0.011"/>
    <frame pos="0 0 0.011"><body name="shelf"><geom size="0.011"/></body></frame>
    <body name="base" pos="0 0 0.5" gravcomp="0.25" mocap="false">
      <freejoint name="float" align="false"/>
      <inertial pos="0.01 0 0" mass="5" diaginertia="0.1 0.2 0.25" euler="0 10 20"/>
      <body name="upper" childclass="stiff" pos="0 0 0.2" axisangle="0 1 0 11">
        <joint name="j1" axis="1 0 0" pos="0 0.02 0" range="-70 80" limited="auto" damping="0.3" frictionloss="0.2" ref="12" springref="3" springyield="0" actuatorfrcrange="-60 60" actuatorfrclimited="true"/>
        <joint name="j2" type="slide" axis="0 0 1" class="main" armature="0.3" range="-1 1.1"/>
        <geom name="skin" type="capsule" size="0.05 0.11" mass="1.1" material="plain"/>
        <geom class="main" type="cylinder" size="0.04" fromto="0 0 0 0 0.3 0" shellinertia="false" contype="1" conaffinity="0" group="1" rgba="0.2 0.3 0.4 1"/>
        <site name="tip" pos="0 0 0.31" quat="1 0.1 0 0"/>
        <site name="side" class="main" fromto="0 0 0 1 2 3"/>
        <body name="lower" pos="0 0.1 0.2" quat="1 0.2 0 0">
          <joint name="j3" axis="0 1 0" class="main" springdamper="0.4 0.9"/>
          <geom type="box" class="main" size="0.1 0.12 0.13" density="900" pos="0.01 0 0" quat="1 0 0.3 0"/>
          <geom type="mesh" mesh="wedge" density="30" class="main" zaxis="0 1 0.2"/>
          <geom type="mesh" mesh="dent" density="31" class="main" axisangle="1 0 0 14"/>
          <geom type="mesh" mesh="wall" density="0" class="main" xyaxes="0 1 0 0 0 1"/>
          <geom type="sphere" size="0.02" material="fancy" mass="0" euler="0 0 15" class="main"/>
          <site name="a" axisangle="1 0 0 16"/> <site name="b" xyaxes="1 1 0 0 0 1"/>
          <site name="c" zaxis="1 0 1"/> <site name="d" euler="17 0 0"/>
          <frame pos="0.1 0 0" axisangle="0 0 1 18">
            <geom size="0.03" mass="0.18"/> <site name="e"/>
            <joint name="j4" axis="1 1 0" class="main" damping="0.19"/>
          </frame>
          <frame childclass="main" quat="1 0 0 0.19"><site name="f"/>
            <frame xyaxes="1 0 0.2 0 1 0"><site name="g"/></frame>
            <frame zaxis="0.2 0 1"><site name="h"/></frame>
            <frame euler="21 0 0"><site name="i"/></frame>
            <body name="arm1" pos="0 0 0.3" xyaxes="1 0.1 0 0 1 0"><joint axis="0 1 0"/>
              <inertial pos="0 0 0.1" mass="0.6" fullinertia="0.01 0.012 0.013 0.001 0 0"/></body>
            <body name="arm2" zaxis="0.3 0 1"><joint axis="0 1 0"/>
              <inertial pos="0 0.1 0" mass="0.7" diaginertia="0.02 0.03 0.04" quat="1 0.3 0 0"/></body>
            <body name="arm3" euler="0 23 0"><joint axis="0 1 0"/>
              <inertial pos="0.1 0 0" mass="0.8" diaginertia="0.03 0.04 0.05" axisangle="1 0 0 24"/></body>
            <body name="arm4"><joint axis="1 0 0"/>
              <inertial pos="0 0.2 0" mass="0.9" diaginertia="0.04 0.05 0.06" xyaxes="1 0.2 0 0 1 0"/></body>
          </frame>
          <frame><inertial pos="0 0.3 0" mass="1.7" diaginertia="0.05 0.06 0.07" zaxis="0.1 0 1"/></frame>
        </body>
      </body>
    </body>
    <body name="kite"><frame pos="0 0 0.41"><freejoint name="fly"/><geom size="0.2"/></frame></body>
  </worldbody>
</mujoco>
)";

constexpr std::string_view masses = R"(<mujoco model="masses">
  <compiler inertiafromgeom="auto" inertiagrouprange="0 3" balanceinertia="true" boundmass="0.02" boundinertia="2e-4" settotalmass="9" assetdir="." discardvisual="true"/>
  <asset><mesh name="wall" file="wall.obj"/></asset>
  <worldbody>
    <body name="a"><joint name="a"/><inertial pos="0 0 0" mass="0.01" diaginertia="1e-5 0.02 0.05"/>
      <geom type="mesh" mesh="wall" density="0"/> <geom size="0.1" contype="0" conaffinity="0"/>
      <body name="b" pos="1 0 0"><joint name="b"/><geom size="0.2"/><geom size="0.3" group="2"/></body></body>
  </worldbody>
</mujoco>
)";

constexpr std::string_view bonds = R"(<mujoco model="bonds">
  <compiler angle="radian"/>
  <default>
    <geom size="0.1"/>
    <equality active="true"/>
    <tendon damping="0.02"/>
    <default class="off"><equality active="false"/><tendon damping="0.2"/></default>
    <default class="g"><general gear="3"/></default>
    <default class="m"><motor gear="4"/></default>
    <default class="p"><position gear="5"/></default>
    <default class="v"><velocity gear="6"/></default>
  </default>
  <include file="part.xml"/>
  <worldbody>
    <site name="s0" pos="0 0 1"/>
    <body name="a"><joint name="a" axis="0 1 0" ref="0.1"/><geom pos="1 0 0"/><site name="s1" pos="1 0 0"/></body>
    <body name="b" pos="0 1 0"><joint name="b" axis="0 1 0"/><geom pos="1 0 0"/><site name="s2" pos="1 1 0"/></body>
    <body name="c" pos="0 2 0"><joint name="c" axis="0 1 0"/><geom pos="1 0 0"/></body>
    <body name="d" pos="0 3 0"><joint name="d" axis="0 1 0"/><geom pos="1 0 0"/></body>
    <body name="e" pos="0 4 0"><joint name="e" axis="0 1 0"/><geom pos="1 0 0"/></body>
    <body name="f" pos="0 5 0"><joint name="f" axis="0 1 0"/><geom pos="1 0 0"/></body>
    <body name="g" pos="0 6 0"><joint name="g" type="ball"/><geom pos="1 0 0"/></body>
    <body name="h" pos="0 7 0"><joint name="h" axis="0 1 0"/><geom pos="1 0 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1" class="off" frictionloss="0.4" armature="0.05"><joint joint="a" coef="2"/><joint joint="b" coef="3"/></fixed>
    <fixed name="t2" range="-1 1" limited="true" stiffness="5" springlength="0.3" springyield="0"><joint joint="c" coef="4"/></fixed>
    <fixed name="t3" damping="0.07"><joint joint="d" coef="6"/></fixed>
  </tendon>
  <tendon><fixed name="t4"><joint joint="h" coef="7"/></fixed></tendon>
  <equality>
    <connect name="pin" active="true" body1="a" body2="b" anchor="1 0.5 0"/>
    <connect class="off" site1="s1" site2="s0"/>
    <connect name="pins" site1="s1" site2="s2"/>
    <weld name="glue" class="off" body1="c" body2="d" relpose="0.1 0.2 0.3 1 0 0.1 0" anchor="0.4 0 0"/>
    <weld name="glued" active="true" body1="a" body2="e" relpose="0.5 0.2 0.3 1 0 0.2 0" anchor="0.6 0 0" torquescale="1"/>
    <weld name="tape" site1="s1" site2="s0"/>
    <joint name="gear" class="main" active="true" joint1="a" joint2="b" polycoef="0.1 2"/>
    <tendon name="rope" class="main" active="true" tendon1="t3" tendon2="t2" polycoef="0.2 1"/>
  </equality>
  <equality><joint name="lonely" joint1="f" joint2="e"/></equality>
  <actuator>
    <general name="A" class="g" joint="a" ctrlrange="-2 2" ctrllimited="true" armature="0.001" damping="0.002" dyntype="none" gaintype="fixed" biastype="none" gainprm="2"/>
    <motor name="B" class="m" joint="b" ctrlrange="-3 3" ctrllimited="true" armature="0.003" damping="0.004"/>
    <position name="C" class="p" joint="c" forcerange="-4 4" forcelimited="true" armature="0.005" damping="0.006"/>
    <velocity name="D" class="v" joint="d" forcerange="-5 5" forcelimited="true" armature="0.007" damping="0.008"/>
    <general name="E" joint="e" gear="7" forcerange="-6 6" forcelimited="true"/>
    <motor name="F" joint="f" gear="8" forcerange="-7 7" forcelimited="true"/>
    <position name="C2" jointinparent="c" gear="9"/> <position name="C3" tendon="t1" gear="11"/>
    <velocity name="D2" jointinparent="d" gear="12"/> <velocity name="D3" tendon="t1" gear="13"/>
    <general name="E2" jointinparent="e" gear="14"/> <general name="E3" tendon="t1" gear="15"/>
    <motor name="F2" jointinparent="f" gear="16"/> <motor name="F3" tendon="t1" gear="17"/>
  </actuator>
  <actuator><motor name="H" joint="h" gear="18"/></actuator>
  <keyframe><key name="far" qpos="0.9 0 0 0 0 0 1 0 0 0 0"/><key name="home" qpos="0.2 0.1 0 0 0 0 1 0 0 0 0.3" qvel="0.3 0 0 0 0 0 0 0 0 0.4"/></keyframe>
</mujoco>
)";

constexpr std::string_view part =
    "<mujoco><option gravity=\"0 0 -8\"/><asset><material name=\"m\"/></asset></mujoco>";
constexpr std::string_view wall = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

struct Short {
  std::string_view document, section, word, from, to;
  Shows shows = Shows::numbers;
};
constexpr auto told = Shows::told;
constexpr auto drawing = Shows::drawing;

const std::vector<Short>& settings_changes() {
  static const std::vector<Short> all{
      {"tree.xml", "mujoco", "model", "model=\"thing\"", "model=\"other\"", told},
      {"tree.xml", "mujoco", "<compiler", "<compiler angle=\"degree\"",
       "<compiler angle=\"radian\""},
      {"tree.xml", "mujoco", "<option", "<option gravity=\"0 0 -9\"", "<option"},
      {"tree.xml", "mujoco", "<default", "<default>\n    <mesh",
       "<default>\n    <joint damping=\"1\"/><mesh"},
      {"tree.xml", "mujoco", "<asset", "<asset>", "<asset><mesh/>"},
      {"tree.xml", "mujoco", "<worldbody", "<worldbody>", "<worldbody><joint/>"},
      {"bonds.xml", "mujoco", "<tendon",
       "<tendon><fixed name=\"t4\"><joint joint=\"h\" coef=\"7\"/></fixed></tendon>", ""},
      {"bonds.xml", "mujoco", "<equality",
       "<equality><joint name=\"lonely\" joint1=\"f\" joint2=\"e\"/></equality>", "", told},
      {"bonds.xml", "mujoco", "<actuator",
       "<actuator><motor name=\"H\" joint=\"h\" gear=\"18\"/></actuator>", ""},
      {"bonds.xml", "mujoco", "<keyframe", "<keyframe><key name=\"far\"",
       "<keyframe><key qvel=\"1\" name=\"far\""},
      {"bonds.xml", "mujoco", "<include", "<include file=\"part.xml\"/>", ""},
      {"bonds.xml", "include", "file", "file=\"part.xml\"", "file=\"parts.xml\""},
      {"tree.xml", "compiler", "angle", "angle=\"degree\"", "angle=\"radian\""},
      {"tree.xml", "compiler", "eulerseq", "eulerseq=\"zyx\"", "eulerseq=\"xyz\""},
      {"tree.xml", "compiler", "autolimits", "autolimits=\"true\"", "autolimits=\"false\""},
      {"tree.xml", "compiler", "coordinate", "coordinate=\"local\"", "coordinate=\"global\""},
      {"tree.xml", "compiler", "meshdir", "meshdir=\".\"", "meshdir=\"gone\"", drawing},
      {"tree.xml", "compiler", "strippath", "strippath=\"true\"", "strippath=\"false\"", drawing},
      {"masses.xml", "compiler", "inertiafromgeom", "inertiafromgeom=\"auto\"",
       "inertiafromgeom=\"true\""},
      {"masses.xml", "compiler", "inertiagrouprange", "inertiagrouprange=\"0 3\"",
       "inertiagrouprange=\"0 1\""},
      {"masses.xml", "compiler", "balanceinertia", "balanceinertia=\"true\"",
       "balanceinertia=\"false\""},
      {"masses.xml", "compiler", "boundmass", "boundmass=\"0.02\"", "boundmass=\"0.03\""},
      {"masses.xml", "compiler", "boundinertia", "boundinertia=\"2e-4\"", "boundinertia=\"3e-4\""},
      {"masses.xml", "compiler", "settotalmass", "settotalmass=\"9\"", "settotalmass=\"8\""},
      {"masses.xml", "compiler", "assetdir", "assetdir=\".\"", "assetdir=\"gone\"", drawing},
      {"masses.xml", "compiler", "discardvisual", "discardvisual=\"true\"",
       "discardvisual=\"false\"", drawing},
      {"tree.xml", "option", "gravity", "gravity=\"0 0 -9\"", "gravity=\"0 0 -8\""},
      {"tree.xml", "option", "density", "density=\"0\" v", "density=\"1\" v"},
      {"tree.xml", "option", "viscosity", "viscosity=\"0\"", "viscosity=\"1\""},
      {"tree.xml", "option", "wind", "wind=\"0 0 0\"", "wind=\"1 0 0\""},
      {"tree.xml", "option", "<flag", "<flag gravity=\"enable\"", "<flag gravity=\"disable\""},
      {"tree.xml", "flag", "gravity", "gravity=\"enable\"", "gravity=\"disable\""},
      {"tree.xml", "flag", "constraint", "constraint=\"enable\"", "constraint=\"disable\""},
      {"tree.xml", "flag", "equality", "equality=\"enable\"", "equality=\"none\""},
      {"tree.xml", "flag", "frictionloss", "frictionloss=\"enable\"", "frictionloss=\"disable\""},
      {"tree.xml", "flag", "limit", "limit=\"enable\"", "limit=\"disable\""},
      {"tree.xml", "flag", "spring", "spring=\"enable\"", "spring=\"disable\""},
      {"tree.xml", "flag", "damper", "damper=\"enable\"", "damper=\"disable\""},
      {"tree.xml", "flag", "passive", "passive=\"enable\"", "passive=\"disable\""},
      {"tree.xml", "default", "class", "default class=\"stiff\"", "default class=\"stuff\""},
      {"tree.xml", "default", "<default", "<default class=\"stiff\"><joint stiffness=\"7\"/>",
       "<default class=\"stiff\">"},
      {"tree.xml", "default", "<mesh", "<mesh scale=\"1 1 1.5\"/>", ""},
      {"tree.xml", "default", "<material", "<material rgba=\"0.1 0.2 0.3 1\"/>", "", drawing},
      {"tree.xml", "default", "<joint", "<joint armature=\"0.01\"/>", ""},
      {"tree.xml", "default", "<geom", "<geom density=\"800\"/>", ""},
      {"tree.xml", "default", "<site", "<site pos=\"0 0 0.01\"/>", ""},
      {"bonds.xml", "default", "<equality",
       "<default>\n    <geom size=\"0.1\"/>\n    <equality active=\"true\"/>",
       "<default>\n    <geom size=\"0.1\"/>\n    <equality active=\"false\"/>", told},
      {"bonds.xml", "default", "<tendon", "<tendon damping=\"0.2\"/>", "<tendon damping=\"0.3\"/>"},
      {"bonds.xml", "default", "<general", "<general gear=\"3\"/>", "<general gear=\"2\"/>"},
      {"bonds.xml", "default", "<motor", "<motor gear=\"4\"/>", "<motor gear=\"3\"/>"},
      {"bonds.xml", "default", "<position", "<position gear=\"5\"/>", "<position gear=\"4\"/>"},
      {"bonds.xml", "default", "<velocity", "<velocity gear=\"6\"/>", "<velocity gear=\"5\"/>"},
      {"bonds.xml", "equality of default", "active", "class=\"off\"><equality active=\"false\"/>",
       "class=\"off\"><equality active=\"true\"/>", told},
      {"tree.xml", "asset", "<mesh", "<mesh name=\"wedge\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 0.3\"",
       "<mesh name=\"wedge\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 0.4\""},
      {"tree.xml", "asset", "<material", "<material name=\"plain\"/>", ""},
      {"tree.xml", "mesh", "name", "name=\"wedge\"", "name=\"wegde\""},
      {"tree.xml", "mesh", "class", "name=\"dent\" class=\"stiff\"", "name=\"dent\""},
      {"tree.xml", "mesh", "file", "file=\"sub/wall.obj\"", "file=\"sub/walls.obj\"", drawing},
      {"tree.xml", "mesh", "vertex", "vertex=\"0 0 0 1 0 0 0 1 0 0 0 0.3\"",
       "vertex=\"0 0 0 1 0 0 0 1 0 0 0 0.5\""},
      {"tree.xml", "mesh", "face", "face=\"0 2 1 0 1 3 0 3 2 1 2 3\"",
       "face=\"0 2 1 0 1 3 0 3 2\""},
      {"tree.xml", "mesh", "refpos", "refpos=\"0.1 0 0\"", "refpos=\"0.2 0 0\""},
      {"tree.xml", "mesh", "refquat", "refquat=\"1 0.2 0 0\"", "refquat=\"1 0.3 0 0\""},
      {"tree.xml", "mesh", "scale", "scale=\"1 2 3\"", "scale=\"1 2 4\"", drawing},
      {"tree.xml", "mesh", "inertia", "3 1 4\" inertia=\"exact\"", "3 1 4\" inertia=\"shell\""},
      {"tree.xml", "mesh", "material", "material=\"paint\"", "material=\"plain\"", drawing},
      {"tree.xml", "material", "name", "material name=\"fancy\"", "material name=\"facny\""},
      {"tree.xml", "material", "class", "name=\"fancy\" class=\"stiff\"", "name=\"fancy\"",
       drawing},
      {"tree.xml", "material", "rgba", "rgba=\"0.9 0.1 0.1 1\"", "rgba=\"0.8 0.1 0.1 1\"", drawing},
  };
  return all;
}

const std::vector<Short>& body_changes() {
  static const std::vector<Short> all{
      {"tree.xml", "worldbody", "<body", "<body name=\"kite\">", "<body name=\"kit\">"},
      {"tree.xml", "worldbody", "<frame", "<frame pos=\"0 0 0.011\">", "<frame pos=\"0 0 0.012\">"},
      {"tree.xml", "worldbody", "<geom", "<geom name=\"rug\" type=\"box\" size=\"1 1 0.011\"/>", "",
       drawing},
      {"tree.xml", "worldbody", "<site", "<site name=\"origin\" pos=\"1 0 0\"/>", ""},
      {"tree.xml", "body", "name", "body name=\"arm1\"", "body name=\"arm_1\""},
      {"tree.xml", "body", "childclass", "childclass=\"stiff\"", "childclass=\"main\""},
      {"tree.xml", "body", "pos", "name=\"lower\" pos=\"0 0.1 0.2\"",
       "name=\"lower\" pos=\"0 0.1 0.3\""},
      {"tree.xml", "body", "quat", "0.2\" quat=\"1 0.2 0 0\">", "0.2\" quat=\"1 0.3 0 0\">"},
      {"tree.xml", "body", "axisangle", "axisangle=\"0 1 0 11\"", "axisangle=\"0 1 0 12\""},
      {"tree.xml", "body", "xyaxes", "xyaxes=\"1 0.1 0 0 1 0\"", "xyaxes=\"1 0.2 0.1 0 1 0\""},
      {"tree.xml", "body", "zaxis", "zaxis=\"0.3 0 1\"", "zaxis=\"0.4 0 1\""},
      {"tree.xml", "body", "euler", "euler=\"0 23 0\"", "euler=\"0 24 0\""},
      {"tree.xml", "body", "gravcomp", "gravcomp=\"0.25\"", "gravcomp=\"0.35\""},
      {"tree.xml", "body", "mocap", "mocap=\"false\"", "mocap=\"true\""},
      {"tree.xml", "body", "<body", "<body name=\"arm2\"", "<body name=\"arm_2\""},
      {"tree.xml", "body", "<frame", "<frame pos=\"0.1 0 0\"", "<frame pos=\"0.2 0 0\""},
      {"tree.xml", "body", "<inertial", "<inertial pos=\"0.01 0 0\"", "<inertial pos=\"0.02 0 0\""},
      {"tree.xml", "body", "<joint", "<joint name=\"j1\"", "<joint name=\"J1\""},
      {"tree.xml", "body", "<freejoint", "<freejoint name=\"float\"", "<freejoint name=\"Float\""},
      {"tree.xml", "body", "<geom", "<geom name=\"skin\" type=\"capsule\" size=\"0.05 0.11\"",
       "<geom name=\"skin\" type=\"capsule\" size=\"0.05 0.12\""},
      {"tree.xml", "body", "<site", "<site name=\"tip\" pos=\"0 0 0.31\"",
       "<site name=\"tip\" pos=\"0 0 0.32\""},
      {"tree.xml", "frame", "childclass", "frame childclass=\"main\"",
       "frame childclass=\"stiff\""},
      {"tree.xml", "frame", "pos", "frame pos=\"0.1 0 0\"", "frame pos=\"0.3 0 0\""},
      {"tree.xml", "frame", "quat", "quat=\"1 0 0 0.19\"", "quat=\"1 0 0 0.2\""},
      {"tree.xml", "frame", "axisangle", "axisangle=\"0 0 1 18\"", "axisangle=\"0 0 1 19\""},
      {"tree.xml", "frame", "xyaxes", "xyaxes=\"1 0 0.2 0 1 0\"", "xyaxes=\"1 0 0.3 0 1 0\""},
      {"tree.xml", "frame", "zaxis", "frame zaxis=\"0.2 0 1\"", "frame zaxis=\"0.3 0 1\""},
      {"tree.xml", "frame", "euler", "euler=\"21 0 0\"", "euler=\"22 0 0\""},
      {"tree.xml", "frame", "<body", "<body name=\"arm3\"", "<body name=\"arm_3\""},
      {"tree.xml", "frame", "<frame", "<frame euler=\"21 0 0\"", "<frame euler=\"23 0 0\""},
      {"tree.xml", "frame", "<inertial", "<inertial pos=\"0 0.3 0\"", "<inertial pos=\"0 0.4 0\""},
      {"tree.xml", "frame", "<joint", "<joint name=\"j4\"", "<joint name=\"J4\""},
      {"tree.xml", "frame", "<freejoint", "<freejoint name=\"fly\"/>", ""},
      {"tree.xml", "frame", "<geom", "<geom size=\"0.03\" mass=\"0.18\"/>", ""},
      {"tree.xml", "frame", "<site", "<site name=\"g\"/>", ""},
      {"tree.xml", "inertial", "pos", "pos=\"0 0 0.1\" mass", "pos=\"0 0 0.2\" mass"},
      {"tree.xml", "inertial", "quat", "quat=\"1 0.3 0 0\"", "quat=\"1 0.4 0 0\""},
      {"tree.xml", "inertial", "axisangle", "axisangle=\"1 0 0 24\"", "axisangle=\"1 0 0 25\""},
      {"tree.xml", "inertial", "xyaxes", "xyaxes=\"1 0.2 0 0 1 0\"", "xyaxes=\"1 0.3 0 0 1 0\""},
      {"tree.xml", "inertial", "zaxis", "zaxis=\"0.1 0 1\"", "zaxis=\"0.2 0.1 1\""},
      {"tree.xml", "inertial", "euler", "euler=\"0 10 20\"", "euler=\"0 11 20\""},
      {"tree.xml", "inertial", "mass", "mass=\"0.6\"", "mass=\"0.65\""},
      {"tree.xml", "inertial", "diaginertia", "diaginertia=\"0.1 0.2 0.25\"",
       "diaginertia=\"0.1 0.2 0.26\""},
      {"tree.xml", "inertial", "fullinertia", "fullinertia=\"0.01 0.012",
       "fullinertia=\"0.011 0.012"},
      {"tree.xml", "joint", "name", "joint name=\"j3\"", "joint name=\"j_3\""},
      {"tree.xml", "joint", "class", "axis=\"0 0 1\" class=\"main\"",
       "axis=\"0 0 1\" class=\"stiff\""},
      {"tree.xml", "joint", "type", "type=\"slide\"", "type=\"hinge\""},
      {"tree.xml", "joint", "pos", "pos=\"0 0.02 0\"", "pos=\"0 0.03 0\""},
      {"tree.xml", "joint", "axis", "axis=\"1 0 0\" pos", "axis=\"1 0 0.1\" pos"},
      {"tree.xml", "joint", "springdamper", "springdamper=\"0.4 0.9\"", "springdamper=\"0.5 0.9\""},
      {"tree.xml", "joint", "stiffness", "stiffness=\"7\"", "stiffness=\"8\""},
      {"tree.xml", "joint", "range", "range=\"-70 80\"", "range=\"-70 70\""},
      {"tree.xml", "joint", "limited", "limited=\"auto\"", "limited=\"false\""},
      {"tree.xml", "joint", "actuatorfrcrange", "actuatorfrcrange=\"-60 60\"",
       "actuatorfrcrange=\"-50 50\"", told},
      {"tree.xml", "joint", "actuatorfrclimited", "actuatorfrclimited=\"true\"",
       "actuatorfrclimited=\"false\"", told},
      {"tree.xml", "joint", "ref", " ref=\"12\"", " ref=\"13\""},
      {"tree.xml", "joint", "springref", "springref=\"3\"", "springref=\"4\""},
      {"tree.xml", "joint", "springyield", "springyield=\"0\"", "springyield=\"1\""},
      {"tree.xml", "joint", "armature", "class=\"main\" armature=\"0.3\"",
       "class=\"main\" armature=\"0.4\""},
      {"tree.xml", "joint", "damping", "damping=\"0.3\"", "damping=\"0.4\""},
      {"tree.xml", "joint", "frictionloss", "frictionloss=\"0.2\"", "frictionloss=\"0.3\""},
      {"tree.xml", "freejoint", "name", "freejoint name=\"fly\"", "freejoint name=\"flies\""},
      {"tree.xml", "freejoint", "align", "align=\"false\"", "align=\"true\""},
      {"tree.xml", "geom", "name", "geom name=\"skin\"", "geom name=\"hide\"", drawing},
      {"tree.xml", "geom", "class", "material=\"fancy\" mass=\"0\" euler=\"0 0 15\" class=\"main\"",
       "material=\"fancy\" mass=\"0\" euler=\"0 0 15\" class=\"min\""},
      {"tree.xml", "geom", "type", "type=\"capsule\"", "type=\"cylinder\""},
      {"tree.xml", "geom", "contype", "contype=\"1\"", "contype=\"0\"", told},
      {"tree.xml", "geom", "conaffinity", "contype=\"1\" conaffinity=\"0\"",
       "contype=\"0\" conaffinity=\"0\"", told},
      {"tree.xml", "geom", "group", "group=\"1\"", "group=\"4\"", drawing},
      {"tree.xml", "geom", "size", "size=\"0.05 0.11\"", "size=\"0.06 0.11\""},
      {"tree.xml", "geom", "mass", "mass=\"1.1\"", "mass=\"1.2\""},
      {"tree.xml", "geom", "density", "density=\"900\"", "density=\"901\""},
      {"tree.xml", "geom", "shellinertia", "shellinertia=\"false\"", "shellinertia=\"true\""},
      {"tree.xml", "geom", "fromto", "fromto=\"0 0 0 0 0.3 0\"", "fromto=\"0 0 0 0 0.4 0\""},
      {"tree.xml", "geom", "pos", "density=\"900\" pos=\"0.01 0 0\"",
       "density=\"900\" pos=\"0.02 0 0\""},
      {"tree.xml", "geom", "quat", "quat=\"1 0 0.3 0\"", "quat=\"1 0 0.4 0\"", drawing},
      {"tree.xml", "geom", "axisangle", "axisangle=\"1 0 0 14\"", "axisangle=\"1 0 0 15\"",
       drawing},
      {"tree.xml", "geom", "xyaxes", "xyaxes=\"0 1 0 0 0 1\"", "xyaxes=\"0 1 0.1 0 0 1\"", drawing},
      {"tree.xml", "geom", "zaxis", "zaxis=\"0 1 0.2\"", "zaxis=\"0 1 0.3\"", drawing},
      {"tree.xml", "geom", "euler", "euler=\"0 0 15\"", "euler=\"0 0 16\"", drawing},
      {"tree.xml", "geom", "mesh", "mesh=\"wall\"", "mesh=\"wedge\"", drawing},
      {"tree.xml", "geom", "material", "material=\"plain\"", "material=\"fancy\"", drawing},
      {"tree.xml", "geom", "rgba", "rgba=\"0.2 0.3 0.4 1\"", "rgba=\"0.3 0.3 0.4 1\"", drawing},
      {"tree.xml", "site", "name", "site name=\"a\"", "site name=\"A\""},
      {"tree.xml", "site", "class", "name=\"side\" class=\"main\"", "name=\"side\" class=\"side\""},
      {"tree.xml", "site", "pos", "pos=\"0 0 0.31\"", "pos=\"0 0 0.33\""},
      {"tree.xml", "site", "quat", "quat=\"1 0.1 0 0\"", "quat=\"1 0.2 0.1 0\""},
      {"tree.xml", "site", "axisangle", "axisangle=\"1 0 0 16\"", "axisangle=\"1 0 0 17\""},
      {"tree.xml", "site", "xyaxes", "xyaxes=\"1 1 0 0 0 1\"", "xyaxes=\"1 2 0 0 0 1\""},
      {"tree.xml", "site", "zaxis", "zaxis=\"1 0 1\"", "zaxis=\"1 0 2\""},
      {"tree.xml", "site", "euler", "euler=\"17 0 0\"", "euler=\"18 0 0\""},
      {"tree.xml", "site", "fromto", "fromto=\"0 0 0 1 2 3\"", "fromto=\"0 0 0 1 2 4\""},
  };
  return all;
}

const std::vector<Short>& bond_changes() {
  static const std::vector<Short> all{
      {"bonds.xml", "equality", "<connect", "<connect name=\"pins\" site1=\"s1\" site2=\"s2\"/>",
       "", told},
      {"bonds.xml", "equality", "<weld", "<weld name=\"tape\" site1=\"s1\" site2=\"s0\"/>", "",
       told},
      {"bonds.xml", "equality", "<joint", "<joint name=\"lonely\" joint1=\"f\" joint2=\"e\"/>", "",
       told},
      {"bonds.xml", "equality", "<tendon",
       "<tendon name=\"rope\" class=\"main\" active=\"true\" tendon1=\"t3\" tendon2=\"t2\" "
       "polycoef=\"0.2 1\"/>",
       "", told},
      {"bonds.xml", "connect", "name", "connect name=\"pins\"", "connect name=\"pinned\"", told},
      {"bonds.xml", "connect", "class", "connect class=\"off\"", "connect class=\"main\"", told},
      {"bonds.xml", "connect", "active", "name=\"pin\" active=\"true\"",
       "name=\"pin\" active=\"false\"", told},
      {"bonds.xml", "connect", "body1", "active=\"true\" body1=\"a\" body2=\"b\"",
       "active=\"true\" body1=\"c\" body2=\"b\"", told},
      {"bonds.xml", "connect", "body2", "body2=\"b\" anchor", "body2=\"d\" anchor", told},
      {"bonds.xml", "connect", "anchor", "anchor=\"1 0.5 0\"", "anchor=\"1 0.6 0\"", told},
      {"bonds.xml", "connect", "site1", "name=\"pins\" site1=\"s1\"", "name=\"pins\" site1=\"s0\"",
       told},
      {"bonds.xml", "connect", "site2", "site2=\"s2\"", "site2=\"s0\"", told},
      {"bonds.xml", "weld", "name", "weld name=\"tape\"", "weld name=\"taped\"", told},
      {"bonds.xml", "weld", "class", "name=\"glue\" class=\"off\"", "name=\"glue\"", told},
      {"bonds.xml", "weld", "active", "name=\"glued\" active=\"true\"",
       "name=\"glued\" active=\"false\"", told},
      {"bonds.xml", "weld", "body1", "body1=\"a\" body2=\"e\"", "body1=\"b\" body2=\"e\"", told},
      {"bonds.xml", "weld", "body2", "body2=\"e\" relpose", "body2=\"f\" relpose", told},
      {"bonds.xml", "weld", "relpose", "relpose=\"0.5 0.2 0.3 1 0 0.2 0\"",
       "relpose=\"0.5 0.2 0.3 1 0 0.3 0\"", told},
      {"bonds.xml", "weld", "anchor", "anchor=\"0.6 0 0\"", "anchor=\"0.7 0 0\"", told},
      {"bonds.xml", "weld", "site1", "name=\"tape\" site1=\"s1\"", "name=\"tape\" site1=\"s2\"",
       told},
      {"bonds.xml", "weld", "site2", "name=\"tape\" site1=\"s1\" site2=\"s0\"",
       "name=\"tape\" site1=\"s1\" site2=\"s3\"", told},
      {"bonds.xml", "weld", "torquescale", "torquescale=\"1\"", "torquescale=\"0\"", told},
      {"bonds.xml", "joint of equality", "name", "joint name=\"gear\"", "joint name=\"gears\"",
       told},
      {"bonds.xml", "joint of equality", "class", "name=\"gear\" class=\"main\"",
       "name=\"gear\" class=\"gear\"", told},
      {"bonds.xml", "joint of equality", "active", "name=\"gear\" class=\"main\" active=\"true\"",
       "name=\"gear\" class=\"main\" active=\"false\"", told},
      {"bonds.xml", "joint of equality", "joint1", "joint1=\"a\"", "joint1=\"c\"", told},
      {"bonds.xml", "joint of equality", "joint2", "joint2=\"b\"", "joint2=\"c\"", told},
      {"bonds.xml", "joint of equality", "polycoef", "polycoef=\"0.1 2\"", "polycoef=\"0.1 3\"",
       told},
      {"bonds.xml", "tendon of equality", "name", "tendon name=\"rope\"", "tendon name=\"ropes\"",
       told},
      {"bonds.xml", "tendon of equality", "class", "name=\"rope\" class=\"main\"",
       "name=\"rope\" class=\"rope\"", told},
      {"bonds.xml", "tendon of equality", "active", "name=\"rope\" class=\"main\" active=\"true\"",
       "name=\"rope\" class=\"main\" active=\"false\"", told},
      {"bonds.xml", "tendon of equality", "tendon1", "tendon1=\"t3\"", "tendon1=\"t4\"", told},
      {"bonds.xml", "tendon of equality", "tendon2", "tendon2=\"t2\"", "tendon2=\"t4\"", told},
      {"bonds.xml", "tendon of equality", "polycoef", "polycoef=\"0.2 1\"", "polycoef=\"0.2 3\"",
       told},
      {"bonds.xml", "tendon", "<fixed", "<fixed name=\"t3\" damping=\"0.07\">",
       "<fixed name=\"t3\" damping=\"0.08\">"},
      {"bonds.xml", "fixed", "name", "fixed name=\"t3\"", "fixed name=\"t_3\""},
      {"bonds.xml", "fixed", "class", "name=\"t1\" class=\"off\"", "name=\"t1\"", told},
      {"bonds.xml", "fixed", "range", "range=\"-1 1\"", "range=\"-1 2\""},
      {"bonds.xml", "fixed", "limited", "limited=\"true\" stiffness",
       "limited=\"false\" stiffness"},
      {"bonds.xml", "fixed", "springlength", "springlength=\"0.3\"", "springlength=\"0.4\""},
      {"bonds.xml", "fixed", "stiffness", "stiffness=\"5\"", "stiffness=\"6\""},
      {"bonds.xml", "fixed", "springyield", "springyield=\"0\"", "springyield=\"1\""},
      {"bonds.xml", "fixed", "damping", "damping=\"0.07\"", "damping=\"0.09\""},
      {"bonds.xml", "fixed", "frictionloss", "frictionloss=\"0.4\"", "frictionloss=\"0.5\"", told},
      {"bonds.xml", "fixed", "armature", "armature=\"0.05\"", "armature=\"0.06\"", told},
      {"bonds.xml", "fixed", "<joint", "<joint joint=\"c\" coef=\"4\"/>",
       "<joint joint=\"c\" coef=\"5\"/>"},
      {"bonds.xml", "joint of fixed", "joint", "joint joint=\"d\"", "joint joint=\"e\""},
      {"bonds.xml", "joint of fixed", "coef", "coef=\"6\"", "coef=\"5\""},
      {"bonds.xml", "actuator", "<general", "<general name=\"E\" joint=\"e\" gear=\"7\"",
       "<general name=\"E\" joint=\"e\" gear=\"8\"", told},
      {"bonds.xml", "actuator", "<motor", "<motor name=\"F\" joint=\"f\" gear=\"8\"",
       "<motor name=\"F\" joint=\"f\" gear=\"9\"", told},
      {"bonds.xml", "actuator", "<position",
       "<position name=\"C2\" jointinparent=\"c\" gear=\"9\"/>", "", told},
      {"bonds.xml", "actuator", "<velocity",
       "<velocity name=\"D2\" jointinparent=\"d\" gear=\"12\"/>", "", told},
      {"bonds.xml", "general", "gainprm", "gainprm=\"2\"", "gainprm=\"3\"", told},
      {"bonds.xml", "general", "dyntype", "dyntype=\"none\"", "dyntype=\"filter\"", told},
      {"bonds.xml", "general", "gaintype", "gaintype=\"fixed\"", "gaintype=\"affine\"", told},
      {"bonds.xml", "general", "biastype", "biastype=\"none\"", "biastype=\"affine\"", told},
      {"bonds.xml", "keyframe", "<key", "<key name=\"far\" qpos=\"0.9 0 0 0 0 0 1 0 0 0 0\"/>", ""},
      {"bonds.xml", "key", "name", "key name=\"home\"", "key name=\"house\""},
      {"bonds.xml", "key", "qpos", "qpos=\"0.2 0.1 0", "qpos=\"0.3 0.1 0"},
      {"bonds.xml", "key", "qvel", "qvel=\"0.3 0", "qvel=\"0.4 0"},
  };
  return all;
}

/// What the four kinds of actuators share.
const std::vector<Short>& actuator_changes() {
  static const std::vector<Short> all{
      {"bonds.xml", "general", "name", "general name=\"E3\"", "general name=\"E_3\"", told},
      {"bonds.xml", "general", "class", "name=\"A\" class=\"g\"", "name=\"A\" class=\"m\"", told},
      {"bonds.xml", "general", "joint", "name=\"E\" joint=\"e\"", "name=\"E\" joint=\"h\"", told},
      {"bonds.xml", "general", "jointinparent", "jointinparent=\"e\"", "jointinparent=\"h\"", told},
      {"bonds.xml", "general", "tendon", "name=\"E3\" tendon=\"t1\"", "name=\"E3\" tendon=\"t2\"",
       told},
      {"bonds.xml", "general", "gear", "gear=\"7\"", "gear=\"9.5\"", told},
      {"bonds.xml", "general", "ctrlrange", "joint=\"a\" ctrlrange=\"-2 2\"",
       "joint=\"a\" ctrlrange=\"-3 3\"", told},
      {"bonds.xml", "general", "ctrllimited", "ctrlrange=\"-2 2\" ctrllimited=\"true\"",
       "ctrlrange=\"-2 2\" ctrllimited=\"yes\"", told},
      {"bonds.xml", "general", "forcerange", "forcerange=\"-6 6\"", "forcerange=\"-6 7\"", told},
      {"bonds.xml", "general", "forcelimited", "forcerange=\"-6 6\" forcelimited=\"true\"",
       "forcerange=\"-6 6\" forcelimited=\"yes\"", told},
      {"bonds.xml", "general", "armature", "armature=\"0.001\"", "armature=\"0.002\""},
      {"bonds.xml", "general", "damping", "damping=\"0.002\"", "damping=\"0.003\""},
      {"bonds.xml", "motor", "name", "motor name=\"F3\"", "motor name=\"F_3\"", told},
      {"bonds.xml", "motor", "class", "name=\"B\" class=\"m\"", "name=\"B\" class=\"g\"", told},
      {"bonds.xml", "motor", "joint", "name=\"F\" joint=\"f\"", "name=\"F\" joint=\"h\"", told},
      {"bonds.xml", "motor", "jointinparent", "jointinparent=\"f\"", "jointinparent=\"h\"", told},
      {"bonds.xml", "motor", "tendon", "name=\"F3\" tendon=\"t1\"", "name=\"F3\" tendon=\"t2\"",
       told},
      {"bonds.xml", "motor", "gear", "gear=\"8\"", "gear=\"9.5\"", told},
      {"bonds.xml", "motor", "ctrlrange", "ctrlrange=\"-3 3\"", "ctrlrange=\"-3 4\"", told},
      {"bonds.xml", "motor", "ctrllimited", "ctrlrange=\"-3 3\" ctrllimited=\"true\"",
       "ctrlrange=\"-3 3\" ctrllimited=\"yes\"", told},
      {"bonds.xml", "motor", "forcerange", "forcerange=\"-7 7\"", "forcerange=\"-7 8\"", told},
      {"bonds.xml", "motor", "forcelimited", "forcerange=\"-7 7\" forcelimited=\"true\"",
       "forcerange=\"-7 7\" forcelimited=\"yes\"", told},
      {"bonds.xml", "motor", "armature", "armature=\"0.003\"", "armature=\"0.004\""},
      {"bonds.xml", "motor", "damping", "damping=\"0.004\"", "damping=\"0.005\""},
      {"bonds.xml", "position", "name", "position name=\"C3\"", "position name=\"C_3\"", told},
      {"bonds.xml", "position", "class", "name=\"C\" class=\"p\"", "name=\"C\" class=\"v\""},
      {"bonds.xml", "position", "joint", "joint=\"c\" forcerange", "joint=\"h\" forcerange"},
      {"bonds.xml", "position", "jointinparent", "jointinparent=\"c\"", "jointinparent=\"h\"",
       told},
      {"bonds.xml", "position", "tendon", "name=\"C3\" tendon=\"t1\"", "name=\"C3\" tendon=\"t2\"",
       told},
      {"bonds.xml", "position", "gear", "gear=\"11\"", "gear=\"11.5\"", told},
      {"bonds.xml", "position", "forcerange", "forcerange=\"-4 4\"", "forcerange=\"-4 5\"", told},
      {"bonds.xml", "position", "forcelimited", "forcerange=\"-4 4\" forcelimited=\"true\"",
       "forcerange=\"-4 4\" forcelimited=\"yes\"", told},
      {"bonds.xml", "position", "armature", "armature=\"0.005\"", "armature=\"0.006\""},
      {"bonds.xml", "position", "damping", "damping=\"0.006\"", "damping=\"0.007\""},
      {"bonds.xml", "velocity", "name", "velocity name=\"D3\"", "velocity name=\"D_3\"", told},
      {"bonds.xml", "velocity", "class", "name=\"D\" class=\"v\"", "name=\"D\" class=\"p\""},
      {"bonds.xml", "velocity", "joint", "joint=\"d\" forcerange", "joint=\"h\" forcerange"},
      {"bonds.xml", "velocity", "jointinparent", "jointinparent=\"d\"", "jointinparent=\"h\"",
       told},
      {"bonds.xml", "velocity", "tendon", "name=\"D3\" tendon=\"t1\"", "name=\"D3\" tendon=\"t2\"",
       told},
      {"bonds.xml", "velocity", "gear", "gear=\"13\"", "gear=\"13.5\"", told},
      {"bonds.xml", "velocity", "forcerange", "forcerange=\"-5 5\"", "forcerange=\"-5 6\"", told},
      {"bonds.xml", "velocity", "forcelimited", "forcerange=\"-5 5\" forcelimited=\"true\"",
       "forcerange=\"-5 5\" forcelimited=\"yes\"", told},
      {"bonds.xml", "velocity", "armature", "armature=\"0.007\"", "armature=\"0.008\""},
      {"bonds.xml", "velocity", "damping", "damping=\"0.008\"", "damping=\"0.009\""},
  };
  return all;
}

}  // namespace

const std::map<std::string, std::string, std::less<>>& mjcf_documents() {
  static const std::map<std::string, std::string, std::less<>> documents{
      {"tree.xml", std::string(tree)},
      {"masses.xml", std::string(masses)},
      {"bonds.xml", std::string(bonds)},
      {"part.xml", std::string(part)},
      {"wall.obj", std::string(wall)}};
  return documents;
}

const std::vector<Change>& mjcf_changes() {
  static const std::vector<Change> changes = [] {
    std::vector<Change> all;
    for (const auto* list :
         {&settings_changes(), &body_changes(), &bond_changes(), &actuator_changes()})
      for (const Short& s : *list)
        all.push_back({s.document, s.section, s.word, s.from, s.to, s.shows});
    return all;
  }();
  return changes;
}

}  // namespace apps
