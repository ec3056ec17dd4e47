// The small bad files of tests/data/bad_models: for each, every mistake and every warning with its
// line, and what a lenient reader makes of it.

#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "linkwright/io/read_model.hpp"
#include "linkwright/model/validation.hpp"
#include "support/comma_locale.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::judged;

const std::filesystem::path folder =
    std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/bad_models";

struct Told {
  int line;  ///< 0: of the whole file
  std::vector<std::string> words;
};

struct Case {
  std::string file;
  std::vector<Told> mistakes;  ///< none: the file is read
  std::vector<Told> warnings;
  std::vector<Told>
      lenient{};  ///< warnings of the lenient reader, where it reads what others refuse
};

const Case cases[] = {
    {"empty.urdf", {{0, {"the file is empty"}}}, {}},
    {"no_links.urdf", {{1, {"robot 'crane'", "no <link>"}}}, {}},
    {"cut_off.urdf", {{15, {"an attribute is malformed"}}}, {}},
    {"unit_in_number.urdf", {{6, {"link 'boom'", "<mass>", "'2.5kg'", "without a unit"}}}, {}},
    {"decimal_comma.urdf", {{6, {"link 'boom'", "<mass>", "'2,5'", "decimal point"}}}, {}},
    {"mass_nan.urdf", {{6, {"link 'boom'", "<mass>", "'nan'", "finite"}}}, {}},
    {"mass_negative.urdf", {{6, {"link 'boom'", "the mass is -2 kg", "zero or more"}}}, {}},
    {"link_twice.urdf", {{10, {"link 'boom'", "twice", "link_twice.urdf:3"}}}, {}},
    {"joint_to_nowhere.urdf", {{10, {"joint 'slew'", "child link 'bom'", "'boom'?"}}}, {}},
    {"joint_without_parent.urdf", {{10, {"joint 'slew'", "no <parent>"}}}, {}},
    {"own_parent.urdf", {{10, {"joint 'slew'", "'boom'", "loop of one joint"}}}, {}},
    {"moment_negative.urdf",
     {{6, {"link 'boom'", "principal moments -0.0112311, 0.03, 0.0712311", "check the signs"}}},
     {},
     {{6, {"link 'boom'", "-0.0112311", "clipped to the nearest inertia"}}}},
    {"welded_sum_negative.urdf",
     {{5, {"link 'chassis'", "principal moments -0.02", "with 'lamp', welded to it"}}},
     {},
     {{5, {"link 'chassis'", "clipped"}}}},
    {"mimic_without_leader.urdf",
     {{29, {"'mimic:luff'", "joint 'left_slew' does not exist"}}},
     {},
     {{29, {"'mimic:luff'", "'left_slew' does not exist", "dropped, joint 'luff' moves freely"}}}},
    {"effort_negative.urdf",
     {{10, {"joint 'slew'", "effort limit is -30", "zero or more"}}},
     {},
     {{10, {"joint 'slew'", "effort limit is -30", "taken as no limit"}}}},
    {"velocity_negative.urdf",
     {{10, {"joint 'slew'", "velocity limit is -2", "zero or more"}}},
     {},
     {{10, {"joint 'slew'", "velocity limit is -2", "taken as no limit"}}}},
    {"limits_swapped.urdf",
     {{10, {"joint 'slew'", "lower limit 1 exceeds its upper limit -1"}}},
     {},
     {{10, {"joint 'slew'", "lower limit 1", "taken in the other order"}}}},
    {"damping_negative.urdf",
     {{10, {"joint 'slew'", "damping is -0.1"}}},
     {},
     {{10, {"joint 'slew'", "damping is -0.1", "taken as 0"}}}},
    {"shape_unreadable.urdf",
     {{10, {"link 'boom'", "<box>", "'two'"}},
      {13, {"link 'boom'", "<sphere>", "radius"}},
      {17, {"link 'boom'", "<color>", "'1 0 0'"}},
      {27, {"robot 'crane'", "<color>", "'red'"}}},
     {},
     {{27, {"<color>", "'red'", "this <material> is left out"}},
      {10, {"<box>", "'two'", "this <visual> is left out"}},
      {13, {"<sphere>", "this <collision> is left out"}},
      {17, {"<color>", "'1 0 0'", "this <visual> is left out"}}}},
    {"many_mistakes.urdf",
     {{6, {"link 'boom'", "'2.5kg'"}},
      {13, {"link 'jib'", "the mass is -1 kg"}},
      {20, {"link 'hook'", "principal moments"}},
      {24, {"joint 'slew'", "'revolut'", "did you mean 'revolute'?"}},
      {34, {"joint 'luff'", "<origin>", "expected 3"}},
      {38, {"joint 'hoist'", "parent link 'jibb'", "'jib'?"}},
      {38, {"joint 'hoist'", "velocity limit is -2"}},
      {38, {"joint 'hoist'", "effort limit is -30"}},
      {38, {"joint 'hoist'", "lower limit 1 exceeds"}},
      {45, {"joint 'trolley'", "child link 'grab'"}}},
     {}},
    {"many_mistakes.yaml",
     {{2, {"unknown key 'gravitation'", "known keys: linkwright, name, gravity"}},
      {4, {"link 'boom'", "'2.5kg'"}},
      {5, {"link 'jib'", "the mass is -1 kg"}},
      {7, {"joint 'slew'", "effort limit is -5"}},
      {8, {"joint 'luff'", "'revolut'"}},
      {11, {"'slev'", "'slew'?"}}},
     {}},
    {"triangle.urdf", {}, {{6, {"link 'boom'", "triangle inequality (0.09 > 0.02 + 0.03)"}}}},
    {"mass_without_inertia.urdf", {}, {{6, {"link 'boom'", "mass 2 without inertia"}}}},
    {"massless_leaf.urdf", {}, {{3, {"link 'boom'", "massless leaf", "'slew'", "refuse"}}}},
    {"moment_rounding.urdf", {}, {}},
    {"moment_residue.urdf", {}, {{6, {"link 'boom'", "mass 2 without inertia"}}}},
    {"moment_printed.urdf",
     {},
     {{6, {"link 'boom'", "principal moments -1e-07, 0.04, 0.04", "digits of a file"}}}},
    {"welded_antenna.urdf",
     {},
     {{13,
       {"link 'antenna'", "principal moments -2", "welded to 'boom', and together they have"}}}},
    {"antenna_on_the_world.urdf",
     {},
     {{12, {"link 'antenna'", "principal moments -2", "welded to the world", "no effect"}}}},
    {"mimic_on_fixed.urdf", {}, {{29, {"ignored <mimic> of a fixed joint", "'luff'"}}}},
    {"comment_dashes.urdf", {}, {{1, {"comment with -- inside", "strict parsers"}}}},
};

