/// No command answers with the cut tree for a closed system unless asked in words.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <sstream>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

std::string data(const std::string& name) { return LINKWRIGHT_SOURCE_DIR "/tests/data/" + name; }

TEST(Loops, a_held_box_does_not_fall) {
  const auto held = run_json({"simulate", data("held_box.yaml"), "--time", "0.1", "--json"});
  EXPECT_LE(held.at("closure_error").get<double>(), 1e-11);
  EXPECT_LE(held.at("velocity_error").get<double>(), 1e-11);
  EXPECT_FALSE(held.contains("cut_open"));
  const Outcome open =
      run({"simulate", data("held_box.yaml"), "--time", "0.1", "--cut-open", "--json"});
  EXPECT_EQ(open.code, 0) << open.err;
  EXPECT_TRUE(contains(open.err, "1 grasp ('grip') left out")) << open.err;
  const auto fallen = nlohmann::json::parse(open.out);
  EXPECT_EQ(fallen.at("cut_open"), nlohmann::json::array({"grip"}));
  EXPECT_FALSE(fallen.contains("closure_error"));
  EXPECT_NE(held.at("energy").at("scale"), fallen.at("energy").at("scale"));
}

TEST(Loops, a_run_starts_closed_or_is_assembled) {
  const std::string file = bundled("four_bar.yaml");
  const Outcome refused = run({"simulate", file, "--time", "0.1", "--q", "crank_pivot=2"});
  EXPECT_EQ(refused.code, 2);
  for (const char* part : {"four_bar.yaml", "closure 'rocker_pin' is open by", "--assemble"})
    EXPECT_TRUE(contains(refused.err, part)) << refused.err;
  const Folder folder;
  const std::string out = folder.path("run.csv");
  const auto told =
      run_json({"simulate", file, "--time", "0.1", "--q", "crank_pivot=2", "--v", "crank_pivot=3",
                "--assemble", "--record", "closure:rocker_pin", "--out", out, "--json"});
  EXPECT_LE(told.at("closure_error").get<double>(), 1e-11);
  std::ifstream rows(out);
  std::string names, first;
  std::getline(rows, names), std::getline(rows, first);
  EXPECT_TRUE(contains(names, "closure:rocker_pin:mx")) << names;
  EXPECT_TRUE(names.ends_with("energy,closure_error,velocity_error")) << names;
  EXPECT_TRUE(first.starts_with("0,2,")) << first;
  EXPECT_TRUE(contains(first, ",3,")) << first;
  // Nothing closes it with both pivots where they are.
  const Outcome apart =
      run({"simulate", file, "--time", "0.1", "--q", "crank_pivot=0,rocker_pivot=0", "--assemble"});
  EXPECT_EQ(apart.code, 1);
  EXPECT_TRUE(contains(apart.err, "closure 'rocker_pin' is open by")) << apart.err;
  const Outcome moving = run({"simulate", file, "--time", "0.1", "--v", "crank_pivot=1"});
  EXPECT_EQ(moving.code, 2);
  EXPECT_TRUE(contains(moving.err, "--assemble")) << moving.err;
}

TEST(Loops,
     the_page_of_a_run_has_the_forces_of_closures_and_the_recording_only_what_was_asked_for) {
  if (!linkwright::page_available()) GTEST_SKIP() << "this build has no page";
  const Folder folder;
  const std::string out = folder.path("run.csv"), page = folder.path("run.html");
  const auto told = run_json({"simulate", bundled("swinging_load.yaml"), "--time", "0.5", "--step",
                              "0.001", "--every", "0.1", "--out", out, "--html", page, "--json"});
  EXPECT_LE(told.at("closure_error").get<double>(), 1e-11);
  EXPECT_LE(std::abs(told.at("energy").at("drift").get<double>()), 1e-6);
  std::ifstream rows(out);
  std::string names;
  std::getline(rows, names);
  EXPECT_FALSE(contains(names, "closure:")) << names;
  const std::string html = read(page);
  for (const char* channel : {"closure:leg1_ball:fx", "closure:leg6_ball:fz", "velocity_error"})
    EXPECT_TRUE(contains(html, channel)) << channel;
}

