#include "linkwright/coordinates/dynamic_model.hpp"

#include <algorithm>

#include "coordinates/parameters.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// C(q, v) = Σ_k v_k C(e_k) as one array: plane i at (j, k) is C_ij(e_k).
Array power_of(Workspace& work, const ConstVectorRef& q) {
  const Index n = work.system().nv();
  Array P(n, n);
  MatrixXd C(n, n);
  State state(work.system());
  state.q = q;
  for (Index k = 0; k < n; ++k) {
    state.v.setZero();
    state.v[k] = 1;
    compute_coriolis_matrix(work, state, C);
    for (Index i = 0; i < n; ++i) P.plane(i).col(k) = C.row(i).transpose();
  }
  return P;
}

}  // namespace

DynamicModel compute_joint_model(Workspace& work, const State& state, ExternalForces forces) {
  const System& system = work.system();
  const Index n = system.nv();
  door::check_state(system, state);
  const Parameters all = joint_parameters(system);
  DynamicModel out{all, all, Matrix(n, n), power_of(work, state.q), Matrix(n, 1)};
  {
    auto M = out.inertia.view();
    compute_mass_matrix(work, state.q, M);
  }
  VectorXd coriolis(n), still(n);
  compute_coriolis(work, state, coriolis);
  compute_inverse_dynamics(work, state, VectorXd::Zero(n), forces, still);
  out.load.view() = coriolis - still;
  return out;
}

DynamicModel compute_joint_model(ClosedWorkspace& work, const State& state, ExternalForces forces) {
  DynamicModel tree = compute_joint_model(work.tree(), state, forces);
  const System& system = work.system();
  const auto acts = [](const ClosurePlace& c) { return c.acts || c.rotors > 0; };
  if (std::none_of(system.closures().begin(), system.closures().end(), acts)) return tree;
  const Influence closing = compute_closing_influence(work, state.q);
  const auto m = static_cast<Index>(closing.of.size());
  DynamicModel own{closing.of, closing.of, Matrix(m, m), Array(m, m), Matrix(m, 1)};
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.freedoms; ++i)
      own.inertia.view()(c.closing + i, c.closing + i) = c.freedom[i].rotor;
  VectorXd efforts(m);
  compute_closing_forces(work, state, efforts);
  own.load.view() = efforts;
  return sum(tree, transfer(own, closing));
}

void compute_loads(const DynamicModel& model, const ConstVectorRef& rates,
                   const ConstVectorRef& accelerations, VectorRef loads) {
  door::check_output(accelerations.size(), model.inertia.cols(), "accelerations");
  compute_quadratic(model.power, rates, loads);
  loads += model.inertia.view() * accelerations - model.load.view();
}

void compute_accelerations(const DynamicModel& model, const ConstVectorRef& rates,
                           const ConstVectorRef& loads, VectorRef accelerations) {
  require_same(model.of, model.by, "the loads of the model");
  door::check_output(loads.size(), model.inertia.rows(), "loads");
  VectorXd quadratic_part(model.inertia.rows());
  compute_quadratic(model.power, rates, quadratic_part);
  const Eigen::LLT<MatrixXd> inertia(model.inertia.view());
  if (inertia.info() != Eigen::Success)
    throw Error("the effective inertia of " + names_of(model.by) +
                    " has no inverse: part of the motion meets no inertia. Give its links masses, "
                    "or ask for the loads of a motion instead",
                Error::Kind::failed_computation);
  accelerations = inertia.solve(loads + model.load.view() - quadratic_part);
}

void compute_coriolis_matrix(const DynamicModel& model, const ConstVectorRef& rates,
                             MatrixRef coriolis) {
  door::check_output(coriolis, model.inertia.rows(), model.inertia.cols(), "coriolis");
  coriolis = rate_along(model.power, rates).view();
}

DynamicModel refer_to(const DynamicModel& model, const Influence& phi_by_q) {
  require_same(model.by, phi_by_q.of, "the model");
  const auto G = phi_by_q.G.view();
  DynamicModel out{model.of, phi_by_q.by, Matrix(model.inertia.view() * G),
                   quadratic(model.power, G), model.load};
  out.power.flat() += dot(model.inertia.view(), phi_by_q.H).flat();
  return out;
}

DynamicModel map_loads(const ConstMatrixRef& A, const Parameters& of, const DynamicModel& model) {
  door::check_output(A.rows(), static_cast<Index>(of.size()), "A");
  return {of, model.by, Matrix(A * model.inertia.view()), dot(A, model.power),
          Matrix(A * model.load.view())};
}

DynamicModel transfer(const DynamicModel& model, const Influence& phi_by_q) {
  require_same(model.of, model.by, "the loads of the model");
  return map_loads(phi_by_q.G.view().transpose(), phi_by_q.by, refer_to(model, phi_by_q));
}

DynamicModel sum(const DynamicModel& a, const DynamicModel& b) {
  require_same(b.by, a.by, "the second model");
  require_same(b.of, a.of, "the loads of the second model");
  DynamicModel out = a;
  out.inertia.view() += b.inertia.view();
  out.power.flat() += b.power.flat();
  out.load.view() += b.load.view();
  return out;
}

}  // namespace linkwright::coordinates
