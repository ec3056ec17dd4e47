#include "closed/closed_models.hpp"

#include <Eigen/QR>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright_peer.hpp"
#include "models.hpp"
#include "random.hpp"
#include "support/shared_closed.hpp"

namespace bench {
namespace {

using namespace linkwright;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Least pivot of J over its largest, at states that are kept; or half of what it is where the
/// mechanism starts. That of M may be a tenth of what it is there: three hinges in place of a ball
/// lock in some positions.
constexpr double enough_of_J = 0.02, share_of_J = 0.5, share_of_M = 0.1;
/// Below this a pivot is none.
constexpr double no_pivot = 1e-7;

Closure pair(const std::string& name, const std::string& a, const std::string& b, JointType type) {
  Closure closure{.name = name, .body_a = a, .body_b = b};
  closure.joint = type;
  return closure;
}

/// Two arms with 7 joints, 0.7 m apart, hold each other's hands.
Model two_arms() {
  Model model = to_model(arm(7).bodies);
  const std::size_t n = model.joints.size();
  for (std::size_t k = 0; k < n; ++k) {
    Body body = model.bodies[k];
    Joint joint = model.joints[k];
    body.name += "_right", joint.name = joint.child = body.name;
    if (k > 0) joint.parent += "_right";
    if (k == 0) joint.pose.translation.x += 0.7;
    model.bodies.push_back(body), model.joints.push_back(joint);
  }
  Closure hands =
      pair("hands", model.bodies[n - 1].name, model.bodies.back().name, JointType::fixed);
  hands.at_a.translation = hands.at_b.translation = {0, 0, 0.1};
  model.closures = {hands};
  return model;
}

void add_arm(Model& model, const std::string& suffix, const std::string& parent, const Pose& at) {
  const Model one = to_model(arm(7).bodies);
  for (std::size_t k = 0; k < one.joints.size(); ++k) {
    Body body = one.bodies[k];
    Joint joint = one.joints[k];
    body.name += suffix, joint.name = joint.child = body.name;
    joint.parent = k == 0 ? parent : one.joints[k].parent + suffix;
    if (k == 0) joint.pose = at * joint.pose;
    model.initial.q.push_back({joint.name, {0.5 + 0.1 * static_cast<double>(k)}});
    model.bodies.push_back(body), model.joints.push_back(joint);
  }
}

void add_rod(Model& model, const std::string& name, const std::string& parent, Vector3 at,
             double length, double mass) {
  const double J = mass * length * length / 12;
  model.bodies.push_back({.name = name,
                          .mass = mass,
                          .com = {length / 2, 0, 0},
                          .inertia = {0.01 * J, J, J, 0, 0, 0}});
  Joint joint{.name = name, .type = JointType::revolute, .parent = parent, .child = name};
  joint.pose.translation = at, joint.axis = {0, 1, 0};
  model.joints.push_back(joint);
}

/// N parallelograms in the x, z plane in a row: the rocker of each is the crank of the next, all of
/// them stand on the ground. One freedom, 2 N + 1 joints, 3 N rows of which 2 N count.
Model four_bars(int count, JointType pin) {
  constexpr double crank = 0.3, ground = 0.5;
  Model model;
  add_rod(model, "crank0", "world", {0, 0, 0}, crank, 1);
  model.initial.q.push_back({"crank0", {-1.1}});
  for (int k = 1; k <= count; ++k) {
    const std::string before = "crank" + std::to_string(k - 1), here = "crank" + std::to_string(k),
                      coupler = "coupler" + std::to_string(k);
    add_rod(model, coupler, before, {crank, 0, 0}, ground, 2);
    add_rod(model, here, "world", {ground * k, 0, 0}, crank, 1.5);
    model.initial.q.push_back({coupler, {1.1}}), model.initial.q.push_back({here, {-1.1}});
    Closure loop = pair("loop" + std::to_string(k), coupler, here, pin);
    loop.at_a.translation = {ground, 0, 0}, loop.at_b.translation = {crank, 0, 0};
    loop.axis = {0, 1, 0};
    model.closures.push_back(loop);
  }
  return model;
}

/// A crank-rocker.
Model four_bar(JointType pin) {
  Model model;
  add_rod(model, "crank", "world", {0, 0, 0}, 0.2, 1);
  add_rod(model, "coupler", "crank", {0.2, 0, 0}, 0.6, 2);
  add_rod(model, "rocker", "world", {0.5, 0, 0}, 0.4, 1.5);
  model.initial.q = {{"crank", {-1.2}}, {"coupler", {0.8}}, {"rocker", {-1.3}}};
  Closure loop = pair("loop", "coupler", "rocker", pin);
  loop.at_a.translation = {0.6, 0, 0}, loop.at_b.translation = {0.4, 0, 0};
  loop.axis = {0, 1, 0};
  model.closures = {loop};
  return model;
}

/// Stands with both feet welded to the ground.
Model humanoid_on_feet() {
  Model model = read_model("models/humanoid.urdf", {.base = linkwright::Base::free});
  const System system = compile(model);
  Workspace work(system);
  State state(system);
  for (const char* knee : {"left_knee", "right_knee"}) state.q[system.joint(knee).q] = 0.4;
  for (const char* side : {"left", "right"}) {
    const std::string foot = std::string(side) + "_foot";
    compute_forward_kinematics(work, state, VectorXd::Zero(system.nv()));
    Closure contact = pair(foot, foot, "world", JointType::fixed);
    contact.at_b = frame_pose(work, system.frame(foot));
    model.closures.push_back(contact);
  }
  return model;
}

/// Without what only some of the libraries know.
Model plain(Model model) {
  for (Joint& joint : model.joints) {
    joint.damping.clear(), joint.friction.clear(), joint.passive.clear();
    joint.rotor_inertia.clear(), joint.limits.clear();
  }
  for (Closure& closure : model.closures) closure.passive.clear();
  return model;
}

/// Every universal joint as two hinges with a cross between them that has a mass.
Model with_crosses(const Model& from) {
  Model model = from;
  model.joints.clear();
  for (const Joint& joint : from.joints) {
    model.joints.push_back(joint);
    if (joint.type != JointType::universal) continue;
    const std::string cross = joint.name + "_cross";
    model.bodies.push_back(
        {.name = cross, .mass = 0.3, .com = {}, .inertia = {1e-4, 1e-4, 1e-4, 0, 0, 0}});
    Joint& first = model.joints.back();
    first.type = JointType::revolute, first.child = cross;
    model.joints.push_back(Joint{.name = joint.name + "_second",
                                 .type = JointType::revolute,
                                 .parent = cross,
                                 .child = joint.child});
    model.joints.back().axis = joint.axis2;
  }
  return model;
}

class Cases {
 public:
  explicit Cases(std::string only) : only_(std::move(only)) {}