TEST(Loops, methods_and_options_that_closures_do_not_have_are_refused_before_the_run) {
  const std::string file = bundled("four_bar.yaml");
  const Outcome symplectic = run({"simulate", file, "--time", "1", "--method", "symplectic"});
  EXPECT_EQ(symplectic.code, 2);
  EXPECT_TRUE(contains(symplectic.err, "1 closure ('rocker_pin')")) << symplectic.err;
  const Outcome tree =
      run({"simulate", bundled("arm7.urdf"), "--time", "0.01", "--baumgarte", "10"});
  EXPECT_EQ(tree.code, 2);
  EXPECT_TRUE(contains(tree.err, "Baumgarte")) << tree.err;
  EXPECT_EQ(run({"simulate", file, "--time", "0.01", "--baumgarte", "-1"}).code, 2);
  EXPECT_EQ(run({"simulate", file, "--time", "0.01", "--baumgarte", "20"}).code, 0);
}

TEST(Loops, a_closed_run_goes_on_from_its_checkpoint_to_the_same_bytes) {
  const Folder folder;
  const std::string file = bundled("slider_crank.yaml"), half = folder.path("half.json");
  for (const std::string method : {"rk4", "adams"}) {
    std::vector<std::string> head{"simulate", file, "--method", method};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), head.begin(), head.end());
      return run(more);
    };
    const std::string end = folder.path(method + ".csv"), other = folder.path(method + "2.csv");
    ASSERT_EQ(with({"--time", "0.2", "--checkpoint", half}).code, 0);
    for (const std::string& out : {end, other})
      ASSERT_EQ(with({"--time", "0.4", "--continue", half, "--out", out}).code, 0);
    std::ifstream a(end), b(other);
    const std::string first((std::istreambuf_iterator<char>(a)), {}),
        second((std::istreambuf_iterator<char>(b)), {});
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first, second);
  }
  const Outcome cut = run({"simulate", file, "--time", "0.4", "--continue", half, "--cut-open"});
  EXPECT_EQ(cut.code, 2);
  EXPECT_TRUE(contains(cut.err, "the options differ")) << cut.err;
}

/// C v + gravity = bias, in independent and in full coordinates, and of the cut tree, which says so.
TEST(Loops, coriolis_matrix_is_that_of_the_mechanism) {
  const std::string file = bundled("five_bar.yaml");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--coordinates", "full"}, {"--cut-open"}}) {
    const auto answer = [&](const std::string& quantity) {
      std::vector<std::string> words{"compute", quantity, file, "--json"};
      words.insert(words.end(), more.begin(), more.end());
      if (more.empty() || more.front() != "--cut-open") words.push_back("--assemble");
      if (quantity != "gravity")
        words.insert(words.end(), {"--v", "left_motor=1,right_motor=-0.5"});
      return run_json(words);
    };
    const auto C = answer("coriolis-matrix");
    EXPECT_EQ(C.contains("cut_open"), !more.empty() && more.front() == "--cut-open");
    const auto coriolis = answer("coriolis").at("values").get<std::vector<double>>();
    const auto bias = answer("bias").at("values").get<std::vector<double>>();
    const auto gravity = answer("gravity").at("values").get<std::vector<double>>();
    ASSERT_EQ(C.at("values").size(), coriolis.size());
    // The loops decide the rates of the other joints; those of the motors are the independent ones.
    const std::vector<double> v{1, -0.5};
    for (std::size_t i = 0; i < coriolis.size(); ++i) {
      EXPECT_NEAR(coriolis[i] + gravity[i], bias[i], 1e-12);
      if (!more.empty()) continue;
      double sum = 0;
      for (std::size_t j = 0; j < 2; ++j) sum += C.at("values")[i][j].get<double>() * v[j];
      EXPECT_NEAR(sum, coriolis[i], 1e-12);
    }
  }
}

