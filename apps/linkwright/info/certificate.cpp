#include "info/certificate.hpp"

#include <fmt/format.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

std::vector<std::string> redundant_names(const Mobility& found) {
  std::vector<std::string> names;
  for (const Mobility::Redundant& one : found.redundant) names.push_back(one.closure);
  return names;
}

Json idle_json(const Mobility& found) {
  Json list = Json::array();
  for (const Mobility::Idle& idle : found.idle)
    list.push_back({{"bodies", idle.bodies}, {"joints", idle.joints}});
  return list;
}

Json narrow_json(const std::vector<Mobility::Narrow>& all) {
  Json list = Json::array();
  for (const Mobility::Narrow& narrow : all)
    list.push_back({{"singular_value", narrow.singular_value},
                    {"closures", narrow.closures},
                    {"joints", narrow.joints},
                    {"nearby_too", narrow.nearby_too}});
  return list;
}

/// Each set of multipliers that balance as a force per closure.
std::vector<std::vector<Force>> internal_forces(ClosedWorkspace& work, const Eigen::VectorXd& q,
                                                const Mobility& found) {
  compute_worst_closure(work, q);  // places all bodies
  const auto& pose = work.tree().scratch().pose;
  const auto rows = static_cast<std::size_t>(found.rows);
  std::vector<std::vector<Force>> all;
  for (std::size_t first = 0; first < found.internal_forces.size(); first += rows) {
    const double* lambda = found.internal_forces.data() + first;
    std::vector<Force>& forces = all.emplace_back();
    for (const ClosurePlace& c : work.system().closures()) {
      closure::Meeting<double> m;
      Force& sum = forces.emplace_back();
      if (c.kind == PairKind::gear) {
        sum.moment.z = lambda[c.row];
        continue;
      }
      m.X = closure::relative_pose(c, pose[static_cast<std::size_t>(c.node_a)],
                                   pose[static_cast<std::size_t>(c.node_b)]);
      for (int i = 0; i < c.rows; ++i) sum += lambda[c.row + i] * closure::row_of(c, m, i).W;
    }
  }
  return all;
}

Json internal_json(const System& system, const std::vector<std::vector<Force>>& internal) {
  Json list = Json::array();
  for (const std::vector<Force>& forces : internal) {
    Json one = Json::object();
    for (std::size_t c = 0; c < forces.size(); ++c) {
      const Force& f = forces[c];
      one[system.closures()[c].name] = {f.moment.x, f.moment.y, f.moment.z,
                                        f.force.x,  f.force.y,  f.force.z};
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

Certificate certify(const System& system) {
  Certificate certificate;
  ClosedWorkspace work(system);
  Eigen::VectorXd q = initial_state(system).q;
  const Assembly result = assemble(work, {.hold = system.model().initial.hold}, q);
  certificate.assembled = result.assembled;
  if (!result.assembled) {
    certificate.trouble = describe(system, result);
    return certificate;
  }
  certificate.mobility = compute_mobility(work, q);
  certificate.internal = internal_forces(work, q, certificate.mobility);
  return certificate;
}

void add_certificate(Json& info, const System& system, const Certificate& certificate) {
  const Mobility& found = certificate.mobility;
  info["assembled"] = certificate.assembled;
  info["loops"] = system.closures().size();
  if (!certificate.assembled) {
    info["mobility"] = nullptr;
    return;
  }
  info["mobility"] = found.mobility;
  info["grubler"] = found.grubler;
  info["rank"] = found.rank;
  info["rows"] = found.rows;
  info["redundant_constraints"] = redundant_names(found);
  info["internal_forces"] = internal_json(system, certificate.internal);
  info["idle_freedoms"] = idle_json(found);
  info["independent"] = independent_names(system, found);
  info["conditioning"] = found.independent.conditioning;
  info["clusters"] = found.clusters;
  info["singular"] = found.singular;
  info["nearby_rank"] = found.nearby_rank;
  info["locked"] = found.locked;
  info["gained"] = found.gained;
  info["smallest_singular_value"] = found.smallest_kept;
  info["largest_dropped_singular_value"] = found.largest_dropped;
  info["narrowly_forbidden"] = narrow_json(found.narrowly_forbidden);
  info["narrowly_allowed"] = narrow_json(found.narrowly_allowed);
}

std::string certificate_text(const System& system, const Certificate& certificate) {
  if (!certificate.assembled)
    return fmt::format("not assembled: {}; mobility is not known\n", certificate.trouble);
  return describe(system, certificate.mobility);
}

std::vector<std::string> certificate_warnings(const Certificate& certificate) {
  std::vector<std::string> warnings;
  if (!certificate.assembled)
    warnings.push_back("the mechanism cannot be closed from the file's state: " +
                       certificate.trouble + ". `linkwright assemble` tries other starts");
  if (certificate.mobility.singular)
    warnings.emplace_back("the position is singular: more motions are possible here than nearby");
  return warnings;
}

}  // namespace linkwright::app