  template <class Make>
  void add(const std::string& name, Make make, ClosedCase about) {
    about.name = "closed/" + name;
    if (about.name.find(only_) == std::string::npos) return;
    about.model = plain(make());
    cases.push_back(std::move(about));
  }
  void add_shared(const std::string& name, ClosedCase about) {
    const std::string path = "../shared/models/" + name + ".closures.yaml";
    if (std::filesystem::exists(path))
      add(
          name, [&] { return testing::read_shared_closed(path); }, std::move(about));
    else
      std::printf("skipped: closed/%s, there is no %s\n", name.c_str(), path.c_str());
  }

  std::vector<ClosedCase> cases;

 private:
  std::string only_;
};

/// Least pivot over the largest; those of J that are nothing but rounding do not count.
struct LeastPivots {
  double J = 1, M = 1;

  LeastPivots(ClosedWorkspace& work, const VectorXd& q) {
    const Eigen::Index n = work.system().nv();
    MatrixXd rows(work.rows(), n), mass(n, n);
    compute_closure_jacobian(work, q, rows);
    compute_mass_matrix(work.tree(), q, mass);
    const Eigen::ColPivHouseholderQR<MatrixXd> of_J(rows.transpose()), of_M(mass);
    for (const double pivot : of_J.matrixQR().diagonal()) {
      const double share = std::abs(pivot) / of_J.maxPivot();
      if (share > no_pivot) J = std::min(J, share);
    }
    M = of_M.matrixQR().diagonal().cwiseAbs().minCoeff() / of_M.maxPivot();
  }
};

void put_pose(const Pose& pose, double* R, double* p) {
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor>::Map(R) = to_eigen(pose.rotation);
  Eigen::Vector3d::Map(p) = to_eigen(pose.translation);
}

}  // namespace

Model arms_and_object(int count, Stand stand, Hold hold) {
  Model model;
  std::string base(world_name);
  if (stand == Stand::floats) {
    base = "bus";
    model.bodies.push_back(
        {.name = base, .mass = 100, .com = {}, .inertia = {20, 20, 20, 0, 0, 0}});
    model.joints.push_back(
        {.name = base, .type = JointType::free, .parent = "world", .child = base});
  }
  std::vector<std::string> hands;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count, radius = std::max(0.35, 0.05 * count);
    const Pose at{spatial::from_rpy({0, 0, angle}),
                  {radius * std::cos(angle), radius * std::sin(angle), 0}};
    add_arm(model, "_" + std::to_string(i), base, at);
    hands.push_back(model.bodies.back().name);
  }
  const System open = compile(model);
  Workspace work(open);
  compute_forward_kinematics(work, initial_state(open), VectorXd::Zero(open.nv()));
  model.bodies.push_back(
      {.name = "box", .mass = 5, .com = {}, .inertia = {0.08, 0.1, 0.12, 0, 0, 0}});
  model.joints.push_back(
      {.name = "box", .type = JointType::free, .parent = "world", .child = "box"});
  const Pose box{Matrix3::identity(), {0, 0, 0.6}};
  model.initial.q.push_back({"box", {1, 0, 0, 0, 0, 0, 0.6}});
  const Pose hand{Matrix3::identity(), {0, 0, 0.1}};
  for (const std::string& body : hands) {
    const Pose at = inverse(box) * frame_pose(work, open.frame(body)) * hand;
    if (hold == Hold::by_welds) {
      model.closures.push_back(pair("hold_" + body, body, "box", JointType::fixed));
      model.closures.back().at_a = hand, model.closures.back().at_b = at;
    } else {
      model.frames.push_back({"hand_" + body, body, hand, {}});
      model.grasps.push_back(
          {.name = "hold_" + body, .arm = "hand_" + body, .object = "box", .at = at});
    }
  }
  return model;
}

