#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <random>
#include <sstream>

#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::error_of;
using testing::judged;

const std::filesystem::path data = std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data";

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string file_text(const char* name) {
  std::ifstream stream(data / name, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

Model parse_xml(const std::string& text) { return judged(parse_urdf(text, "hostile.urdf")); }
Model parse_yaml(const std::string& text) {
  return judged(parse_system_file(text, "hostile.yaml", data));
}

TEST(Hostile, EveryTableOfNonsenseIsRefusedAsXml) {
  const std::string robots[] = {
      "<",
      ">",
      "<>",
      "</>",
      "<!",
      "<?",
      "<!--",
      "<![CDATA[",
      "<robot",
      "<robot/",
      "<robot name",
      "<robot name=",
      "<robot name='",
      "<robot name='x'",
      "<robot name='x'>",
      "</robot>",
      "<robot></Robot>",
      "<robot name='x'><link name='a'></robot>",
      "\xff\xfe<robot/>",
      "robot",
      "&lt;robot/&gt;",
      "<robot>&#0;</robot>",
      "<robot>&#xFFFFFFFF;</robot>",
      "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><robot>&b;</robot>",
      repeat("<a>", 100000),
      "<robot>" + repeat("<link>", 100000),
      "<robot>" + repeat("<link name='a'>", 50) + repeat("</link>", 50) + "</robot>",
      "<robot " + repeat("a='b' ", 1000) + "/>",
      "<robot name='" + std::string(100000, 'x') + "'/>",
      "<robot><joint/></robot>",
      "<robot><link name='a'/><joint name='j'/></robot>",
      "<robot><link name='a'><inertial/></link></robot>",
      "<robot><link name='a'><inertial><mass value='1e999'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
      "<robot><link name='a'><inertial><mass value='" + std::string(100000, '1') +
          "'/>"
          "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
      "<robot><link name='a'><inertial><mass value='1e300'/>"
      "<inertia ixx='-1e300' ixy='0' ixz='0' iyy='1e300' iyz='0' "
      "izz='1e300'/></inertial></link></robot>",
  };
  for (const std::string& text : robots)
    EXPECT_NE(error_of([&] { parse_xml(text); }), "") << text.substr(0, 80);
}

TEST(Hostile, EveryTableOfNonsenseIsRefusedAsYaml) {
  std::string bomb = "linkwright: 1\nbodies:\n- &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i)
    bomb += "- &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a" +
            std::to_string(i - 1) + "]\n";
  std::string merges = "linkwright: 1\nbodies:\n- &m0 {name: a, x0: 1}\n";
  for (int i = 1; i < 40; ++i)
    merges += "- &m" + std::to_string(i) + " {<<: [*m" + std::to_string(i - 1) + ", *m" +
              std::to_string(i - 1) + "], x" + std::to_string(i) + ": 1}\n";
  const std::string systems[] = {
      "[",
      "]",
      "{",
      "}",
      ":",
      "-",
      "?",
      "!",
      "*",
      "&",
      "|",
      ">",
      "%",
      "@",
      "`",
      "'",
      "\"",
      "~",
      "---",
      "--- ---",
      "%YAML 9.9\n---\na",
      "&a *a",
      "*a",
      "{a: *b}",
      "[1, 2",
      "{linkwright: 1",
      "a: b: c",
      "\t- a",
      "!!binary x",
      "? a\n? b",
      "{? [a]: b}",
      "linkwright",
      "linkwright: [1]",
      "linkwright: one",
      "linkwright: 1.5",
      "linkwright:",
      "null",
      "true",
      "\xff\xfe\xfd",
      "\x01\x02",
      "<<: *x",
      "<<: 1",
      "linkwright: 1\nbodies: &a [*a]",
      "linkwright: 1\nbodies: 1",
      "linkwright: 1\nbodies: [[]]",
      "linkwright: 1\nbodies: [{name: [a]}]",
      "linkwright: 1\nbodies: [{name: ''}]",
      "linkwright: 1\nbodies: [{name: a, name: b}]",
      "linkwright: 1\nbodies: [{name: world}]",
      "linkwright: 1\nmodels: [{file: /dev/null}]",
      "linkwright: 1\nmodels: [{file: .}]",
      "linkwright: 1\nmodels: [{file: hostile.yaml}]",
      "linkwright: 1\nx: " + repeat("[", 100000),
      "linkwright: 1\nx: " + repeat("{a: ", 100000),
      repeat("- ", 100000),
      repeat("? ", 100000),
      repeat("a: ", 100000),
      repeat("!", 100000),
      repeat("&a ", 100000),
      "\"" + std::string(100000, 'a'),
      bomb,
      merges,
      "linkwright: 1\nbodies: [{name: a, mass: " + std::string(100000, '9') + "}]",
  };
  for (const std::string& text : systems)
    EXPECT_NE(error_of([&] { parse_yaml(text); }), "") << text.substr(0, 80);
}

/// Calls `parse` on many damaged copies. A copy may still be a model; it may not do anything else
/// than load or throw Error.
template <class Parse>
void damage(const std::string& text, Parse parse) {
  const auto survives = [&](const std::string& damaged, const std::string& how) {
    try {
      parse(damaged);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("hostile"), std::string::npos) << error.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << how << ": " << other.what();
    }
  };
  for (std::size_t end = 0; end < text.size(); end += 7)
    survives(text.substr(0, end), "cut at " + std::to_string(end));
  std::mt19937 random(11);
  const std::string pieces[] = {"<",     ">",     "\"",   "'", "/",  "{",    "}", "[",
                                "]",     ":",     ",",    "-", "\n", "&",    "*", "nan",
                                "1e999", "world", "\xff", "#", "\t", "name", "0"};
  for (int trial = 0; trial < 1500; ++trial) {
    std::string damaged = text;
    const std::size_t at = random() % damaged.size();
    switch (random() % 4) {
      case 0:
        damaged[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        damaged.erase(at, random() % 40);
        break;
      case 2:
        damaged.insert(at, pieces[random() % std::size(pieces)]);
        break;
      default:
        damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 200));
    }
    survives(damaged, "trial " + std::to_string(trial));
  }
}

