#include "linkwright/manipulator/grasp.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "manipulator/flexible_objects.hpp"
#include "manipulator/grasp/grasp_closure.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

int body_of(const System& system, const std::string& object) {
  const std::vector<std::string> held = held_objects(system);
  if (std::find(held.begin(), held.end(), object) == held.end())
    throw Error(fmt::format("nothing holds {}{}; grasps hold {}", in_quotes(object),
                            did_you_mean(object, held), list_in_quotes(held)));
  return system.frame(system.frame(object)).body;
}

/// Closures of which one side is the object or what hangs on it without a motor, a lid on a hinge, say; and the
/// bodies on the other side.
struct Touching {
  std::vector<int> closures;
  std::vector<int> bodies;  // −1 = world
};

/// Bodies of an object, and those that welds and joints without a motor hang on them.
std::vector<int> with_attached(const System& system, std::vector<int> object) {
  const std::vector<int>& passive = system.passive_freedoms();
  const auto has = [](const std::vector<int>& list, int what) {
    return std::find(list.begin(), list.end(), what) != list.end();
  };
  for (std::size_t before = 0; before < object.size();) {
    before = object.size();
    for (int body = 0; body < static_cast<int>(system.model().bodies.size()); ++body) {
      const JointPlace& joint = system.joints()[at(system.joint_of_body(body))];
      bool limp = has(object, joint.parent) && !has(object, body);
      for (int i = 0; i < joint.nv; ++i) limp = limp && has(passive, joint.v + i);
      if (limp) object.push_back(body);
    }
  }
  return object;
}

Touching find_touching(const System& system, const std::vector<int>& object) {
  Touching found;
  const auto is_of_object = [&object](int body) {
    return std::find(object.begin(), object.end(), body) != object.end();
  };
  for (std::size_t i = 0; i < system.closures().size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (is_among_joints(c.kind) || c.rows == 0) continue;
    const bool a = is_of_object(c.body_a), b = is_of_object(c.body_b);
    if (a == b) continue;
    found.closures.push_back(static_cast<int>(i));
    found.bodies.push_back(a ? c.body_b : c.body_a);
  }
  return found;
}

/// Entries of v without a motor that carry all hands alike, from the world outward: a base that floats.
std::vector<int> base_entries(const System& system, const std::vector<int>& bodies,
                              const std::vector<int>& motors) {
  std::vector<int> common = path_entries(system, bodies.front());
  for (const int body : bodies) {
    const std::vector<int> path = path_entries(system, body);
    std::erase_if(common, [&path](int entry) {
      return std::find(path.begin(), path.end(), entry) == path.end();
    });
  }
  const auto driven = std::find_if(common.begin(), common.end(), [&motors](int entry) {
    return std::find(motors.begin(), motors.end(), entry) != motors.end();
  });
  common.erase(driven, common.end());
  return common;
}

/// An object's contacts and freedoms, as the statics see them.
struct Held {
  Statics statics;
  int body = 0;
  std::vector<int> own, base, hands;
  std::vector<int>
      shape;  // elastic joints of a flexible object: it counts as rigid in the shape it has
};

Held find_held(ClosedWorkspace& work, const ConstVectorRef& q, const std::string& object) {
  const System& system = work.system();
  Held held;
  held.body = body_of(system, object);
  const Touching touching = find_touching(system, with_attached(system, pieces_of(system, object)));
  held.own = path_entries(system, held.body);
  if (held.own.empty())
    throw Error(fmt::format("object {} cannot move: it has no freedom, so there is nothing to hold",
                            in_quotes(object)));
  if (touching.closures.empty())
    throw Error(fmt::format("object {} is held by nothing but itself", in_quotes(object)));
  held.statics = compute_statics(work, q, touching.closures);
  held.base = base_entries(system, touching.bodies, held.statics.motors);
  held.shape = shape_entries(system, object);
  const auto is_among = [](int entry, const std::vector<int>& list) {
    return std::find(list.begin(), list.end(), entry) != list.end();
  };
  std::erase_if(held.own, [&](int entry) {
    return is_among(entry, held.base) || is_among(entry, held.shape);
  });
  for (int entry = 0; entry < system.nv(); ++entry) {
    const auto in = [&](const std::vector<int>& list) { return is_among(entry, list); };
    if (!in(held.own) && !in(held.base) && !in(held.shape) &&
        held.statics.C.row(entry).cwiseAbs().maxCoeff() > 0)
      held.hands.push_back(entry);
  }
  return held;
}

std::vector<std::string> names_of(const System& system, const std::vector<int>& entries) {
  std::vector<std::string> names;
  for (const int entry : entries) names.push_back(system.velocity_names()[at(entry)]);
  return names;
}

/// Columns of the statics as they are, rows of some freedoms.
MatrixXd plain(const Statics& s, const std::vector<int>& entries) {
  const MatrixXd part = s.C(entries, Eigen::all);
  const VectorXd rows = s.freedom(entries).cwiseInverse();
  return rows.asDiagonal() * part * s.unit_c.cwiseInverse().asDiagonal();
}

GraspMap make_map(const System& system, const std::string& object, const Held& held) {
  GraspMap map;
  map.object = object;
  map.entries = held.own, map.freedoms = names_of(system, held.own);
  map.contacts = held.statics.contacts, map.columns = held.statics.names;
  map.G = plain(held.statics, held.own);
  map.hand_entries = held.hands, map.hand_freedoms = names_of(system, held.hands);
  map.hand_jacobian = -plain(held.statics, held.hands).transpose();
  return map;
}

