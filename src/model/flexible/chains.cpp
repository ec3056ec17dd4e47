// Flexible links become chains of rigid pieces on elastic joints.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "linkwright/model/loops.hpp"
#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"
#include "model/flexible/held_ends.hpp"
#include "model/flexible/pieces.hpp"
#include "model/problems.hpp"

namespace linkwright {
namespace {

/// Stiffness and damping of one elastic joint: those of its share L/k of the beam.
struct Elasticity {
  double stiffness = 0, damping = 0;
};

Elasticity elasticity_of(const FlexibleLink& link, const Beam& beam, BeamMotion motion) {
  const double share = beam.length / beam.elements;
  const double stiffness = beam.stiffness[static_cast<std::size_t>(motion)] / share;
  const double first = clamped_frequencies(beam, motion, 1).front();
  return {stiffness, 2 * link.damping_ratio / first * stiffness};
}

/// Makes the chain of one link inside a model.
class ChainMaker {
 public:
  ChainMaker(const FlexibleLink& link, const Beam& beam, Model& model)
      : link_(link), beam_(beam), pieces_(link, beam), model_(model) {}

  void run() {
    const std::size_t root = carried_piece();
    make_pieces();
    move_attachments();
    for (std::size_t i = 1; i < pieces_.count(); ++i) add_elastic_joint(i, i <= root);
  }

 private:
  /// The piece that the tree arrives at.
  [[nodiscard]] std::size_t carried_piece() const {
    const std::vector<std::string>& cut = model_.cut;
    for (const Joint& joint : model_.joints)
      if (joint.child == link_.body && std::find(cut.begin(), cut.end(), joint.name) == cut.end())
        return pieces_.at(joint.at_child.translation);
    return pieces_.own();
  }

  void make_pieces() {
    for (std::size_t i = 0; i < pieces_.count(); ++i) {
      const double length = pieces_.end(i) - pieces_.begin(i);
      const double mass = beam_.mass_per_length * length;
      const Vector3 slice = length * beam_.inertia_per_length;
      const double across = mass * length * length / 12;
      Body piece{.name = pieces_.name(i), .mass = mass};
      piece.com = pieces_.point(0.5 * (pieces_.begin(i) + pieces_.end(i))) - pieces_.origin(i);
      piece.inertia = congruence(
          beam_.axes, Symmetric3{.xx = slice.x, .yy = slice.y + across, .zz = slice.z + across});
      piece.source = piece.inertial_source = link_.source;
      if (i == pieces_.own())
        *std::find_if(model_.bodies.begin(), model_.bodies.end(),
                      [&](const Body& body) { return body.name == link_.body; }) = piece;
      else
        model_.bodies.push_back(piece);
    }
  }

  void move_attachments() {
    for (Joint& joint : model_.joints) {
      pieces_.move(joint.parent, joint.pose);
      pieces_.move(joint.child, joint.at_child);
    }
    for (Frame& frame : model_.frames) pieces_.move(frame.body, frame.pose);
    for (Closure& closure : model_.closures) {
      pieces_.move(closure.body_a, closure.at_a);
      pieces_.move(closure.body_b, closure.at_b);
    }
    for (Grasp& grasp : model_.grasps) pieces_.move(grasp.object, grasp.at);
    for (LineSpring& spring : model_.line_springs) {
      pieces_.move(spring.body_a, spring.at_a);
      pieces_.move(spring.body_b, spring.at_b);
    }
    for (BodyLoad& load : model_.body_loads) pieces_.move(load.body, load.at);
    tell_of_meshes(model_.visuals), tell_of_meshes(model_.collisions);
    const bool drawn = std::any_of(model_.visuals.begin(), model_.visuals.end(),
                                   [&](const Visual& v) { return v.body == link_.body; });
    move_shapes(model_.visuals, link_.body, pieces_, beam_);
    move_shapes(model_.collisions, link_.body, pieces_, beam_);
    if (!drawn) draw_section(link_, beam_, pieces_, model_.visuals);
  }

  /// A mesh cannot be cut.
  void tell_of_meshes(const std::vector<Visual>& shapes) {
    for (const Visual& shape : shapes) {
      if (shape.body != link_.body || shape.shape != Visual::Shape::mesh) continue;
      const std::string piece = pieces_.name(pieces_.at(shape.pose.translation));
      model_.warnings.push_back(
          {shape.source.file.empty() ? link_.source : shape.source,
           fmt::format("flexible link {}: mesh {} stays whole on its piece {} and does not bend; "
                       "a box or cylinder along the beam would",
                       in_quotes(link_.body), in_quotes(shape.file), in_quotes(piece)),
           "mesh on a flexible link"});
    }
  }

  /// One end of an elastic joint: a piece, or a link without mass between two joints at one place.
  struct End {
    std::string body;
    Vector3 origin;  ///< of its frame, in the body's
  };

  /// Bends, then twists, then stretches, from the root outwards; `inwards`: the tree runs the other way, and
  /// axes with it, so that q > 0 moves what is beyond the joint as seen from the root.
  void add_elastic_joint(std::size_t i, bool inwards) {
    std::vector<Joint> joints = joints_of(i);
    const Vector3 place = pieces_.joint(i);
    End inner{pieces_.name(i - 1), pieces_.origin(i - 1)};
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const bool last = j + 1 == joints.size();
      End outer =
          last ? End{pieces_.name(i), pieces_.origin(i)} : End{joints[j].name + ":end", place};
      if (!last)
        model_.bodies.push_back(
            {.name = outer.body, .has_inertial = false, .source = link_.source});
      const End &parent = inwards ? outer : inner, &child = inwards ? inner : outer;
      joints[j].parent = parent.body, joints[j].pose.translation = place - parent.origin;
      joints[j].child = child.body, joints[j].at_child.translation = place - child.origin;
      if (inwards) joints[j].axis = -joints[j].axis, joints[j].axis2 = -joints[j].axis2;
      model_.joints.push_back(joints[j]);
      inner = outer;
    }
  }

