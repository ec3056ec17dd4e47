#include <fmt/format.h>

#include <cmath>

#include "io/sdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

/// A joint that turns a link against the reference body, and which way: +1 where its angle grows with the turn of the
/// link about the gearbox's axis.
struct Turning {
  const Joint* joint;
  double sign;
};

/// The axis of a joint in the world, at q = 0; bodies stand where `poses` says.
class Search {
 public:
  Search(const Model& model, const Gearbox& gearbox) : model_(model), gearbox_(gearbox) {}

  [[nodiscard]] Turning find(const std::string& link, const Vector3& axis,
                             const Poses& poses) const {
    for (const Joint& joint : model_.joints) {
      const bool forward = joint.parent == gearbox_.reference && joint.child == link;
      const bool backward = joint.child == gearbox_.reference && joint.parent == link;
      if (!forward && !backward) continue;
      if (joint.type != JointType::revolute && joint.type != JointType::continuous) continue;
      const Vector3 along =
          pose_of(joint.parent, poses).rotation * (joint.pose.rotation * joint.axis);
      const double same = dot(along, axis);
      if (std::abs(std::abs(same) - 1) > 1e-6)
        throw Error(gearbox_.source,
                    fmt::format("joint {}: its axis for {} is not that of joint {}, which turns it "
                                "against {}; they must be parallel",
                                in_quotes(gearbox_.name), in_quotes(link), in_quotes(joint.name),
                                in_quotes(gearbox_.reference)));
      return {&joint, std::copysign(1, forward ? same : -same)};
    }
    throw Error(
        gearbox_.source,
        fmt::format("joint {}: no revolute joint turns {} against the reference body {}; "
                    "a gearbox couples two such joints",
                    in_quotes(gearbox_.name), in_quotes(link), in_quotes(gearbox_.reference)));
  }

 private:
  static Pose pose_of(const std::string& body, const Poses& poses) {
    const auto found = poses.find(body);
    return found == poses.end() ? Pose{} : found->second;
  }

  const Model& model_;
  const Gearbox& gearbox_;
};

}  // namespace

// SDF: θ2 = −ratio · θ1, θ1 the angle of the parent and θ2 that of the child about their axes, against the reference
// body.
void add_gearboxes(const std::vector<Gearbox>& gearboxes, const Poses& poses, Model& model,
                   Problems& problems) {
  for (const Gearbox& gearbox : gearboxes)
    problems.attempt([&] {
      if (problems.has_unread() &&
          (problems.is_unread(gearbox.parent) || problems.is_unread(gearbox.child)))
        throw Consequence{};
      const Search search(model, gearbox);
      const Turning leader = search.find(gearbox.parent, gearbox.axis, poses),
                    follower = search.find(gearbox.child, gearbox.axis2, poses);
      Closure gear{.name = gearbox.name, .kind = Closure::Kind::gear};
      gear.leader = leader.joint->name, gear.follower = follower.joint->name;
      gear.ratio = -gearbox.ratio * leader.sign * follower.sign;
      gear.source = gearbox.source;
      model.closures.push_back(std::move(gear));
    });
}

}  // namespace linkwright::sdf
