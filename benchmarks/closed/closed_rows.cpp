#include "closed/closed_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "clock.hpp"
#include "closed/closed_batch.hpp"
#include "closed/closed_entry.hpp"
#include "closed/closed_models.hpp"
#include "closed/closed_truth.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright_peer.hpp"

namespace bench {
namespace {

using namespace linkwright;

constexpr double most_residual = 1e-10, most_error = 1e-8, our_most_error = 1e-11;
constexpr int rounds = 5;  // of which the least median counts
constexpr double seconds = 0.05;

/// A mechanism with its states and their truth.
struct Course {
  explicit Course(const ClosedCase& which)
      : about(which),
        system(compile(which.model)),
        neutral(system, which.for_peers.value_or(which.model)),
        states(closed_states(system, which)),
        work(system),
        a(Eigen::VectorXd::Zero(system.nv())) {
    for (const ClosedState& state : states) truths.emplace_back(work, state);
  }

  void run_ours() {
    for (const ClosedState& s : states) compute_forward_dynamics(work, s.state, s.tau, {}, a);
  }
  Quality judge_ours() {
    Quality quality;
    for (std::size_t i = 0; i < states.size(); ++i) {
      compute_forward_dynamics(work, states[i].state, states[i].tau, {}, a);
      quality = worse(quality, truths[i].judge(a));
    }
    return quality;
  }
  [[nodiscard]] Quality judge(ClosedEntry& entry, int setting) const {
    Quality quality;
    std::vector<double> common(static_cast<std::size_t>(system.nv()));
    for (std::size_t i = 0; i < states.size(); ++i) {
      entry.result(setting, static_cast<int>(i), common.data());
      quality = worse(quality, truths[i].judge(neutral.freedoms(common.data())));
      if (!(quality.residual <= most_residual)) break;  // it is out already
    }
    return quality;
  }

  const ClosedCase& about;
  System system;
  NeutralClosed neutral;
  std::vector<ClosedState> states;
  ClosedWorkspace work;
  Eigen::VectorXd a;
  std::vector<ClosedTruth> truths;
};

/// An algorithm of a build with one of its settings.
struct Candidate {
  ClosedEntry* entry;
  int setting;
  Quality quality;
  double ns = 0;

