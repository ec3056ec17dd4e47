#include "docs/figures.hpp"

#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/sparsity.hpp"

namespace docs {
namespace {

using namespace linkwright::operators;

/// The links of the nodes, base → tip.
std::vector<std::string> link_names(const linkwright::System& system) {
  std::vector<std::string> names(static_cast<std::size_t>(system.node_count()));
  for (const auto& joint : system.joints())
    if (joint.nv > 0)
      names[static_cast<std::size_t>(joint.node - 1)] =
          system.model().bodies[static_cast<std::size_t>(joint.child)].name;
  return names;
}

}  // namespace

std::string operator_sparsity(const std::string& root) {
  const linkwright::System system = linkwright::compile(
      linkwright::read_model(root + "/models/quadruped.urdf", {.base = linkwright::Base::free}));
  Operators at(system);
  // No joint at zero: an entry that happens to vanish would be left blank.
  Eigen::VectorXd q = linkwright::State(system).q;
  for (const auto& joint : system.joints())
    if (joint.nv == 1) q[joint.q] = 0.3 + 0.1 * joint.v;
  at.update(q);

  const auto mass = H * phi * M * transpose(phi) * transpose(H);
  std::vector<SparsityPanel> panels{
      sparsity_panel(phi, at),
      sparsity_panel(psi, at),
      sparsity_panel(I + H * Phi * L, at),
      sparsity_panel(D, at),
      sparsity_panel(I - H * Psi * L, at),
      sparsity_panel(mass, at),
      sparsity_panel(inverse(mass), at),
  };
  panels[0].row_names = link_names(system);
  panels[0].side = panels[1].side = 340;
  for (std::size_t i = 2; i < panels.size(); ++i) panels[i].side = 138;
  panels[5].title = "mass matrix";
  panels[6].title = "its inverse";
  return draw_sparsity(panels);
}

}  // namespace docs