/// Reactions of a closed system are those of the motion that efforts produce; the joint that closes the
/// loop is among them.
TEST(Loops, reactions_of_a_closed_system_take_efforts) {
  const std::string file = bundled("four_bar.yaml");
  const auto still = run_json({"compute", "reactions", file, "--json"});
  const auto driven = run_json({"compute", "reactions", file, "--tau", "crank_pivot=1", "--json"});
  EXPECT_EQ(still.at("names"), driven.at("names"));
  EXPECT_NE(still.at("values"), driven.at("values"));
  const auto names = still.at("names").get<std::vector<std::string>>();
  EXPECT_NE(std::find(names.begin(), names.end(), "reaction:rocker_pin:fx"), names.end());
  const Outcome noted = run({"compute", "reactions", file, "--a", "crank_pivot=1"});
  EXPECT_TRUE(contains(noted.err, "--a is not used by reactions")) << noted.err;
}

/// By the mass matrix, and by what a small step along the closures changes.
TEST(Loops, derivatives_are_those_of_the_mechanism) {
  const std::string file = bundled("five_bar.yaml");
  const auto efforts = [&](double left, double rate) {
    const auto answer = run_json({"compute", "inverse-dynamics", file, "--json", "--assemble",
                                  "--coordinates", "left_motor,right_motor", "--q",
                                  "left_motor=" + std::to_string(left) + ",right_motor=-0.5", "--v",
                                  "left_motor=" + std::to_string(rate) + ",right_motor=-0.5"});
    return answer.at("values").get<std::vector<double>>();
  };
  const double left = 0.6, rate = 1.0, h = 1e-3;
  const auto found =
      run_json({"compute", "derivatives", file, "--json", "--assemble", "--coordinates",
                "left_motor,right_motor", "--q", "left_motor=0.6,right_motor=-0.5", "--v",
                "left_motor=1,right_motor=-0.5"});
  const auto M = run_json({"compute", "mass-matrix", file, "--json", "--assemble", "--coordinates",
                           "left_motor,right_motor", "--q", "left_motor=0.6,right_motor=-0.5"});
  const auto &by_q = found.at("values").at("dtau_dq"), &by_v = found.at("values").at("dtau_dv");
  const std::vector<double> more = efforts(left + h, rate), less = efforts(left - h, rate),
                            faster = efforts(left, rate + h), slower = efforts(left, rate - h);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_NEAR(found.at("values").at("dtau_da")[i][j].get<double>(),
                  M.at("values")[i][j].get<double>(), 1e-10);
    EXPECT_NEAR(by_q[i][0].get<double>(), (more[i] - less[i]) / (2 * h), 1e-3);
    EXPECT_NEAR(by_v[i][0].get<double>(), (faster[i] - slower[i]) / (2 * h), 1e-3);
  }
  const Outcome full = run({"compute", "derivatives", file, "--coordinates", "full"});
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(contains(full.err, "independent coordinates")) << full.err;
}

/// da = M⁻¹ (dtau − ∂tau/∂q dq).
TEST(Loops, derivatives_of_both_dynamics_belong_together) {
  for (const char* name : {"delta.yaml", "bricard.yaml", "stewart.yaml"}) {
    const auto found = run_json({"compute", "derivatives", bundled(name), "--json", "--assemble"});
    const auto to_matrix = [&](const char* key) {
      const auto rows = found.at("values").at(key).get<std::vector<std::vector<double>>>();
      Eigen::MatrixXd out(rows.size(), rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j)
          out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
      return out;
    };
    const Eigen::MatrixXd M = to_matrix("dtau_da"), by_tau = to_matrix("da_dtau");
    const auto identity = Eigen::MatrixXd::Identity(M.rows(), M.cols());
    EXPECT_LT((M * by_tau - identity).norm(), 1e-12 * M.norm() * by_tau.norm()) << name;
    EXPECT_LT((M * to_matrix("da_dq") + to_matrix("dtau_dq")).norm(),
              1e-12 * M.norm() * to_matrix("da_dq").norm())
        << name;
  }
}

/// A state with fewer digits than assembly asks for closes well enough, given whole.
TEST(Loops, a_state_that_closes_to_1e_8_is_taken_with_assemble_too) {
  const std::string file = bundled("four_bar.yaml");
  const auto q = run_json({"assemble", file, "--json"}).at("q").get<std::vector<double>>();
  const auto answer = [&](int digits) {
    std::ostringstream list;
    list.precision(digits);
    list << q[0] << ',' << q[1] << ',' << q[2];
    return run({"compute", "energy", file, "--q", list.str(), "--assemble"});
  };
  EXPECT_EQ(answer(17).code, 0);
  EXPECT_EQ(answer(11).code, 0) << answer(11).err;
  EXPECT_EQ(answer(5).code, 1) << "all joints are given, and none can be moved";
}

