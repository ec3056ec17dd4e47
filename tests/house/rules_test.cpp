// Each rule must be able to fail: made-up culprits, and their innocent neighbours.
#include "house/rules.hpp"

#include <gtest/gtest.h>

namespace {

using house::include_order_violations;
using house::independence_violations;
using house::shared_weak_symbols;
using house::text_violations;

TEST(include_order_rule, allows_folders_to_the_left_and_the_own_folder) {
  const char* text =
      "#include <vector>\n"
      "#include <Eigen/Core>\n"
      "#include \"linkwright/error.hpp\"\n"
      "#include \"linkwright/spatial/pose.hpp\"\n"
      "#include \"linkwright/system/system.hpp\"\n"
      "#include \"sweep.hpp\"\n"
      "#include \"dynamics/sweep.hpp\"\n";
  EXPECT_TRUE(include_order_violations("dynamics", text).empty());
}

TEST(include_order_rule, catches_an_include_to_the_right) {
  EXPECT_EQ(
      include_order_violations("spatial", "\n#include \"linkwright/model/model.hpp\"\n"),
      std::vector<std::string>{"line 2: spatial/ may not include 'linkwright/model/model.hpp'"});
  EXPECT_EQ(include_order_violations("model", "#include <linkwright/batch/batch.hpp>").size(), 1U);
  EXPECT_EQ(include_order_violations("batch", "#include <linkwright/operators/dense.hpp>").size(),
            1U);
  EXPECT_EQ(include_order_violations("model", " #  include \"../dynamics/x.hpp\"").size(), 1U);
  EXPECT_EQ(include_order_violations("system", "#include \"dynamics/x.hpp\"").size(), 1U);
}

TEST(include_order_rule, lets_nobody_but_io_recordings_and_the_viewer_know_files) {
  EXPECT_TRUE(include_order_violations("io", "#include \"linkwright/model/model.hpp\"").empty());
  EXPECT_EQ(include_order_violations("io", "#include \"linkwright/system/system.hpp\"").size(), 1U);
  EXPECT_EQ(include_order_violations("system", "#include \"linkwright/io/read.hpp\"").size(), 1U);
  EXPECT_EQ(include_order_violations("batch", "#include \"linkwright/io/read.hpp\"").size(), 1U);
  EXPECT_TRUE(include_order_violations("viewer", "#include \"linkwright/io/mesh.hpp\"").empty());
  EXPECT_TRUE(include_order_violations("simulate", "#include \"linkwright/io/csv.hpp\"").empty());
}

TEST(include_order_rule, puts_the_viewer_right_of_everything) {
  EXPECT_TRUE(
      include_order_violations("viewer", "#include \"linkwright/batch/batch.hpp\"").empty());
  EXPECT_EQ(include_order_violations("batch", "#include \"linkwright/viewer/page.hpp\"").size(),
            1U);
  EXPECT_EQ(include_order_violations("io", "#include \"linkwright/viewer/page.hpp\"").size(), 1U);
}

TEST(include_order_rule, catches_the_umbrella_and_unknown_folders) {
  EXPECT_EQ(include_order_violations("batch", "#include \"linkwright/linkwright.hpp\"").size(), 1U);
  EXPECT_EQ(include_order_violations("batch", "#include \"linkwright/misc/x.hpp\"").size(), 1U);
  EXPECT_EQ(include_order_violations("misc", "").size(), 1U);
}

TEST(independence_rule, lets_nothing_pass_but_the_model) {
  EXPECT_TRUE(independence_violations("absolute_coordinates",
                                      "#include <cmath>\n"
                                      "#include <Eigen/Core>\n"
                                      "#include \"linkwright/error.hpp\"\n"
                                      "#include \"linkwright/model/names.hpp\"\n"
                                      "#include \"linkwright/spatial/spatial.hpp\"\n"
                                      "#include \"linkwright/verify/absolute_coordinates.hpp\"\n"
                                      "#include \"verify/absolute_coordinates_joint.hpp\"\n")
                  .empty());
  for (const char* culprit :
       {"#include \"linkwright/system/system.hpp\"", "#include <linkwright/dynamics/state.hpp>",
        "#include \"system/canonical.hpp\"", "#include \"../system/canonical.hpp\"",
        "#include \"linkwright/verify/formulations.hpp\"", "#include \"linkwright/linkwright.hpp\"",
        "#include \"verify/helpers.hpp\""})
    EXPECT_EQ(independence_violations("absolute_coordinates", culprit).size(), 1U) << culprit;
}

TEST(text_rule, catches_long_files_and_promises) {
  EXPECT_TRUE(text_violations("a\nb\n", 2).empty());
  EXPECT_EQ(text_violations("a\nb\nc\n", 2), std::vector<std::string>{"3 lines, at most 2"});
  EXPECT_EQ(text_violations(std::string("// TO") + "DO later\n", 2).size(), 1U);
}

TEST(foreign_storage_rule, catches_arrays_that_one_side_makes_and_the_other_frees) {
  const std::string made_in_library =
      "\nstruct Result {\n  explicit Result(int n);\n  Eigen::VectorXd a, b;\n};\n";
  ASSERT_EQ(house::foreign_storage_violations(made_in_library).size(), 1u);
  EXPECT_NE(house::foreign_storage_violations(made_in_library)[0].find("Result"),
            std::string::npos);
  EXPECT_TRUE(house::foreign_storage_violations(
                  "\nstruct Result {\n  explicit inline Result(int n);\n  Eigen::VectorXd a;\n};\n")
                  .empty());
  EXPECT_TRUE(house::foreign_storage_violations(
                  "\nclass Result {\n  Result(int n);\n  ~Result();\n  Eigen::MatrixXd a;\n};\n")
                  .empty());
  EXPECT_TRUE(
      house::foreign_storage_violations("\nstruct Result {\n  Eigen::VectorXd a{};\n};\n").empty());
}

TEST(weak_symbol_rule, catches_code_shared_between_instruction_sets) {
  const char* output =
      "0000000000000000 T _ZN10linkwright4avx23runEv\n"
      "0000000000000000 W _ZN10linkwright4avx25sweepEv\n"
      "0000000000000000 V DW.ref.__gxx_personality_v0\n"
      "                 U sin\n";
  EXPECT_TRUE(shared_weak_symbols(output, "avx2").empty());
  EXPECT_EQ(shared_weak_symbols(output, "avx512").size(), 1U);
  EXPECT_EQ(shared_weak_symbols("0000000000000000 W _ZN10linkwright7spatial5crossEv\n", "avx2"),
            std::vector<std::string>{"_ZN10linkwright7spatial5crossEv"});
}

}  // namespace
