// The data as text, runs, the page around it, and files that appear whole or not at all.
#include "linkwright/viewer/page.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>

#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"
#include "viewer/payload.hpp"

namespace linkwright::viewer_tests {
namespace {

using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

constexpr std::string_view place = R"(<script type="application/json" id="linkwright-data">)";

System pendulum(const std::string& body = "rod") {
  Model model;
  model.name = "pendulum";
  model.bodies = {{.name = body, .mass = 1, .com = {0, 0, -0.5}}};
  model.bodies[0].inertia = {0.1, 0.1, 0.001, 0, 0, 0};
  model.joints = {{.name = "hinge",
                   .type = JointType::revolute,
                   .parent = "world",
                   .child = body,
                   .axis = {0, 2, 0}}};
  return compile(model);
}

/// K samples of sin t on unequal steps, with everything a run can have.
PageRun swing(std::size_t count, double end = 10) {
  PageRun run;
  run.q.resize(1, static_cast<Eigen::Index>(count));
  PageChannel angle{"hinge", "rad", "position", {}}, energy{"total", "J", "energy", {}};
  PageForce push{"push", "rod", {0, 0, -1}, Eigen::Matrix3Xd(3, static_cast<Eigen::Index>(count))};
  for (std::size_t i = 0; i < count; ++i) {
    const double s = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
    const double t = end * s * (0.5 + 0.5 * s);
    run.time.push_back(t);
    run.q(0, static_cast<Eigen::Index>(i)) = std::sin(t);
    angle.values.push_back(std::sin(t));
    energy.values.push_back(4.9 + 1e-12 * t);
    push.values.col(static_cast<Eigen::Index>(i)) << t, 1, -t;
  }
  run.channels = {angle, energy};
  run.forces = {push};
  run.events = {{0.5, "limit"}};
  run.summary = {{"steps", "100"}};
  return run;
}

TEST(page_data, names_cannot_end_the_script) {
  const std::string name = "</script><script>alert('x')</script><!-- \" \\ \xE2\x80\xA8 \xC3\xA4";
  const System system = pendulum(name);
  const std::string text = to_page_data(system, State(system).q).text;
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(text).at("bodies").at(1).at("name"), name);
}

TEST(page_data, names_that_are_not_utf8_are_replaced) {
  const System system = pendulum("rod\xFF");
  EXPECT_TRUE(Json::accept(to_page_data(system, State(system).q).text));
}

TEST(page_data, says_what_the_contract_says) {
  const Json data = data_of(pendulum());
  EXPECT_EQ(data.at("linkwright"), 1);
  EXPECT_EQ(data.at("mode"), "view");
  EXPECT_EQ(data.at("title"), "pendulum");
  EXPECT_FALSE(data.contains("run"));
  const Json& joint = data.at("joints").at(0);
  EXPECT_EQ(joint.at("axis"), Json::array({0, 1, 0})) << "axes have unit length";
  EXPECT_EQ(joint.at("limits"), Json::array({nullptr}));
  EXPECT_EQ(data.at("bodies").at(0).at("name"), "world");
  EXPECT_EQ(data.at("q0"), Json::array({0}));
}

TEST(page_data, sliders_get_the_limits_of_both_ends) {
  Model model = pendulum().model();
  const double inf = std::numeric_limits<double>::infinity();
  const auto limits = [&](double lower, double upper) {
    model.joints[0].limits = {{.lower = lower, .upper = upper}};
    return data_of(compile(model))["joints"][0]["limits"][0];
  };
  EXPECT_EQ(limits(-1, 2), Json::array({-1, 2}));
  EXPECT_TRUE(limits(-1e16, 1e16).is_null());
  EXPECT_TRUE(limits(-inf, inf).is_null());
  EXPECT_EQ(limits(-1, inf), Json::array({-1, nullptr})) << "an open end stays open";
  EXPECT_EQ(limits(-1e16, 1), Json::array({nullptr, 1}));
}

TEST(page_data, positions_that_do_not_fit_are_refused) {
  const System system = pendulum();
  EXPECT_TRUE(contains(error_of([&] { to_page_data(system, Eigen::VectorXd::Zero(2)); }),
                       "q has 2 numbers; expected 1"));
  const Eigen::VectorXd bad = Eigen::VectorXd::Constant(1, std::nan(""));
  EXPECT_TRUE(contains(error_of([&] { to_page_data(system, bad); }), "'hinge'"));
}

TEST(page_run, keeps_every_sample_of_a_short_run) {
  const PageRun run = swing(500);
  const Json data = data_of(pendulum(), run).at("run");
  EXPECT_EQ(unpack(data.at("time")), run.time);
  EXPECT_EQ(unpack(data.at("q")), std::vector<double>(run.q.data(), run.q.data() + run.q.size()));
  EXPECT_EQ(unpack(data.at("channels").at(1).at("values")), run.channels[1].values)
      << "an energy keeps all its digits";
  EXPECT_EQ(data.at("forces").at(0).at("body"), 1);
  EXPECT_EQ(unpack(data.at("forces").at(0).at("values")).size(), 1500U);
  EXPECT_EQ(data.at("events").at(0).at("name"), "limit");
  EXPECT_EQ(data.at("summary").size(), 1U);
}

TEST(page_run, a_long_run_is_thinned_evenly_and_says_so) {
  const PageRun run = swing(100'001);
  const Json data = data_of(pendulum(), run).at("run");
  const std::vector<double> time = unpack(data.at("time")), q = unpack(data.at("q")),
                            angle = unpack(data.at("channels").at(0).at("values"));
  EXPECT_LE(time.size(), static_cast<std::size_t>(max_page_samples));
  EXPECT_GE(time.size(), static_cast<std::size_t>(max_page_samples) * 9 / 10);
  ASSERT_EQ(q.size(), time.size());
  ASSERT_EQ(angle.size(), time.size());
  EXPECT_EQ(time.front(), run.time.front());
  EXPECT_EQ(time.back(), run.time.back());
  const double even = 10.0 / (max_page_samples - 1);
  for (std::size_t i = 0; i < time.size(); ++i) {
    EXPECT_EQ(q[i], std::sin(time[i])) << "samples stay together";
    EXPECT_NEAR(angle[i], q[i], 1e-7) << "single precision is enough for a curve";
    if (i > 0) {
      EXPECT_GT(time[i], time[i - 1]);
      EXPECT_LT(time[i] - time[i - 1], 1.2 * even);
    }
  }
  EXPECT_EQ(data.at("summary").back()[1], std::to_string(time.size()) + " of 100001");
}

TEST(page_run, uneven_and_resting_time_is_thinned_too) {
  PageRun run;
  run.time.assign(5000, 1.0);  // an event repeats its time
  run.time.front() = 0;
  run.time.back() = 2;
  run.q = Eigen::MatrixXd::Zero(1, 5000);
  const auto time = unpack(data_of(pendulum(), run)["run"]["time"]);
  EXPECT_EQ(time.front(), 0);
  EXPECT_EQ(time.back(), 2);
  EXPECT_GE(time.size(), 3U) << "the middle is not lost";
  EXPECT_LE(time.size(), static_cast<std::size_t>(max_page_samples));
}

TEST(page_run, a_ten_second_run_of_thirty_joints_stays_small) {
  const System system = compile(read_model(
      std::string(LINKWRIGHT_SOURCE_DIR) + "/models/humanoid.urdf", {.base = Base::free}));
  PageRun run;
  const int count = 10'001;
  run.q = State(system).q.replicate(1, count);
  for (int i = 0; i < count; ++i) run.time.push_back(0.001 * i);
  for (const auto& names : {system.position_names(), system.velocity_names()})
    for (const std::string& name : names)
      run.channels.push_back({name, "rad", "position", std::vector<double>(count, 0.123456789)});
  run.channels.push_back({"total", "J", "energy", std::vector<double>(count, 1.0 / 3)});
  EXPECT_LT(to_page_data(system, State(system).q, &run).text.size(), 4'000'000U)
      << "with the page itself it must stay below 5 MB";
}

TEST(page_run, what_does_not_fit_is_refused_by_name) {
  const System system = pendulum();
  const auto complaint = [&](auto spoil) {
    PageRun run = swing(10);
    spoil(run);
    return error_of([&] { to_page_data(system, State(system).q, &run); });
  };
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.time.clear(); }), "no samples"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.time[4] = -1; }), "goes back"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.time[4] = std::nan(""); }), "time 4"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.q.resize(2, 10); }), "2 rows; expected 1"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.q.setZero(1, 9); }), "9 samples; expected 10"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.q(0, 3) = std::nan(""); }), "'hinge'"));
  EXPECT_TRUE(
      contains(complaint([](PageRun& r) { r.channels[1].values[7] = INFINITY; }), "'total'"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.channels[0].values.pop_back(); }), "'hinge'"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.channels[0].group = "what"; }), "known are"));
  EXPECT_TRUE(
      contains(complaint([](PageRun& r) { r.forces[0].body = "rood"; }), "did you mean 'rod'"));
  EXPECT_TRUE(contains(complaint([](PageRun& r) { r.events[0].time = INFINITY; }), "'limit'"));
}