TEST(Loops, what_is_produced_is_told_in_the_coordinates_asked_for) {
  const std::string file = bundled("four_bar.yaml");
  const auto all = run_json({"compute", "forward-dynamics", file, "--json"});
  const auto one =
      run_json({"compute", "forward-dynamics", file, "--coordinates", "independent", "--json"});
  EXPECT_EQ(one.at("names"), nlohmann::json::array({"a:crank_pivot"}));
  EXPECT_EQ(one.at("values").at(0), all.at("values").at(0));
  const auto inertia = run_json({"compute", "mass-matrix", file, "--json"});
  const auto inverse = run_json({"compute", "mass-matrix-inverse", file, "--json"});
  EXPECT_NEAR(inertia.at("values").at(0).at(0).get<double>() *
                  inverse.at("values").at(0).at(0).get<double>(),
              1, 1e-12);
}

/// A parallelogram folded flat, moving in both of its ways at once.
TEST(Loops, singular_positions_are_told) {
  const Folder folder;
  const std::string file = folder.file("flat.yaml", R"(linkwright: 1
bodies:
  - {name: crank, mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01, 0, 0, 0]}
  - {name: coupler, mass: 2, com: [0.25, 0, 0], inertia: [0.01, 0.05, 0.05, 0, 0, 0]}
  - {name: rocker, mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: j1, type: revolute, parent: world, child: crank}
  - {name: j2, type: revolute, parent: crank, child: coupler, pose: {xyz: [0.3, 0, 0]}}
  - {name: j3, type: revolute, parent: world, child: rocker, pose: {xyz: [0.5, 0, 0]}}
closures:
  - {name: pin, between: [coupler, rocker], joint: revolute, at_a: {xyz: [0.5, 0, 0]}, at_b: {xyz: [0.3, 0, 0]}}
)");
  const std::vector<std::string> ask{"compute", "forward-dynamics", file, "--v"};
  // 0.3 ω₁ + 0.5 (ω₁ + ω₂) = 0.3 ω₃ keeps it closed here; only ω₂ = −ω₁ does so a moment later.
  auto lasting = ask, passing = ask;
  lasting.emplace_back("j1=1,j2=-1,j3=1");
  passing.emplace_back("j1=1,j2=-0.7,j3=1.5");
  EXPECT_FALSE(contains(run(lasting).err, "singular"));
  const Outcome told = run(passing);
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(contains(told.err, "the position is singular")) << told.err;
}

TEST(Loops, a_closed_system_answers_for_itself) {
  const std::string file = bundled("four_bar.yaml");
  const auto closed = run_json({"compute", "forward-dynamics", file, "--json"});
  const auto open = run_json({"compute", "forward-dynamics", file, "--cut-open", "--json"});
  EXPECT_EQ(closed.at("names"), open.at("names"));
  EXPECT_NE(closed.at("values"), open.at("values"));
  const auto inertia = run_json({"compute", "mass-matrix", file, "--json"});
  EXPECT_EQ(inertia.at("names"), nlohmann::json::array({"crank_pivot"}));
  const auto full = run_json({"compute", "mass-matrix", file, "--coordinates", "full", "--json"});
  EXPECT_EQ(full.at("names").size(), 3U);
  const auto forces = run_json({"compute", "closure-forces", file, "--json"});
  EXPECT_EQ(forces.at("names").at(0), "closure:rocker_pin:mx");
  // Efforts that the crank needs to hold still are those of inverse dynamics at rest.
  const auto hold = run_json({"compute", "inverse-dynamics", file, "--json"});
  const auto gravity = run_json({"compute", "gravity", file, "--json"});
  EXPECT_NEAR(hold.at("values").at(0).get<double>(), gravity.at("values").at(0).get<double>(),
              1e-12);
}

