#include "manipulator/contact_system.hpp"

#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/six.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The matrix whose columns these are.
template <class Columns>
Matrix6 to_matrix(const Columns& columns) {
  Matrix6 out;
  for (Index c = 0; c < 6; ++c) put_six(columns[at(c)], out.col(c));
  return out;
}

/// The rows of a contact, zeros beyond them.
using Vector6 = Eigen::Matrix<double, 6, 1>;
Vector6 six_of(const VectorXd& rows, const Contact& c) {
  Vector6 six = Vector6::Zero();
  six.head(c.rows()) = rows.segment(c.row(), c.rows());
  return six;
}
}  // namespace

void Contact::place_rows() {
  for (int i = 0; i < rows(); ++i) {
    const Force W = closure::row_of(*place, meeting, i).W;
    put_six(to_parent(meeting.X, W), on_hand.col(i));
    put_six(to_parent(at, W), on_object.col(i));
    put_six(to_parent(place->at_b, W), on_node.col(i));
  }
}

ContactSystem::ContactSystem(const System& system, std::vector<Contact> all, int objects,
                             bool base_moves)
    : contacts(std::move(all)),
      closed_(system),
      rows_(closed_.rows()),
      objects_(objects),
      base_moves_(base_moves),
      choice_(closed_.dense().row_scale, closed_.dense().column_scale) {
  const Index core = 6 * (objects_ + (base_moves_ ? 1 : 0));
  for (MatrixXd* x : {&Omega_, &L_}) x->setZero(rows_, rows_);
  J_.setZero(rows_, system.nv());
  S_.setZero(core, core), K_.setZero(core, core);
  y_.setZero(rows_);
  w_.setZero(core), permuted_.setZero(core);
  core_ = Eigen::PartialPivLU<MatrixXd>(core);
}

bool ContactSystem::factorize_structured(const operators::OperationalShares<double>& shares,
                                         const std::vector<int>& tip_of_place, int meeting,
                                         const std::vector<int>& object_nodes) {
  const Index base = 6 * objects_;
  for (int i = 0; i < objects_; ++i)
    S_.block<6, 6>(6 * i, 6 * i) = to_matrix(shares.o.Lambda[at(object_nodes[at(i)])]);
  if (base_moves_) S_.block<6, 6>(base, base) = to_matrix(shares.o.Lambda[at(meeting)]);
  K_.setZero();
  for (Contact& c : contacts) {
    const auto tip = at(tip_of_place[at(c.hand)]);
    const Matrix6 moved = to_matrix(shares.own[tip]) * c.on_hand;
    c.D.noalias() = c.on_hand.transpose() * moved;
    for (Index k = c.rows(); k < 6; ++k) c.D(k, k) = 1;
    c.L = c.D;
    if (!factorize_in_place(c.L, least_pivot)) return false;
    c.to_object = c.on_node.transpose();
    c.Y_object = c.to_object;
    solve_lower(c.L, c.Y_object);
    const Index o = 6 * c.core;
    K_.block<6, 6>(o, o).noalias() += c.Y_object.transpose() * c.Y_object;
    if (!base_moves_) continue;
    const Matrix6 z = to_matrix(shares.o.z[tip]);
    c.to_base.noalias() = -c.on_hand.transpose() * z.transpose();
    c.Y_base = c.to_base;
    solve_lower(c.L, c.Y_base);
    K_.block<6, 6>(base, base).noalias() += c.Y_base.transpose() * c.Y_base;
    K_.block<6, 6>(base, o).noalias() += c.Y_base.transpose() * c.Y_object;
  }
  if (base_moves_) K_.topRightCorner(base, 6) = K_.bottomLeftCorner(6, base).transpose();
  // S is block diagonal.
  for (Index b = 0; b < S_.rows(); b += 6)
    for (Index c = 0; c < S_.cols(); c += 6)
      K_.block<6, 6>(b, c) = (S_.block<6, 6>(b, b) * K_.block<6, 6>(b, c)).eval();
  K_.diagonal().array() += 1;
  core_.compute(K_);
  by_ = OmegaSolve::structured, rank_ = rows_;
  return true;
}

void ContactSystem::solve_structured(VectorXd& r) {
  y_ = r;
  apply_inverse(r);
  subtract_omega(r, y_);
  apply_inverse(y_);
  r += y_;
}

/// w ← S w
void ContactSystem::weigh_by_S() {
  for (Index b = 0; b < w_.size(); b += 6)
    w_.segment<6>(b) = (S_.block<6, 6>(b, b) * w_.segment<6>(b)).eval();
}

