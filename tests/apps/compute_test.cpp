// `compute` for one state: names, shapes, options.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

std::vector<double> values(Words words) {
  words.insert(words.begin(), "compute");
  words.push_back("--json");
  return run_json(words).at("values").get<std::vector<double>>();
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(compute, every_quantity_answers_in_all_forms) {
  const std::string arm = bundled("arm6.urdf");
  for (const std::string quantity :
       {"forward-kinematics", "inverse-dynamics", "forward-dynamics", "mass-matrix",
        "mass-matrix-inverse", "bias", "gravity", "coriolis", "coriolis-matrix", "coriolis-array",
        "influence", "jacobian", "jacobian-rate", "energy", "momentum", "center-of-mass",
        "reactions", "joint-forces"}) {
    Words words{"compute", quantity, arm, "--q", "elbow=0.3", "--v", "waist=-1"};
    if (quantity.starts_with("jacobian") || quantity == "influence")
      words.insert(words.end(), {"--frame", "tool"});
    EXPECT_EQ(run(words).code, 0) << quantity;
    words.push_back("--json");
    const nlohmann::json answer = run_json(words);
    EXPECT_EQ(answer.at("quantity"), quantity);
    const auto& result = answer.at("values");
    if (answer.contains("rows")) {
      EXPECT_EQ(result.size(), answer.at("rows").size());
      EXPECT_EQ(result.at(0).size(), answer.at("names").size());
    } else {
      EXPECT_EQ(result.size(), answer.at("names").size()) << quantity;
    }
    words.back() = "--out";
    words.push_back("-");
    const Table table = parse_table(run(words).out);
    ASSERT_EQ(table.rows.size(), 1U) << quantity;
    EXPECT_EQ(table.rows.front().size(), table.titles.size());
  }
}

std::vector<std::vector<double>> matrix_of(const nlohmann::json& answer, const std::string& name) {
  return answer.at("values").at(name).get<std::vector<std::vector<double>>>();
}

TEST(compute, derivatives_are_matrices_by_name_at_one_motion) {
  const std::string arm = bundled("arm7.urdf");
  const Words state{"--q", "joint2=0.5,joint4=-1", "--v", "joint1=0.4,joint3=-0.7"};
  const auto ask = [&](const std::string& quantity, const Words& more) {
    Words words{"compute", quantity, arm, "--json"};
    words.insert(words.end(), state.begin(), state.end());
    words.insert(words.end(), more.begin(), more.end());
    return run_json(words);
  };
  const nlohmann::json at_tau = ask("derivatives", {"--tau", "joint2=3"});
  EXPECT_EQ(at_tau.at("shape"), (std::vector<int>{7, 7}));
  EXPECT_EQ(at_tau.at("matrices"),
            (Words{"dtau_dq", "dtau_dv", "dtau_da", "da_dq", "da_dv", "da_dtau"}));
  EXPECT_EQ(at_tau.at("names").size(), 7U);
  // Column by column differences of the quantities themselves.
  const double h = 1e-6;
  const auto a_of = [&](double tau) {
    return ask("forward-dynamics", {"--tau", "joint2=" + std::to_string(tau)})
        .at("values")
        .get<std::vector<double>>();
  };
  const auto by_tau = matrix_of(at_tau, "da_dtau");
  const auto up = a_of(3 + 1), down = a_of(3 - 1);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(by_tau[i][1], (up[i] - down[i]) / 2, 1e-9);
  // The same motion given by its accelerations.
  const auto a = a_of(3);
  std::string list;
  for (const double x : a) list += (list.empty() ? "" : ",") + nlohmann::json(x).dump();
  const nlohmann::json at_a = ask("derivatives", {"--a", list});
  const auto one = matrix_of(at_tau, "dtau_dq"), two = matrix_of(at_a, "dtau_dq");
  for (std::size_t i = 0; i < 7; ++i) expect_near(one[i], two[i], h);
  Words both{"compute", "derivatives", arm, "--a", "joint1=1", "--tau", "joint1=1"};
  EXPECT_EQ(run(both).code, 2);
  EXPECT_TRUE(contains(run(both).err, "both a and tau are given")) << run(both).err;
  const Table table = parse_table(run({"compute", "derivatives", arm, "--out", "-"}).out);
  EXPECT_EQ(table.titles.size(), 6U * 49U);
  EXPECT_EQ(table.titles[49], "dtau_dv:joint1:joint1");
}

TEST(compute, names_follow_the_contract) {
  const std::string arm = bundled("arm7.urdf");
  const auto names = [&](const std::string& quantity, const Words& more = {}) {
    Words words{"compute", quantity, arm, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_json(words).at("names").get<Words>();
  };
  EXPECT_EQ(names("inverse-dynamics").front(), "tau:joint1");
  EXPECT_EQ(names("forward-dynamics").back(), "a:joint7");
  EXPECT_EQ(names("mass-matrix").front(), "joint1");
  EXPECT_EQ(names("energy"), (Words{"kinetic", "potential", "total"}));
  EXPECT_EQ(names("forward-kinematics", {"--frame", "tool"}),
            (Words{"frame:tool:x", "frame:tool:y", "frame:tool:z", "frame:tool:qw", "frame:tool:qx",
                   "frame:tool:qy", "frame:tool:qz", "frame:tool:wx", "frame:tool:wy",
                   "frame:tool:wz", "frame:tool:vx", "frame:tool:vy", "frame:tool:vz",
                   "frame:tool:alphax", "frame:tool:alphay", "frame:tool:alphaz", "frame:tool:ax",
                   "frame:tool:ay", "frame:tool:az"}));
  EXPECT_EQ(run_json({"compute", "jacobian", arm, "--frame", "tool", "--json"}).at("rows"),
            nlohmann::json({"wx", "wy", "wz", "vx", "vy", "vz"}));
  EXPECT_EQ(parse_table(run({"compute", "mass-matrix", arm, "--out", "-"}).out).titles.at(1),
            "M:joint1:joint2");
}

TEST(compute, lists_may_be_written_in_every_way) {
  const std::string arm = bundled("arm7.urdf");
  const auto expected = values({"gravity", arm, "--q", "0.1,-0.2,0.3,-0.4,.5,-.6,7e-1"});
  EXPECT_EQ(values({"gravity", arm, "--q", "0.1", "-0.2", "0.3", "-0.4", ".5", "-.6", "7e-1"}),
            expected);
  EXPECT_EQ(values({"gravity", "--q", "0.1", "-0.2", "0.3,-0.4", ".5", "-.6", "7e-1", arm}),
            expected);
  EXPECT_EQ(values({"gravity", arm, "--q", "0.1 -0.2 0.3 -0.4 0.5 -0.6 0.7"}), expected);
  EXPECT_EQ(values({"gravity", arm, "--q=0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7"}), expected);
  EXPECT_EQ(values({"gravity", arm, "--q", "joint7=0.7,joint1=0.1", "joint2=-0.2",
                    "joint3=0.3,joint4=-0.4,joint5=.5", "joint6=-.6"}),
            expected);
}

TEST(compute, forward_dynamics_undoes_inverse_dynamics) {
  const std::string arm = bundled("arm6.urdf");
  const Words state{"--q",     "0.1,-0.5,0.7,0.2,0.4,-1", "--v",          "1,-2,3,-1,0.5,2",
                    "--force", "tool: 0.1,0,0.2,5,-3,10", "--force-axes", "world"};
  Words inverse{"inverse-dynamics", arm, "--a", "1,2,-3,4,-5,6"};
  inverse.insert(inverse.end(), state.begin(), state.end());
  const std::string tau = nlohmann::json(values(inverse)).dump();
  Words forward{"forward-dynamics", arm, "--tau", tau.substr(1, tau.size() - 2)};
  forward.insert(forward.end(), state.begin(), state.end());
  expect_near(values(forward), {1, 2, -3, 4, -5, 6}, 1e-10);
}

TEST(compute, puma_holds_itself_as_published) {
  const Outcome outcome = run({"compute", "inverse-dynamics", bundled("puma560.yaml"), "--json"});
  EXPECT_TRUE(outcome.err.ends_with(
      "note: joint damping/friction of 6 joints is included; --rigid leaves it out\n"))
      << outcome.err;
  expect_near(values({"gravity", bundled("puma560.yaml")}), {0, 31.6399, 6.0351, 0, 0.0283, 0},
              5e-5);
  expect_near(values({"inverse-dynamics", bundled("puma560.yaml"), "--v", "1,1,1,1,1,1", "--a",
                      "1,1,1,1,1,1"}),
              {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781}, 5e-5);
}

TEST(compute, rigid_leaves_out_damping_and_friction) {
  const std::string arm = bundled("arm6.urdf");
  const Words spin{"--v", "1,0,0,0,0,0"};
  EXPECT_GT(std::abs(values({"joint-forces", arm, spin[0], spin[1]}).front()), 4.9);
  expect_near(values({"joint-forces", arm, spin[0], spin[1], "--rigid"}), {0, 0, 0, 0, 0, 0}, 0);
  const auto with = values({"inverse-dynamics", arm, spin[0], spin[1]});
  const auto without = values({"inverse-dynamics", arm, spin[0], spin[1], "--rigid"});
  EXPECT_NEAR(with[0] - without[0], 2.0 + 3, 1e-12);
  EXPECT_TRUE(run({"compute", "inverse-dynamics", arm, "--rigid"}).err.empty());
}

TEST(compute, rigid_frees_a_flexible_base_and_drops_springs_and_loads) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", R"(
linkwright: 1
models: [{file: arm7.urdf, base: {flexible: {stiffness: [9, 9, 9, 9, 9, 9]}}}]
springs: [{joint: joint1, stiffness: 10, rest: 1}]
loads: [{joint: joint2, torque: 3}, {body: link3, force: [1, 0, 0]}]
)");
  (void)folder.file("arm7.urdf", read(bundled("arm7.urdf")));
  const Outcome outcome = run({"compute", "inverse-dynamics", file});
  EXPECT_EQ(outcome.err,
            "note: 1 spring, 2 loads, 1 flexible base are included; --rigid leaves them out\n");
  const Words moved{"inverse-dynamics", file, "--q", "base:6=0.1", "--rigid"};
  const auto rigid = values(moved);
  const auto flexible = values({moved.begin(), moved.end() - 1});
  EXPECT_NEAR(rigid[5], 26.8 * 9.81, 1e-9);
  EXPECT_NEAR(flexible[5] - rigid[5], 9 * 0.1, 1e-9);
  EXPECT_NEAR(flexible[6] - rigid[6], -10, 1e-9);
}

TEST(compute, the_four_bar_starts_assembled) {
  const auto x = [](const std::string& frame) {
    return values({"forward-kinematics", bundled("four_bar.yaml"), "--frame", frame});
  };
  const auto coupler = x("coupler"), rocker = x("rocker");
  const auto end = [](const std::vector<double>& pose, double length) {
    const double angle = -2 * std::atan2(pose[5], pose[3]);
    return std::pair{pose[0] + length * std::cos(angle), pose[2] + length * std::sin(angle)};
  };
  EXPECT_NEAR(end(coupler, 0.35).first, end(rocker, 0.25).first, 1e-14);
  EXPECT_NEAR(end(coupler, 0.35).second, end(rocker, 0.25).second, 1e-14);
}

TEST(compute, axes_choose_how_velocities_are_written) {
  const Words base{"forward-kinematics",
                   bundled("arm7.urdf"),
                   "--frame",
                   "tool",
                   "--q",
                   "joint1=1.5707963267948966,joint2=0.3",
                   "--v",
                   "joint1=1,joint2=0.5"};
  Words world = base;
  world.insert(world.end(), {"--axes", "world"});
  const auto own = values(base), seen = values(world);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(own[i], seen[i]);
  EXPECT_NEAR(seen[7], -0.5, 1e-15);
  EXPECT_NEAR(seen[9], 1, 1e-15);
  EXPECT_NEAR(own[8], 0.5, 1e-15);
  EXPECT_NEAR(std::hypot(own[10], own[11], own[12]), std::hypot(seen[10], seen[11], seen[12]),
              1e-14);
}

TEST(compute, notes_what_a_quantity_does_not_use) {
  const Outcome outcome = run({"compute", "gravity", bundled("arm7.urdf"), "--tau", "joint1=1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "note: --tau is not used by gravity\n");
}

TEST(compute, a_state_that_overflows_fails_by_name) {
  const Outcome outcome =
      run({"compute", "inverse-dynamics", bundled("arm7.urdf"), "--v", "1e200,1e200,0,0,0,0,0"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(outcome.out.empty());
}

}  // namespace
}  // namespace apps
