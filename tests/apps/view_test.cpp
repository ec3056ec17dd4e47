// `view`: one page per model, or a word about what is missing, and never half a file.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

/// The data inside a page.
nlohmann::json data_in(const std::string& html) {
  const std::string begin = R"(<script type="application/json" id="linkwright-data">)";
  const std::size_t at = html.find(begin);
  if (at == std::string::npos) return {};
  const std::size_t start = at + begin.size();
  return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
}

#define SKIP_WITHOUT_PAGE()                                                \
  if (!linkwright::page_available()) {                                     \
    std::cout << "skipped: this build has no page (no npm, no network)\n"; \
    GTEST_SKIP() << "this build has no page";                              \
  }

TEST(view, a_build_without_page_says_what_is_missing) {
  if (linkwright::page_available()) GTEST_SKIP() << "this build has the page";
  const Folder folder;
  const Outcome outcome = run({"view", bundled("arm7.urdf"), "-o", folder.path("p.html")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("install nodejs and npm and build again"), std::string::npos)
      << outcome.err;
  EXPECT_TRUE(folder.contents().empty());
}

TEST(view, writes_one_page_that_needs_no_network) {
  SKIP_WITHOUT_PAGE();
  const Folder folder;
  const Outcome outcome = run({"view", bundled("arm7.urdf"), "-o", folder.path("p.html")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("p.html: 9 bodies, 8 joints"), std::string::npos) << outcome.out;
  EXPECT_EQ(folder.contents(), std::vector<std::string>{"p.html"});
  const std::string html = read(folder.path("p.html"));
  for (const std::string loads : {"src=\"http", "src=\"//", "href=\"http", "@import"})
    EXPECT_EQ(html.find(loads), std::string::npos) << loads;
  EXPECT_EQ(data_in(html).at("bodies").size(), 10U);
  EXPECT_EQ(data_in(html).at("mode"), "view");
}

TEST(view, shows_the_position_that_was_asked_for) {
  SKIP_WITHOUT_PAGE();
  const Outcome outcome =
      run({"view", bundled("arm7.urdf"), "--q", "joint2=-0.5,joint4=1", "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(data_in(outcome.out).at("q0"), nlohmann::json::array({0, -0.5, 0, 1, 0, 0, 0}));
  const Outcome free = run({"view", bundled("quadruped.urdf"), "--base", "free", "-o", "-"});
  EXPECT_EQ(data_in(free.out).at("joints").at(0).at("type"), "free");
}

TEST(view, takes_the_systems_own_state) {
  SKIP_WITHOUT_PAGE();
  const Folder folder;
  const std::string file = folder.file("m.yaml", R"(linkwright: 1
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
joints:
  - {name: j, type: revolute, parent: world, child: a}
state: {q: {j: 0.25}}
)");
  const Outcome outcome = run({"view", file, "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(data_in(outcome.out).at("q0"), nlohmann::json::array({0.25}));
}

/// The largest gap between the frames of a four-bar's pin, from its angles as the page has them.
double gap_of_four_bar(const nlohmann::json& q) {
  const double crank = q.at(0), coupler = crank + q.at(1).get<double>(), rocker = q.at(2);
  return std::hypot(
      0.1 * std::cos(crank) + 0.35 * std::cos(coupler) - 0.4 - 0.25 * std::cos(rocker),
      0.1 * std::sin(crank) + 0.35 * std::sin(coupler) - 0.25 * std::sin(rocker));
}

TEST(view, begins_closed_and_tells_what_it_moved) {
  SKIP_WITHOUT_PAGE();
  const std::string file = bundled("four_bar.yaml");
  const Outcome own = run({"view", file, "-o", "-"});
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_TRUE(own.err.empty()) << own.err;
  EXPECT_LT(gap_of_four_bar(data_in(own.out).at("q0")), 1e-8);

  const Outcome turned = run({"view", file, "--q", "crank_pivot=2", "-o", "-"});
  EXPECT_EQ(turned.code, 0) << turned.err;
  EXPECT_NE(turned.err.find("moved to close the loops: crank_pin, rocker_pivot"), std::string::npos)
      << turned.err;
  EXPECT_EQ(data_in(turned.out).at("q0").at(0), 2);
  EXPECT_LT(gap_of_four_bar(data_in(turned.out).at("q0")), 1e-11);

  const Outcome apart = run({"view", file, "--q", "crank_pivot=0,rocker_pivot=0", "-o", "-"});
  EXPECT_EQ(apart.code, 0) << "what does not fit can be looked at";
  EXPECT_NE(apart.err.find("closure 'rocker_pin' is open by"), std::string::npos) << apart.err;
  EXPECT_EQ(data_in(apart.out).at("q0").at(2), 0);
}

TEST(view, mistakes_are_bad_input_and_touch_nothing) {
  SKIP_WITHOUT_PAGE();
  const Folder folder;
  const std::string page = folder.file("p.html", "old"), arm = bundled("arm7.urdf");
  const struct {
    std::vector<std::string> words;
    std::string says;
  } cases[] = {
      {{"view", arm}, "--out"},
      {{"view", arm, "-o", ""}, "empty"},
      {{"view", "no.urdf", "-o", page}, "no.urdf"},
      {{"view", arm, "--q", "jont2=1", "-o", page}, "did you mean 'joint2'"},
      {{"view", arm, "--q", "1,2", "-o", page}, "7"},
      {{"view", arm, "-o", folder.path("no/p.html")}, "its folder does not exist"},
  };
  for (const auto& [words, says] : cases) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << says << ": " << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  }
  EXPECT_EQ(read(page), "old");
  EXPECT_EQ(folder.contents(), std::vector<std::string>{"p.html"});
  const Outcome full = run({"view", arm, "-o", "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
}

TEST(view, every_urdf_of_the_shared_folder_gets_a_page) {
  SKIP_WITHOUT_PAGE();
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Folder folder;
  for (const auto& entry : std::filesystem::directory_iterator(shared("models"))) {
    if (entry.path().extension() != ".urdf") continue;
    const Outcome outcome = run({"view", entry.path().string(), "-o", folder.path("p.html")});
    EXPECT_EQ(outcome.code, 0) << entry.path() << outcome.err;
    EXPECT_FALSE(data_in(read(folder.path("p.html"))).is_null()) << entry.path();
  }
}

}  // namespace
}  // namespace apps