std::vector<ClosedCase> closed_cases(const std::string& only) {
  constexpr double batch_asked = 8, batch_aim = 15;
  Cases all(only);
  const auto add = [&](const std::string& name, auto make, ClosedCase about) {
    about.batch_asked = batch_asked, about.batch_aim = batch_aim;
    all.add(name, make, about);
  };
  const auto add_shared = [&](const std::string& name, ClosedCase about) {
    about.batch_asked = batch_asked, about.batch_aim = batch_aim;
    all.add_shared(name, about);
  };
  add("two_arms", two_arms, {.asked = 2, .aim = 3, .spread = 1.5});
  all.add("two_arms_box", [] { return arms_and_object(2, Stand::on_world, Hold::by_welds); },
          {.asked = 2, .aim = 3, .spread = 0.5});
  all.add("two_arms_box_floating", [] { return arms_and_object(2, Stand::floats, Hold::by_welds); },
          {.asked = 2, .aim = 3, .spread = 0.5});
  add("four_bar", [] { return four_bar(JointType::spherical); },
      {.asked = 3, .aim = 5, .spread = 2});
  ClosedCase hinge;
  hinge.for_peers = four_bar(JointType::spherical), hinge.spread = 2;
  all.add(
      "four_bar_hinge", [] { return four_bar(JointType::revolute); }, std::move(hinge));
  const auto stewart = [] { return read_model("models/stewart.yaml"); };
  add("stewart", stewart, {.asked = 2.5, .aim = 4, .spread = 0.2});
  all.add("stewart_crosses", [&] { return with_crosses(stewart()); }, {.spread = 0.2});
  add_shared("delta", {.asked = 2.5, .aim = 5, .spread = 0.3});
  add_shared("cassie_like", {.asked = 2.5, .aim = 5, .spread = 0.3});
  add_shared("disney_like", {.asked = 2.5, .aim = 5, .spread = 0.3});
  all.add_shared("fivebar_iso3d", {.spread = 0.7});
  add("humanoid_on_feet", humanoid_on_feet, {.asked = 1.6, .aim = 2.2, .spread = 0.3});
  for (const int n : {1, 2, 5, 10, 20, 50, 100, 200})
    all.add("four_bars" + std::to_string(n), [n] { return four_bars(n, JointType::spherical); },
            {.loops = n,
             .states = n <= 10    ? 64
                       : n <= 100 ? 16
                                  : 8,
             .spread = 0.5});
  return std::move(all.cases);
}

