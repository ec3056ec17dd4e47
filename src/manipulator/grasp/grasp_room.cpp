#include "manipulator/grasp/grasp_room.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"
#include "system/canonical.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The directions of a contact as wrenches in its frame, and what they are called.
struct Directions {
  std::vector<Force> wrenches;
  std::vector<std::string> names;
  int normal = -1, twist = -1;

  void add(const char* name, const Force& wrench) {
    wrenches.push_back(wrench);
    names.emplace_back(name);
  }
};

Directions directions_of(const Grasp& grasp) {
  Directions d;
  if (grasp.contact == Grasp::Contact::rigid) {
    const Vector3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const char* names[6] = {"mx", "my", "mz", "fx", "fy", "fz"};
    for (int i = 0; i < 3; ++i) d.add(names[i], {axes[i], {}});
    for (int i = 0; i < 3; ++i) d.add(names[3 + i], {{}, axes[i]});
    return d;
  }
  const Vector3 n = (1 / norm(grasp.normal)) * grasp.normal;
  if (grasp.contact == Grasp::Contact::line) {
    const Matrix3 across = canonical::rotation_to((1 / norm(grasp.axis)) * grasp.axis);
    d.add("m1", {across.column_x(), {}}), d.add("m2", {across.column_y(), {}});
  }
  if (grasp.contact == Grasp::Contact::soft_finger) {
    d.twist = 0;
    d.add("mn", {n, {}});
  }
  const Matrix3 along = canonical::rotation_to(n);
  d.add("f1", {{}, along.column_x()}), d.add("f2", {{}, along.column_y()});
  d.normal = static_cast<int>(d.names.size());
  d.add("fn", {{}, n});
  return d;
}

/// Rows of a contact in its own directions, transposed and scaled, and what they are called.
struct ContactRows {
  MatrixXd columns;  // nv × size
  VectorXd unit;
};

ContactRows grasp_rows(const Grasp& grasp, const ClosurePlace& place, const MatrixXd& J,
                       double length, GraspContact& contact, std::vector<std::string>& names) {
  const Directions directions = directions_of(grasp);
  const auto size = static_cast<Index>(directions.wrenches.size());
  // W λ = Σ c wrench: the complement reads λ off.
  MatrixXd turn(place.rows, size);
  for (Index j = 0; j < size; ++j)
    for (int i = 0; i < place.rows; ++i)
      turn(i, j) = dot(directions.wrenches[at(j)], place.complement[i]);
  ContactRows rows{J.middleRows(place.row, place.rows).transpose() * turn, VectorXd::Ones(size)};
  for (Index j = 0; j < size; ++j) {
    names.push_back(grasp.name + ":" + directions.names[at(j)]);
    if (norm(directions.wrenches[at(j)].force) > 0) rows.unit[j] = 1 / length;
  }
  contact.kind = to_string(grasp.contact);
  contact.friction = grasp.friction, contact.torsion = grasp.torsion;
  if (directions.normal >= 0) contact.normal = contact.first + directions.normal;
  if (directions.twist >= 0) contact.twist = contact.first + directions.twist;
  return rows;
}

void append(MatrixXd& to, VectorXd& unit, const MatrixXd& columns, const VectorXd& units) {
  const Index before = to.cols();
  to.conservativeResize(columns.rows(), before + columns.cols());
  to.rightCols(columns.cols()) = columns;
  unit.conservativeResize(before + columns.cols());
  unit.tail(columns.cols()) = units;
}

/// Columns of the motors: entries of the tree, and rates of closing joints.
void add_motors(ClosedWorkspace& work, const ConstVectorRef& q, Statics& s) {
  const System& system = work.system();
  s.motors = all_motors(system).entries;
  const auto count = static_cast<Index>(s.motors.size());
  s.T = MatrixXd::Zero(system.nv(), count);
  s.unit_t = VectorXd::Ones(count);
  MatrixXd L(static_cast<Index>(system.closing_names().size()), system.nv());
  if (L.rows() > 0) compute_closing_jacobian(work, q, L);
  for (Index i = 0; i < count; ++i) {
    const int entry = s.motors[at(i)];
    if (entry < system.nv()) {
      s.T(entry, i) = 1;
      s.unit_t[i] = 1 / s.freedom[entry];
      continue;
    }
    const ClosingMotor& motor = system.closing_motors()[at(entry - system.nv())];
    const ClosurePlace& place = system.closures()[at(motor.closure)];
    s.T.col(i) = L.row(place.closing + motor.freedom).transpose();
    if (place.kind == PairKind::lower_pair && norm(place.mode[motor.freedom].angular) == 0)
      s.unit_t[i] = 1 / s.length;
  }
}

}  // namespace

std::vector<int> path_entries(const System& system, int body) {
  std::vector<int> entries;
  while (body >= 0) {
    const JointPlace& joint = system.joints()[at(system.joint_of_body(body))];
    for (int i = joint.nv - 1; i >= 0; --i) entries.push_back(joint.v + i);
    body = joint.parent;
  }
  std::reverse(entries.begin(), entries.end());
  return entries;
}

