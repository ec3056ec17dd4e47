// Digests: every number and name of a model counts, and the way it was written does not.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/io/read_model.hpp"
#include "linkwright/system/digest.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

const std::string data = std::string(LINKWRIGHT_SOURCE_DIR) + "/tests/data/";

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// Where numbers stand in a text: not inside words ("left2", "j10"), not in '#' comments.
std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') comment = false;
    if (text[i] == '#') comment = true;
    const bool begins = std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
                        (i == 0 || std::string(" [:,-(\"").find(text[i - 1]) != std::string::npos);
    if (comment || !begins) continue;
    std::size_t end = i;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 ||
                                 std::string(".eE").find(text[end]) != std::string::npos ||
                                 (text[end] == '-' && (text[end - 1] == 'e'))))
      ++end;
    found.emplace_back(i, end - i);
    i = end;
  }
  return found;
}

/// What the text says to be started from or shown is not the mechanism.
bool is_no_part_of_the_mechanism(const std::string& text, std::size_t at) {
  const std::size_t begin = text.rfind("\n", at) + 1;
  const std::string line = text.substr(begin, text.find('\n', at) - begin);
  const std::size_t state = text.find("\nstate:");
  return line.starts_with("linkwright:") || (state != std::string::npos && at > state) ||
         contains(line, "rgba");
}

/// The only entry of an axis or quaternion that is not zero: its size means nothing.
bool is_a_mere_length(const std::string& text, std::size_t at, double value) {
  const std::size_t open = text.rfind('[', at), close = text.find(']', at);
  if (value == 0 || open == std::string::npos || text.find(']', open) < at) return false;
  const std::string before =
      text.substr(open > 14 ? open - 14 : 0, std::min<std::size_t>(open, 14));
  const bool direction = contains(before, "axis: ") || contains(before, "axis2: ") ||
                         contains(before, "axle: ") || contains(before, "normal: ") ||
                         contains(before, "quaternion: ");
  const std::string list = text.substr(open + 1, close - open - 1);
  return direction &&
         std::count_if(list.begin(), list.end(), [](char c) { return c >= '1' && c <= '9'; }) == 1;
}

TEST(Digests, every_number_of_a_file_counts) {
  const std::string text = text_of(data + "cell.yaml");
  const TemporaryFolder folder;
  write(folder.path() / "arm.urdf", text_of(data + "arm.urdf"));
  const std::string path = (folder.path() / "cell.yaml").string();
  const auto digest = [&](const std::string& changed) {
    write(path, changed);
    return digest_of(compute_digests(compile(read_model(path))));
  };
  const std::uint64_t before = digest(text);
  EXPECT_EQ(digest("# a comment more\n" + text), before);
  int changed = 0, refused = 0;
  for (const auto& [at, length] : numbers_in(text)) {
    if (is_no_part_of_the_mechanism(text, at)) continue;
    const double value = std::stod(text.substr(at, length));
    if (is_a_mere_length(text, at, value)) continue;
    const std::string context = text.substr(at > 50 ? at - 50 : 0, 60 + length);
    const auto is_noticed = [&, start = at, size = length](double now) {
      std::string other = text;
      other.replace(start, size, fmt::format("{}", now));
      try {
        EXPECT_NE(digest(other), before) << now << " in …" << context;
        return true;
      } catch (const Error&) {
        ++refused;  // a model without meaning: the change did not go unnoticed
        return false;
      }
    };
    // Counts and flags take whole steps only, a mass none below zero.
    const bool whole = is_noticed(value + 1) || is_noticed(value - 1);
    const bool millionth = is_noticed(value == 0 ? 1e-6 : value * (1 + 1e-6));
    changed += whole || millionth ? 1 : 0;
  }
  EXPECT_GT(changed, 150);
  EXPECT_LT(refused, changed / 2);
}