TEST(page_html, holds_the_data_or_says_what_is_missing) {
  const System system = pendulum();
  if (!page_available()) {
    std::cout << "skipped: the page around the data (this build has none)\n";
    const std::string message = error_of([&] { to_page(system, State(system).q); });
    EXPECT_TRUE(contains(message, "install nodejs and npm and build again")) << message;
    return;
  }
  const std::string html = to_page(system, State(system).q).text;
  const std::size_t begin = html.find(place) + place.size();
  ASSERT_LT(begin, html.size());
  EXPECT_EQ(html.find(place, begin), std::string::npos) << "one place for data";
  const std::string text = html.substr(begin, html.find("</script>", begin) - begin);
  EXPECT_EQ(text, to_page_data(system, State(system).q).text);
  EXPECT_TRUE(contains(html.substr(begin), "</html>"));
}

TEST(page_file, appears_whole) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "page.html").string();
  write_page(path, "old");
  const std::string text(3'000'000, 'x');
  write_page(path, text);
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
  EXPECT_EQ(testing::files_in(folder.path(), ".html").size(), 1U);
}

std::size_t count_entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(page_file, nothing_is_left_after_a_failure) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "no" / "page.html").string();
  EXPECT_TRUE(contains(error_of([&] { write_page(missing, "x"); }), missing));
  EXPECT_TRUE(contains(error_of([&] { write_page(missing, "x"); }), "its folder does not exist"));
  EXPECT_TRUE(contains(error_of([&] { write_page(folder.path().string(), "x"); }), "folder"));
  EXPECT_TRUE(contains(error_of([&] { write_page("/dev/full", "x"); }), "No space left"));
  EXPECT_NE(error_of([&] { write_page("/proc/no/page.html", "x"); }), "");
  EXPECT_EQ(count_entries(folder.path()), 0U);
}

/// A disk that is full after so many bytes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(page_file, a_disk_that_fills_up_leaves_the_old_page) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "page.html").string();
  write_page(path, "old");
  std::string message;
  {
    const FullDisk disk(100'000);
    message = error_of([&] { write_page(path, std::string(3'000'000, 'x')); });
  }
  EXPECT_TRUE(contains(message, path)) << message;
  EXPECT_TRUE(contains(message, "nothing was changed")) << message;
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "old");
  EXPECT_EQ(count_entries(folder.path()), 1U);
}

}  // namespace
}  // namespace linkwright::viewer_tests