  /// The joints at place i, with their springs.
  std::vector<Joint> joints_of(std::size_t i) {
    using M = BeamMotion;
    const Vector3 x = beam_.axes.column_x(), y = beam_.axes.column_y(), z = beam_.axes.column_z();
    const auto make = [&](const char* kind, JointType type, const Vector3& axis) {
      Joint joint{.name = fmt::format("{}:{}{}", link_.body, kind, i), .type = type, .axis = axis};
      joint.passive = {true};
      joint.implied = true;
      joint.source = link_.source;
      return joint;
    };
    std::vector<Joint> joints;
    if (beam_.moves(M::bend_y) && beam_.moves(M::bend_z)) {
      joints.push_back(make("bend", JointType::universal, y));
      joints.back().axis2 = z;
      add_spring(joints.back(), 0, M::bend_y);
      add_spring(joints.back(), 1, M::bend_z);
    } else {
      const M motion = beam_.moves(M::bend_y) ? M::bend_y : M::bend_z;
      joints.push_back(make("bend", JointType::continuous, motion == M::bend_y ? y : z));
      joints.back().axis2 = motion == M::bend_y ? z : y;  // tells find_flexible_links which it is
      add_spring(joints.back(), 0, motion);
    }
    if (beam_.moves(M::twist)) {
      joints.push_back(make("twist", JointType::continuous, x));
      add_spring(joints.back(), 0, M::twist);
    }
    if (beam_.moves(M::stretch)) {
      joints.push_back(make("stretch", JointType::prismatic, x));
      add_spring(joints.back(), 0, M::stretch);
    }
    return joints;
  }

  void add_spring(const Joint& joint, int freedom, BeamMotion motion) {
    const Elasticity of = elasticity_of(link_, beam_, motion);
    model_.joint_springs.push_back({.joint = joint.name,
                                    .freedom = freedom,
                                    .stiffness = of.stiffness,
                                    .damping = of.damping,
                                    .source = link_.source});
  }

  const FlexibleLink& link_;
  const Beam& beam_;
  Pieces pieces_;
  Model& model_;
};

const Body& require_link(const FlexibleLink& link, const Model& model) {
  std::vector<std::string> names;
  for (const Body& body : model.bodies) {
    if (body.name == link.body) return body;
    names.push_back(body.name);
  }
  if (link.body == world_name)
    throw Error(link.source, "flexible link 'world': the world does not bend; expected a link");
  throw Error(link.source, fmt::format("flexible link {}: there is no such link{}",
                                       in_quotes(link.body), did_you_mean(link.body, names)));
}

/// The beam's inertia stands for the one that the body was given.
void tell_of_replaced_inertia(const FlexibleLink& link, const Beam& beam, const Body& body,
                              Model& model) {
  const auto warn = [&](const std::string& message) {
    model.warnings.push_back({link.source,
                              fmt::format("flexible link {}: {}", in_quotes(link.body), message),
                              "inertia of a flexible link"});
  };
  const Symmetric3& I = body.inertia;
  const bool has_more = norm(body.com) > 0 || I.xx != 0 || I.yy != 0 || I.zz != 0 || I.xy != 0 ||
                        I.xz != 0 || I.yz != 0;
  if (!(body.mass > 0)) {
    if (has_more) warn("com and inertia of the body are left out, those of the beam count");
    return;
  }
  const bool own = link.density || link.mass_per_length;
  warn(fmt::format("{}, its com and inertia are those of the beam",
                   own ? fmt::format("the beam's {:.6g} kg take the place of the body's {:.6g} kg",
                                     beam.mass_per_length * beam.length, body.mass)
                       : fmt::format("the body's {:.6g} kg are spread along it", body.mass)));
}

/// Before `cut` is written anew: what it says must be right for the links as they were.
void check_cut(const Model& model, Problems& problems) {
  if (model.cut.empty()) return;
  Problems told_elsewhere(Problems::Strictness::strict);
  checks::check_cut(model, checks::check_names(model, told_elsewhere), problems);
}

}  // namespace

Model to_elastic_chains(const Model& model, const std::vector<FlexibleLink>& links) {
  Problems problems(Problems::Strictness::strict);
  std::vector<Beam> beams;
  std::unordered_set<std::string> seen;
  for (const FlexibleLink& link : links)
    problems.attempt([&] {
      const Body& body = require_link(link, model);
      if (!seen.insert(link.body).second)
        throw Error(link.source, fmt::format("flexible link {} is described twice; remove one",
                                             in_quotes(link.body)));
      beams.push_back(to_beam(link, body));
      check_held_ends(link, beams.back(), model);
    });
  check_cut(model, problems);
  problems.throw_mistakes();
  Model chains = model;
  if (links.empty()) return chains;
  chains.cut = compute_closing_joints(model);  // pieces must not change where loops are cut
  for (std::size_t i = 0; i < links.size(); ++i) {
    tell_of_replaced_inertia(links[i], beams[i], require_link(links[i], model), chains);
    ChainMaker(links[i], beams[i], chains).run();
  }
  return chains;
}

}  // namespace linkwright