/// A body and a joint turned by 90 degrees, as a reader makes them: zeros that a sine has missed.
Model with_residues(double rounding) {
  Model model;
  Body rod{.name = "rod", .mass = 2, .com = {0.5, rounding, -rounding}};
  rod.inertia = {0.01, 0.2, 0.2, 0.1 * rounding, -0.1 * rounding, 0.1 * rounding};
  model.bodies.push_back(rod);
  model.bodies.push_back({.name = "ball", .mass = 1, .com = {0.1 * rounding, 0, -rounding}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "rod",
                          .pose = {Matrix3::identity(), {rounding, 0.25, 0}},
                          .axis = {rounding, 0, 1}});
  model.joints.push_back({.name = "loose", .parent = "rod", .child = "ball"});
  model.joints[1].type = JointType::custom;
  model.joints[1].modes = {{1, 0, rounding, 0, -rounding, 0}, {0, 0, 0, rounding, 2, 0}};
  model.gravity = {rounding, -rounding, -9.81};
  model.body_loads.push_back({.body = "rod",
                              .force = {{0, rounding, 0}, {30, 0, 4 * rounding}},
                              .at = {0, rounding, 0.125}});
  model.line_springs.push_back({.body_a = "world",
                                .body_b = "rod",
                                .at_a = {rounding, 0, 1},
                                .at_b = {0, 0, rounding},
                                .stiffness = 7});
  model.frames.push_back(
      {.name = "tool", .body = "rod", .pose = {Matrix3::identity(), {1, rounding, 0}}});
  return model;
}

TEST(Digests, rounding_residues_do_not_count) {
  const auto exact = compute_digests(compile(with_residues(0)));
  for (const double rounding : {1e-19, 1e-18, -6e-17, 2.2e-16, -1e-15})
    EXPECT_EQ(first_difference(exact, compute_digests(compile(with_residues(rounding)))), "")
        << rounding;
  EXPECT_NE(first_difference(exact, compute_digests(compile(with_residues(1e-6)))), "");
}

/// Every entry of a vector or matrix by itself.
TEST(Digests, a_millionth_counts) {
  const Model model = with_residues(0);
  const auto exact = compute_digests(compile(model));
  const auto expect_noticed = [&](auto entry, const std::string& part) {
    for (const double change : {1e-6, -1e-6}) {
      Model other = model;
      double& x = entry(other);
      x += change * (x == 0 ? 0.01 : x);
      EXPECT_EQ(first_difference(exact, compute_digests(compile(other))), part);
    }
  };
  const auto expect_vector = [&](auto vector, const std::string& part) {
    expect_noticed([&](Model& m) -> double& { return vector(m).x; }, part);
    expect_noticed([&](Model& m) -> double& { return vector(m).y; }, part);
    expect_noticed([&](Model& m) -> double& { return vector(m).z; }, part);
  };
  expect_vector([](Model& m) -> Vector3& { return m.gravity; }, "gravity");
  expect_vector([](Model& m) -> Vector3& { return m.bodies[0].com; }, "body 'rod'");
  expect_vector([](Model& m) -> Vector3& { return m.bodies[1].com; }, "body 'ball'");
  for (double Symmetric3::*entry : {&Symmetric3::xx, &Symmetric3::yy, &Symmetric3::zz,
                                    &Symmetric3::xy, &Symmetric3::xz, &Symmetric3::yz})
    expect_noticed([&](Model& m) -> double& { return m.bodies[0].inertia.*entry; }, "body 'rod'");
  expect_vector([](Model& m) -> Vector3& { return m.joints[0].pose.translation; }, "joint 'hinge'");
  for (const std::size_t mode : {0U, 1U})
    for (std::size_t i = 0; i < 6; ++i)
      expect_noticed([&](Model& m) -> double& { return m.joints[1].modes[mode][i]; },
                     "joint 'loose'");
  expect_vector([](Model& m) -> Vector3& { return m.body_loads[0].force.moment; }, "body load 1");
  expect_vector([](Model& m) -> Vector3& { return m.body_loads[0].force.force; }, "body load 1");
  expect_vector([](Model& m) -> Vector3& { return m.body_loads[0].at; }, "body load 1");
  expect_vector([](Model& m) -> Vector3& { return m.line_springs[0].at_b; }, "spring 1");
  expect_vector([](Model& m) -> Vector3& { return m.frames[0].pose.translation; }, "frame 'tool'");
}