  [[nodiscard]] bool passes() const {
    return quality.residual <= most_residual && quality.error <= most_error;
  }
};

/// What one would take for long chains: linear in their length, though soon not accurate enough.
bool is_customary(const Candidate& c) {
  return c.entry->algorithm(c.setting) == "lcaba" &&
         c.entry->setting(c.setting) == "µ 1e-05, to residual 1e-10";
}

/// Passing ones before others and these by the decade of their error, then by time.
bool comes_first(const Candidate& x, const Candidate& y) {
  const auto decade = [](const Candidate& c) {
    return c.passes() ? -100 : std::floor(std::log10(c.quality.error));
  };
  return decade(x) != decade(y) ? decade(x) < decade(y) : x.ns < y.ns;
}

/// The least of a few calls, in nanoseconds; of one where it takes long.
template <class Call>
double quick_time(Call call) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity(), total = 0;
  while (total < 3e6) {
    const auto start = Clock::now();
    call();
    const double taken = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    least = std::min(least, taken), total += taken;
  }
  return least;
}

/// Of every algorithm the two settings, of any build, that promise to be the fastest with residual
/// and error small enough; where no error is, the fastest of the most accurate ones.
std::vector<Candidate> choose_candidates(const Course& course,
                                         const std::vector<std::unique_ptr<ClosedEntry>>& entries) {
  std::map<std::string, std::vector<Candidate>> by_algorithm;
  const int states = static_cast<int>(course.states.size());
  for (const auto& entry : entries)
    for (int i = 0; i < entry->settings(); ++i) {
      const Quality quality = course.judge(*entry, i);
      if (!(quality.residual <= most_residual)) continue;
      const double ns = quick_time([&] { entry->run(i); }) / states;
      by_algorithm[entry->algorithm(i)].push_back({entry.get(), i, quality, ns});
    }
  std::vector<Candidate> chosen;
  for (auto& [name, candidates] : by_algorithm) {
    if (course.about.loops > 0)
      for (const Candidate& c : candidates)
        if (is_customary(c)) chosen.push_back(c);
    std::sort(candidates.begin(), candidates.end(), comes_first);
    candidates.resize(std::min<std::size_t>(candidates.size(), 2));
    chosen.insert(chosen.end(), candidates.begin(), candidates.end());
  }
  return chosen;
}

/// Fills in the candidates' times and returns ours: the least of several medians each.
double race_all(Course& course, std::vector<Candidate>& candidates) {
  const int states = static_cast<int>(course.states.size());
  std::vector<Racer> racers{{[&] { course.run_ours(); }, states}};
  for (const Candidate& c : candidates)
    racers.push_back({[&c] { c.entry->run(c.setting); }, states});
  std::vector<double> least(racers.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    const auto times = race(racers, seconds);
    for (std::size_t k = 0; k < times.size(); ++k) least[k] = std::min(least[k], times[k]);
  }
  for (std::size_t k = 0; k < candidates.size(); ++k) candidates[k].ns = least[k + 1];
  return least[0];
}

/// The best of each algorithm, the fastest that passes first; and the customary one of chains.
void keep_best(std::vector<Candidate>& candidates, int loops) {
  std::sort(candidates.begin(), candidates.end(), comes_first);
  std::set<std::string> seen;
  bool customary = loops == 0;
  std::erase_if(candidates, [&](const Candidate& c) {
    const bool best = seen.insert(c.entry->algorithm(c.setting)).second;
    const bool wanted = best || (is_customary(c) && !customary);
    customary = customary || is_customary(c);
    return !wanted;
  });
}

nlohmann::json row(const Course& course, const char* library, const char* compiler, double ns,
                   const Quality& quality, double baseline) {
  nlohmann::json row{{"model", course.about.name},
                     {"quantity", "closed-forward-dynamics"},
                     {"library", library},
                     {"compiler", compiler},
                     {"batch", 1},
                     {"scalar", "double"},
                     {"ns", ns},
                     {"residual", quality.residual},
                     {"error", quality.error},
                     {"ratio_to_P", baseline / ns}};
  if (course.about.loops > 0) row["loops"] = course.about.loops;
  return row;
}

/// What the longest chain is asked to be in terms of each of Pinocchio's algorithms.
constexpr int longest_chain = 200;
std::string spell_chain_goal(const ClosedCase& about, const Candidate& c, double ratio) {
  if (about.loops != longest_chain) return "";
  const double asked = is_customary(c)                                         ? 5
                       : c.entry->algorithm(c.setting) == "constraintDynamics" ? 100
                                                                               : 0;
  if (asked == 0) return "";
  return fmt::format("  asked {:g}x: {}", asked, ratio >= asked ? "reached" : "SHORT");
}

std::string spell_goal(double asked, double aim, double ratio) {
  if (asked == 0) return "";
  return fmt::format("  asked {:g}x, aim {:g}x: {}", asked, aim,
                     ratio >= aim     ? "both reached"
                     : ratio >= asked ? "SHORT of the aim"
                                      : "SHORT of both");
}

/// A batch of our states beside P_c, which takes one state after the other: that is what as many cost it on
/// one core. Of its times here and in the race before, in which no batch has swept the caches, the least
/// counts. Returns whether our answers are as good as they must be.
bool run_batch(const Course& course, const Candidate* P, nlohmann::json& rows) {
  ClosedLoad load(course.system, course.states);
  const int states = static_cast<int>(course.states.size());
  std::vector<Racer> racers{{[&] { load.run(); }, ClosedLoad::count}};
  if (P != nullptr) racers.push_back({[&] { P->entry->run(P->setting); }, states});
  std::vector<double> least(2, std::numeric_limits<double>::quiet_NaN());
  if (P != nullptr) least[1] = P->ns;
  for (int round = 0; round < rounds; ++round) {
    const auto times = race(racers, seconds);
    for (std::size_t k = 0; k < times.size(); ++k) least[k] = std::fmin(least[k], times[k]);
  }
  Quality quality;
  for (int i = 0; i < states; ++i)
    quality =
        worse(quality, course.truths[static_cast<std::size_t>(i)].judge(load.acceleration(i)));
  const bool good = quality.error <= our_most_error && quality.residual <= most_residual;
  const double ours = least[0], ratio = least[1] / ours;
  const ClosedCase& about = course.about;
  std::printf("%-24s %-20s %-27s %10.3f µs %8s  %8.1e %8.1e%s%s\n", about.name.c_str(),
              "Linkwright", fmt::format("batch of {}", ClosedLoad::count).c_str(), ours / 1e3,
              P == nullptr ? "-" : fmt::format("{:.2f}x", ratio).c_str(), quality.residual,
              quality.error, good ? "" : "  DISAGREES",
              P == nullptr ? "" : spell_goal(about.batch_asked, about.batch_aim, ratio).c_str());
  rows.push_back(row(course, linkwright_as_peer()->library, linkwright_as_peer()->compiler, ours,
                     quality, least[1]));
  rows.back()["quantity"] = "closed-forward-dynamics-batch";
  rows.back()["batch"] = +ClosedLoad::count, rows.back()["threads"] = 1;
  rows.back()["P_c_ns"] = least[1];
  rows.back()["asked"] = about.batch_asked, rows.back()["aim"] = about.batch_aim;
  return good;
}

/// Runs one mechanism; returns whether our answers are as good as they must be.
bool run_case(const ClosedCase& about, const std::vector<const ClosedPeer*>& peers,
              nlohmann::json& rows) {
  Course course(about);
  std::vector<std::unique_ptr<ClosedEntry>> entries;
  for (const ClosedPeer* peer : peers)
    entries.push_back(std::make_unique<ClosedEntry>(*peer, course.neutral, course.states));
  auto candidates = choose_candidates(course, entries);
  const double ours = race_all(course, candidates);
  keep_best(candidates, about.loops);
  const Quality quality = course.judge_ours();
  const bool has_baseline = !candidates.empty() && candidates.front().passes();
  const double baseline =
      has_baseline ? candidates.front().ns : std::numeric_limits<double>::quiet_NaN();
  bool good = quality.error <= our_most_error && quality.residual <= most_residual;
  std::printf("%-24s %-20s %-27s %10.3f µs %8s  %8.1e %8.1e%s%s\n", about.name.c_str(),
              "Linkwright", "", ours / 1e3,
              has_baseline ? fmt::format("{:.2f}x", baseline / ours).c_str() : "-",
              quality.residual, quality.error, good ? "" : "  DISAGREES",
              has_baseline ? spell_goal(about.asked, about.aim, baseline / ours).c_str() : "");
  rows.push_back(row(course, linkwright_as_peer()->library, linkwright_as_peer()->compiler, ours,
                     quality, baseline));
  rows.back()["asked"] = about.asked, rows.back()["aim"] = about.aim;
  for (const Candidate& c : candidates) {
    const std::string algorithm = c.entry->algorithm(c.setting), how = c.entry->setting(c.setting);
    const bool is_baseline = has_baseline && &c == &candidates.front();
    std::printf("%-24s %-20s %-28s %10.3f µs %8s  %8.1e %8.1e  ours is %.2fx%s%s\n",
                about.name.c_str(), algorithm.c_str(), how.c_str(), c.ns / 1e3,
                is_baseline ? "P_c" : "", c.quality.residual, c.quality.error, c.ns / ours,
                c.passes() ? "" : "  (error too large for P_c)",
                spell_chain_goal(about, c, c.ns / ours).c_str());
    rows.push_back(
        row(course, c.entry->peer().library, c.entry->peer().compiler, c.ns, c.quality, baseline));
    rows.back()["algorithm"] = algorithm, rows.back()["setting"] = how;
    rows.back()["customary"] = is_customary(c), rows.back()["passes"] = c.passes(),
    rows.back()["ours_is_faster_by"] = c.ns / ours;
  }
  if (about.batch_asked > 0)
    good = run_batch(course, has_baseline ? &candidates.front() : nullptr, rows) && good;
  std::fflush(stdout);
  return good;
}

/// Whether our time per loop stays what it is, the shortest chain aside.
void print_growth(const nlohmann::json& rows) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& row : rows) {
    if (!row.contains("loops") || row.contains("algorithm") || row["loops"] == 1) continue;
    const double each = row["ns"].get<double>() / row["loops"].get<double>();
    least = std::min(least, each), most = std::max(most, each);
  }
  if (most > 0) std::printf("chains of four-bars: %.0f to %.0f ns per loop\n", least, most);
}

}  // namespace

bool run_closed(const std::string& folder, const std::string& only, nlohmann::json& rows) {
  const auto cases = closed_cases(only);
  if (cases.empty()) return true;
  const auto peers = load_closed_peers(folder);
  std::printf("%-24s %-20s %-27s %13s %8s  %8s %8s\n", "mechanism", "algorithm", "setting",
              "least median", "to P_c", "residual", "error");
  bool good = true;
  for (const ClosedCase& about : cases) good = run_case(about, peers, rows) && good;
  print_growth(rows);
  return good;
}

}  // namespace bench
