// Tokad's tables 1 and 2: the three-link plane manipulator of his section 3, evaluated by the library at random states
// and compared entry by entry. Table 2 is right. Where Table 1 is not, its slip and the right entry both stand here.
#include <gtest/gtest.h>

#include "linkwright/network/recursion.hpp"
#include "linkwright/network/terminal_equations.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::Placement, network::ReducedEquations, network::TerminalEquations;

/// Lengths, masses, angles and rates; the letters of the tables.
struct Links {
  double l1, l2, l3, m1, m2, m3, w1, w2, w3, q1, q2, q3, g;
  double C1, C12, C123, S1, S12, S123, C2, S2, C3, S3, C23, S23;

  explicit Links(RandomModel& random) {
    for (double* length : {&l1, &l2, &l3}) *length = random.between(0.3, 1.5);
    for (double* mass : {&m1, &m2, &m3}) *mass = random.between(0.5, 4);
    for (double* rate : {&w1, &w2, &w3}) *rate = random.between(-2, 2);
    for (double* angle : {&q1, &q2, &q3}) *angle = random.between(-3, 3);
    g = random.between(1, 12);
    C1 = std::cos(q1), C12 = std::cos(q1 + q2), C123 = std::cos(q1 + q2 + q3);
    S1 = std::sin(q1), S12 = std::sin(q1 + q2), S123 = std::sin(q1 + q2 + q3);
    C2 = std::cos(q2), S2 = std::sin(q2), C3 = std::cos(q3), S3 = std::sin(q3);
    C23 = std::cos(q2 + q3), S23 = std::sin(q2 + q3);
  }

  /// The links from the first on, thin rods in the plane z = 0.
  [[nodiscard]] Placement placement(int count) const {
    const double length[]{l1, l2, l3}, mass[]{m1, m2, m3}, angle[]{q1, q2, q3}, rate[]{w1, w2, w3};
    Placement made(count, count);
    made.gravity = {0, -g, 0};
    Vector3 B{};
    double phi = 0;
    VectorXd v(count);
    for (int j = 0; j < count; ++j) {
      phi += angle[j];
      const Vector3 along{length[j] * std::cos(phi), length[j] * std::sin(phi), 0};
      Placement::Body& body = made.bodies[static_cast<std::size_t>(j)];
      body.parent = j - 1, body.v = j, body.d = 1;
      body.mass = mass[j];
      body.B = B, body.G = B + 0.5 * along;
      body.J_G = spatial::point_inertia(mass[j] / 12, along);
      B += along;
      made.Hstar[static_cast<std::size_t>(j)] = {{0, 0, 1}, {}};
      v[j] = rate[j];
    }
    move(made, v);
    return made;
  }
  [[nodiscard]] Vector3 tip() const {
    return {l1 * C1 + l2 * C12 + l3 * C123, l1 * S1 + l2 * S12 + l3 * S123, 0};
  }
};

/// What an entry is in the tables.
using Value = double (*)(const Links&);
struct Entry {
  const char* name;
  double (*library)(const ReducedEquations&);
  Value printed;
  Value right = nullptr;  ///< where the table has a slip
};

template <int p, int q>
double c(const ReducedEquations& e) {
  return e.P()(p - 1, q - 1);
}
template <int p, int q>
double d(const ReducedEquations& e) {
  return e.Q()(p - 1, q - 1);
}
/// δ_pq: what joint p does at the tip's v_x, v_y, ω.
template <int p, int q>
double delta(const ReducedEquations& e) {
  return e.loads()(q == 3 ? 2 : 2 + q, p - 1);
}
template <int p>
double beta(const ReducedEquations& e) {
  return e.u()[p - 1];
}