void expect_told(const std::vector<std::string>& texts, const std::vector<Told>& expected,
                 const std::string& file) {
  std::string all;
  for (const std::string& text : texts) all += "  " + text + "\n";
  ASSERT_EQ(texts.size(), expected.size()) << file << " tells:\n" << all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Told& told = expected[i];
    const std::string place = told.line > 0 ? ":" + std::to_string(told.line) + ": " : ": ";
    EXPECT_TRUE(contains(texts[i], file + place)) << file << place << " expected in: " << texts[i];
    for (const std::string& word : told.words)
      EXPECT_TRUE(contains(texts[i], word)) << "no \"" << word << "\" in: " << texts[i];
  }
}

std::vector<std::string> mistakes_of(const std::filesystem::path& path) {
  try {
    judged(read_model(path));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::bad_input);
    std::vector<std::string> texts;
    for (const Mistake& mistake : error.mistakes()) texts.push_back(mistake.text());
    return texts;
  }
  return {};
}

std::vector<std::string> texts_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(warning.text());
  return texts;
}

void check_all() {
  for (const Case& bad : cases) {
    const std::filesystem::path path = folder / bad.file;
    expect_told(mistakes_of(path), bad.mistakes, bad.file);
    if (bad.mistakes.empty())
      expect_told(texts_of(judged(read_model(path)).warnings), bad.warnings, bad.file);
  }
}

TEST(BadModels, EachTellsAllItsMistakesOrItsWarnings) { check_all(); }

TEST(BadModels, EachIsInTheTable) {
  std::set<std::string> tabled, present;
  for (const Case& bad : cases) tabled.insert(bad.file);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    present.insert(entry.path().filename().string());
  EXPECT_EQ(tabled, present);
}

TEST(BadModels, NothingChangesUnderACommaLocale) {
  const testing::CommaLocale locale;
  if (!locale.has_c_locale())
    std::cout << "skipped: the C half of the comma locale (no de_DE.UTF-8 here)\n";
  check_all();
}

TEST(BadModels, TheLenientReaderSaysTheMeaningTakenAndTheModelHasIt) {
  for (const Case& bad : cases) {
    if (bad.mistakes.empty()) continue;
    const std::filesystem::path path = folder / bad.file;
    const auto read = [&] { return read_model(path, {.lenient = true}); };
    if (bad.lenient.empty()) {
      EXPECT_NE(error_of(read), "") << bad.file << " has no meaning, not even a lenient one";
      continue;
    }
    ASSERT_EQ(error_of(read), "") << bad.file;
    const Model model = read();
    expect_told(texts_of(model.warnings), bad.lenient, bad.file);
    EXPECT_EQ(error_of([&] { validate(model); }), "") << bad.file;
  }
}

TEST(BadModels, LeniencyChangesNothingThatIsRight) {
  for (const Case& bad : cases) {
    if (!bad.mistakes.empty()) continue;
    const std::filesystem::path path = folder / bad.file;
    const Model strict = judged(read_model(path)), lenient = read_model(path, {.lenient = true});
    EXPECT_EQ(all_texts(strict.warnings), all_texts(lenient.warnings)) << bad.file;
    ASSERT_EQ(strict.bodies.size(), lenient.bodies.size());
    for (std::size_t b = 0; b < strict.bodies.size(); ++b)
      EXPECT_EQ(strict.bodies[b].inertia.xx, lenient.bodies[b].inertia.xx);
  }
}

TEST(BadModels, ALongListOfMistakesIsCutAndCounted) {
  std::string text = "<robot name='r'><link name='base'/>\n";
  const auto add = [&](int from, int to) {
    for (int i = from; i < to; ++i)
      text += "<link name='l" + std::to_string(i) + "' /><joint name='j" + std::to_string(i) +
              "' type='fixed'><parent link='nowhere'/><child link='l" + std::to_string(i) +
              "'/></joint>\n";
  };
  const testing::TemporaryFolder temporary;
  const auto message = [&] {
    return error_of([&] { judged(read_model(temporary.write("m.urdf", text + "</robot>"))); });
  };
  add(0, 50);
  EXPECT_TRUE(contains(message(), "m.urdf:21: joint 'j19'"));
  EXPECT_FALSE(contains(message(), "joint 'j20'"));
  EXPECT_TRUE(message().ends_with("\nand 30 more")) << message();
  add(50, 500);
  EXPECT_TRUE(message().ends_with("\nand at least 80 more")) << message();
}

}  // namespace
}  // namespace linkwright
