#include <algorithm>
#include <cmath>

#include "linkwright/model/loops.hpp"
#include "linkwright/model/names.hpp"
#include "verify/absolute_coordinates_mechanism.hpp"

namespace linkwright::verify {

namespace {

Vector3 to_double(const Vector& x) {
  return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

}  // namespace

AbsoluteCoordinates::Mechanism::Mechanism(Model described) : model(std::move(described)) {
  const int count = static_cast<int>(model.bodies.size());
  if (count > most_bodies)
    throw Error("absolute coordinates are for at most " + std::to_string(most_bodies) +
                " bodies; the model has " + std::to_string(count));
  std::vector<Member> by_body(at(count));
  for (const Joint& joint : model.joints) {
    const int body = body_index(model, joint.child);
    Member& member = by_body[at(body)];
    member.body = body;
    member.parent = body_index(model, joint.parent);
    member.joint.joint = &joint;
    member.joint.q.resize(at(position_count(joint)));
    member.joint.v.resize(at(velocity_count(joint)));
    member.joint.rotor = rotor_inertias(model, joint);
    member.q = nq, member.v = nv;
    nq += position_count(joint);
    nv += velocity_count(joint);
  }
  member_of.assign(at(count), -1);
  while (members.size() < by_body.size()) {
    const std::size_t before = members.size();
    for (const Member& member : by_body) {
      if (member.joint.joint == nullptr || member_of[at(member.body)] >= 0) continue;
      if (member.parent >= 0 && member_of[at(member.parent)] < 0) continue;
      member_of[at(member.body)] = static_cast<int>(members.size());
      members.push_back(member);
    }
    if (members.size() == before) throw Error("some bodies do not hang on the world by joints");
  }
  // Unknowns of the tips come first: eliminating them changes nothing but the rows of their parents.
  unknown_of.resize(at(nv));
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    member->first = tree_unknowns;
    const int freedoms = static_cast<int>(member->joint.v.size());
    for (int i = 0; i < freedoms; ++i) unknown_of[at(member->v + i)] = tree_unknowns + 12 + i;
    tree_unknowns += 12 + freedoms;
  }
  unknowns = tree_unknowns;
  bodies.resize(at(count));
  unit = mass_unit();
  add_bonds();
}

Number AbsoluteCoordinates::Mechanism::mass_unit() const {
  Number largest = 0;
  for (const Body& body : model.bodies)
    for (const double x :
         {body.mass, body.inertia.xx, body.inertia.yy, body.inertia.zz, body.mass * norm(body.com)})
      largest = std::max<Number>(largest, std::abs(x));
  for (const Member& member : members)
    for (const Number rotor : member.joint.rotor) largest = std::max(largest, rotor);
  return largest > 0 ? largest : 1;
}

std::string AbsoluteCoordinates::Mechanism::place_of_unknown(int unknown) const {
  if (unknown >= tree_unknowns) {
    auto bond = bonds.begin();
    while (std::next(bond) != bonds.end() && std::next(bond)->first <= unknown) ++bond;
    return "closure " + in_quotes(bond->closure.name);
  }
  // The last body comes first among the unknowns.
  auto member = members.rbegin();
  while (std::next(member) != members.rend() && std::next(member)->first <= unknown) ++member;
  return "joint " + in_quotes(member->joint.joint->name);
}

void AbsoluteCoordinates::Mechanism::set_coordinates(const ConstNumbers& q, const ConstNumbers& v) {
  for (Member& member : members) {
    for (std::size_t i = 0; i < member.joint.q.size(); ++i)
      member.joint.q[i] = q[member.q + static_cast<int>(i)];
    for (std::size_t i = 0; i < member.joint.v.size(); ++i)
      member.joint.v[i] = v[member.v + static_cast<int>(i)];
    move(member);
  }
}

/// Pose and velocity of a body from its parent's, and the coefficients of its constraint.
void AbsoluteCoordinates::Mechanism::move(Member& member) {
  const BodyMotion& parent = motion(member.parent);
  const Joint& joint = *member.joint.joint;
  const RelativeMotion x = relative_motion(joint, member.joint.q.data(), member.joint.v.data());
  const Matrix axes = parent.rotation * to_numbers(joint.pose.rotation);
  BodyMotion& body = bodies[at(member.body)];
  body.rotation = axes * x.rotation;
  const Vector from_parent =
      parent.rotation * to_numbers(joint.pose.translation) + axes * x.translation;
  body.origin = parent.origin + from_parent;
  body.omega = parent.omega + axes * x.angular_velocity;
  body.velocity = parent.velocity + parent.omega.cross(from_parent) + axes * x.velocity;
  differentiate(member, axes, parent.omega, x);

  const Body& described = model.bodies[at(member.body)];
  const Symmetric3& I = described.inertia;
  member.com = body.rotation * to_numbers(described.com);
  member.inertia = body.rotation *
                   to_numbers(Matrix3{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}) *
                   body.rotation.transpose();
}

/// With R the joint's axes, which turn with the parent's ω: the time derivative of R x is R ẋ + ω × R x.
void AbsoluteCoordinates::Mechanism::differentiate(Member& member, const Matrix& joint_axes,
                                                   const Vector& omega,
                                                   const RelativeMotion& x) const {
  const auto d = static_cast<Eigen::Index>(member.joint.v.size());
  member.turns.resize(3, d);
  member.slides.resize(3, d);
  for (Eigen::Index i = 0; i < d; ++i) {
    std::vector<Number> along(member.joint.v.size(), 0);
    along[static_cast<std::size_t>(i)] = 1;
    const RelativeMotion column =
        relative_motion(*member.joint.joint, member.joint.q.data(), along.data());
    member.turns.col(i) = joint_axes * column.angular_velocity;
    member.slides.col(i) = joint_axes * column.velocity;
  }
  member.angular_bias =
      joint_axes * x.angular_acceleration + omega.cross(joint_axes * x.angular_velocity);
  member.linear_bias = joint_axes * x.acceleration + 2 * omega.cross(joint_axes * x.velocity);
}

void AbsoluteCoordinates::Mechanism::gather_forces(const std::vector<ForceOnFrame>& given) {
  forces.assign(bodies.size(), {});
  add_declared_forces(model, bodies, forces);
  for (const ForceOnFrame& push : given) {
    const auto [body, pose] = frame(push.frame);
    if (body < 0) continue;
    const Matrix& R = bodies[at(body)].rotation;
    const Matrix axes =
        push.in_world ? Matrix(Matrix::Identity()) : Matrix(R * to_numbers(pose.rotation));
    add_force(forces[at(body)], R * to_numbers(pose.translation),
              axes * to_numbers(push.force.moment), axes * to_numbers(push.force.force));
  }
}

/// Newton and Euler about the centre of mass: m g̈ = F + m g, I ω̇ + ω × I ω = N.
void AbsoluteCoordinates::Mechanism::write_body(const Member& member) {
  const int row = member.first;
  const Number mass = model.bodies[at(member.body)].mass;
  const Vector& omega = bodies[at(member.body)].omega;
  const BodyForce& f = forces[at(member.body)];
  A.block<3, 3>(row, row) = member.inertia / unit;
  A.block<3, 3>(row + 3, row + 3) = mass / unit * Matrix::Identity();
  b.segment<3>(row) =
      (f.moment - member.com.cross(f.force) - omega.cross(member.inertia * omega)) / unit;
  b.segment<3>(row + 3) = (f.force + mass * to_numbers(model.gravity)) / unit;
}

/// The joint's moment and force act on the child at its origin, and backwards on the parent.
void AbsoluteCoordinates::Mechanism::write_reaction(const Member& member) {
  const auto act = [&](int row, int column, const Vector& arm, Number sign) {
    A.block<3, 3>(row, column) = -sign * Matrix::Identity();
    A.block<3, 3>(row, column + 3) = -sign * cross_matrix(arm);
    A.block<3, 3>(row + 3, column + 3) = -sign * Matrix::Identity();
  };
  act(member.first, member.first + 6, -member.com, 1);
  if (member.parent < 0) return;
  const Member& parent = members[at(member_of[at(member.parent)])];
  const Vector arm = bodies[at(member.body)].origin - bodies[at(parent.body)].origin - parent.com;
  act(parent.first, member.first + 6, arm, -1);
}

/// The child's frame accelerates as the parent would there, plus what the joint gives.
void AbsoluteCoordinates::Mechanism::write_constraint(const Member& member) {
  const int row = member.first + 6;
  const auto d = member.turns.cols();
  const auto centripetal = [](const Vector& omega, const Vector& r) -> Vector {
    return omega.cross(omega.cross(r));
  };
  const auto move = [&](int column, const Vector& arm, Number sign) {
    A.block<3, 3>(row, column) = sign * Matrix::Identity();
    A.block<3, 3>(row + 3, column) = -sign * cross_matrix(arm);
    A.block<3, 3>(row + 3, column + 3) = sign * Matrix::Identity();
  };
  const BodyMotion& body = bodies[at(member.body)];
  move(member.first, -member.com, 1);
  A.block(row, row + 6, 3, d) = -member.turns;
  A.block(row + 3, row + 6, 3, d) = -member.slides;
  b.segment<3>(row) = member.angular_bias;
  b.segment<3>(row + 3) = member.linear_bias + centripetal(body.omega, member.com);
  if (member.parent < 0) return;
  const Member& parent = members[at(member_of[at(member.parent)])];
  const Vector arm = body.origin - bodies[at(parent.body)].origin - parent.com;
  move(parent.first, arm, -1);
  b.segment<3>(row + 3) += centripetal(bodies[at(parent.body)].omega, arm);
}

/// The reaction's share along each freedom is the effort, less what turns the rotor.
void AbsoluteCoordinates::Mechanism::write_efforts(const Member& member, const ConstNumbers& tau) {
  const int column = member.first + 6, row = member.first + 12;
  const auto d = member.turns.cols();
  A.block(row, column, d, 3) = member.turns.transpose();
  A.block(row, column + 3, d, 3) = member.slides.transpose();
  const std::vector<Number> declared = declared_efforts(model, member.joint);
  for (int i = 0; i < static_cast<int>(d); ++i) {
    A(row + i, row + i) = member.joint.rotor[at(i)] / unit;
    b[row + i] = (declared[at(i)] + Number(tau[member.v + i])) / unit;
  }
}

void AbsoluteCoordinates::Mechanism::read_accelerations(const Member& member) {
  BodyMotion& body = bodies[at(member.body)];
  body.omega_rate = solution.segment<3>(member.first);
  body.acceleration = solution.segment<3>(member.first + 3) - body.omega_rate.cross(member.com) -
                      body.omega.cross(body.omega.cross(member.com));
}

std::pair<int, Pose> AbsoluteCoordinates::Mechanism::frame(std::string_view name) const {
  for (const Frame& frame : model.frames)
    if (frame.name == name) return {body_index(model, frame.body), frame.pose};
  return {body_index(model, name), Pose{}};
}

AbsoluteCoordinates::AbsoluteCoordinates(const Model& described, Loops loops) {
  Model model = to_tree_with_closures(described);
  if (loops == Loops::leave_out) {
    model.closures.clear(), model.grasps.clear();
    std::erase_if(model.actuators, is_coupled);  // their shafts are closures
  }
  mechanism_ = std::make_unique<Mechanism>(std::move(model));
}
AbsoluteCoordinates::~AbsoluteCoordinates() = default;
AbsoluteCoordinates::AbsoluteCoordinates(AbsoluteCoordinates&&) noexcept = default;
AbsoluteCoordinates& AbsoluteCoordinates::operator=(AbsoluteCoordinates&&) noexcept = default;

int AbsoluteCoordinates::nq() const { return mechanism_->nq; }
int AbsoluteCoordinates::nv() const { return mechanism_->nv; }

void AbsoluteCoordinates::compute_forward_dynamics(const ConstNumbers& q, const ConstNumbers& v,
                                                   const ConstNumbers& tau,
                                                   const std::vector<ForceOnFrame>& forces,
                                                   Eigen::Ref<Eigen::VectorXd> acceleration) {
  Mechanism& m = *mechanism_;
  if (q.size() != m.nq || v.size() != m.nv || tau.size() != m.nv || acceleration.size() != m.nv)
    throw Error("absolute coordinates: expected " + std::to_string(m.nq) + " numbers in q and " +
                std::to_string(m.nv) + " in v, tau and the result");
  m.is_solved = false;
  m.set_coordinates(q, v);
  m.gather_forces(forces);
  m.choose_bond_rows();
  m.A.setZero(m.unknowns, m.unknowns);
  m.b.setZero(m.unknowns);
  for (const Member& member : m.members) {
    m.write_body(member);
    m.write_reaction(member);
    m.write_constraint(member);
    m.write_efforts(member, tau);
  }
  for (const Shaft& shaft : m.shafts) m.write_shaft(shaft, v);
  for (const Bond& bond : m.bonds) m.write_bond(bond);
  if (const int unknown = solve(m.A, m.b, m.solution); unknown >= 0)
    throw Error("the motion at " + m.place_of_unknown(unknown) +
                    " is not determined: nothing that moves there has mass",
                Error::Kind::failed_computation);
  for (const Member& member : m.members) {
    m.read_accelerations(member);
    for (int i = 0; i < static_cast<int>(member.joint.v.size()); ++i)
      acceleration[member.v + i] = static_cast<double>(m.solution[member.first + 12 + i]);
  }
  m.is_solved = true;
}

Pose AbsoluteCoordinates::frame_pose(std::string_view name) const {
  mechanism_->require_solution("frame_pose");
  const auto [body, pose] = mechanism_->frame(name);
  if (body < 0) return pose;
  const BodyMotion& on = mechanism_->bodies[at(body)];
  const Matrix R = on.rotation * to_numbers(pose.rotation);
  const auto entry = [&R](int i, int j) { return static_cast<double>(R(i, j)); };
  return {{entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 0), entry(1, 1), entry(1, 2),
           entry(2, 0), entry(2, 1), entry(2, 2)},
          to_double(on.origin + on.rotation * to_numbers(pose.translation))};
}

Motion AbsoluteCoordinates::frame_acceleration(std::string_view name) const {
  mechanism_->require_solution("frame_acceleration");
  const auto [body, pose] = mechanism_->frame(name);
  if (body < 0) return {};
  const BodyMotion& on = mechanism_->bodies[at(body)];
  const Vector r = on.rotation * to_numbers(pose.translation);
  const Matrix to_own = (on.rotation * to_numbers(pose.rotation)).transpose();
  const Vector linear =
      on.acceleration + on.omega_rate.cross(r) + on.omega.cross(on.omega.cross(r));
  return {to_double(to_own * on.omega_rate), to_double(to_own * linear)};
}

}  // namespace linkwright::verify
