// MJCF models against MuJoCo: mass matrix, bias and passive forces of tests/data/mjcf_figures.csv, which
// scripts/mjcf_figures.py has computed.

#include <gtest/gtest.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/conventions.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/mjcf.hpp"
#include "support/csv.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rounding of sums of a few hundred products, relative to the largest.
constexpr double mujoco_bound = 1e-12;

struct Figures {
  std::string file;
  std::map<std::string, VectorXd> numbers;
};

std::vector<Figures> read_mjcf_figures() {
  std::vector<Figures> all;
  const std::string path = std::string(LINKWRIGHT_SOURCE_DIR) + "/tests/data/mjcf_figures.csv";
  for (const auto& row : testing::read_csv(path)) {
    if (row[1] == "q") all.push_back({row[0], {}});
    VectorXd& values = all.back().numbers[row[1]];
    values.resize(static_cast<Eigen::Index>(row.size()) - 2);
    for (std::size_t i = 2; i < row.size(); ++i)
      values[static_cast<Eigen::Index>(i - 2)] = std::strtod(row[i].c_str(), nullptr);
  }
  return all;
}

std::filesystem::path find_mjcf(const std::string& name) {
  const auto own = std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/mjcf" / name;
  if (std::filesystem::exists(own)) return own;
  const auto shared = testing::shared_folder("models");
  return shared.empty() || !std::filesystem::exists(shared / name) ? std::filesystem::path{}
                                                                   : shared / name;
}

double miss(const VectorXd& ours, const VectorXd& theirs) {
  return (ours - theirs).cwiseAbs().maxCoeff() / std::max(1.0, theirs.cwiseAbs().maxCoeff());
}

bool binds(const Closure& closure) { return closure.kind != Closure::Kind::shaft; }

/// In MuJoCo dry friction is a constraint; and shafts are left out together with closures that bind.
bool has_other_forces(const Model& model) {
  const auto rubs = [](const auto& part) { return !part.friction.empty(); };
  return std::any_of(model.joints.begin(), model.joints.end(), rubs) ||
         std::any_of(model.closures.begin(), model.closures.end(),
                     [](const Closure& closure) { return !binds(closure); });
}

void compute_all_efforts(Workspace& work, const State& state, const VectorXd& a, VectorXd& tau) {
  compute_inverse_dynamics(work, state, a, {}, tau);
}
void compute_all_efforts(ClosedWorkspace& work, const State& state, const VectorXd& a,
                         VectorXd& tau) {
  compute_inverse_dynamics(work, state, a, {}, all_motors(work.system()), tau);
}

/// M, bias and inverse dynamics without what binds: of the tree or, with the shafts of tendons, of the whole.
template <class Work>
void compare(const Figures& theirs, Work& work, const System& system, bool compares_forces) {
  const ConventionLayout mujoco(system, Convention::mujoco);
  const auto given = [&](const char* what) { return theirs.numbers.at(what); };
  State state(system);
  from_convention_position(mujoco, given("q"), state.q);
  from_convention_velocity(mujoco, state.q, given("v"), state.v);
  const Eigen::Index nv = system.nv();
  VectorXd x(nv), rest(nv), bias(nv), inverse(nv), out(nv);
  MatrixXd M(nv, nv);
  compute_mass_matrix(work, state.q, M);
  const MatrixXd full = M.selfadjointView<Eigen::Lower>();
  from_convention_velocity(mujoco, state.q, given("x"), x);
  to_convention_effort(mujoco, state.q, full * x, out);
  EXPECT_LT(miss(out, given("Mx")), mujoco_bound) << theirs.file;

  // The acceleration at which their numbers in v stand still.
  from_convention_acceleration(mujoco, state.q, state.v, VectorXd::Zero(nv), rest);
  Workspace tree(system, Closures::leave_out);
  compute_bias(tree, state, bias);
  const VectorXd held = full * rest + bias;
  to_convention_effort(mujoco, state.q, held, out);
  EXPECT_LT(miss(out, given("bias")), mujoco_bound) << theirs.file;

  if (!compares_forces) return;
  compute_all_efforts(work, state, rest, inverse);
  to_convention_effort(mujoco, state.q, VectorXd(held - inverse), out);
  EXPECT_LT(miss(out, given("passive")), mujoco_bound) << theirs.file;
}

void compare(const Figures& theirs, const Model& model) {
  const System system = compile(model);
  if (std::none_of(model.closures.begin(), model.closures.end(), binds)) {
    ClosedWorkspace whole(system);
    compare(theirs, whole, system, true);
  } else {
    Workspace tree(system, Closures::leave_out);
    compare(theirs, tree, system, !has_other_forces(model));
  }
}

TEST(Mujoco, MassMatrixBiasAndPassiveForcesOfEveryModelAgree) {
  const std::vector<Figures> all = read_mjcf_figures();
  EXPECT_GE(all.size(), 24U);
  for (const Figures& theirs : all) {
    const auto path = find_mjcf(theirs.file);
    if (path.empty()) {
      std::cout << "skipped: " << theirs.file << " is not present\n";
      continue;
    }
    compare(theirs, read_mjcf(path));
  }
}

}  // namespace
}  // namespace linkwright