TEST(Loops, a_state_that_is_open_is_refused_and_can_be_assembled) {
  const std::string file = bundled("four_bar.yaml");
  for (const std::string quantity : {"forward-dynamics", "energy", "forward-kinematics"}) {
    const Outcome refused = run({"compute", quantity, file, "--q", "crank_pivot=2"});
    EXPECT_EQ(refused.code, 2) << quantity;
    EXPECT_TRUE(contains(refused.err, "closure 'rocker_pin' is open by")) << refused.err;
    EXPECT_TRUE(contains(refused.err, "--assemble")) << refused.err;
    EXPECT_EQ(run({"compute", quantity, file, "--q", "crank_pivot=2", "--assemble"}).code, 0);
  }
}

TEST(Loops, assemble_finds_the_position_and_says_where_it_cannot) {
  const std::string file = bundled("four_bar.yaml");
  const auto found =
      run_json({"assemble", file, "--q", "crank_pivot=2", "--hold", "crank_pivot", "--json"});
  EXPECT_EQ(found.at("assembled"), true);
  EXPECT_LE(found.at("residual").get<double>(), 1e-12);
  EXPECT_EQ(found.at("q").at(0), 2.0);
  EXPECT_EQ(
      run_json({"assemble", file, "--hold", "crank_pivot", "--all", "--json"}).at("assemblies"), 2);
  const Outcome stuck = run({"assemble", file, "--q", "crank_pivot=0,rocker_pivot=0", "--hold",
                             "crank_pivot", "rocker_pivot", "--json"});
  EXPECT_EQ(stuck.code, 1);
  EXPECT_EQ(nlohmann::json::parse(stuck.out).at("worst").at("closure"), "rocker_pin");
}

TEST(Loops, verify_and_bench_answer_for_the_closed_system_unless_asked_in_words) {
  for (const std::string command : {"verify", "bench"}) {
    std::vector<std::string> words{command, bundled("four_bar.yaml"), "--json"};
    if (command == "bench") words.insert(words.end(), {"--seconds", "0.01"});
    const auto closed = run_json(words);
    EXPECT_EQ(closed.at("closed_by"), nlohmann::json::array({"rocker_pin"}));
    EXPECT_FALSE(closed.contains("cut_open"));
    words.insert(words.end(), {"--states", "4", "--cut-open"});
    const Outcome open = run(words);
    EXPECT_EQ(open.code, 0) << open.err;
    EXPECT_TRUE(contains(open.err, "1 closure ('rocker_pin') left out")) << open.err;
    const auto tree = nlohmann::json::parse(open.out);
    EXPECT_EQ(tree.at("cut_open"), nlohmann::json::array({"rocker_pin"}));
    EXPECT_FALSE(tree.contains("closed_by"));
  }
}

TEST(Loops, cutting_an_open_tree_is_noted) {
  const Outcome outcome = run({"compute", "energy", bundled("arm7.urdf"), "--cut-open"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "note: --cut-open: there is no closure or grasp"))
      << outcome.err;
}

TEST(Passive, an_effort_is_refused_by_name) {
  const std::string file = data("passive.yaml");
  const Folder folder;
  const std::string states =
      folder.file("states.csv", "q:rail,tau:rail,tau:pivot\n0,1,0\n0,1,0.5\n");
  const std::vector<std::vector<std::string>> lines{
      {"compute", "forward-dynamics", file, "--tau", "pivot=1"},
      {"compute", "forward-dynamics", file, "--tau", "socket:2=1"},
      {"compute", "forward-dynamics", file, "--states", states},
      {"simulate", file, "--time", "0.01", "--tau", "pivot=1"}};
  for (const auto& words : lines) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "passive: it has no motor")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "'pivot'") || contains(outcome.err, "'socket:2'"))
        << outcome.err;
  }
  EXPECT_TRUE(contains(run(lines[2]).err, "states.csv:3")) << run(lines[2]).err;
  EXPECT_EQ(run({"compute", "forward-dynamics", file, "--tau", "rail=1,socket:1=2"}).code, 0);
  EXPECT_EQ(run({"verify", file}).code, 0);
}

