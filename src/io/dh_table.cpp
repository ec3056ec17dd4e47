#include <fmt/format.h>

#include <cmath>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

Pose turn_z(double angle) { return {spatial::from_rpy({0, 0, angle}), {}}; }
Pose turn_x(double angle) { return {spatial::from_rpy({angle, 0, 0}), {}}; }
Pose slide(double x, double z) { return {Matrix3::identity(), {x, 0, z}}; }

/// One row of the table at q = 0, split at the joint.
struct Row {
  Pose to_joint;  ///< joint frame in the previous link's DH frame
  Pose to_link;   ///< the link's DH frame in the joint frame
};

// Standard:  Rz(θ) Tz(d) | Tx(a) Rx(α).   Modified:  Rx(α) Tx(a) Rz(θ) Tz(d) |.
// The variable turns about or slides along z at the bar, where it commutes with Rz(θ) Tz(d).
Row read_row(const Yaml& item, JointType type, bool standard) {
  const double offset = item.number_or("offset", 0);
  const bool prismatic = type == JointType::prismatic;
  const double theta = item.number_or("theta", 0) + (prismatic ? 0 : offset);
  const double d = item.number_or("d", 0) + (prismatic ? offset : 0);
  const Pose screw_z = turn_z(theta) * slide(0, d);
  const double a = item.number_or("a", 0), alpha = item.number_or("alpha", 0);
  if (standard) return {screw_z, slide(a, 0) * turn_x(alpha)};
  return {turn_x(alpha) * slide(a, 0) * screw_z, {}};
}

JointType read_type(const Yaml& item) {
  const std::string name = item.text_or("type", "revolute");
  if (name == "revolute") return JointType::revolute;
  if (name == "prismatic") return JointType::prismatic;
  item.at("type").fail(
      fmt::format("{} is unknown; a DH table has revolute and prismatic joints", in_quotes(name)));
}

/// Motor-side values are felt at the joint through the gear: inertia and damping by its square.
void read_drive(const Yaml& item, Joint& joint) {
  const double gear = item.number_or("gear", 1);
  if (gear == 0) item.at("gear").fail("is 0; expected the ratio motor speed to joint speed");
  if (const auto rotor = item.find("rotor_inertia"))
    joint.rotor_inertia = {gear * gear * rotor->number()};
  if (const auto damping = item.find("damping")) joint.damping = {gear * gear * damping->number()};
  if (const auto value = item.find("friction")) {
    const Friction friction = read_friction(*value);
    joint.friction = {{std::abs(gear) * friction.forward, std::abs(gear) * friction.backward,
                       std::abs(gear) * friction.breakaway}};
  }
  if (const auto limits = item.find("limits")) joint.limits = read_limits(*limits);
}

/// Where the chain has got to: the link that carries the next joint, and the last DH frame on it.
struct Tip {
  std::string body;
  Pose dh;
};

void read_link(const Yaml& unnamed, std::size_t number, const std::string& prefix, bool standard,
               Tip& tip, Model& model) {
  unnamed.allow_keys(Section::dh_row);
  const std::string link = prefix + unnamed.text_or("name", fmt::format("link{}", number));
  const Yaml item = unnamed.called("link " + in_quotes(link));
  Joint joint;
  joint.name = prefix + item.text_or("joint", fmt::format("joint{}", number));
  joint.type = read_type(item);
  joint.axis = {0, 0, 1};
  joint.source = item.source();
  read_drive(item, joint);
  const Row row = read_row(item, joint.type, standard);
  joint.parent = tip.body;
  joint.pose = tip.dh * row.to_joint;

  // A standard DH frame sits at the far end of its link, away from the joint that moves it, so the
  // body's own frame is the joint's and the table's frame rides on it under the link's name.
  Body body;
  body.name = standard ? link + "_body" : link;
  body.source = item.source();
  read_inertial(item, body);
  body.com = row.to_link * body.com;
  body.inertia = congruence(row.to_link.rotation, body.inertia);
  joint.child = body.name;
  if (standard) model.frames.push_back({link, body.name, row.to_link, item.source()});
  tip = {body.name, row.to_link};
  model.bodies.push_back(std::move(body));
  model.joints.push_back(std::move(joint));
}

/// A base that moves needs a link of its own, before the first row.
Tip attach(const Yaml& table, const std::string& prefix, Model& model) {
  const BaseChoice choice = read_base(table);
  const Pose pose = read_pose(table, "pose");
  const auto link = table.find("base_link");
  if (choice.base == Base::fixed) {
    if (link) link->fail("only a free, planar or flexible base moves; remove it or set `base:`");
    return {std::string(world_name), pose};
  }
  Body body;
  body.name = prefix + "base_link";
  body.source = table.source();
  body.has_inertial = false;
  if (link) {
    link->allow_keys(Section::dh_base_link);
    read_inertial(*link, body);
  }
  Joint joint;
  joint.name = prefix + "base";
  joint.type = choice.base == Base::free ? JointType::free : JointType::planar;
  joint.parent = world_name;
  joint.child = body.name;
  joint.pose = pose;
  joint.axis = {0, 0, 1};
  joint.implied = true;
  joint.source = table.source();
  if (choice.flexible) {
    model.flexible_bases.push_back(*choice.flexible);
    model.flexible_bases.back().joint = joint.name;
  }
  const std::string name = body.name;
  model.bodies.push_back(std::move(body));
  model.joints.push_back(std::move(joint));
  return {name, {}};
}

bool is_standard(const Yaml& table) {
  const Yaml convention = table.at("convention");
  const std::string name = convention.text();
  if (name == "standard") return true;
  if (name == "modified") return false;
  convention.fail(
      fmt::format("{} is unknown; expected standard (frames at the links' far ends) or "
                  "modified (Craig, frames at the joints)",
                  in_quotes(name)));
}

}  // namespace

void read_dh_tables(const Yaml& file, Model& model, Problems& problems) {
  read_each(file, "dh", problems, [&](const Yaml& table) {
    table.allow_keys(Section::dh_table);
    const auto name = table.find("name");
    const std::string prefix = name ? name->text() + "/" : std::string{};
    const bool standard = is_standard(table);
    const auto links = table.at("links").items();
    if (links.empty()) table.at("links").fail("is empty; expected one row per joint");
    Tip tip = attach(table, prefix, model);
    for (std::size_t i = 0; i < links.size(); ++i)
      problems.attempt([&] { read_link(links[i], i + 1, prefix, standard, tip, model); });
    // Where one row is wrong, the rows after it hang elsewhere, and names may be missing.
    if (problems.has_mistakes()) problems.set_unread("");
  });
}

}  // namespace linkwright::system_file