TEST(Digests, small_and_large_mechanisms_are_told_apart_as_finely) {
  for (const double size : {1e-7, 1e-3, 1.0, 1e4, 1e9}) {
    Model model;
    model.bodies.push_back({.name = "rod", .mass = 1, .com = {size, 0, 0}});
    model.joints.push_back({.name = "hinge",
                            .type = JointType::revolute,
                            .parent = "world",
                            .child = "rod",
                            .axis = {0, 0, 1}});
    const auto exact = compute_digests(compile(model));
    Model other = model;
    other.bodies[0].com.y = 1e-16 * size;
    EXPECT_EQ(first_difference(exact, compute_digests(compile(other))), "") << size;
    other.bodies[0].com.y = 1e-8 * size;
    EXPECT_EQ(first_difference(exact, compute_digests(compile(other))), "body 'rod'") << size;
    other.bodies[0].com.x *= 1e7;
    EXPECT_EQ(first_difference(exact, compute_digests(compile(other))), "size of the mechanism");
  }
}

TEST(Digests, the_way_a_model_is_written_does_not_count) {
  Model model;
  model.bodies.push_back({.name = "rod", .mass = 1, .com = {1, 0, 0}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::cylindrical,
                          .parent = "world",
                          .child = "rod",
                          .axis = {0, 0, 1}});
  const std::vector<PartDigest> before = compute_digests(compile(model));
  Model other = model;
  other.name = "another name";
  other.joints[0].axis = {0, 0, 2};
  other.joints[0].axis2 = {1, 0, 0};  // means nothing for this joint
  other.joints[0].damping = {0, 0};
  other.joints[0].limits = {Limits{}};
  other.bodies[0].com.y = -0.0;
  other.joints[0].pose.rotation.xy = 6e-17;  // a rounded cosine
  other.visuals.push_back({.body = "rod", .size = {1, 1, 1}});
  EXPECT_EQ(first_difference(before, compute_digests(compile(other))), "");
  EXPECT_EQ(digest_of(before), digest_of(compute_digests(compile(other))));
}

TEST(Digests, the_part_that_changed_is_named) {
  Model model;
  model.bodies.push_back({.name = "rod", .mass = 1, .com = {1, 0, 0}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "rod",
                          .axis = {0, 0, 1}});
  model.joint_springs.push_back({.joint = "hinge", .stiffness = 3});
  const std::vector<PartDigest> before = compute_digests(compile(model));
  const auto difference = [&](auto change) {
    Model other = model;
    change(other);
    return first_difference(before, compute_digests(compile(other)));
  };
  EXPECT_EQ(difference([](Model& m) { m.gravity.z *= 1 + 1e-9; }), "gravity");
  EXPECT_EQ(difference([](Model& m) { m.bodies[0].com.x += 1e-9; }), "body 'rod'");
  EXPECT_EQ(difference([](Model& m) { m.joints[0].axis.y = 1e-9; }), "joint 'hinge'");
  EXPECT_EQ(difference([](Model& m) { m.joints[0].limits = {{.upper = 1}}; }), "joint 'hinge'");
  EXPECT_EQ(difference([](Model& m) { m.joint_springs[0].rest = 1e-9; }), "joint spring 1");
  EXPECT_EQ(difference([](Model& m) { m.joint_springs.clear(); }), "joint spring 1, which is gone");
  EXPECT_EQ(difference([](Model& m) { m.joint_loads.push_back({.joint = "hinge"}); }),
            "joint load 1, which is new");
}

TEST(Digests, are_the_same_on_every_machine) {
  Model model;
  model.bodies.push_back({.name = "rod", .mass = 1.5, .com = {1, 0, 0}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "rod",
                          .axis = {0, 3, 4}});
  // A checkpoint must outlive a new version of the library: change this number knowingly.
  EXPECT_EQ(digest_of(compute_digests(compile(model))), 16723013693036361905ULL);
}

}  // namespace
}  // namespace linkwright::testing
