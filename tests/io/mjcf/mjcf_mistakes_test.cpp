// What MJCF says that has no meaning: an error or a warning by name, with its line; and what a lenient
// reader makes of it.

#include <gtest/gtest.h>

#include "linkwright/io/mjcf.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::judged;
using testing::warns;

const std::filesystem::path mjcf_data =
    std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/mjcf";

/// On line 2 of a file stands `inside`.
Model parse_line(const std::string& inside, bool lenient = false) {
  return judged(
      parse_mjcf("<mujoco>\n" + inside + "\n</mujoco>", "test.xml", {}, {.lenient = lenient}));
}

/// In a body with a hinge, on line 2.
std::string in_body(const std::string& parts) {
  return "<worldbody><body name='b'><joint name='j'/><geom size='1'/>" + parts +
         "</body></worldbody>";
}

struct MjcfCase {
  std::string text;
  std::vector<std::string> words;
  std::string lenient{};  ///< part of the lenient reader's warning; empty: it refuses too
};

const MjcfCase refused[] = {
    {"", {"no <body>"}},
    {"<compiler angle='grad'/>", {"compiler", "'grad'", "degree, radian"}},
    {"<compiler eulerseq='xyw'/>", {"eulerseq", "xyzXYZ"}},
    {"<compiler coordinate='global'/>", {"coordinate", "relative to the parent"}},
    {"<option gravity='0 0'/>", {"option", "gravity", "expected 3"}},
    {"<option viscosity='0.1'/>" + in_body(""), {"viscosity", "medium"}, "the medium is left out"},
    {"<option density='1.2' wind='1 0 0'/>" + in_body(""), {"wind"}, "the medium is left out"},
    {"<option><flag gravity='off'/></option>", {"'off'", "enable, disable"}},
    {"<include file='gone.xml'/>", {"no file", "gone.xml", "relative to the main file"}},
    {"<default><default><geom/></default></default>", {"no attribute class"}},
    {"<default><default class='a'/><default class='a'/></default>", {"'a' is declared twice"}},
    {in_body("<joint class='arms' axis='1 0 0'/>"), {"class 'arms'", "no <default> declares"}},
    {"<worldbody><joint/><body/></worldbody>", {"<joint>", "stands in <worldbody>"}},
    {in_body("<joint name='k' type='hing'/>"), {"joint 'k'", "'hing'", "did you mean 'hinge'?"}},
    {in_body("<joint name='k' axis='0 0 0'/>"), {"joint 'k'", "axis", "length 0"}},
    {in_body("<joint name='k' range='-1'/>"), {"joint 'k'", "range", "expected 2"}},
    {in_body("<joint name='k' limited='true'/>"), {"joint 'k'", "limited", "no range"}},
    {"<compiler autolimits='false'/>" + in_body("<joint name='k' range='0 1'/>"),
     {"joint 'k'", "autolimits", "limited"}},
    {in_body("<joint name='k' range='1 -1'/>"),
     {"joint 'k'", "lower limit", "exceeds"},
     "taken in the other order"},
    {in_body("<joint name='k' damping='-1'/>"), {"joint 'k'", "damping is -1"}, "taken as 0"},
    {in_body("<joint name='k' damping='1 2'/>"),
     {"joint 'k'", "damping", "higher order"},
     "taken as linear"},
    {in_body("<joint name='k' stiffness='1 0 2'/>"), {"stiffness", "higher order"}, "linear"},
    {in_body("<joint name='k' springyield='1'/>"), {"springyield"}, "taken as elastic"},
    {in_body("<body name='c'><joint name='k' type='ball' stiffness='3'/><geom size='1'/></body>"),
     {"joint 'k'", "stiffness 3", "spherical"},
     "left out"},
    {in_body("<freejoint name='k'/>"), {"joint 'k'", "not the only joint"}},
    {in_body("<body name='c'><freejoint name='k'/></body>"), {"joint 'k'", "<worldbody>"}},
    {in_body("<inertial mass='1' diaginertia='1 1 1'/>"), {"body 'b'", "pos"}},
    {in_body("<inertial pos='0 0 0' mass='1'/>"), {"body 'b'", "diaginertia"}},
    {in_body("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"),
     {"body 'b'", "keep one"}},
    {in_body("<inertial pos='0 0 0' mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/>"),
     {"body 'b'", "fullinertia and quat"}},
    {in_body("<inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>"), {"mass is -1"}},
    {in_body("<geom type='box' size='1 1'/>"), {"geom of 'b'", "2 number(s)", "box", "needs 3"}},
    {in_body("<geom type='ball' size='1'/>"), {"geom of 'b'", "'ball'"}},
    {in_body("<geom size='-1'/>"), {"geom of 'b'", "size", "more than zero"}},
    {in_body("<geom size='1' mass='-1'/>"), {"geom of 'b'", "mass = -1"}},
    {in_body("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), {"fromto", "two equal"}},
    {in_body("<geom type='mesh'/>"), {"geom of 'b'", "type mesh", "names none"}},
    {in_body("<geom type='mesh' mesh='m'/>"), {"mesh 'm' does not exist"}},
    {"<asset><mesh name='m' file='gone.stl'/></asset>" + in_body("<geom type='mesh' mesh='m'/>"),
     {"geom of 'b'", "gone.stl", "no such file", "<inertial>"}},
    {"<asset><mesh name='m'/></asset>" + in_body(""), {"mesh 'm'", "neither a file nor vertices"}},
    {in_body("<geom type='ellipsoid' size='1 2 3' shellinertia='true'/>"),
     {"skin of an ellipsoid"}},
    {in_body("<geom size='1' material='gold'/>"), {"material 'gold'"}, "this <geom> is left out"},
    {in_body("<body name='b'><geom size='1'/></body>"), {"link 'b' is declared twice"}},
    {in_body("<body name='world'><geom size='1'/></body>"), {"'world'", "reserved"}},
    {in_body("<site name='s'/><site name='s'/>"), {"second site", "'s'"}},
    {in_body("<body name='c' quat='0 0 0 0'/>"), {"body 'c'", "zero quaternion"}},
    {in_body("<body name='c' xyaxes='1 0 0 2 0 0'/>"), {"xyaxes", "parallel"}},
    {in_body("<composite type='grid'><geom size='1'/></composite>"),
     {"<composite>", "save it"},
     "this <composite> is left out"},
    {in_body("<replicate count='2.5'><geom size='1'/></replicate>"),
     {"count=\"2.5\"", "whole number"}},
    {in_body("<replicate><geom size='1'/></replicate>"), {"no attribute count"}},
    {in_body("<replicate count='2000'><replicate count='2000'><geom "
             "size='1'/></replicate></replicate>"),
     {"writes out", "1000000 at most"}},
    {in_body("<replicate count='2'><joint name='j'/></replicate>"),
     {"stands in <replicate>", "<body>"}},
    {in_body("<joint name='o'/><replicate count='2'><body name='c'><joint name='j'/><geom "
             "size='1'/></body></replicate>") +
         "<equality><joint joint1='j' joint2='o'/></equality>",
     {"<joint>", "stands outside"}},
    {"<deformable/>" + in_body(""), {"<deformable>", "soft bodies"}, "left out"},
    {in_body("") + "<equality><connect body1='b' body2='c' anchor='0 0 0'/></equality>",
     {"body 'c' does not exist"}},
    {in_body("") + "<equality><connect body1='b'/></equality>", {"no attribute anchor"}},
    {in_body("<site name='s'/>") + "<equality><connect site1='s' site2='s' body1='b'/></equality>",
     {"sites and body1"}},
    {in_body("<body name='c'><joint name='k'/><geom size='1'/></body>") +
         "<equality><joint joint1='j' joint2='k' polycoef='0 1 2'/></equality>",
     {"equality 'joint'", "power 2", "linear"},
     "dropped, both move freely"},
    {in_body("<body name='c'><joint name='k' type='ball'/><geom size='1'/></body>") +
         "<equality><joint joint1='j' joint2='k'/></equality>",
     {"joint2", "'k'", "hinge or a slide"}},
    {in_body("") + "<equality><flex flex='f'/></equality>",
     {"<flex>", "not understood"},
     "left out"},
    {in_body("<body name='c'><joint name='k'/><geom size='1'/></body>") +
         "<tendon><fixed name='t' stiffness='3'><joint joint='j' coef='1'/><joint joint='k' "
         "coef='1'/></fixed></tendon>",
     {"tendon 't'", "a spring", "2 joints"},
     "left out"},
    {in_body("") + "<tendon><fixed name='t'/></tendon>", {"tendon 't'", "no <joint>"}},
    {in_body("") + "<tendon><fixed name='t'><joint joint='x' coef='1'/></fixed></tendon>",
     {"joint 'x' does not exist"}},
    {in_body("") + "<actuator><motor name='m' joint='x'/></actuator>",
     {"actuator 'm'", "joint 'x' does not exist"}},
    {in_body("") + "<actuator><motor name='m' joint='j' gear='0'/></actuator>",
     {"actuator 'm'", "gear 0"}},
    {in_body("") + "<keyframe><key name='k' qpos='1 2'/></keyframe>",
     {"keyframe 'k'", "2 numbers", "take 1"},
     "this <key> is left out"},
};

TEST(MjcfMistakes, AreToldByNameAndLine) {
  for (const MjcfCase& c : refused) {
    const std::string message = error_of([&] { parse_line(c.text); });
    EXPECT_TRUE(contains(message, "test.xml:")) << c.text << "\n" << message;
    for (const std::string& word : c.words)
      EXPECT_TRUE(contains(message, word))
          << "no \"" << word << "\" in: " << message << "\nfor " << c.text;
  }
}

TEST(MjcfMistakes, TheLenientReaderSaysTheMeaningTaken) {
  for (const MjcfCase& c : refused) {
    const std::string message = error_of([&] { parse_line(c.text, true); });
    if (c.lenient.empty()) {
      EXPECT_NE(message, "") << c.text << " has no meaning, not even a lenient one";
      continue;
    }
    ASSERT_EQ(message, "") << c.text;
    EXPECT_TRUE(warns(parse_line(c.text, true).warnings, {"test.xml:2", c.lenient})) << c.text;
  }
}

TEST(MjcfMistakes, AreToldAllInOneRun) {
  std::vector<std::string> told;
  try {
    judged(read_mjcf(mjcf_data / "bad/many_mistakes.xml"));
  } catch (const Error& error) {
    for (const Mistake& mistake : error.mistakes()) told.push_back(mistake.text());
  }
  const std::vector<std::pair<int, std::string>> expected{
      {2, "'degrees'"},      {3, "density"},  {5, "'0,1'"},        {8, "<worldbody>"},
      {9, "quat and euler"}, {10, "limited"}, {11, "diaginertia"}, {12, "'arms'"},
      {13, "'hing'"},        {14, "'upper'"}, {15, "needs 3"},     {20, "'uper'"},
      {21, "'shouldr'"}};
  std::string all;
  for (const std::string& text : told) all += text + "\n";
  ASSERT_EQ(told.size(), expected.size()) << all;
  for (std::size_t i = 0; i < told.size(); ++i) {
    const auto& [line, word] = expected[i];
    const std::string place = "many_mistakes.xml:" + std::to_string(line) + ":";
    EXPECT_TRUE(contains(told[i], place) && contains(told[i], word)) << place << word << all;
  }
}

struct MjcfTold {
  std::string text;
  std::vector<std::string> words;
};

const MjcfTold noted[] = {
    {in_body("<geom size='1' friction='1' condim='4'/>") + "<contact><exclude/></contact>",
     {"contacts", "<contact>, friction of <geom>, condim of <geom>", "3 times"}},
    {"<option timestep='0.1'/>" + in_body(""), {"solver", "timestep of <option>"}},
    {in_body("<camera/><light/>") + "<visual/>", {"not drawn", "<visual>, <camera>, <light>"}},
    {in_body("") + "<sensor><gyro/></sensor>", {"sensors", "<sensor>"}},
    {in_body("") + "<actuator><position joint='j' kp='3'/></actuator>",
     {"control laws", "kp of <position>"}},
    {"<size njmax='3'/>" + in_body(""), {"compiler and memory", "<size>"}},
    {in_body("") + "<custom/>", {"other programs", "<custom>"}},
    {in_body("<joint name='k' dampin='3' axis='1 0 0'/>"),
     {"ignored attribute dampin of <joint>", "did you mean 'damping'?"}},
    {in_body("<bodi/>"), {"ignored <bodi> in <body>", "did you mean 'body'?"}},
    {in_body("<body name='c'><joint name='k' type='ball' range='0 1'/><geom size='1'/></body>"),
     {"range of ball joints", "'k'"}},
    {in_body("") + "<actuator><muscle name='m' joint='j'/></actuator>",
     {"actuators of other kinds", "'m'"}},
    {in_body("") + "<tendon><spatial name='t'><site site='s'/></spatial></tendon>",
     {"<spatial> tendons", "not computed", "'t'"}},
    {in_body("<site name='s'/>") + "<actuator><motor name='m' site='s'/></actuator>",
     {"other things than joints", "'m'"}},
    {in_body("<site name='s' type='box'/>") +
         "<actuator><position joint='j' ctrlrange='0 1'/></actuator>",
     {"control laws", "ctrlrange of <position>"}},
    {in_body("<geom type='ellipsoid' size='1 2 3'/>"), {"ellipsoids are drawn as spheres"}},
    {"<worldbody><body name='b'><joint type='free' armature='1'/><geom "
     "size='1'/></body></worldbody>",
     {"armature of a free joint", "'b'"}},
    {"<worldbody><body name='b'><freejoint align='true'/><geom size='1'/></body></worldbody>",
     {"align", "'b'"}},
    {"<!-- a -- b -->" + in_body(""), {"comment with --"}},
    {in_body("") + "<actuator><motor name='m' joint='j' forcerange='-1 2'/></actuator>",
     {"differently in both directions", "'m'"}},
};

TEST(MjcfMistakes, WhatHasNoMeaningHereIsNamedOnce) {
  for (const MjcfTold& c : noted) {
    std::vector<std::string> words = c.words;
    words.insert(words.begin(), "test.xml:2");
    const Model model = parse_line(c.text);
    EXPECT_TRUE(warns(model.warnings, words)) << c.text << "\n" << all_texts(model.warnings);
  }
}

/// Whatever stands in a file, it is read or refused.
TEST(MjcfMistakes, TornFilesAreRefusedInWords) {
  for (const char* name : {"chains.xml", "loops.xml", "orientations.xml"}) {
    std::ifstream in(mjcf_data / name);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t at = 0; at < text.size(); at += 7) {
      std::string torn = text;
      const char changed[] = {'"', '0', 'a', '<', '-', ' '};
      torn[at] = changed[at % std::size(changed)];
      for (const bool lenient : {false, true})
        (void)error_of([&] { parse_mjcf(torn, name, mjcf_data, {.lenient = lenient}); });
      const std::size_t cut = std::min(at, text.rfind("</mujoco>"));
      EXPECT_NE(error_of([&] { parse_mjcf(text.substr(0, cut), name, mjcf_data); }), "") << cut;
    }
  }
}

TEST(MjcfMistakes, TheBaseIsTheFiles) {
  for (const Base base : {Base::free, Base::planar})
    EXPECT_TRUE(contains(error_of([&] {
                           parse_mjcf("<mujoco>" + in_body("") + "</mujoco>", "test.xml", {},
                                      {.base = base});
                         }),
                         "hang from the world"));
  EXPECT_TRUE(contains(error_of([] { parse_mjcf("<mujocoinclude/>", "part.xml"); }), "include"));
}

}  // namespace
}  // namespace linkwright
