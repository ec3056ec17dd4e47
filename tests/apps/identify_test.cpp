// Parameters from recordings: those of the machine that moved, whatever the model at hand says.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "apps/program.hpp"

namespace apps {
namespace {

/// Sines that excite all six joints of an arm, as a reference for `simulate`.
std::string excitation(const std::vector<std::string>& joints) {
  std::string text = "time";
  for (const std::string& joint : joints) text += ",q:" + joint;
  text += "\n";
  for (int row = 0; row <= 160; ++row) {
    const double t = 0.05 * row;
    text += std::to_string(t);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const auto n = static_cast<double>(k);
      text += "," + std::to_string(1.1 * std::sin((1.9 + 0.7 * n) * t + 0.3 * n * n) +
                                   0.6 * std::sin((5.3 + 0.9 * n) * t + 1.1 * n));
    }
    text += "\n";
  }
  return text;
}

/// The recording with normal noise of a share of their largest value on all efforts.
std::string with_noise(const Table& table, double share) {
  std::mt19937 bits(2);
  std::normal_distribution<double> normal;
  std::string text;
  for (const std::string& title : table.titles) text += (text.empty() ? "" : ",") + title;
  std::vector<double> size(table.titles.size(), 0);
  for (std::size_t c = 0; c < size.size(); ++c)
    if (table.titles[c].starts_with("tau:"))
      for (const auto& row : table.rows)
        size[c] = std::max(size[c], share * std::abs(std::stod(row[c])));
  for (const auto& row : table.rows) {
    std::string line;
    char number[40];
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double x = std::stod(row[c]) + (size[c] > 0 ? size[c] * normal(bits) : 0);
      std::snprintf(number, sizeof number, "%.17g", x);
      line += (c == 0 ? "\n" : ",") + std::string(number);
    }
    text += line;
  }
  return text + "\n";
}

struct Puma {
  Puma() {
    const Outcome run = simulate(
        {bundled("puma560.yaml"), "--time", "8", "--reference",
         folder.file("sines.csv",
                     excitation({"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"})),
         "--every", "0.005", "--limits", "ignore", "--record", "a", "--record", "tau", "--out",
         data});
    EXPECT_EQ(run.code, 0) << run.err;
  }
  [[nodiscard]] nlohmann::json identify(const std::string& model, const std::string& recording) {
    return run_json({"identify", model, "--data", recording, "--joints", "rotor,damping,friction",
                     "--json", "--quiet"});
  }
  /// The same arm with other masses.
  [[nodiscard]] std::string wrong_model() const {
    std::string text = read(bundled("puma560.yaml"));
    for (const auto& [right, wrong] : std::vector<std::pair<std::string, std::string>>{
             {"mass: 17.4", "mass: 11"}, {"mass: 0.82", "mass: 1.9"}, {"0.0125", "0.03"}}) {
      const std::size_t place = text.find(right);
      EXPECT_NE(place, std::string::npos) << right;
      text.replace(place, right.size(), wrong);
    }
    return folder.file("wrong.yaml", text);
  }
  Folder folder;
  std::string data = folder.path("run.csv");
};

TEST(identify, recovers_the_puma_that_moved) {
  Puma puma;
  const auto found = puma.identify(puma.wrong_model(), puma.data),
             truth = puma.identify(bundled("puma560.yaml"), puma.data);
  ASSERT_EQ(found["names"], truth["names"]);
  double off = 0;
  for (std::size_t i = 0; i < found["names"].size(); ++i) {
    const double wanted = truth["model_values"][i];
    EXPECT_NEAR(found["values"][i], wanted, 1e-8 * (1 + std::abs(wanted))) << found["names"][i];
    off = std::max(off, std::abs(found["model_values"][i].get<double>() - wanted));
  }
  EXPECT_GT(off, 0.1);
}

TEST(identify, knows_how_far_noise_leads_astray) {
  Puma puma;
  const std::string noisy =
      puma.folder.file("noisy.csv", with_noise(parse_table(read(puma.data)), 0.01));
  const auto found = puma.identify(puma.wrong_model(), noisy),
             truth = puma.identify(bundled("puma560.yaml"), puma.data);
  const std::size_t n = found["names"].size();
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double deviation = found["deviations"][i];
    const double z =
        (found["values"][i].get<double>() - truth["model_values"][i].get<double>()) / deviation;
    EXPECT_LE(std::abs(z), 3) << found["names"][i];
    squares += z * z;
  }
  EXPECT_NEAR(squares / static_cast<double>(n), 1, 4 * std::sqrt(2 / static_cast<double>(n)));
}

TEST(identify, closed_mechanisms_too) {
  const Folder folder;
  const std::string data = folder.path("run.csv");
  const Outcome run = simulate({bundled("five_bar.yaml"), "--time", "4", "--tau",
                                "left_motor=2,right_motor=-1", "--limits", "ignore", "--every",
                                "0.005", "--record", "a", "--record", "tau", "--out", data});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto found = run_json({"identify", bundled("five_bar.yaml"), "--data", data, "--json"});
  for (std::size_t i = 0; i < found["names"].size(); ++i) {
    const double wanted = found["model_values"][i];
    EXPECT_NEAR(found["values"][i], wanted, 1e-6 * (1 + std::abs(wanted))) << found["names"][i];
  }
}

TEST(identify, mistakes_are_named) {
  const Folder folder;
  const std::string arm = bundled("arm6.urdf");
  const auto expect = [&](std::vector<std::string> words, int code, const std::string& part) {
    words.insert(words.begin(), "identify");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  };
  expect({arm}, 2, "--data");
  expect({arm, "--data", folder.file("q.csv", "q:waist,v:waist\n0,0\n")}, 2,
         "no column for q of 'shoulder'");
  expect({arm, "--data", folder.file("q.csv", "q1\n0\n"), "--joints", "mass"}, 2, "rotor, damping");
  std::string one =
      "q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6,a1,a2,a3,a4,a5,a6,"
      "tau1,tau2,tau3,tau4,tau5,tau6\n";
  expect({arm, "--data", folder.file("none.csv", one)}, 1, "no rows");
  for (int i = 0; i < 24; ++i) one += i == 0 ? "0" : ",0";
  expect({arm, "--data", folder.file("one.csv", one + "\n")}, 1, "open are all");
}

}  // namespace
}  // namespace apps
