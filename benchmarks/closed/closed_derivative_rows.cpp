#include "closed/closed_derivative_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "agreement.hpp"
#include "clock.hpp"
#include "closed/closed_entry.hpp"
#include "closed/closed_truth.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/projection.hpp"
#include "linkwright_peer.hpp"

namespace bench {
namespace {

using namespace linkwright;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double most_residual = 1e-10, most_error = 1e-8;
/// Of derivatives against differences of order 4, which know some eight digits. Regularised accelerations are off by up
/// to 1e-8, and their derivatives by some powers of ten more.
constexpr double our_most_apart = 1e-6, most_apart = 1e-4;
constexpr double asked = 2, aim = 4, seconds = 0.4;

/// Our own part: derivatives are those of the last call.
struct Ours {
  explicit Ours(const ClosedCase& about)
      : system(compile(about.model)),
        neutral(system, about.for_peers.value_or(about.model)),
        states(closed_states(system, about)),
        work(system) {
    // Onto the closures to rounding: a gap of 1e-12 may be a way of 1e-9 near where a row is lost, and differences
    // along the closures start from there.
    ClosureProjection keep(system);
    for (ClosedState& s : states) keep.project(s.state);
    const Index n = system.nv(), efforts = system.effort_count();
    const Index forces = 6 * static_cast<Index>(system.closures().size());
    by_q = by_v = MatrixXd::Zero(n, n), by_tau = MatrixXd::Zero(n, efforts);
    forces_by_q = forces_by_v = MatrixXd::Zero(forces, n);
    forces_by_tau = MatrixXd::Zero(forces, efforts);
  }
  void compute(const ClosedState& s) {
    compute_forward_dynamics_derivatives(work, s.state, s.tau, {}, by_q, by_v, by_tau);
    closure_force_derivatives(work, forces_by_q, forces_by_v, forces_by_tau);
  }
  void run() {
    for (const ClosedState& s : states) compute(s);
  }

