#include "simulate/recording/channel_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwright/model/names.hpp"
#include "simulate/equations/joint_units.hpp"

namespace linkwright {
namespace {

const std::vector<Column> pose_columns{{"x", "m"},  {"y", "m"},  {"z", "m"}, {"qw", "1"},
                                       {"qx", "1"}, {"qy", "1"}, {"qz", "1"}};
const std::vector<Column> velocity_columns{{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"},
                                           {"vx", "m/s"},   {"vy", "m/s"},   {"vz", "m/s"}};
const std::vector<Column> acceleration_columns{{"alphax", "rad/s^2"}, {"alphay", "rad/s^2"},
                                               {"alphaz", "rad/s^2"}, {"ax", "m/s^2"},
                                               {"ay", "m/s^2"},       {"az", "m/s^2"}};
const std::vector<Column> force_columns{{"nx", "N*m"}, {"ny", "N*m"}, {"nz", "N*m"},
                                        {"fx", "N"},   {"fy", "N"},   {"fz", "N"}};
const std::vector<Column> closure_columns{{"mx", "N*m"}, {"my", "N*m"}, {"mz", "N*m"},
                                          {"fx", "N"},   {"fy", "N"},   {"fz", "N"}};
const std::vector<Column> attitude_columns{{"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}};
const std::vector<Column> contact_columns{
    {"normal", "N"}, {"tangential", "N"}, {"moment", "N*m"}, {"margin", "N"}, {"holds", "1"}};
const std::vector<Column> momentum_columns{{"angular:x", "N*m*s"}, {"angular:y", "N*m*s"},
                                           {"angular:z", "N*m*s"}, {"linear:x", "N*s"},
                                           {"linear:y", "N*s"},    {"linear:z", "N*s"}};
const std::vector<Column> position_columns{{"x", "m"}, {"y", "m"}, {"z", "m"}};

const std::vector<std::string> whole_requests{"a",
                                              "tau",
                                              "momentum",
                                              "com",
                                              "kinetic",
                                              "potential",
                                              "stored",
                                              "input",
                                              "extra",
                                              "velocity_error",
                                              "tolerance_missed"};
const std::vector<std::string> always_there{"time", "q", "v", "energy", "closure_error"};

bool holds(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

const JointPlace* find_joint(const System& system, const std::string& name) {
  for (const JointPlace& joint : system.joints())
    if (joint.name == name) return &joint;
  return nullptr;
}

std::vector<std::string> known_to(const System& system, const std::vector<Quantity>& inputs,
                                  const std::vector<Quantity>& extra_states,
                                  const std::vector<Quantity>& outputs) {
  std::vector<std::string> names = whole_requests;
  names.insert(names.end(), always_there.begin(), always_there.end());
  for (const FramePlace& frame : system.frames())
    for (const char* kind : {"frame:", "velocity:", "acceleration:"})
      names.push_back(kind + frame.name);
  for (const JointPlace& joint : system.joints()) {
    names.push_back("force:" + joint.name);
    if (joint.nv == 0) continue;
    for (const char* kind : {"q:", "v:", "a:", "tau:"}) names.push_back(kind + joint.name);
  }
  for (const ClosurePlace& closure : system.closures()) names.push_back("closure:" + closure.name);
  for (const Grasp& grasp : system.model().grasps) {
    if (lets_turn(grasp)) names.push_back("contact:" + grasp.name);
    if (!is_one_sided(grasp)) continue;
    for (const Column& column : contact_columns)
      names.push_back("contact:" + grasp.name + ":" + column.name);
  }
  for (const ContactFreedom& freedom : contact_freedoms(system, Closures::refuse))
    for (const char* kind : {"friction:", "stop:"}) names.push_back(kind + freedom.name);
  for (const Quantity& input : inputs) names.push_back("input:" + input.name);
  for (const Quantity& extra : extra_states) {
    names.push_back("extra:" + extra.name);
    names.push_back(extra.name);
  }
  for (const Quantity& output : outputs) {
    names.push_back(output.name);
    const std::string whole = output.name.substr(0, output.name.rfind(':'));
    if (!holds(names, whole)) names.push_back(whole);
  }
  return names;
}

}  // namespace

ChannelBuilder::ChannelBuilder(Channels& channels)
    : channels_(channels),
      system_(*channels.system_),
      joint_of_velocity_(static_cast<std::size_t>(system_.nv())) {
  for (std::size_t j = 0; j < system_.joints().size(); ++j)
    for (int i = 0; i < system_.joints()[j].nv; ++i)
      joint_of_velocity_[static_cast<std::size_t>(system_.joints()[j].v + i)] = static_cast<int>(j);
}

void ChannelBuilder::add_coordinates() {
  auto& columns = channels_.columns_;
  columns.push_back({"time", "s"});
  columns.resize(1 + static_cast<std::size_t>(system_.nq() + system_.nv()));
  for (std::size_t j = 0; j < system_.joints().size(); ++j) {
    const JointPlace& place = system_.joints()[j];
    const Joint& joint = system_.model().joints[j];
    for (int i = 0; i < place.nq; ++i) {
      const auto at = static_cast<std::size_t>(place.q + i);
      columns[1 + at] = {"q:" + system_.position_names()[at], position_unit(joint, i)};
    }
    for (int i = 0; i < place.nv; ++i) {
      const auto at = static_cast<std::size_t>(place.v + i);
      columns[1 + static_cast<std::size_t>(system_.nq()) + at] = {
          "v:" + system_.velocity_names()[at], freedom_unit(joint, i) + "/s"};
    }
  }
  for (const Column& column : columns) names_.insert(column.name);
  names_.insert({"energy", "closure_error"});
}

void ChannelBuilder::add_group(Kind kind, int index, const std::string& prefix,
                               const std::vector<Column>& columns) {
  const std::string first = prefix + columns.front().name;
  if (!names_.insert(first).second) return;  // asked for twice
  channels_.groups_.push_back({kind, index, channels_.columns_.size()});
  for (const Column& column : columns) {
    channels_.columns_.push_back({prefix + column.name, column.unit});
    names_.insert(channels_.columns_.back().name);
  }
}

void ChannelBuilder::add_entry(Kind kind, const std::string& letter, int velocity) {
  const auto at = static_cast<std::size_t>(velocity);
  const auto j = static_cast<std::size_t>(joint_of_velocity_[at]);
  const Joint& joint = system_.model().joints[j];
  const int i = velocity - system_.joints()[j].v;
  const std::string unit =
      kind == Kind::a ? freedom_unit(joint, i) + "/s^2" : effort_unit(joint, i);
  add_group(kind, velocity, letter + ":", {{system_.velocity_names()[at], unit}});
}

bool ChannelBuilder::add_entries(Kind kind, const std::string& letter, const std::string& name) {
  if (const JointPlace* joint = find_joint(system_, name); joint != nullptr && joint->nv > 0) {
    for (int i = 0; i < joint->nv; ++i) add_entry(kind, letter, joint->v + i);
    return true;
  }
  const auto& names = system_.velocity_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  add_entry(kind, letter, static_cast<int>(found - names.begin()));
  return true;
}

bool ChannelBuilder::add_whole(const std::string& request) {
  if (request == "a" || request == "tau")
    for (int i = 0; i < system_.nv(); ++i)
      add_entry(request == "a" ? Kind::a : Kind::tau, request, i);
  else if (request == "momentum")
    add_group(Kind::momentum, 0, "momentum:", momentum_columns);
  else if (request == "com")
    add_group(Kind::com, 0, "com:", position_columns);
  else if (request == "velocity_error")
    add_group(Kind::velocity_error, 0, "", {{request, "1/s"}});
  else if (request == "tolerance_missed")
    add_group(Kind::tolerance_missed, 0, "", {{request, "1"}});
  else if (request == "kinetic" || request == "potential" || request == "stored")
    add_group(request == "kinetic"     ? Kind::kinetic
              : request == "potential" ? Kind::potential
                                       : Kind::stored,
              0, "", {{request, "J"}});
  else
    return holds(always_there, request) || names_.contains(request);
  return true;
}

/// Inputs and extra states: "input", "input:NAME", or NAME itself; outputs by their names, or several by
/// what these begin with.
bool ChannelBuilder::add_of_equations(const std::string& request) {
  bool found = false;
  const auto add = [&](Kind kind, const std::string& word, const std::vector<Quantity>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string long_name = word + ":" + all[i].name;
      const bool by_own_name = request == all[i].name && !found;
      if (request != word && request != long_name && !by_own_name) continue;
      add_group(kind, static_cast<int>(i), "",
                {{by_own_name ? all[i].name : long_name, all[i].unit}});
      found = true;
    }
    found = found || request == word;
  };
  const Channels::NamedNumbers& names = channels_.names_;
  add(Kind::input, "input", names.inputs);
  add(Kind::extra, "extra", names.extra_states);
  for (std::size_t i = 0; i < names.outputs.size(); ++i) {
    const Quantity& output = names.outputs[i];
    const bool named = request == output.name && !found;
    if (!named && !output.name.starts_with(request + ":")) continue;
    add_group(Kind::output, static_cast<int>(i), "", {output});
    found = true;
  }
  return found;
}

bool ChannelBuilder::add_of_frame(const std::string& kind, const std::string& name) {
  const auto& frames = system_.frames();
  const auto found = std::find_if(frames.begin(), frames.end(),
                                  [&name](const FramePlace& frame) { return frame.name == name; });
  if (found == frames.end()) return false;
  const int index = static_cast<int>(found - frames.begin());
  const std::string prefix = kind + ":" + name + ":";
  if (kind == "frame")
    add_group(Kind::frame, index, prefix, pose_columns);
  else if (kind == "velocity")
    add_group(Kind::velocity, index, prefix, velocity_columns);
  else if (kind == "acceleration")
    add_group(Kind::acceleration, index, prefix, acceleration_columns);
  else
    return false;
  return true;
}

bool ChannelBuilder::add_of_closure(const std::string& kind, const std::string& name) {
  if (kind != "closure" || !channels_.closed_) return false;
  const auto& closures = system_.closures();
  const auto found = std::find_if(closures.begin(), closures.end(),
                                  [&name](const ClosurePlace& c) { return c.name == name; });
  if (found == closures.end()) return false;
  add_group(Kind::closure, static_cast<int>(found - closures.begin()), kind + ":" + name + ":",
            closure_columns);
  return true;
}

/// "NAME", or "NAME:margin": one of its columns alone. A quaternion comes whole.
bool ChannelBuilder::add_of_grasp(const std::string& kind, const std::string& name) {
  if (kind != "contact" || !channels_.closed_) return false;
  const auto& grasps = system_.model().grasps;
  bool found = false;
  for (std::size_t i = 0; i < grasps.size(); ++i) {
    const Grasp& grasp = grasps[i];
    const std::string prefix = kind + ":" + grasp.name + ":";
    const bool whole = name == grasp.name;
    const int index = static_cast<int>(i);
    const auto asked = [&](const Column& c) { return whole || name == grasp.name + ":" + c.name; };
    if (lets_turn(grasp) && std::any_of(attitude_columns.begin(), attitude_columns.end(), asked)) {
      add_group(Kind::attitude, index, prefix, attitude_columns);
      found = true;
    }
    for (std::size_t c = 0; is_one_sided(grasp) && c < contact_columns.size(); ++c) {
      if (!asked(contact_columns[c])) continue;
      add_group(Kind::contact, contact_numbers * index + static_cast<int>(c), prefix,
                {contact_columns[c]});
      found = true;
    }
    if (whole && !found)
      throw Error(
          fmt::format("the contact of grasp {} is rigid: it has no attitude of its own and no "
                      "friction cone. Record "
                      "what it carries with closure:{}",
                      in_quotes(name), name));
  }
  return found;
}

bool ChannelBuilder::add_of_joint(const std::string& kind, const std::string& name) {
  if (kind == "a") return add_entries(Kind::a, kind, name);
  if (kind == "tau") return add_entries(Kind::tau, kind, name);
  const JointPlace* joint = find_joint(system_, name);
  if (joint == nullptr) return false;
  if (kind == "q" || kind == "v") return joint->nv > 0;  // there anyway
  if (kind != "force") return false;
  add_group(Kind::force, static_cast<int>(joint - system_.joints().data()), kind + ":" + name + ":",
            force_columns);
  return true;
}

/// Of every freedom of a joint that friction or limits act on.
bool ChannelBuilder::add_of_contact(const std::string& kind, const std::string& name) {
  if (kind != "friction" && kind != "stop") return false;
  const auto freedoms =
      contact_freedoms(system_, channels_.closed_ ? Closures::refuse : Closures::leave_out);
  const std::vector<Quantity> efforts = effort_inputs(system_);
  const auto unit_of = [&](const ContactFreedom& freedom) {
    if (freedom.v >= 0) return efforts[static_cast<std::size_t>(freedom.v)].unit;
    for (const ClosurePlace& c : system_.closures())
      if (freedom.closing >= c.closing && freedom.closing < c.closing + c.freedoms)
        return closing_effort_unit(c, freedom.closing - c.closing);
    return std::string("1");
  };
  bool found = false;
  for (const ContactFreedom& freedom : freedoms) {
    if (freedom.name != name && !freedom.name.starts_with(name + ":")) continue;
    const int entry = freedom.v >= 0 ? freedom.v : system_.nv() + freedom.closing;
    add_group(kind == "stop" ? Kind::stop : Kind::friction, entry, kind + ":",
              {{freedom.name, unit_of(freedom)}});
    found = true;
  }
  return found;
}

void ChannelBuilder::add_request(const std::string& request) {
  const std::size_t colon = request.find(':');
  if (add_whole(request)) return;
  if (colon != std::string::npos) {
    const std::string kind = request.substr(0, colon), name = request.substr(colon + 1);
    if (add_of_frame(kind, name) || add_of_joint(kind, name) || add_of_closure(kind, name) ||
        add_of_contact(kind, name) || add_of_grasp(kind, name))
      return;
  }
  if (add_of_equations(request)) return;
  refuse(request);
}

void ChannelBuilder::refuse(const std::string& request) const {
  throw Error(fmt::format(
      "{}there is no channel {}{}; known are frame:NAME, velocity:NAME, acceleration:NAME, a, "
      "a:JOINT, tau, tau:JOINT, force:JOINT, friction:JOINT, stop:JOINT, closure:NAME, "
      "contact:NAME, momentum, "
      "com, kinetic, potential, stored, motor:NAME, "
      "input, input:NAME, "
      "tolerance_missed, extra and extra:NAME; time, q, v, energy and closure_error are always "
      "recorded",
      system_.model().name.empty() ? "" : in_quotes(system_.model().name) + ": ",
      in_quotes(request),
      did_you_mean(request, known_to(system_, channels_.names_.inputs,
                                     channels_.names_.extra_states, channels_.names_.outputs))));
}

void ChannelBuilder::add_own(UserChannel own) {
  if (own.name.empty() || !own.value)
    throw Error(fmt::format("the user's channel {} has no {}; give it one", in_quotes(own.name),
                            own.name.empty() ? "name" : "function"));
  if (!names_.insert(own.name).second)
    throw Error(fmt::format("the user's channel {} has the name of another column; rename it",
                            in_quotes(own.name)));
  channels_.columns_.push_back({own.name, own.unit});
  channels_.own_.push_back(std::move(own));
}

void ChannelBuilder::add_totals() {
  channels_.first_own_ = channels_.columns_.size() - channels_.own_.size();
  channels_.columns_.push_back({"energy", "J"});
  channels_.columns_.push_back({"closure_error", "1"});
  if (channels_.closed_) add_whole("velocity_error");
}

std::vector<std::string> Channels::known(const System& system) {
  return known_to(system, all_effort_inputs(system), {}, {});
}
std::vector<std::string> Channels::known(const Equations& equations) {
  return known_to(equations.system(), equations.inputs(), equations.extra_states(),
                  equations.outputs());
}

}  // namespace linkwright