NeutralClosed::NeutralClosed(const System& system, const Model& model) {
  std::map<std::string, int> index{{"world", -1}};
  for (const int body : system.body_order()) {
    const int at = system.joint_of_body(body);
    const Joint& joint = system.model().joints[static_cast<std::size_t>(at)];
    const Body& solid = system.model().bodies[static_cast<std::size_t>(body)];
    PeerBody b = to_peer_body(solid, joint);
    b.parent = index.at(joint.parent);
    b.name = solid.name.c_str();
    index[solid.name] = static_cast<int>(bodies.size());
    bodies.push_back(b);
    const JointPlace& place = system.joints()[static_cast<std::size_t>(at)];
    for (int i = 0; i < place.nq; ++i) q_.push_back(place.q + i);
    for (int i = 0; i < place.nv; ++i) v_.push_back(place.v + i);
  }
  for (const Closure& closure : model.closures) {
    const bool weld = closure.joint == JointType::fixed;
    if (closure.kind != Closure::Kind::joint || (!weld && closure.joint != JointType::spherical))
      throw std::runtime_error("closure " + closure.name + " is neither a weld nor a ball");
    PeerClosure c{};
    c.a = index.at(closure.body_a), c.b = index.at(closure.body_b);
    put_pose(closure.at_a, c.Ra, c.pa), put_pose(closure.at_b, c.Rb, c.pb);
    c.rows = weld ? 6 : 3;
    closures.push_back(c);
  }
}

void NeutralClosed::append_position(const VectorXd& q, std::vector<double>& out) const {
  for (const int entry : q_) out.push_back(q[entry]);
}
void NeutralClosed::append_freedoms(const VectorXd& x, std::vector<double>& out) const {
  for (const int entry : v_) out.push_back(x[entry]);
}
VectorXd NeutralClosed::freedoms(const double* common) const {
  VectorXd x(static_cast<Eigen::Index>(v_.size()));
  for (const int entry : v_) x[entry] = *common++;
  return x;
}

std::vector<ClosedState> closed_states(const System& system, const ClosedCase& which) {
  ClosedWorkspace work(system);
  Random random;
  const auto draw = [&](double size) {
    VectorXd x(system.nv());
    for (double& one : x) one = random.uniform(-size, size);
    return x;
  };
  const AssemblyOptions nearby{.limits = AssemblyOptions::Limits::ignore, .restarts = 0};
  VectorXd start = initial_state(system).q;
  if (!assemble(work, {.limits = AssemblyOptions::Limits::ignore}, start).assembled)
    throw std::runtime_error(which.name + " could not be assembled");
  const LeastPivots first(work, start);
  const double least_J = std::min(enough_of_J, share_of_J * first.J),
               least_M = share_of_M * first.M;
  std::vector<ClosedState> states;
  for (int tries = 0; static_cast<int>(states.size()) < which.states; ++tries) {
    if (tries > 100 * which.states)
      throw std::runtime_error(which.name + ": no states that close its loops were found");
    // Along the mechanism's own freedoms, so that the loops stay nearly closed.
    VectorXd way = draw(1);
    project_velocity(work, start, {}, way);
    way *= random.uniform(0, which.spread) / way.cwiseAbs().maxCoeff();
    State state(system);
    compute_integral(system, start, way, 1, state.q);
    if (!assemble(work, nearby, state.q).assembled) continue;
    const LeastPivots here(work, state.q);
    if (here.J < least_J || here.M < least_M) continue;
    state.v = draw(1);
    project_velocity(work, state.q, {}, state.v);
    states.push_back({state, draw(1)});
  }
  return states;
}

}  // namespace bench
