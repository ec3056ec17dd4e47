// Closed mechanisms that others published: they load, are assembled and certified, all ways agree, and
// accelerations are those of Pinocchio.
#include <gtest/gtest.h>

#include <map>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/csv.hpp"
#include "support/files.hpp"
#include "support/shared_closed.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

struct Published {
  std::string name;
  int nv, rows, rank;
  /// Of accelerations: what both sides lose to the condition of the equations. Spheres of 1.6e-11 kg m² on
  /// passive joints, rotors behind gears of 50.
  double accuracy;
  bool shared = true;  ///< a URDF of the shared folder; otherwise a system file of tests/data
};
void PrintTo(const Published& one, std::ostream* out) { *out << one.name; }
const Published all_published[]{{"fivebar", 6, 6, 3, 1e-12},
                                {"fivebar_iso3d", 5, 3, 3, 1e-14},
                                {"delta", 14, 18, 9, 2e-9},
                                {"cassie_like", 19, 12, 12, 2e-10},
                                {"disney_like", 27, 18, 18, 2e-9},
                                {"drake_four_bar", 3, 5, 2, 1e-14, false},
                                {"pinocchio_parallelogram", 3, 5, 2, 2e-14, false},
                                {"pinocchio_closed_chain", 32, 12, 10, 1e-10, false},
                                {"cassie", 44, 30, 26, 1e-10, false}};

/// What tests/data/closed_figures.csv tells of one state, each in the order of the System.
struct Figures {
  State state;
  VectorXd tau, a;
  std::optional<VectorXd> constraint_dynamics;
};

class PublishedClosed : public ::testing::TestWithParam<Published> {
 protected:
  void SetUp() override {
    const std::string data = LINKWRIGHT_SOURCE_DIR "/tests/data/";
    if (!GetParam().shared) {
      model = read_model(data + GetParam().name + ".yaml");
    } else {
      const auto folder = shared_folder("models");
      LINKWRIGHT_SKIP_WITHOUT(folder, GetParam().name + ".closures.yaml");
      model = read_shared_closed(folder / (GetParam().name + ".closures.yaml"));
    }
    system = std::make_unique<System>(compile(model));
  }

  [[nodiscard]] std::map<int, Figures> figures() const {
    std::map<int, Figures> found;
    const int nv = system->nv();
    for (const auto& row : read_csv(LINKWRIGHT_SOURCE_DIR "/tests/data/closed_figures.csv")) {
      if (row.at(0) != GetParam().name) continue;
      Figures& here =
          found
              .try_emplace(std::stoi(row[1]), Figures{State(*system), VectorXd::Zero(nv),
                                                      VectorXd::Zero(nv), std::nullopt})
              .first->second;
      const JointPlace& joint = system->joint(row[3]);
      if (row[2] == "constraint_dynamics" && !here.constraint_dynamics)
        here.constraint_dynamics = VectorXd::Zero(nv);
      VectorXd& target = row[2] == "q"     ? here.state.q
                         : row[2] == "v"   ? here.state.v
                         : row[2] == "tau" ? here.tau
                         : row[2] == "a"   ? here.a
                                           : *here.constraint_dynamics;
      const int first = row[2] == "q" ? joint.q : joint.v;
      for (std::size_t i = 4; i < row.size(); ++i)
        target[first + static_cast<int>(i) - 4] = std::stod(row[i]);
    }
    return found;
  }

  Model model;
  std::unique_ptr<System> system;
};
INSTANTIATE_TEST_SUITE_P(every, PublishedClosed, ::testing::ValuesIn(all_published),
                         [](const auto& one) { return one.param.name; });

TEST_P(PublishedClosed, is_assembled_and_certified) {
  ClosedWorkspace work(*system);
  VectorXd q = initial_state(*system).q;
  const Assembly assembly = assemble(work, {}, q);
  ASSERT_TRUE(assembly.assembled) << describe(*system, assembly.worst);
  EXPECT_LE(assembly.residual, 1e-12);
  const Mobility found = compute_mobility(work, q);
  EXPECT_EQ(system->nv(), GetParam().nv);
  EXPECT_EQ(found.rows, GetParam().rows);
  EXPECT_EQ(found.rank, GetParam().rank);
  EXPECT_EQ(found.mobility, GetParam().nv - GetParam().rank);
  EXPECT_EQ(found.redundant.empty(), GetParam().rows == GetParam().rank);
}

/// Its achilles rods spin between their balls.
TEST(PublishedIdle, idle_rods_are_named) {
  const System system =
      compile(read_model(LINKWRIGHT_SOURCE_DIR "/tests/data/pinocchio_closed_chain.yaml"));
  ClosedWorkspace work(system);
  const Mobility found = compute_mobility(work, initial_state(system).q);
  ASSERT_EQ(found.idle.size(), 2U);
  EXPECT_EQ(found.idle[0].bodies, std::vector<std::string>{"left-achilles-rod"});
  EXPECT_EQ(found.idle[1].bodies, std::vector<std::string>{"right-achilles-rod"});
}

/// In each leg two hinges and a slide across them hold each other by some 1e-6 of what they forbid most, on the left by what
/// counts, on the right by less.
TEST(PublishedSdf, all_ways_agree_where_rows_are_nearly_redundant) {
  const auto folder = shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "cassie.sdf");
  const System system = compile(read_model(folder / "cassie.sdf", {.base = Base::free}));
  verify::Verification verification(system, verify::deepest_frame(system),
                                    {.count = 10, .seed = 1});
  verification.compare_all();
  const auto& found = verification.comparison().disagreement;
  EXPECT_FALSE(found) << to_text(*found);
}

TEST_P(PublishedClosed, all_ways_agree) {
  verify::Verification verification(*system, verify::deepest_frame(*system),
                                    {.count = 10, .seed = 1});
  EXPECT_GE(verification.formulations().size(), 3U);
  verification.compare_all();
  const auto& found = verification.comparison().disagreement;
  EXPECT_FALSE(found) << to_text(*found);
}

TEST_P(PublishedClosed, accelerates_as_pinocchio_says) {
  ClosedWorkspace work(*system);
  const std::map<int, Figures> all = figures();
  ASSERT_EQ(all.size(), 3U);
  for (const auto& [number, here] : all) {
    EXPECT_LE(compute_worst_closure(work, here.state.q).gap(), 1e-12) << number;
    for (const ClosedMethod method :
         {ClosedMethod::automatic, ClosedMethod::independent, ClosedMethod::dense}) {
      VectorXd a(system->nv());
      compute_forward_dynamics(work, here.state, here.tau, {}, a, method);
      const double allowed = GetParam().accuracy * here.a.norm();
      EXPECT_LE((a - here.a).norm(), allowed) << number;
      if (!here.constraint_dynamics) continue;
      const VectorXd& peer = *here.constraint_dynamics;
      EXPECT_LE((a - peer).norm(), allowed + (here.a - peer).norm()) << number;
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
