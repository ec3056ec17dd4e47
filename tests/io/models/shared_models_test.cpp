#include <gtest/gtest.h>

#include "linkwright/io/read_model.hpp"
#include "support/comma_locale.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::CommaLocale;
using testing::contains;
using testing::error_of;
using testing::judged;
using testing::shared_folder;
using testing::warns;

struct Bad {
  std::string file;
  int line;  ///< 0 where the file has none
  std::vector<std::string> words;
};

const Bad errors[] = {
    {"empty_file", 0, {"empty"}},
    {"empty_robot", 1, {"robot 'e'", "no <link>"}},
    {"truncated", 1, {"not closed"}},
    {"garbage_number", 2, {"link 'l'", "<mass>", "'1.5kg'"}},
    {"comma_decimal", 2, {"link 'l'", "<mass>", "'1,5'", "decimal point"}},
    {"nan_mass", 2, {"link 'l'", "<mass>", "'nan'", "finite"}},
    {"negative_mass", 2, {"link 'l'", "mass is -1 kg"}},
    {"duplicate_link", 1, {"link 'a'", "twice"}},
    {"missing_link", 1, {"joint 'j'", "'ghost'"}},
    {"joint_no_parent", 1, {"joint 'j'", "<parent"}},
    {"loop_self_parent", 3, {"joint 'b'", "'g'", "loop"}},
};

const Bad smells[] = {
    {"triangle_violation_pd", 2, {"link 'l'", "triangle inequality", "1.486e-06"}},
    {"mass_without_inertia", 2, {"link 'l'", "mass 1 without inertia"}},
    {"zero_mass_moving_leaf", 1, {"link 'l'", "massless leaf", "forward dynamics"}},
};

std::string place(const Bad& bad) {
  return bad.file + ".urdf" + (bad.line > 0 ? ":" + std::to_string(bad.line) + ":" : ":");
}

void check_bad_models(const std::filesystem::path& folder) {
  for (const Bad& bad : errors) {
    const std::string message =
        error_of([&] { judged(read_model(folder / (bad.file + ".urdf"))); });
    EXPECT_TRUE(contains(message, place(bad))) << bad.file << ": " << message;
    for (const std::string& word : bad.words)
      EXPECT_TRUE(contains(message, word)) << "no \"" << word << "\" in: " << message;
  }
  for (const Bad& bad : smells) {
    const Model model = judged(read_model(folder / (bad.file + ".urdf")));
    std::vector<std::string> words = bad.words;
    words.push_back(place(bad));
    EXPECT_TRUE(warns(model.warnings, words)) << all_texts(model.warnings);
  }
}

void check_models(const std::filesystem::path& folder) {
  const auto files = testing::files_in(folder, ".urdf");
  EXPECT_GE(files.size(), 19U);
  for (const auto& file : files) EXPECT_EQ(error_of([&] { judged(read_model(file)); }), "") << file;
  EXPECT_DOUBLE_EQ(
      judged(read_model(folder / "drake_acrobot.urdf")).joints.at(0).pose.translation.y, 0.15);

  const auto anymal_c = judged(read_model(folder / "anymal_c.urdf")).warnings;
  for (const char* name : {"depth_camera_front_camera", "depth_camera_rear_camera", "hatch"})
    EXPECT_TRUE(warns(anymal_c, {"link '" + std::string(name) + "'", "triangle inequality"}));
  EXPECT_TRUE(warns(judged(read_model(folder / "anymal_b.urdf")).warnings,
                    {"link 'base'", "principal moments 0, 0, 3e-06"}));
  EXPECT_TRUE(warns(judged(read_model(folder / "cassie_like.urdf")).warnings,
                    {"link 'tigh_int1_4'", "without mass", "legal"}));
  EXPECT_TRUE(warns(judged(read_model(folder / "disney_like.urdf")).warnings,
                    {"link 'ankle_int2_2'", "without mass", "legal"}));
  for (const char* file : {"cassie_like.urdf", "disney_like.urdf"})
    EXPECT_FALSE(warns(judged(read_model(folder / file)).warnings, {"leaf"}));
}

TEST(SharedModels, BadModelsBehaveAsPromised) {
  const auto folder = shared_folder("bad_models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "the collection of bad models");
  check_bad_models(folder);
}

TEST(SharedModels, EveryBadModelIsInTheTable) {
  const auto folder = shared_folder("bad_models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "the collection of bad models");
  EXPECT_EQ(testing::files_in(folder, ".urdf").size(), std::size(errors) + std::size(smells));
}

TEST(SharedModels, RealModelsLoadWithTheirDefectsNamed) {
  const auto folder = shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "the collection of real models");
  check_models(folder);
}

TEST(SharedModels, MimicJointsOfThePandaAndTheBaxterAreGears) {
  const auto folder = shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "the collection of real models");
  const Model panda = read_model(folder / "panda.urdf");
  ASSERT_EQ(panda.closures.size(), 1U);
  EXPECT_EQ(panda.closures[0].name, "mimic:panda_finger_joint2");
  EXPECT_EQ(panda.closures[0].leader, "panda_finger_joint1");
  EXPECT_EQ(read_model(folder / "baxter.urdf").closures.size(), 2U);
}

TEST(SharedModels, NothingChangesUnderACommaLocale) {
  const auto bad = shared_folder("bad_models"), good = shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(bad, "bad models under a comma locale");
  LINKWRIGHT_SKIP_WITHOUT(good, "real models under a comma locale");
  const CommaLocale locale;
  if (!locale.has_c_locale())
    std::cout << "skipped: the C half of the comma locale (no de_DE.UTF-8 here)\n";
  check_bad_models(bad);
  check_models(good);
}

}  // namespace
}  // namespace linkwright
