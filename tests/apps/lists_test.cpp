// Lists of numbers end where the next option begins, whatever that option is and however it is
// spelt.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

struct Option {
  std::string name, type;  ///< type empty: a flag
};

/// The options that `linkwright COMMAND --help` shows.
std::vector<Option> options_of(const std::string& command) {
  std::vector<Option> options;
  std::istringstream lines(run({command, "--help"}).out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("--");
    if (!line.starts_with("  -") || at == std::string::npos) continue;
    std::istringstream words(line.substr(at));
    Option option;
    words >> option.name >> option.type;
    // Two blanks after a flag begin its description.
    if (line.find("  ", at) < at + option.name.size() + 1) option.type.clear();
    if (option.name != "--help") options.push_back(option);
  }
  return options;
}

/// A value that the option may take; the law holds for those it refuses as well.
std::string value_for(const Option& option) {
  if (option.type.starts_with("AXES")) return "world";
  if (option.type == "WHERE") return "middle";
  if (option.type == "BASE") return "planar";
  if (option.name == "--method") return "symplectic";
  if (option.name == "--record") return "momentum";
  if (option.name == "--frame") return "tool";
  if (option.name == "--every" || option.name == "--step") return "0.005";
  if (option.name == "--out") return "result.csv";
  return option.type == "LIST" ? "joint5=-0.5" : "0.01";
}

std::string random_number(std::mt19937& random) {
  const char* const forms[] = {"0.1", "-0.2", ".3", "-.4", "1e-1", "-2E-1", "+0.5", "-0"};
  return forms[random() % 8];
}

/// A list for one of the arm's variables: all seven numbers or some by name, in one word or several.
Words random_list(std::mt19937& random) {
  Words entries;
  const bool named = random() % 2 == 0;
  for (int i = 1; i <= 7; ++i) {
    if (named && i > 1 && random() % 2 == 0) continue;
    entries.push_back((named ? "joint" + std::to_string(i) + "=" : "") + random_number(random));
  }
  Words words{entries.front()};
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (random() % 2 == 0)
      words.back() += "," + entries[i];
    else
      words.push_back(entries[i]);
  }
  return words;
}

/// What the program said, without how long it took.
std::string said(const Words& words) {
  const Folder folder;
  const Outcome outcome = run(words, {.folder = folder.path(".")});
  std::istringstream lines(outcome.out);
  std::string text = std::to_string(outcome.code) + "\n" + outcome.err;
  for (std::string line; std::getline(lines, line);)
    if (!contains(line, "rate") && !contains(line, "seconds")) text += line + "\n";
  for (const std::string& name : folder.contents()) text += name + " ";
  return text;
}

TEST(lists, end_before_every_option_of_every_command) {
  std::mt19937 random(20);
  const std::string arm = bundled("arm7.urdf");
  int tried = 0;
  for (const Words& head :
       std::vector<Words>{{"compute", "forward-dynamics", arm}, {"simulate", arm}, {"view", arm}}) {
    const std::vector<Option> options = options_of(head.front());
    for (const Option& option : options) {
      if (option.name == "--q") continue;
      const std::string value = value_for(option);
      const bool flag = option.type.empty();
      Words needed = head;
      if (head.front() == "simulate" && option.name != "--time") needed.push_back("--time=0.02");
      if (head.front() == "view" && option.name != "--out")
        needed.insert(needed.end(), {"-o", "page.html"});
      const Words list = random_list(random);
      const std::string name = option.name;
      Words before = needed, after = needed, sign = needed;
      before.push_back(name);
      if (!flag) before.push_back(value);
      for (Words* words : {&before, &after, &sign}) {
        words->push_back("--q");
        words->insert(words->end(), list.begin(), list.end());
      }
      after.push_back(name);
      if (!flag) after.push_back(value);
      sign.push_back(flag ? name : name + "=" + value);
      const std::string expected = said(before);
      EXPECT_EQ(said(after), expected) << head.front() << " --q " << list.front() << " … " << name;
      EXPECT_EQ(said(sign), expected)
          << head.front() << " --q " << list.front() << " … " << name << "=" << value;
      ++tried;
    }
  }
  EXPECT_GT(tried, 35) << "the help was not understood";
}

TEST(lists, the_option_after_a_list_is_heard) {
  const nlohmann::json run =
      run_json({"simulate", bundled("arm7.urdf"), "--q", "joint2=0.5", "--time=0.25", "--json"});
  EXPECT_EQ(run.at("time"), 0.25);
  const std::string arm = bundled("arm7.urdf");
  const Outcome two = apps::run({"compute", "gravity", arm, "--q", "--json"});
  EXPECT_EQ(two.code, 2) << "an option is no list";
  EXPECT_TRUE(contains(two.err, "--q: expected a list of numbers, found '--json'")) << two.err;
  EXPECT_EQ(apps::run({"compute", "gravity", arm, "--q"}).code, 2);
}

TEST(lists, reach_a_joint_whose_name_begins_with_a_sign) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", R"(linkwright: 1
bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints:
  - {name: "-x", type: prismatic, parent: world, child: a, axis: [1, 0, 0]}
  - {name: y, type: prismatic, parent: a, child: b, axis: [0, 0, 1]}
)");
  const auto potential = [&](const Words& list) {
    Words words{"compute", "energy", file, "--json"};
    words.insert(words.end(), list.begin(), list.end());
    return run_json(words).at("values").at(1).get<double>();
  };
  const double expected = 2 * 9.81;
  for (const Words& list : std::vector<Words>{{"--q", "-x=1", "y=2"},
                                              {"--q=-x=1", "y=2"},
                                              {"--q", "y=2,-x=1"},
                                              {"--q=y=2,-x=1"},
                                              {"--q", "-1", "2"},
                                              {"--q", "-1,2"}})
    EXPECT_NEAR(potential(list), expected, 1e-12) << list.front();
  EXPECT_EQ(run({"compute", "energy", file, "--q", "y=2", "-x=1"}).code, 2)
      << "a word of its own with a sign in front is an option";
}

}  // namespace
}  // namespace apps