const Entry table_1[]{
    {"c11", c<1, 1>,
     [](const Links& k) {
       return k.m1 * k.l1 * k.l1 / 3 + k.m2 * (k.l1 * k.l1 + k.l1 * k.l2 * k.C2 + k.l2 * k.l2 / 3) +
              k.m3 * (k.l1 * k.l1 + k.l2 * k.l2 + k.l3 * k.l3 / 3 + 2 * k.l1 * k.l2 * k.C2 +
                      k.l2 * k.l3 * k.C3 + k.l1 * k.l3 * k.C23);
     }},
    {"c12", c<1, 2>,
     [](const Links& k) {
       return k.m2 * (k.l2 * k.l2 / 3 + k.l1 * k.l2 * k.C2 / 2) +
              k.m3 * (k.l2 * k.l2 + k.l3 * k.l3 / 3 + k.l2 * k.l3 * k.C3 + k.l1 * k.l2 * k.C2 +
                      k.l1 * k.l3 * k.C23 / 2);
     }},
    {"c13", c<1, 3>,
     [](const Links& k) {
       return k.m3 * (k.l3 * k.l3 / 3 + k.l2 * k.l3 * k.C3 / 2 + k.l1 * k.l3 * k.C23 / 2);
     }},
    {"c22", c<2, 2>,
     [](const Links& k) {
       return k.m2 * k.l2 * k.l2 / 3 + k.m3 * (k.l3 * k.l3 / 3 + k.l2 * k.l2 + k.l2 * k.l3 * k.C3);
     }},
    {"c23", c<2, 3>,
     [](const Links& k) { return k.m3 * (k.l3 * k.l3 / 3 + k.l2 * k.l3 * k.C3 / 2); }},
    {"c33", c<3, 3>, [](const Links& k) { return k.m3 * k.l3 * k.l3 / 3; }},
    // Slips: + for − before S23, and the term in S3 is missing.
    {"d11", d<1, 1>,
     [](const Links& k) {
       return -k.m2 * k.l1 * k.l2 * k.S2 * k.w2 / 2 - k.m3 * k.l1 * k.l2 * k.S2 * k.w2 +
              k.m3 * k.l1 * k.l3 * k.S23 * (k.w2 + k.w3) / 2;
     },
     [](const Links& k) {
       return -k.m2 * k.l1 * k.l2 * k.S2 * k.w2 / 2 -
              k.m3 * (k.l1 * k.l2 * k.S2 * k.w2 + k.l1 * k.l3 * k.S23 * (k.w2 + k.w3) / 2 +
                      k.l2 * k.l3 * k.S3 * k.w3 / 2);
     }},
    // Slips: + for −, and no m3, before S23.
    {"d12", d<1, 2>,
     [](const Links& k) {
       return -k.m2 * k.l1 * k.l2 * k.S2 * (k.w1 + k.w2) / 2 -
              k.m3 * k.l2 * k.l3 * k.S3 * k.w3 / 2 - k.m3 * k.l1 * k.l2 * k.S2 * (k.w1 + k.w2) +
              k.l1 * k.l3 * k.S23 * (k.w1 + k.w2 + k.w3) / 2;
     },
     [](const Links& k) {
       return -k.m2 * k.l1 * k.l2 * k.S2 * (k.w1 + k.w2) / 2 -
              k.m3 * (k.l2 * k.l3 * k.S3 * k.w3 / 2 + k.l1 * k.l2 * k.S2 * (k.w1 + k.w2) +
                      k.l1 * k.l3 * k.S23 * (k.w1 + k.w2 + k.w3) / 2);
     }},
    {"d13", d<1, 3>,
     [](const Links& k) {
       return -k.m3 * (k.l2 * k.l3 * k.S3 / 2 + k.l1 * k.l3 * k.S23 / 2) * (k.w1 + k.w2 + k.w3);
     }},
    // Slip: no m3 before the last term.
    {"d21", d<2, 1>,
     [](const Links& k) {
       return k.m2 * k.l1 * k.l2 * k.S2 * k.w1 / 2 +
              k.m3 * (k.l1 * k.l2 * k.S2 + k.l1 * k.l3 * k.S23 / 2) * k.w1 -
              k.l2 * k.l3 * k.S3 * k.w3 / 2;
     },
     [](const Links& k) {
       return k.m2 * k.l1 * k.l2 * k.S2 * k.w1 / 2 +
              k.m3 * ((k.l1 * k.l2 * k.S2 + k.l1 * k.l3 * k.S23 / 2) * k.w1 -
                      k.l2 * k.l3 * k.S3 * k.w3 / 2);
     }},
    {"d22", d<2, 2>, [](const Links& k) { return -k.m3 * k.l2 * k.l3 * k.S3 * k.w3 / 2; }},
    {"d23", d<2, 3>,
     [](const Links& k) { return -k.m3 * k.l2 * k.l3 * k.S3 / 2 * (k.w1 + k.w2 + k.w3); }},
    // Slip: no m3 before the last term.
    {"d31", d<3, 1>,
     [](const Links& k) {
       return k.m3 * k.l1 * k.l3 * k.S23 * k.w1 / 2 + k.l2 * k.l3 * k.S3 * (k.w1 + k.w2) / 2;
     },
     [](const Links& k) {
       return k.m3 * (k.l1 * k.l3 * k.S23 * k.w1 / 2 + k.l2 * k.l3 * k.S3 * (k.w1 + k.w2) / 2);
     }},
    // Slips: − for +, C3 for S3.
    {"d32", d<3, 2>, [](const Links& k) { return -k.m3 * k.l2 * k.l3 * k.C3 / 2 * (k.w1 + k.w2); },
     [](const Links& k) { return k.m3 * k.l2 * k.l3 * k.S3 / 2 * (k.w1 + k.w2); }},
    {"d33", d<3, 3>, [](const Links&) { return 0.0; }},
    {"delta11", delta<1, 1>,
     [](const Links& k) { return -(k.l1 * k.S1 + k.l2 * k.S12 + k.l3 * k.S123); }},
    {"delta21", delta<2, 1>, [](const Links& k) { return -(k.l2 * k.S12 + k.l3 * k.S123); }},
    {"delta31", delta<3, 1>, [](const Links& k) { return -k.l3 * k.S123; }},
    {"delta12", delta<1, 2>,
     [](const Links& k) { return k.l1 * k.C1 + k.l2 * k.C12 + k.l3 * k.C123; }},
    {"delta22", delta<2, 2>, [](const Links& k) { return k.l2 * k.C12 + k.l3 * k.C123; }},
    {"delta32", delta<3, 2>, [](const Links& k) { return k.l3 * k.C123; }},
    {"delta13", delta<1, 3>, [](const Links&) { return 1.0; }},
    {"delta23", delta<2, 3>, [](const Links&) { return 1.0; }},
    {"delta33", delta<3, 3>, [](const Links&) { return 1.0; }},
    {"beta1", beta<1>,
     [](const Links& k) {
       return k.g * (k.m1 * k.l1 * k.C1 / 2 + k.m2 * (k.l1 * k.C1 + k.l2 * k.C12 / 2) +
                     k.m3 * (k.l1 * k.C1 + k.l2 * k.C12 + k.l3 * k.C123 / 2));
     }},
    // Slip: l2 for l3 before C123.
    {"beta2", beta<2>,
     [](const Links& k) {
       return k.g * (k.m2 * k.l2 * k.C12 / 2 + k.m3 * (k.l2 * k.C12 + k.l2 * k.C123 / 2));
     },
     [](const Links& k) {
       return k.g * (k.m2 * k.l2 * k.C12 / 2 + k.m3 * (k.l2 * k.C12 + k.l3 * k.C123 / 2));
     }},
    {"beta3", beta<3>, [](const Links& k) { return k.g * k.m3 * k.l3 * k.C123 / 2; }},
};

