#pragma once
/// The figures of the pages that the library draws itself.

#include <string>

namespace docs {

/// docs/figures/operator_sparsity.svg: the operators of the bundled quadruped.
/// `root` is the repository's.
std::string operator_sparsity(const std::string& root);

/// docs/figures/eigenvalue_locus.svg: the eigenvalues of the bundled four-bar through a turn of its crank.
std::string eigenvalue_locus(const std::string& root);

/// docs/figures/flexible_beam.svg: frequencies and large deflections of a beam of elastic joints.
std::string flexible_beam();
/// docs/figures/shared_load.svg: friction cones on the bundled pinched box, and how its fingers share the weight.
std::string shared_load(const std::string& root);

/// docs/figures/graph_stewart.svg: the system graph of the bundled Stewart platform.
std::string graph_stewart(const std::string& root);
/// docs/figures/graph_motors.svg: that of the bundled five-bar with its motors.
std::string graph_motors(const std::string& root);
/// docs/figures/elbow_bode.svg: what the battery of the bundled network arm does to its elbow.
std::string elbow_bode(const std::string& root);

}  // namespace docs
