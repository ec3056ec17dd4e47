// `compute influence`, `coriolis-array` and `coriolis-matrix`: shapes, names, coordinates.
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;
using nlohmann::json;

json compute(Words words) {
  words.insert(words.begin(), "compute");
  words.push_back("--json");
  return run_json(words);
}

const Words arm{bundled("arm6.urdf"), "--q", "0.3,-0.5,0.9,0.4,0.8,-0.2"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<double> numbers(const json& list) { return list.get<std::vector<double>>(); }

TEST(influence, has_the_shape_of_its_order) {
  for (const int order : {1, 2, 3}) {
    const json answer = compute(with({"influence"}, with(arm, {"--frame", "tool", "--axes", "world",
                                                               "--order", std::to_string(order)})));
    std::vector<std::size_t> shape(static_cast<std::size_t>(order + 1), 6);
    EXPECT_EQ(answer.at("shape").get<std::vector<std::size_t>>(), shape);
    EXPECT_EQ(answer.at("order"), order);
    EXPECT_EQ(answer.at("rows"), json({"wx", "wy", "wz", "vx", "vy", "vz"}));
    EXPECT_EQ(answer.at("names").size(), 6U);
    const json* values = &answer.at("values");
    for (int depth = 0; depth <= order; ++depth) {
      EXPECT_EQ(values->size(), 6U);
      if (depth < order) values = &values->at(0);
    }
  }
}

TEST(influence, of_first_order_is_the_jacobian_and_of_second_its_rate) {
  const Words at = with(arm, {"--frame", "tool", "--axes", "world"});
  EXPECT_EQ(compute(with({"influence"}, at)).at("values"),
            compute(with({"jacobian"}, at)).at("values"));
  const json H = compute(with({"influence", "--order", "2"}, at)).at("values");
  const std::vector<double> v{1, -0.6, 0.7, 0.2, -1.1, 0.5};
  const auto rate =
      numbers(compute(with({"jacobian-rate", "--v", "1,-0.6,0.7,0.2,-1.1,0.5"}, at)).at("values"));
  for (std::size_t p = 0; p < 6; ++p) {
    double sum = 0;
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = 0; k < 6; ++k) sum += H[p][j][k].get<double>() * v[j] * v[k];
    EXPECT_NEAR(sum, rate[p], 1e-12);
  }
}

TEST(influence, of_a_closed_system_is_by_the_coordinates_asked_for) {
  const Words five_bar{bundled("five_bar.yaml"), "--assemble", "--frame", "tip"};
  const json own = compute(with({"influence", "--order", "3"}, five_bar));
  EXPECT_EQ(own.at("shape"), json({6, 2, 2, 2}));
  const json full = compute(with({"influence", "--coordinates", "full"}, five_bar));
  EXPECT_EQ(full.at("shape"), json({6, 4}));
  const json named =
      compute(with({"influence", "--coordinates", "left_motor,left_elbow"}, five_bar));
  EXPECT_EQ(named.at("names"), json({"left_motor", "left_elbow"}));
  const Outcome refused =
      run(with({"compute", "influence", "--coordinates", "left_motor"}, five_bar));
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("2 freedoms"), std::string::npos) << refused.err;
}

TEST(coriolis_array, times_v_is_the_coriolis_matrix_open_and_closed) {
  for (const Words& model :
       {with(arm, {"--v", "1,-0.6,0.7,0.2,-1.1,0.5"}),
        Words{bundled("five_bar.yaml"), "--assemble", "--v", "left_motor=1,right_motor=-0.5"},
        Words{bundled("stewart.yaml"), "--assemble"}}) {
    const json P = compute(with({"coriolis-array"}, model));
    const json C = compute(with({"coriolis-matrix"}, model));
    const std::size_t n = C.at("names").size();
    EXPECT_EQ(P.at("shape"), json({n, n, n}));
    EXPECT_EQ(P.at("names"), C.at("names"));
    // Two states tell C v from the bias.
    const auto coriolis = numbers(compute(with({"coriolis"}, model)).at("values"));
    EXPECT_EQ(coriolis.size(), n);
  }
  const json P = compute(with({"coriolis-array"}, arm)).at("values");
  const json C =
      compute(with({"coriolis-matrix", "--v", "1,-0.6,0.7,0.2,-1.1,0.5"}, arm)).at("values");
  const std::vector<double> v{1, -0.6, 0.7, 0.2, -1.1, 0.5};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 6; ++k) sum += P[i][j][k].get<double>() * v[k];
      EXPECT_NEAR(sum, C[i][j].get<double>(), 1e-12);
    }
}

TEST(influence, columns_and_grids_are_named) {
  const Words at = with(arm, {"--frame", "tool", "--order", "2"});
  const Table table = parse_table(run(with({"compute", "influence", "--out", "-"}, at)).out);
  ASSERT_EQ(table.titles.size(), 216U);
  EXPECT_TRUE(table.titles.at(0).starts_with("H:wx:")) << table.titles.at(0);
  const json answer = compute(with({"influence"}, at));
  const auto joints = answer.at("names").get<Words>();
  EXPECT_EQ(table.titles.at(36 + 6 + 2), "H:wy:" + joints[1] + ":" + joints[2]);
  const Outcome text = run(with({"compute", "influence"}, at));
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("H:vz"), std::string::npos);
}

TEST(influence, refuses_what_has_no_meaning) {
  const std::string model = bundled("arm6.urdf");
  for (const Words& words :
       {Words{"influence", model}, Words{"influence", model, "--frame", "tool", "--order", "4"},
        Words{"influence", model, "--frame", "tool", "--order", "0"},
        Words{"influence", model, "--frame", "tool", "--order", "two"},
        Words{"influence", model, "--frame", "no_such_frame"},
        Words{"jacobian", model, "--frame", "tool", "--order", "2"},
        Words{"coriolis-array", model, "--frame", "tool"}}) {
    const Outcome refused = run(with({"compute"}, words));
    EXPECT_EQ(refused.code, 2) << words.front();
    EXPECT_TRUE(refused.out.empty());
    EXPECT_NE(refused.err.find("error:"), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace apps