void find_rank(const MatrixXd& G, GraspAnalysis& found) {
  if (G.rows() == 0) return;
  const Eigen::JacobiSVD<MatrixXd> svd(G, 0);
  const VectorXd& values = svd.singularValues();
  const double largest = values[0] > 0 ? values[0] : 1;
  found.rank = static_cast<int>((values.array() > closure::rank_threshold * largest).count());
  if (found.rank > 0) found.smallest_kept = values[found.rank - 1] / largest;
  if (found.rank < values.size()) found.largest_dropped = values[found.rank] / largest;
}

/// Squeeze forces by who makes them. With the rows of all freedoms but the base's: null vectors of [C E T] are
/// forces that motors hold in balance, those of [C E] need no motor.
void split_internal(const Held& held, const std::vector<int>& rows, GraspAnalysis& found) {
  const Statics& s = held.statics;
  const MatrixXd own = s.C(held.own, Eigen::all);
  const MatrixXd internal = null_basis(own);
  const MatrixXd C = s.C(rows, Eigen::all), E = s.E(rows, Eigen::all), T = s.T(rows, Eigen::all);
  const Index m = C.cols();
  const MatrixXd all = null_basis(beside(beside(C, E), T)), idle = null_basis(beside(C, E));
  const MatrixXd held_up = column_basis(all.topRows(m)), bears = column_basis(idle.topRows(m));
  const MatrixXd made = complement_basis(held_up, bears);
  const MatrixXd rest = complement_basis(internal, held_up);
  found.by_motors = static_cast<int>(made.cols());
  found.structural = static_cast<int>(bears.cols());
  found.not_held = static_cast<int>(rest.cols());
  // In newtons: a unit of a scaled force is 1/length of them.
  found.internal = s.length * s.unit_c.asDiagonal() * beside(beside(made, bears), rest);
}

/// Motions with J v = 0 and motors at rest in which the object takes part.
MatrixXd loose_motions(const Held& held, const std::vector<int>& rows) {
  const Statics& s = held.statics;
  const MatrixXd C = s.C(rows, Eigen::all), E = s.E(rows, Eigen::all), T = s.T(rows, Eigen::all);
  const MatrixXd motions = null_basis(beside(beside(C, E), T).transpose());
  std::vector<Index> own;
  for (const int entry : held.own)
    own.push_back(std::find(rows.begin(), rows.end(), entry) - rows.begin());
  const MatrixXd part = echelon(column_basis(motions(own, Eigen::all)));
  return s.freedom(held.own).asDiagonal() * part;
}

void judge_hands(const Held& held, GraspAnalysis& found) {
  const Statics& s = held.statics;
  const MatrixXd J = s.C(held.hands, Eigen::all).transpose();
  found.redundant = static_cast<int>(null_basis(J).cols());
  if (held.hands.empty()) found.redundant = 0;
  for (const GraspContact& contact : s.contacts) {
    const MatrixXd part = J.middleRows(contact.first, contact.size).transpose();
    const auto missing =
        held.hands.empty() ? contact.size : static_cast<int>(null_basis(part).cols());
    if (missing > 0) found.defective.push_back({contact.name, missing});
  }
}

}  // namespace

std::vector<std::string> held_objects(const System& system) {
  std::vector<std::string> names;
  for (const Grasp& grasp : system.model().grasps) {
    const std::string object = whole_object(system.model(), grasp.object);
    if (std::find(names.begin(), names.end(), object) == names.end()) names.push_back(object);
  }
  if (names.empty())
    throw Error(Source{},
                "there is no grasp in it; declare one: `grasps: [{name: g1, arm: hand, "
                "object: box, contact: point, friction: 0.5}]`");
  return names;
}

GraspMap compute_grasp_map(ClosedWorkspace& work, const ConstVectorRef& q,
                           const std::string& object) {
  return make_map(work.system(), object, find_held(work, q, object));
}

GraspAnalysis analyse_grasp(ClosedWorkspace& work, const ConstVectorRef& q,
                            const std::string& object) {
  const Held held = find_held(work, q, object);
  std::vector<int> rows;
  for (int i = 0; i < work.system().nv(); ++i)
    if (std::find(held.base.begin(), held.base.end(), i) == held.base.end() &&
        std::find(held.shape.begin(), held.shape.end(), i) == held.shape.end())
      rows.push_back(i);
  GraspAnalysis found;
  found.map = make_map(work.system(), object, held);
  find_rank(held.statics.C(held.own, Eigen::all), found);
  split_internal(held, rows, found);
  const auto words = [&](const VectorXd& rates) {
    return describe_motion(work, q, held.body, held.own, rates, held.statics.length);
  };
  const MatrixXd loose = loose_motions(held, rows);
  found.loose = loose;
  for (Index i = 0; i < loose.cols(); ++i) found.loose_motions.push_back(words(loose.col(i)));
  judge_hands(held, found);
  found.force_closure = find_closure(held.statics, held.own, held.base, Surface::rough, words);
  found.form_closure = find_closure(held.statics, held.own, held.base, Surface::smooth, words);
  return found;
}

}  // namespace linkwright::manipulator