/// r ← r − Ω λ
void ContactSystem::subtract_omega(const VectorXd& lambda, VectorXd& r) {
  const Index base = 6 * objects_;
  w_.setZero();
  for (const Contact& c : contacts) {
    const Vector6 part = six_of(lambda, c);
    w_.segment<6>(6 * c.core).noalias() += c.to_object.transpose() * part;
    if (base_moves_) w_.segment<6>(base).noalias() += c.to_base.transpose() * part;
  }
  weigh_by_S();
  for (const Contact& c : contacts) {
    Vector6 done = c.D * six_of(lambda, c) + c.to_object * w_.segment<6>(6 * c.core);
    if (base_moves_) done.noalias() += c.to_base * w_.segment<6>(base);
    r.segment(c.row(), c.rows()) -= done.head(c.rows());
  }
}

void ContactSystem::apply_inverse(VectorXd& r) {
  const Index base = 6 * objects_;
  w_.setZero();
  for (const Contact& c : contacts) {
    Vector6 y = six_of(r, c);
    solve_lower(c.L, y);
    w_.segment<6>(6 * c.core).noalias() += c.Y_object.transpose() * y;
    if (base_moves_) w_.segment<6>(base).noalias() += c.Y_base.transpose() * y;
    r.segment(c.row(), c.rows()) = y.head(c.rows());
  }
  weigh_by_S();
  permuted_.noalias() = core_.permutationP() * w_;  // in place Eigen allocates a mask
  w_.swap(permuted_);
  core_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(w_);
  core_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(w_);
  for (const Contact& c : contacts) {
    Vector6 y = six_of(r, c) - c.Y_object * w_.segment<6>(6 * c.core);
    if (base_moves_) y.noalias() -= c.Y_base * w_.segment<6>(base);
    solve_upper(c.L, y);
    r.segment(c.row(), c.rows()) = y.head(c.rows());
  }
}

void ContactSystem::compute_omega(const MatrixXd& Theta, MatrixRef out) const {
  for (const Contact& c : contacts)
    for (const Contact& d : contacts)
      out.block(c.row(), d.row(), c.rows(), d.rows()) =
          c.on_hand.leftCols(c.rows()).transpose() *
              (Theta.block<6, 6>(6 * c.hand, 6 * d.hand) * d.on_hand.leftCols(d.rows())) +
          c.on_object.leftCols(c.rows()).transpose() *
              (Theta.block<6, 6>(6 * c.object, 6 * d.object) * d.on_object.leftCols(d.rows()));
}

void ContactSystem::compute_full_omega(const MatrixXd& Theta, MatrixRef out) const {
  const operators::SixForces<double> unit = operators::unit_forces<double>();
  const auto at_hand = [&](const Contact& c) {
    Matrix6 F;
    for (Index i = 0; i < 6; ++i) put_six(to_parent(c.meeting.X, unit[at(i)]), F.col(i));
    return F;
  };
  const auto at_object = [&](const Contact& c) {
    Matrix6 F;
    for (Index i = 0; i < 6; ++i) put_six(to_parent(c.at, unit[at(i)]), F.col(i));
    return F;
  };
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (std::size_t j = 0; j < contacts.size(); ++j) {
      const Contact &c = contacts[i], &d = contacts[j];
      out.block<6, 6>(6 * static_cast<Index>(i), 6 * static_cast<Index>(j)) =
          at_hand(c).transpose() * Theta.block<6, 6>(6 * c.hand, 6 * d.hand) * at_hand(d) +
          at_object(c).transpose() * Theta.block<6, 6>(6 * c.object, 6 * d.object) * at_object(d);
    }
}

void ContactSystem::factorize_dense(const MatrixXd& Theta, const ConstVectorRef& q) {
  by_ = OmegaSolve::dense, rank_ = rows_;
  compute_omega(Theta, Omega_);
  L_ = Omega_;
  if (factorize_in_place(L_, least_pivot)) return;
  compute_closure_jacobian(closed_, q, J_);
  choice_.factorize(J_, Omega_);
  rank_ = choice_.rank();
}

void ContactSystem::solve_dense(VectorXd& r) {
  if (rank_ == rows_)
    solve_in_place(L_, r);
  else
    choice_.solve(r);
}

void ContactSystem::solve(VectorXd& r) {
  if (by_ == OmegaSolve::structured)
    solve_structured(r);
  else
    solve_dense(r);
}

void ContactSystem::shorten(VectorXd& lambda) {
  if (rank_ < rows_) choice_.shorten(J_, lambda);
}

}  // namespace linkwright::manipulator
