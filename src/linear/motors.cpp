#include <fmt/format.h>

#include "linear/full_model.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd numbers_of(const std::vector<double>& given, std::size_t expected, const char* what) {
  if (given.empty()) return VectorXd::Zero(static_cast<Index>(expected));
  if (given.size() != expected)
    throw Error(fmt::format("{} of the operating point has {} entries; expected {}", what,
                            given.size(), expected));
  return Eigen::Map<const VectorXd>(given.data(), static_cast<Index>(expected));
}

/// S, and how S v changes with q: that only of motors on joints that close loops.
struct ShaftMap {
  MatrixXd S, S_q;
};
ShaftMap shaft_map(const actuation::Drives& drives, const FullModel& full) {
  const Index n = full.a_q.rows();
  ShaftMap out{MatrixXd::Zero(drives.count(), n), MatrixXd::Zero(drives.count(), n)};
  for (Index i = 0; i < drives.count(); ++i) {
    const actuation::Drive& drive = drives.list()[at(i)];
    for (const TreeTerm& term : drive.terms) out.S(i, term.v) += term.ratio;
    if (drive.closing < 0) continue;
    out.S.row(i) = drive.gear * full.L.row(drive.closing);
    out.S_q.row(i) = drive.gear * full.L_q.row(drive.closing);
  }
  return out;
}

}  // namespace

MotorPoint::MotorPoint(ClosedWorkspace& work, const OperatingPoint& point,
                       const actuation::Drives& of)
    : drives(of),
      angles(VectorXd::Zero(of.count())),
      speeds(VectorXd::Zero(of.count())),
      u(numbers_of(point.motor_inputs, of.inputs().size(), "motor_inputs")),
      tau(VectorXd::Zero(work.system().effort_count())) {
  actuation::Drives own(of);  // computing its shafts takes room of its own
  own.compute_shafts(work, point.state, angles, speeds);
  x = numbers_of(point.motor_states, of.extra_states().size(), "motor_states");
  if (point.motor_states.empty()) drives.compute_start(angles, speeds, x);
  drives.compute_efforts(angles, speeds, x, u, tau);
}

/// δtau = (tau_s S + tau_w S_q) δq + tau_w S δv + tau_x δz + tau_u δu, put into the accelerations and the
/// closures' forces; the rates of z likewise.
void MotorPoint::add_to(FullModel& full) const {
  actuation::DriveDerivatives d(drives);
  drives.compute_derivatives(angles, speeds, x, u, d);
  const ShaftMap map = shaft_map(drives, full);
  const MatrixXd tau_q = d.tau_angle * map.S + d.tau_speed * map.S_q, tau_v = d.tau_speed * map.S;
  full.a_q += full.a_tau * tau_q, full.a_v += full.a_tau * tau_v;
  full.a_z = full.a_tau * d.tau_x, full.a_u = full.a_tau * d.tau_u;
  full.f_z = MatrixXd::Zero(full.f_q.rows(), d.tau_x.cols());
  full.f_u = MatrixXd::Zero(full.f_q.rows(), d.tau_u.cols());
  if (full.f_q.rows() > 0) {
    full.f_q += full.f_tau * tau_q, full.f_v += full.f_tau * tau_v;
    full.f_z = full.f_tau * d.tau_x, full.f_u = full.f_tau * d.tau_u;
  }
  full.z_q = d.rate_angle * map.S + d.rate_speed * map.S_q, full.z_v = d.rate_speed * map.S;
  full.z_z = d.rate_x, full.z_u = d.rate_u;
  full.z_rate.resize(x.size());
  drives.compute_rates(angles, speeds, x, u, full.z_rate);
}

}  // namespace linkwright::linear
