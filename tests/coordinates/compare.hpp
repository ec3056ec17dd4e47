#pragma once
/// Freeman's way beside the closure room.

#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/coordinates/mechanism.hpp"

namespace linkwright::testing {

using namespace coordinates;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

inline constexpr double epsilon = 2.22e-16;
/// Roundings along the way that a bound allows for.
inline constexpr double slack = 2;

double condition_of(const MatrixXd& A);
std::vector<std::string> names_of(const System& system, const std::vector<int>& entries);
VectorXd entries_of(const VectorXd& x, const std::vector<int>& entries);
/// Force and moment that the rows of each closure carry together, as closure_forces reports them.
std::vector<Force> wrenches(ClosedWorkspace& work, const State& state, const VectorXd& lambda);
/// What acts on the freedoms of closing joints while they accelerate, as forces on b.
std::vector<Force> closing_wrenches(ClosedWorkspace& work, const State& state, const VectorXd& a);
double distance(const std::vector<Force>& a, const std::vector<Force>& b);
double size_of(const std::vector<Force>& a);
/// Accelerations and closure forces that efforts make, in whatever coordinates the mechanism is written.
void expect_same_motion(ClosedWorkspace& work, const State& state, const VectorXd& tau,
                        const Mechanism& found, const std::string& where,
                        ExternalForces forces = {});
/// All that the two rooms say about one mechanism at one state, in the coordinates of some entries.
void expect_same(ClosedWorkspace& work, const State& state, const VectorXd& tau,
                 const Mechanism& found, const std::vector<int>& entries, const std::string& where,
                 ExternalForces forces = {});

}  // namespace linkwright::testing
