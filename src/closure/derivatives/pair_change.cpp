#include "closure/derivatives/pair_change.hpp"

#include "linkwright/closure/residual.hpp"
#include "linkwright/closure/row_rates.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"

namespace linkwright::closure {
namespace {

/// What the rows read of a meeting: its pose and its velocity.
Meeting<Dual> moved(const PairMotion& now, const MotionChange& by) {
  Meeting<Dual> m;
  m.X = moving(now.X, by.xi);
  m.V = {to_dual(now.V.angular, by.V.angular), to_dual(now.V.linear, by.V.linear)};
  return m;
}

/// Changes of W · V, W · A + Ẇ · V, and of W itself.
struct Effect {
  double velocity, acceleration;
  Force W{};
};
Effect effect(const Row<double>& row, const PairMotion& now, const MotionChange& by,
              const Row<Dual>* varied) {
  Effect out{dot(row.W, by.V), dot(row.W, by.A) + dot(row.rate, by.V), {}};
  if (varied == nullptr) return out;
  out.W = derivatives_of(varied->W);
  out.velocity += dot(out.W, now.V);
  out.acceleration += dot(out.W, now.A) + dot(derivatives_of(varied->rate), now.V);
  return out;
}

bool closing_rows_vary(const ClosurePlace& c) {
  return c.kind == PairKind::universal || c.joint == JointType::planar;
}

}  // namespace

PairForce::PairForce(const ClosurePlace& place, const PairMotion& motion, const double* lambda,
                     const double* efforts)
    : place_(place), motion_(motion), lambda_(lambda) {
  Meeting<double> m;
  m.X = motion.X, m.V = motion.V;
  for (int i = 0; i < place.rows; ++i) {
    row_[i] = row_of(place, m, i);
    F_ += lambda[i] * row_[i].W;
  }
  for (int i = 0; i < place.freedoms; ++i) {
    closing_[i] = closing_row(place, m, i);
    effort_[i] = efforts[i] - place.freedom[i].rotor *
                                  (dot(closing_[i].W, motion.A) + dot(closing_[i].rate, motion.V));
    F_ += effort_[i] * closing_[i].W;
  }
  if (place.has_springs) find_stiffness();
}

void PairForce::find_stiffness() {
  if (place_.carries_pose()) return pose_spring_stiffness(place_, motion_.X, stiffness_);
  for (int i = 0; i < place_.freedoms; ++i) stiffness_[i][i] = place_.freedom[i].stiffness;
}

PairChange PairForce::change(const MotionChange& by) const {
  const bool rows_vary = place_.kind != PairKind::lower_pair;
  const bool closing_vary = place_.freedoms > 0 && closing_rows_vary(place_);
  Meeting<Dual> m;
  if (rows_vary || closing_vary) m = moved(motion_, by);
  PairChange out;
  for (int i = 0; i < place_.rows; ++i) {
    Row<Dual> varied;
    if (rows_vary) varied = row_of(place_, m, i);
    const Effect e = effect(row_[i], motion_, by, rows_vary ? &varied : nullptr);
    out.velocity[i] = e.velocity, out.acceleration[i] = e.acceleration;
    out.F += lambda_[i] * e.W;
  }
  double displaced[6];
  for (int j = 0; j < place_.freedoms; ++j) displaced[j] = dot(closing_[j].W, by.xi);
  for (int i = 0; i < place_.freedoms; ++i) {
    Row<Dual> varied;
    if (closing_vary) varied = closing_row(place_, m, i);
    const Effect e = effect(closing_[i], motion_, by, closing_vary ? &varied : nullptr);
    out.rate[i] = e.velocity, out.rate_rate[i] = e.acceleration;
    double effort =
        -place_.freedom[i].damping * e.velocity - place_.freedom[i].rotor * e.acceleration;
    for (int j = 0; j < place_.freedoms; ++j) effort -= stiffness_[i][j] * displaced[j];
    out.F += effort_[i] * e.W + effort * closing_[i].W;
  }
  return out;
}

/// The springs' own formula on dual numbers, along the rate of the pose that a unit rate of freedom j is.
void pose_spring_stiffness(const ClosurePlace& place, const Pose& X, double (&out)[6][6]) {
  const Opening open = opening(place, X);
  const Quaternion r = spatial::to_quaternion(open.joint.rotation);
  const Vector3& p = open.joint.translation;
  JointForces<double>::PoseSpring spring{0, 0, {}, place.joint == JointType::free};
  for (int i = 0; i < place.freedoms; ++i) spring.stiffness[i] = place.freedom[i].stiffness;
  for (int j = 0; j < place.freedoms; ++j) {
    const Vector3 turn = place.mode[j].angular, way = open.joint.rotation * place.mode[j].linear;
    const Vector3 u{r.x, r.y, r.z}, du = 0.5 * (r.w * turn + cross(u, turn));
    const Dual pose[7]{{r.w, -0.5 * dot(u, turn)},
                       {r.x, du.x},
                       {r.y, du.y},
                       {r.z, du.z},
                       {p.x, way.x},
                       {p.y, way.y},
                       {p.z, way.z}};
    Dual efforts[6]{};
    sweeps::add_pose_spring(spring, nullptr, pose, efforts);
    for (int i = 0; i < place.freedoms; ++i) out[i][j] = -efforts[i].d;
  }
}

}  // namespace linkwright::closure
