// A system in words.
#include "linkwright/system/describe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "linkwright/io/read_model.hpp"

namespace {

using namespace linkwright;

System model(const std::string& name) {
  return compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/" + name));
}

TEST(describe, tree_has_a_line_per_joint_below_the_world) {
  const System arm = model("arm7.urdf");
  const std::string tree = draw_tree(arm);
  EXPECT_EQ(std::count(tree.begin(), tree.end(), '\n'),
            1 + static_cast<std::ptrdiff_t>(arm.joints().size()));
  for (const JointPlace& joint : arm.joints()) {
    const std::string set = "<" + joint.name + ">";
    EXPECT_NE(tree.find(joint.name + " → "), std::string::npos) << joint.name;
    EXPECT_NE(draw_tree(arm, [](std::string_view name) { return "<" + std::string(name) + ">"; })
                  .find(set),
              std::string::npos);
  }
}

TEST(describe, loops_are_told_unless_they_are_cut_open) {
  const System machine = model("four_bar.yaml");
  const std::string text = describe(machine), open = describe(machine, true);
  for (const Closure& closure : machine.model().closures) {
    EXPECT_NE(text.find(describe(closure)), std::string::npos) << text;
    EXPECT_EQ(open.find(describe(closure)), std::string::npos) << open;
  }
  EXPECT_NE(open.find("loops cut open"), std::string::npos) << open;
  const System arms = model("two_arms_and_box.yaml");
  for (const Grasp& grasp : arms.model().grasps)
    EXPECT_NE(describe(grasp).find("equations"), std::string::npos);
}

TEST(describe, names_cannot_garble_a_terminal) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
}

}  // namespace