const Entry table_2[]{
    {"c11", c<1, 1>,
     [](const Links& k) {
       return k.m1 * k.l1 * k.l1 / 3 + k.m2 * (k.l1 * k.l1 + k.l1 * k.l2 * k.C2 + k.l2 * k.l2 / 3);
     }},
    {"c12", c<1, 2>,
     [](const Links& k) { return k.m2 * (k.l2 * k.l2 / 3 + k.l1 * k.l2 * k.C2 / 2); }},
    {"c21", c<2, 1>,
     [](const Links& k) { return k.m2 * (k.l2 * k.l2 / 3 + k.l1 * k.l2 * k.C2 / 2); }},
    {"c22", c<2, 2>, [](const Links& k) { return k.m2 * k.l2 * k.l2 / 3; }},
    {"d11", d<1, 1>, [](const Links& k) { return -k.m2 * k.l1 * k.l2 * k.S2 * k.w2 / 2; }},
    {"d12", d<1, 2>, [](const Links& k) { return -k.m2 * k.l1 * k.l2 * k.S2 * (k.w1 + k.w2) / 2; }},
    {"d21", d<2, 1>, [](const Links& k) { return k.m2 * k.l1 * k.l2 * k.S2 * k.w1 / 2; }},
    {"d22", d<2, 2>, [](const Links&) { return 0.0; }},
    {"beta1", beta<1>,
     [](const Links& k) {
       return k.m1 * k.g * k.l1 * k.C1 / 2 + k.m2 * k.g * (k.l1 * k.C1 + k.l2 * k.C12 / 2);
     }},
    {"beta2", beta<2>, [](const Links& k) { return k.m2 * k.g * k.l2 * k.C12 / 2; }},
};