Statics compute_statics(ClosedWorkspace& work, const ConstVectorRef& q,
                        const std::vector<int>& contacts) {
  const System& system = work.system();
  closure::DenseLoops& d = work.dense();
  d.make_room();
  compute_closure_jacobian(work, q, d.J);
  Statics s;
  s.length = d.length, s.freedom = d.column_scale;
  s.C.resize(system.nv(), 0), s.E.resize(system.nv(), 0);
  const auto grasps = system.closures().size() - system.model().grasps.size();
  for (std::size_t i = 0; i < system.closures().size(); ++i) {
    const ClosurePlace& place = system.closures()[i];
    const bool is_contact =
        std::find(contacts.begin(), contacts.end(), static_cast<int>(i)) != contacts.end();
    if (place.rows == 0) continue;
    const MatrixXd plain = d.J.middleRows(place.row, place.rows).transpose();
    const VectorXd unit = d.row_scale.segment(place.row, place.rows);
    const bool one_sided = i >= grasps && is_one_sided(system.model().grasps[i - grasps]);
    if (!is_contact && !one_sided) {
      append(s.E, s.unit_e, plain, unit);
      continue;
    }
    GraspContact contact{.name = place.name, .kind = "closure"};
    contact.closure = static_cast<int>(i);
    contact.first = static_cast<int>(is_contact ? s.C.cols() : s.E.cols());
    if (!is_contact) {
      std::vector<std::string> unnamed;
      const ContactRows rows =
          grasp_rows(system.model().grasps[i - grasps], place, d.J, d.length, contact, unnamed);
      append(s.E, s.unit_e, rows.columns, rows.unit);
      contact.size = static_cast<int>(rows.unit.size());
      s.beyond.push_back(std::move(contact));
      continue;
    }
    if (i >= grasps) {
      const ContactRows rows =
          grasp_rows(system.model().grasps[i - grasps], place, d.J, d.length, contact, s.names);
      append(s.C, s.unit_c, rows.columns, rows.unit);
    } else {
      append(s.C, s.unit_c, plain, unit);
      for (int k = 0; k < place.rows; ++k) s.names.push_back(fmt::format("{}:{}", place.name, k));
    }
    contact.size = static_cast<int>(s.C.cols()) - contact.first;
    s.contacts.push_back(std::move(contact));
  }
  add_motors(work, q, s);
  for (auto [matrix, unit] : {std::pair{&s.C, &s.unit_c}, {&s.E, &s.unit_e}, {&s.T, &s.unit_t}})
    *matrix = (s.freedom.asDiagonal() * *matrix * unit->asDiagonal()).eval();
  return s;
}

MatrixXd beside(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd out(a.rows(), a.cols() + b.cols());
  out.leftCols(a.cols()) = a, out.rightCols(b.cols()) = b;
  return out;
}

MatrixXd null_basis(const MatrixXd& A) {
  if (A.rows() == 0) return MatrixXd::Identity(A.cols(), A.cols());
  if (A.cols() == 0) return {0, 0};
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullV);
  const VectorXd& values = svd.singularValues();
  const double least = closure::rank_threshold * std::max(values[0], 1e-300);
  const Index rank = (values.array() > least).count();
  return svd.matrixV().rightCols(A.cols() - rank);
}

MatrixXd column_basis(const MatrixXd& A) {
  if (A.rows() == 0 || A.cols() == 0) return {A.rows(), 0};
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU);
  const VectorXd& values = svd.singularValues();
  // Columns here are parts of orthonormal ones: what is small is rounding.
  return svd.matrixU().leftCols((values.array() > 1e-9).count());
}

MatrixXd echelon(MatrixXd basis) {
  std::vector<bool> taken(at(basis.rows()), false);
  for (Index j = 0; j < basis.cols(); ++j) {
    // The first row that is nearly as large as any: x before y before z.
    Index pivot = 0;
    double most = 0;
    for (Index i = 0; i < basis.rows(); ++i)
      if (!taken[at(i)] && std::abs(basis(i, j)) > 1.01 * most)
        most = std::abs(basis(i, j)), pivot = i;
    taken[at(pivot)] = true;
    basis.col(j) /= basis(pivot, j);
    for (Index k = 0; k < basis.cols(); ++k)
      if (k != j) basis.col(k) -= basis(pivot, k) * basis.col(j).eval();
  }
  return basis.unaryExpr([](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; });
}

MatrixXd complement_basis(const MatrixXd& inside, const MatrixXd& of) {
  if (of.cols() == 0) return inside;
  return column_basis(inside - of * (of.transpose() * inside));
}

std::string describe_motion(ClosedWorkspace& work, const ConstVectorRef& q, int body,
                            const std::vector<int>& entries, const VectorXd& rates, double length) {
  const System& system = work.system();
  State state(system);
  state.q = q;
  for (std::size_t i = 0; i < entries.size(); ++i)
    state.v[entries[i]] = rates[static_cast<Index>(i)];
  compute_forward_kinematics(work.tree(), state, VectorXd::Zero(system.nv()));
  const FrameId frame = system.frame(system.model().bodies[at(body)].name);
  const Motion V = frame_velocity(work.tree(), frame, Axes::world);
  const Vector3 p = frame_pose(work.tree(), frame).translation;
  const auto tidy = [](double x) { return std::abs(x) < 5e-4 ? 0.0 : x; };
  const auto text = [&](const Vector3& v) {
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", tidy(v.x), tidy(v.y), tidy(v.z));
  };
  const double turn = norm(V.angular), slide = norm(V.linear);
  if (turn * length <= 1e-7 * slide) return "moving along " + text((1 / slide) * V.linear);
  const Vector3 axis = (1 / turn) * V.angular;
  const Vector3 through = p + (1 / turn) * cross(axis, V.linear);
  const double pitch = dot(axis, V.linear) / turn;
  std::string about = "turning about the axis " + text(axis) + " through " + text(through);
  if (std::abs(pitch) <= 1e-7 * length) return about;
  return fmt::format("{} and moving {:.3g} m per radian along it", about, pitch);
}

}  // namespace linkwright::manipulator
