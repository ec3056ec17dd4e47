// linkwright grasp: what it says, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/program.hpp"

namespace apps {
namespace {

const std::string ball = bundled("three_fingers_and_ball.yaml"), box = bundled("pinched_box.yaml");

TEST(grasp, answers_in_json) {
  const nlohmann::json found = run_json({"grasp", ball, "--json"});
  for (const char* key :
       {"force_closure", "form_closure", "grasp_rank", "internal_basis", "margins", "sharing"})
    EXPECT_TRUE(found.contains(key)) << key;
  EXPECT_EQ(found.at("force_closure"), true);
  EXPECT_EQ(found.at("form_closure"), false);
  EXPECT_EQ(found.at("grasp_rank"), 6);
  ASSERT_EQ(found.at("internal_basis").size(), 3U);
  EXPECT_EQ(found.at("internal").at("by_motors"), 3);
  // Every squeeze in the basis moves nothing.
  const auto& G = found.at("grasp_map");
  for (const auto& squeeze : found.at("internal_basis")) {
    ASSERT_EQ(squeeze.size(), found.at("columns").size());
    for (const auto& row : G) {
      double sum = 0;
      for (std::size_t j = 0; j < row.size(); ++j)
        sum += row[j].get<double>() * squeeze[j].get<double>();
      EXPECT_NEAR(sum, 0, 1e-12);
    }
  }
  EXPECT_NEAR(found.at("force_closure_margin").get<double>(), 0.8, 1e-7);
  const auto& sharing = found.at("sharing");
  EXPECT_EQ(sharing.at("feasible"), true);
  double up = 0;
  for (const auto& contact : sharing.at("contacts")) up += contact.at("tangential").get<double>();
  EXPECT_NEAR(up, 0.2 * 9.81, 1e-9);
  ASSERT_EQ(found.at("margins").size(), 3U);
  for (const auto& contact : sharing.at("contacts"))
    EXPECT_EQ(found.at("margins").at(contact.at("name").get<std::string>()), contact.at("margin"));
}

TEST(grasp, says_the_same_in_words) {
  const Outcome outcome = run({"grasp", box});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"box held by 'left' (soft_finger, friction 0.5", "force closure   yes, margin 0.5",
        "rank 6", "1 made by motors, 1 that no motor feels", "bears only",
        "cannot move     turning about x", "right_press"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
}

TEST(grasp, rules_differ) {
  const auto cost = [](const std::vector<std::string>& more, const std::string& of) {
    std::vector<std::string> words{"grasp", ball, "--wrench", "0,0,0,2,0,0", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const nlohmann::json sharing = run_json(words).at("sharing");
    double sum = 0;
    for (const auto& motor : sharing.at("motors"))
      sum += std::pow(motor.at("effort").get<double>(), 2);
    double force = 0;
    for (const auto& contact : sharing.at("contacts"))
      for (const auto& f : contact.at("forces")) force += std::pow(f.get<double>(), 2);
    return of == "torque" ? sum : force;
  };
  EXPECT_LT(cost({"--sharing", "least-torque"}, "torque"), cost({}, "torque") * (1 - 1e-6));
  EXPECT_LT(cost({}, "force"), cost({"--sharing", "least-torque"}, "force") * (1 - 1e-6));
  EXPECT_GT(cost({"--reserve", "0.4"}, "force"), cost({}, "force"));
  EXPECT_GT(cost({"--sharing", "weighted", "--weights", "thumb=100"}, "force"),
            cost({}, "force") * (1 + 1e-6));
}

TEST(grasp, a_load_that_cannot_be_carried_ends_with_1_and_says_why) {
  const Outcome outcome = run({"grasp", box, "--wrench", "0,0,0,0,0,-60"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "contact 'right' would need a friction of")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "motor 'left_press' would need")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "what comes nearest")) << outcome.out;
  EXPECT_EQ(run({"grasp", box, "--wrench", "0,0,0,0,0,-60", "--ignore-limits"}).code, 0);
  const Outcome json = run({"grasp", box, "--wrench", "0,0,0,0,0,-60", "--json"});
  EXPECT_EQ(json.code, 1);
  const nlohmann::json sharing = nlohmann::json::parse(json.out).at("sharing");
  EXPECT_EQ(sharing.at("feasible"), false);
  EXPECT_GT(sharing.at("shortage").get<double>(), 0);
  EXPECT_EQ(sharing.at("blocking"),
            (std::vector<std::string>{"right", "left_press", "right_press"}));
}

/// The box cannot turn about x: that is said of the load, and all else is still answered.
TEST(grasp, a_load_that_cannot_be_computed_leaves_the_rest) {
  const Outcome json = run({"grasp", box, "--a", "1,0,0,0,0,0", "--json"});
  EXPECT_EQ(json.code, 1);
  const nlohmann::json found = nlohmann::json::parse(json.out);
  EXPECT_EQ(found.at("force_closure"), true);
  EXPECT_EQ(found.at("sharing").at("feasible"), false);
  EXPECT_TRUE(contains(found.at("sharing").at("reason").get<std::string>(), "cannot follow"));
  const Outcome words = run({"grasp", box, "--a", "1,0,0,0,0,0"});
  EXPECT_TRUE(contains(words.out, "rank 6") && contains(words.out, "cannot follow")) << words.out;
}

/// A welded hand has no normal: the force itself is told.
TEST(grasp, rigid_contacts_tell_what_they_carry) {
  const Folder folder;
  const std::string file = folder.file("bolted.yaml", R"(linkwright: 1
objects: [{name: box, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
grasps: [{name: bolt, arm: world, object: box}]
)");
  const Outcome outcome = run({"grasp", file});
  EXPECT_TRUE(contains(outcome.out, "bolt                        9.81           -           -"))
      << outcome.out;
  const nlohmann::json sharing = run_json({"grasp", file, "--json"}).at("sharing");
  EXPECT_NEAR(sharing.at("contacts")[0].at("force").get<double>(), 9.81, 1e-9);
}

TEST(grasp, names_the_grasp_that_is_open_and_closes_it) {
  const Outcome open = run({"grasp", ball, "--q", "thumb_bend=0.1"});
  EXPECT_EQ(open.code, 2);
  EXPECT_TRUE(contains(open.err, "'thumb' is open by")) << open.err;
  EXPECT_TRUE(contains(open.err, "--assemble")) << open.err;
  EXPECT_EQ(run({"grasp", ball, "--q", "thumb_bend=0.2", "--assemble"}).code, 0);
}

TEST(grasp, every_object_has_its_part) {
  const Folder folder;
  const std::string file = folder.file("two.yaml", R"(linkwright: 1
gravity: [0, 0, 0]
objects:
  - {name: one, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: two, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
grasps:
  - {name: bolt, arm: world, object: one}
  - {name: pin, arm: one, object: two, contact: point}
)");
  const nlohmann::json both = run_json({"grasp", file, "--json"});
  ASSERT_EQ(both.at("objects").size(), 2U);
  EXPECT_EQ(both.at("objects")[0].at("force_closure"), true);
  EXPECT_EQ(both.at("objects")[1].at("force_closure"), false);
  EXPECT_EQ(both.at("objects")[1].at("grasp_rank"), 3);
  EXPECT_EQ(both.at("force_closure"), false);
  EXPECT_EQ(both.at("form_closure"), false);
  EXPECT_EQ(both.at("grasp_rank"), (nlohmann::json{{"one", 6}, {"two", 3}}));
  EXPECT_EQ(both.at("internal_basis").at("two"), both.at("objects")[1].at("internal_basis"));
  EXPECT_EQ(both.at("margins").size(), 2U);
  EXPECT_TRUE(both.at("margins").contains("bolt"));
  EXPECT_TRUE(both.contains("sharing"));
  EXPECT_EQ(run_json({"grasp", file, "--object", "two", "--json"}).at("object"), "two");
  expect_refused({{"grasp", file, "--a", "0,0,0,0,0,0"}});
}

TEST(grasp, refuses_by_name) {
  expect_refused({{bundled("arm6.urdf")},
                  {ball, "--object", "bal"},
                  {ball, "--a", "1,2"},
                  {ball, "--a", "thumb_bend=1"},
                  {ball, "--wrench", "1,2,3"},
                  {ball, "--wrench", "0,0,0,0,0,nan"},
                  {ball, "--sharing", "fair"},
                  {ball, "--weights", "thumb=2"},
                  {ball, "--sharing", "weighted", "--weights", "tumb=2"},
                  {ball, "--sharing", "weighted", "--weights", "thumb=-2"},
                  {ball, "--reserve", "1"},
                  {ball, "--stiffness", "thumb_bend=-1"}},
                 "grasp");
  const Folder folder;
  const std::string still = folder.file("still.yaml", R"(linkwright: 1
bodies: [{name: wall, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints: [{name: weld, type: fixed, parent: world, child: wall}]
grasps: [{name: g, arm: world, object: wall, contact: point}]
)");
  EXPECT_TRUE(contains(run({"grasp", still}).err, "object 'wall' cannot move"));
  EXPECT_TRUE(contains(run({"grasp", bundled("arm6.urdf")}).err, "there is no grasp in it"));
  EXPECT_TRUE(contains(run({"grasp", ball, "--object", "bal"}).err, "did you mean 'ball'"));
}

}  // namespace
}  // namespace apps