/// The library's entry is the right one to rounding; a printed one that is wrong is wrong at every random state.
void expect_entries(std::span<const Entry> table, const Links& links,
                    const ReducedEquations& equations) {
  for (const Entry& entry : table) {
    const double found = entry.library(equations), printed = entry.printed(links);
    const double expected = entry.right == nullptr ? printed : entry.right(links);
    // At most some thirty products of numbers below 60, each rounded.
    EXPECT_NEAR(found, expected, 1e-13 * (1 + 20 * links.g)) << entry.name;
    if (entry.right != nullptr) {
      EXPECT_GT(std::abs(found - printed), 1e-6) << entry.name;
    }
  }
}

TEST(PrintedTables, table_2_is_right) {
  RandomModel random(1);
  for (int state = 0; state < 100; ++state) {
    const Links links(random);
    expect_entries(table_2, links, TerminalEquations(links.placement(2)).reduce());
  }
}

TEST(PrintedTables, table_1_is_right_but_for_its_slips) {
  RandomModel random(2);
  for (int state = 0; state < 100; ++state) {
    const Links links(random);
    expect_entries(table_1, links,
                   TerminalEquations(links.placement(3), {{2, links.tip()}}).reduce());
  }
  std::vector<std::string> slips;
  for (const Entry& entry : table_1)
    if (entry.right != nullptr) slips.emplace_back(entry.name);
  EXPECT_EQ(slips, (std::vector<std::string>{"d11", "d12", "d21", "d31", "d32", "beta2"}));
}

/// Section 3 against the whole: γ_pq and the load, by inverse dynamics of the links as bodies.
TEST(PrintedTables, terminal_equations_of_the_manipulator_are_newton_and_euler) {
  RandomModel random(3);
  const Links links(random);
  const Placement at = links.placement(3);
  const ReducedEquations equations = TerminalEquations(at, {{2, links.tip()}}).reduce();
  const VectorXd v = Eigen::Vector3d(links.w1, links.w2, links.w3), a = random.numbers(3);
  VectorXd load = VectorXd::Zero(6), tau(3), swept(3);
  load << 0, 0, 0.7, 1.1, -0.4, 0;
  equations.compute_efforts(v, a, load, tau);
  Placement loaded = at;
  const Vector3 arm = links.tip() - loaded.bodies[2].B;
  loaded.bodies[2].load = spatial::shift(arm, Force{{0, 0, 0.7}, {1.1, -0.4, 0}});
  network::Recursion(loaded).compute_efforts(loaded, v, a, swept);
  EXPECT_LT((tau - swept).norm(), 1e-13 * (1 + tau.norm()));
}

}  // namespace
}  // namespace linkwright::testing