  System system;
  NeutralClosed neutral;
  std::vector<ClosedState> states;
  ClosedWorkspace work;
  MatrixXd by_q, by_v, by_tau, forces_by_q, forces_by_v, forces_by_tau;
};

struct Candidate {
  ClosedEntry* entry;
  int setting;
  double ns;
};

/// Whether the accelerations of a setting are good enough, at every state.
bool passes(Ours& ours, const std::vector<ClosedTruth>& truths, ClosedEntry& entry, int setting) {
  std::vector<double> common(static_cast<std::size_t>(ours.system.nv()));
  for (std::size_t i = 0; i < ours.states.size(); ++i) {
    entry.result(setting, static_cast<int>(i), common.data());
    const Quality quality = truths[i].judge(ours.neutral.freedoms(common.data()));
    if (!(quality.residual <= most_residual && quality.error <= most_error)) return false;
  }
  return true;
}

/// The setting of a build that promises to be the fastest of those good enough; null: none is.
std::unique_ptr<Candidate> fastest(Ours& ours, const std::vector<ClosedTruth>& truths,
                                   ClosedEntry& entry) {
  std::unique_ptr<Candidate> best;
  for (int i = 0; i < entry.settings(); ++i) {
    if (!entry.has_derivatives(i) || !passes(ours, truths, entry, i)) continue;
    const double ns =
        race({{[&] { entry.run_derivatives(i); }, static_cast<int>(ours.states.size())}}, 0.02)[0];
    if (best == nullptr || ns < best->ns) best = std::make_unique<Candidate>(&entry, i, ns);
  }
  return best;
}

/// A matrix of the common order, row by row, in ours.
MatrixXd to_ours(const NeutralClosed& neutral, const double* from, Index n) {
  MatrixXd by_columns(n, n), out(n, n);
  std::vector<double> row(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) by_columns.row(i) = neutral.freedoms(from + i * n).transpose();
  for (Index j = 0; j < n; ++j) {
    std::copy_n(by_columns.col(j).data(), n, row.data());
    out.col(j) = neutral.freedoms(row.data());
  }
  return out;
}

/// Along the closures: across them derivatives speak of open loops, and that is a matter of the formulation.
struct Along {
  MatrixXd T;  ///< displacements and velocities that keep the closures
  MatrixXd D;  ///< accelerations by them, as differences of our forward dynamics tell
  /// How far the differences may be off, relative to the largest. With half the step truncation falls to 1/16 and
  /// rounding doubles: what the two are apart is 15/16 of the first one's truncation, and no less than its
  /// rounding, 2 − 1 times that. Twice as much covers both together.
  double uncertain;
};

/// By differences of order 4.
MatrixXd differences_of(Ours& ours, const ClosedState& s, const MatrixXd& T, double step) {
  const Index n = ours.system.nv();
  MatrixXd D(n, T.cols());
  VectorXd ahead(n), behind(n);
  ClosureProjection keep(ours.system);
  const auto accelerate = [&](Index column, double by, VectorXd& a) {
    State moved = s.state;
    compute_integral(ours.system, s.state.q, T.col(column).head(n), by, moved.q);
    moved.v += by * T.col(column).tail(n);
    keep.project(moved);  // where it leads to second order
    compute_forward_dynamics(ours.work, moved, s.tau, {}, a);
  };
  for (Index k = 0; k < T.cols(); ++k) {
    accelerate(k, step, ahead), accelerate(k, -step, behind);
    D.col(k) = (ahead - behind) * (8 / (12 * step));
    accelerate(k, 2 * step, ahead), accelerate(k, -2 * step, behind);
    D.col(k) -= (ahead - behind) / (12 * step);
  }
  return D;
}

Along differences(Ours& ours, const ClosedState& s) {
  const Index n = ours.system.nv();
  const Independent chosen = choose_independent(ours.work, s.state.q);
  const auto m = static_cast<Index>(chosen.entries.size());
  Along out{MatrixXd(2 * n, 2 * m), {}, 0};
  compute_tangent(ours.work, s.state, chosen.entries, chosen.entries, out.T);
  out.D = differences_of(ours, s, out.T, 1e-4);
  out.uncertain = 2 * (differences_of(ours, s, out.T, 0.5e-4) - out.D).cwiseAbs().maxCoeff() /
                  out.D.cwiseAbs().maxCoeff();
  return out;
}

/// How far derivatives by q and v are from those of the motion along the closures, relative to the largest, beyond
/// what the differences leave open.
double error_of(const Along& along, const MatrixXd& by_q, const MatrixXd& by_v) {
  MatrixXd D(by_q.rows(), 2 * by_q.cols());
  D << by_q, by_v;
  const double apart =
      (D * along.T - along.D).cwiseAbs().maxCoeff() / along.D.cwiseAbs().maxCoeff();
  return apart <= along.uncertain ? 0 : apart;
}

double our_error(Ours& ours, const ClosedState& s) {
  const Along along = differences(ours, s);
  ours.compute(s);
  return error_of(along, ours.by_q, ours.by_v);
}

double its_error(Ours& ours, const Candidate& c, std::size_t state) {
  const Index n = ours.system.nv();
  std::vector<double> all(static_cast<std::size_t>(3 * n * n));
  c.entry->derivatives(c.setting, static_cast<int>(state), all.data());
  return error_of(differences(ours, ours.states[state]), to_ours(ours.neutral, all.data(), n),
                  to_ours(ours.neutral, all.data() + n * n, n));
}

void add_row(nlohmann::json& rows, const ClosedCase& about, const char* library,
             const char* compiler, double ns, double ratio) {
  rows.push_back({{"model", about.name},
                  {"quantity", "closed-derivatives"},
                  {"library", library},
                  {"compiler", compiler},
                  {"batch", 1},
                  {"scalar", "double"},
                  {"ns", ns},
                  {"ratio_to_P", ratio}});
}

bool run_case(const ClosedCase& about, const std::vector<const ClosedPeer*>& peers,
              nlohmann::json& rows) {
  Ours ours(about);
  std::vector<ClosedTruth> truths;
  for (const ClosedState& state : ours.states) truths.emplace_back(ours.work, state);
  std::vector<std::unique_ptr<ClosedEntry>> entries;
  std::vector<std::unique_ptr<Candidate>> candidates;
  for (const ClosedPeer* peer : peers) {
    entries.push_back(std::make_unique<ClosedEntry>(*peer, ours.neutral, ours.states));
    if (auto best = fastest(ours, truths, *entries.back())) candidates.push_back(std::move(best));
  }
  const int states = static_cast<int>(ours.states.size());
  std::vector<Racer> racers{{[&] { ours.run(); }, states}};
  for (const auto& c : candidates)
    racers.push_back({[&c] { c->entry->run_derivatives(c->setting); }, states});
  const std::vector<double> ns = race(racers, seconds);
  double P = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 1; k < ns.size(); ++k) P = std::fmin(P, ns[k]);
  const double ratio = P / ns[0];
  const Peer& own = *linkwright_as_peer();
  double ours_off = 0;
  for (std::size_t i = 0; i < ours.states.size(); i += 8)
    ours_off = worse(ours_off, our_error(ours, ours.states[i]));
  const bool good = ours_off <= our_most_apart;
  std::printf("%-24s %-12s %-36s %10.2f µs %7.2fx  error %.1e%s  asked %gx, aim %gx: %s\n",
              about.name.c_str(), "Linkwright", "", ns[0] / 1e3, ratio, ours_off,
              good ? "" : "  DISAGREES", asked, aim,
              ratio >= aim     ? "both reached"
              : ratio >= asked ? "SHORT of the aim"
                               : "SHORT of both");
  add_row(rows, about, own.library, own.compiler, ns[0], ratio);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Candidate& c = *candidates[k];
    double error = 0;
    for (std::size_t i = 0; i < ours.states.size(); i += 8)
      error = worse(error, its_error(ours, c, i));
    std::printf(
        "%-24s %-12s %-36s %10.2f µs %8s  error %.1e%s\n", about.name.c_str(), "Pinocchio",
        fmt::format("{:.8}, {}", c.entry->peer().compiler, c.entry->setting(c.setting)).c_str(),
        ns[k + 1] / 1e3, "", error,
        error <= most_apart ? "" : "  (not the derivatives of its own accelerations)");
    add_row(rows, about, c.entry->peer().library, c.entry->peer().compiler, ns[k + 1],
            P / ns[k + 1]);
    rows.back()["error"] = error;
  }
  std::fflush(stdout);
  return good;
}

}  // namespace

bool run_closed_derivatives(const std::string& folder, const std::string& only,
                            nlohmann::json& rows) {
  bool agreed = true;
  const auto peers = load_closed_peers(folder);
  for (const ClosedCase& about : closed_cases(only))
    if (about.asked > 0) agreed = run_case(about, peers, rows) && agreed;
  return agreed;
}

}  // namespace bench
