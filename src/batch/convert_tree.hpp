#pragma once
/// The same tree with its constants in another precision.

#include "linkwright/system/tree.hpp"
#include "system/each_number.hpp"

namespace linkwright {

template <class B>
struct TreeConverter {
  static B number(double x) { return static_cast<B>(x); }
  static spatial::Vector3<B> vector(const spatial::Vector3<double>& v) {
    return {number(v.x), number(v.y), number(v.z)};
  }
  static spatial::Matrix3<B> matrix(const spatial::Matrix3<double>& m) {
    spatial::Matrix3<B> out{};
    each_number(out, m, [](B& to, double from) { to = number(from); });
    return out;
  }
  static Node<B> node(const Node<double>& n) {
    Node<B> out{};
    each_number(out, n, [](B& to, double from) { to = number(from); });
    out.parent = n.parent;
    out.q = n.q, out.v = n.v, out.d = n.d;
    out.freedom = n.freedom, out.end = n.end, out.neighbours = n.neighbours;
    out.modes = n.modes;
    return out;
  }
  static Modes<B> modes(const Modes<double>& m) {
    Modes<B> out{};
    each_number(out, m, [](B& to, double from) { to = number(from); });
    out.d = m.d;
    out.plain = m.plain;
    return out;
  }
  static typename BodyForces<B>::Load load(const BodyForces<double>::Load& l) {
    return {
        l.node, vector(l.at), {vector(l.force.moment), vector(l.force.force)}, l.in_world, l.body};
  }
  static std::vector<B> list(const std::vector<double>& x) { return {x.begin(), x.end()}; }

  static Tree<B> tree(const Tree<double>& t) {
    Tree<B> out;
    for (const auto& n : t.nodes) out.nodes.push_back(node(n));
    for (const auto& x : t.turning) out.turning.push_back({x.node, x.q, number(x.offset)});
    for (const auto& m : t.modes) out.modes.push_back(modes(m));
    out.runs = t.runs;
    out.velocity_of = t.velocity_of, out.outward = t.outward;
    out.branches = t.branches;
    out.quaternions = t.quaternions;
    out.bound_poses = t.bound_poses;
    out.joint_forces = joint_forces(t.joint_forces);
    for (const auto& s : t.body_forces.line_springs)
      out.body_forces.line_springs.push_back({s.node_a, s.node_b, vector(s.at_a), vector(s.at_b),
                                              number(s.stiffness), number(s.damping),
                                              number(s.rest_length), s.body_a, s.body_b});
    for (const auto& l : t.body_forces.loads) out.body_forces.loads.push_back(load(l));
    out.gravity = vector(t.gravity);
    out.nq = t.nq;
    out.nv = t.nv;
    return out;
  }

 private:
  static JointForces<B> joint_forces(const JointForces<double>& f) {
    JointForces<B> out;
    out.damping = list(f.damping);
    out.load = list(f.load);
    out.friction_forward = list(f.friction_forward);
    out.friction_backward = list(f.friction_backward);
    for (const auto& s : f.springs)
      out.springs.push_back({s.q, s.v, number(s.stiffness), number(s.rest)});
    for (const auto& s : f.pose_springs) {
      out.pose_springs.push_back({s.q, s.v, {}, s.has_position});
      out.pose_springs.back().coupling = s.coupling;
      for (int i = 0; i < 6; ++i) out.pose_springs.back().stiffness[i] = number(s.stiffness[i]);
    }
    for (const auto& c : f.couplings) {
      auto& to = out.couplings.emplace_back();
      for (int i = 0; i < 36; ++i) {
        to.stiffness[i / 6][i % 6] = number(c.stiffness[i / 6][i % 6]);
        to.damping[i / 6][i % 6] = number(c.damping[i / 6][i % 6]);
      }
    }
    out.any = f.any;
    return out;
  }
};

}  // namespace linkwright