TEST(Passive, inverse_dynamics_tells_what_would_be_needed) {
  const Outcome outcome = run({"compute", "inverse-dynamics", data("passive.yaml"), "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "note: passive and without a motor: 'pivot'")) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("passive"),
            nlohmann::json::array({"pivot", "socket:0", "socket:2"}));
}

TEST(Motors, a_rotor_behind_a_gear_is_felt_with_its_square) {
  const Folder folder;
  const std::string head = R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: rod, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints: [{name: j, type: revolute, parent: world, child: rod}]
)";
  const std::string bare = folder.file("bare.yaml", head);
  const std::string driven = folder.file(
      "driven.yaml", head +
                         "actuators: [{joint: j, gear: 100, motor: {Ra: 1, La: 0, k: 0.1, "
                         "rotor_inertia: 1.0e-3, damping: 2.0e-3}}]\n");
  const auto value = [](const std::vector<std::string>& words) {
    return run_json(words).at("values").flatten().begin().value().get<double>();
  };
  EXPECT_EQ(value({"compute", "mass-matrix", bare, "--json"}), 1);
  EXPECT_DOUBLE_EQ(value({"compute", "mass-matrix", driven, "--json"}), 11);
  EXPECT_DOUBLE_EQ(value({"compute", "inverse-dynamics", driven, "--v", "j=1", "--json"}), 20);
  EXPECT_DOUBLE_EQ(
      value({"compute", "inverse-dynamics", driven, "--v", "j=1", "--rigid", "--json"}), 0);
  EXPECT_DOUBLE_EQ(value({"compute", "forward-dynamics", driven, "--tau", "j=22", "--json"}), 2);
  EXPECT_DOUBLE_EQ(value({"compute", "energy", driven, "--v", "j=2", "--json"}), 22);
  const auto info = run_json({"info", driven, "--json"});
  EXPECT_EQ(info.at("actuators").at(0).at("gear"), 100);
  EXPECT_DOUBLE_EQ(info.at("rotor_inertia").at(0), 10);
  for (const std::string text :
       {"actuators", "gear 100", "rotor inertia 10", ", rotor", ", damped"})
    EXPECT_TRUE(contains(run({"info", driven}).out, text)) << text;
}

TEST(Motors, are_told_by_info) {
  EXPECT_EQ(run({"check", data("electric.yaml")}).err, "");
  const std::string text = run({"info", data("electric.yaml")}).out;
  EXPECT_TRUE(contains(text, "m1: drives hinge, gear 100")) << text;
  EXPECT_TRUE(contains(text, "Ra 1.6 ohm, La 0.005 H, k 0.19 N m/A, 24 V")) << text;
}

/// Nothing is silent: a motor that could be driven and is not is named.
TEST(Motors, without_a_voltage_are_told) {
  const Outcome open = run({"simulate", data("electric.yaml"), "--time", "0.01"});
  EXPECT_EQ(open.code, 0) << open.err;
  EXPECT_TRUE(contains(open.err, "no voltage is given to motors 'm1', 'm2'")) << open.err;
  const Outcome driven = run({"simulate", data("electric.yaml"), "--time", "0.01", "--voltage",
                              "m1=12,m2=-3", "--record", "motor:m1:current", "--record",
                              "motor:m2:voltage", "--step", "1e-4", "--out", "-"});
  EXPECT_EQ(driven.code, 0) << driven.err;
  EXPECT_FALSE(contains(driven.err, "no voltage")) << driven.err;
  EXPECT_TRUE(contains(driven.out, "motor:m1:current,motor:m2:voltage")) << driven.out;
  const auto refused = [&](const std::string& voltage) {
    const Outcome outcome =
        run({"simulate", data("electric.yaml"), "--time", "0.01", "--voltage", voltage});
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("m3=1"), "there is no motor 'm3'")) << refused("m3=1");
  EXPECT_TRUE(contains(refused("24"), "expected names and numbers")) << refused("24");
}

TEST(Motors, on_every_joint_agree_in_all_formulations) {
  for (const std::string command : {"verify", "bench"})
    for (const std::string file : {"motor.yaml", "coupled.yaml"}) {
      std::vector<std::string> words{command, data(file), "--states", "16"};
      if (command == "bench") words.insert(words.end(), {"--seconds", "0.01"});
      const Outcome outcome = run(words);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
}

}  // namespace
}  // namespace apps
