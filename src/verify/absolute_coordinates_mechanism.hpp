#pragma once
/// The unknowns and equations of absolute coordinates: bodies, the joints that carry them, and bonds,
/// which are what closes loops.

#include "linkwright/verify/absolute_coordinates.hpp"
#include "verify/absolute_coordinates_closure.hpp"
#include "verify/absolute_coordinates_index.hpp"

namespace linkwright::verify {

namespace absolute {

using ConstNumbers = Eigen::Ref<const Eigen::VectorXd>;

/// A body with the joint that carries it.
struct Member {
  int body = 0, parent = -1;  // indices into Model::bodies; −1 = world
  JointState joint;
  int q = 0, v = 0;  // where its coordinates start
  int first = 0;     // its first unknown: accelerations 6, reactions 6, joint accelerations
  Vector com;        // from the origin of the body's frame, in world axes
  Matrix inertia;    // about the centre of mass, in world axes
  // The child's motion relative to the parent per unit of v, and what comes with v alone; world axes.
  Eigen::Matrix<Number, 3, Eigen::Dynamic> turns, slides;
  Vector angular_bias, linear_bias;
};

/// A closure, and the unknowns that it brings at this state: a multiplier for each equation that the
/// joints and the other closures do not imply, and the accelerations of its own freedoms.
struct Bond {
  Closure closure;
  int a = -1, b = -1;              // indices into Model::bodies; −1 = world
  int leader = -1, follower = -1;  // of a gear: places in v
  ClosureEquations equations{};    // of the accelerations of the bodies' frames
  std::vector<int> kept{};         // rows of them
  int first = 0;                   // its first unknown

  [[nodiscard]] bool is_gear() const { return closure.kind == Closure::Kind::gear; }
  [[nodiscard]] int rows() const { return is_gear() ? 1 : static_cast<int>(equations.on_a.rows()); }
  [[nodiscard]] int freedoms() const {
    return is_gear() ? 0 : static_cast<int>(equations.own.cols());
  }
};

/// A motor's shaft that several joints turn together, by the sum of ratio · rate.
struct Shaft {
  struct Turn {
    int place;  // in v
    Number ratio;
  };
  std::vector<Turn> turns{};
  Actuator::Motor motor{};
};

}  // namespace absolute

using namespace absolute;

struct AbsoluteCoordinates::Mechanism {
  explicit Mechanism(Model described);

  void set_coordinates(const ConstNumbers& q, const ConstNumbers& v);
  void move(Member& member);
  void differentiate(Member& member, const Matrix& joint_axes, const Vector& omega,
                     const RelativeMotion& x) const;
  void gather_forces(const std::vector<ForceOnFrame>& given);
  void write_body(const Member& member);
  void write_reaction(const Member& member);
  void write_constraint(const Member& member);
  void write_efforts(const Member& member, const ConstNumbers& tau);
  void add_bonds();
  void choose_bond_rows();
  void add_velocity_columns(Equations& rows) const;
  void scale(Equations& rows) const;
  [[nodiscard]] Number length() const;
  void write_bond(const Bond& bond);
  void add_shafts();
  void write_shaft(const Shaft& shaft, const ConstNumbers& v);
  void write_bond_efforts(const Bond& bond);
  [[nodiscard]] std::vector<Number> pair_position(const Bond& bond) const;
  [[nodiscard]] Number count_turns(const Bond& bond, Number angle) const;
  void write_bond_to_body(const Bond& bond, int body, const Equations& on);
  void read_accelerations(const Member& member);
  [[nodiscard]] std::pair<int, Pose> frame(std::string_view name) const;
  [[nodiscard]] Number mass_unit() const;
  void require_solution(const std::string& reader) const {
    if (!is_solved)
      throw Error(reader +
                  " of absolute coordinates reads the last computation, and there is none "
                  "that found an answer: call compute_forward_dynamics first");
  }
  bool is_solved = false;
  [[nodiscard]] std::string place_of_unknown(int unknown) const;
  [[nodiscard]] const BodyMotion& motion(int body) const {
    static const BodyMotion world;
    return body < 0 ? world : bodies[at(body)];
  }

  Model model;
  int nq = 0, nv = 0;
  int tree_unknowns = 0, unknowns = 0;
  Number unit = 1;              // of mass, so that reactions and accelerations are of one size
  std::vector<Member> members;  // parents before children
  std::vector<int> member_of;   // by body
  std::vector<BodyMotion> bodies;
  std::vector<BodyForce> forces;
  std::vector<Bond> bonds;
  std::vector<Shaft> shafts;
  std::vector<int> unknown_of;  // by place in v: the joint's acceleration
  Equations A;
  Unknowns b, solution;
};

}  // namespace linkwright::verify