TEST(Hostile, DamagedUrdfLoadsOrIsRefused) { damage(file_text("arm.urdf"), parse_xml); }

TEST(Hostile, DamagedSystemFileLoadsOrIsRefused) {
  // Without the included files, whose own errors name their own place.
  std::string text = file_text("cell.yaml");
  const std::size_t first = text.find("models:"), last = text.find("dh:");
  text.erase(first, last - first);
  damage(text, parse_yaml);
}

TEST(Hostile, LargeInputsTakeSecondsNotMinutes) {
  const auto start = std::chrono::steady_clock::now();
  std::string chain = "<robot name='r'><link name='l0'/>";
  for (int i = 1; i < 30000; ++i) {
    const std::string k = std::to_string(i);
    chain += "<link name='l" + k + "'/><joint name='j" + k + "' type='fixed'><parent link='l" +
             std::to_string(i - 1) + "'/><child link='l" + k + "'/></joint>";
  }
  EXPECT_EQ(parse_xml(chain + "</robot>").bodies.size(), 30000U);
  std::string system = "linkwright: 1\nobjects:\n", passive = "passive: [o0";
  for (int i = 0; i < 10000; ++i) {
    system += "- {name: o" + std::to_string(i) + ", mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n";
    if (i > 0) passive += ", o" + std::to_string(i);
  }
  const Model many = parse_yaml(system + passive + "]\n");
  EXPECT_EQ(std::count_if(many.joints.begin(), many.joints.end(),
                          [](const Joint& joint) { return joint.passive == std::vector{true}; }),
            10000);
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds(60 * LINKWRIGHT_TIME_FACTOR));
}

}  // namespace
}  // namespace linkwright
