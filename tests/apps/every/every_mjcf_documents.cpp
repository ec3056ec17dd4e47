#include "apps/every/every_mjcf_changes.hpp"

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
            <body name="arm5"><joint axis="1 0 0"/>
              <frame><inertial pos="0 0.3 0" mass="1.7" diaginertia="0.05 0.06 0.07" zaxis="0.1 0 1"/></frame></body>
            <body name="arm4"><joint axis="1 0 0"/>
              <inertial pos="0 0.2 0" mass="0.9" diaginertia="0.04 0.05 0.06" xyaxes="1 0.2 0 0 1 0"/></body>
          </frame>
        </body>
      </body>
    </body>
    <replicate count="2" offset="0 0.4 0" euler="0 31 0" sep="-" childclass="main">
      <site name="peg"/>
      <body name="post" pos="3 0 0"><joint name="j5" axis="0 1 0"/><geom size="0.04" mass="0.33"/>
        <replicate count="2" offset="0.21 0 0"><geom size="0.05" mass="0.11"/></replicate>
        <frame pos="0 0 0.5"><replicate count="2" offset="0.22 0 0"><geom size="0.06" mass="0.12"/></replicate></frame>
      </body>
      <frame><site name="eye"/></frame>
      <replicate count="2" offset="0 0 0.23"><site name="rung"/></replicate>
    </replicate>
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
    <body name="k" pos="0 8 0"><joint name="k" axis="0 1 0"/><geom pos="1 0 0"/></body>
    <body name="l" pos="0 9 0"><joint name="l" axis="0 1 0"/><geom pos="1 0 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1"><joint joint="a" coef="2"/><joint joint="b" coef="3"/></fixed>
    <fixed name="t2" range="-1 1" limited="true" stiffness="5" springlength="0.3" springyield="0" frictionloss="0.4" armature="0.05"><joint joint="c" coef="4"/></fixed>
    <fixed name="t3" class="off"><joint joint="d" coef="6"/></fixed>
  </tendon>
  <tendon><fixed name="t4" damping="0.07"><joint joint="h" coef="7"/></fixed></tendon>
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
    <general name="A" class="g" joint="k" ctrlrange="-2 2" ctrllimited="true" armature="0.001" damping="0.002" dyntype="none" gaintype="fixed" biastype="none" gainprm="2"/>
    <motor name="B" class="m" joint="l" ctrlrange="-3 3" ctrllimited="true" armature="0.003" damping="0.004"/>
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
  <keyframe><key name="far" qpos="0.9 0 0 0 0 0 1 0 0 0 0 0 0"/><key name="home" qpos="0.2 0.1 0 0 0 0 1 0 0 0 0.3 0 0" qvel="0.3 0 0 0 0 0 0 0 0 0.4 0 0"/></keyframe>
</mujoco>
)";

constexpr std::string_view part =
    "<mujoco><option gravity=\"0 0 -8\"/><asset><material name=\"m\"/></asset></mujoco>";
constexpr std::string_view wall = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

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

}  // namespace apps
