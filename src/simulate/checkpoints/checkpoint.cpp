#include "linkwright/simulate/checkpoint.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dynamics/door.hpp"
#include "io/text_file.hpp"
#include "linkwright/io/output_file.hpp"
#include "simulate/engine.hpp"

namespace linkwright {
namespace {

using Json = nlohmann::json;

std::vector<std::string> coordinate_names(Equations& equations) {
  std::vector<std::string> names;
  for (const std::string& name : equations.system().position_names()) names.push_back("q:" + name);
  for (const std::string& name : equations.system().velocity_names()) names.push_back("v:" + name);
  for (const Quantity& extra : equations.extra_states()) names.push_back(extra.name);
  return names;
}

std::vector<double> to_list(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }
Eigen::VectorXd to_vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Numbers as text with all digits; JSON itself knows neither infinity nor NaN.
Json to_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(fmt::format("{:.17g}", value));
  return list;
}

std::vector<double> to_numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& item : list) {
    const auto text = item.get<std::string>();
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, trouble] = std::from_chars(text.data(), end, value);
    if (trouble != std::errc{} || stop != end || !std::isfinite(value))
      throw Error(fmt::format("'{}' is not a finite number", text));
    values.push_back(value);
  }
  return values;
}

std::uint64_t to_digest(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, trouble] = std::from_chars(text.data(), end, value, 16);
  if (trouble != std::errc{} || stop != end || text.size() != 16)
    throw Error(fmt::format("'{}' is not a digest of 16 hexadecimal digits", text));
  return value;
}

Json to_list(const std::vector<PartDigest>& parts) {
  Json list = Json::array();
  for (const PartDigest& part : parts)
    list.push_back({part.part, fmt::format("{:016x}", part.digest)});
  return list;
}

std::vector<PartDigest> to_digests(const Json& list) {
  std::vector<PartDigest> parts;
  for (const Json& part : list)
    parts.push_back({part.at(0).get<std::string>(), to_digest(part.at(1).get<std::string>())});
  return parts;
}

[[noreturn]] void throw_mismatch(const std::string& what) {
  throw Error("the checkpoint does not belong to this simulation: " + what);
}

}  // namespace

/// Takes over everything once it is known to fit.
void Simulation::resume(Engine& p, const Checkpoint& c) {
  p.events.set_values(c.event_values);
  p.now = p.before = c.now;
  if (p.contacts != nullptr) p.during = p.contacts->conditions();
  const long* counts = c.counts.data() + c.counts.size() - 3;
  // Steps of another length are counted from here.
  const bool same_step = c.step == p.options.step;
  p.origin = same_step ? c.held.back() : c.now.state.t;
  p.ticks = same_step ? counts[0] : 0;
  p.statistics = {};
  p.rates.forget_errors();
  p.statistics.steps = counts[1];
  p.statistics.evaluations = counts[2];
  p.rates.set_evaluations(counts[2]);
  p.watch.set_memory(c.watch);
  if (p.options.measure_drift) p.drift.begin(p.now.state, p.stored(p.now));
  p.occurrences = c.occurrences;
  p.slips.begin();  // where the run started was judged then
  p.stopped = c.stopped;
  p.stepper->restart(p.now, true);
  p.stepper->set_memory(c.memory);
  p.stepper->report(p.statistics);
  if (p.options.on_miss == OnMiss::stop && p.statistics.error_in_tolerances > 100)
    throw Error(
        fmt::format("the tolerance is not met: the run before this checkpoint missed it from "
                    "t = {:.6g} s on, by more than a hundred times",
                    p.statistics.missed_at.value_or(c.now.state.t)),
        Error::Kind::failed_computation);
}

Checkpoint Simulation::save() {
  Engine& p = *engine_;
  p.finish();
  p.stepper->restart(p.now, false);
  Checkpoint c;
  c.method = to_string(p.options.method);
  c.step = p.options.step;
  c.relative_tolerance = p.options.relative_tolerance;
  c.absolute_tolerance = p.options.absolute_tolerance;
  c.coordinates = coordinate_names(p.rates.equations());
  c.parts = compute_digests(p.system());
  c.now = p.now;
  c.memory = p.stepper->memory();
  c.equations = p.rates.equations().memory();
  c.held = p.rates.held();
  c.held.push_back(p.origin);
  c.counts = p.rates.counts();
  c.counts.insert(c.counts.end(), {p.ticks, p.statistics.steps, p.statistics.evaluations});
  c.event_values = p.events.values();
  c.watch = p.watch.memory();
  if (p.contacts != nullptr) c.contacts = p.contacts->memory();
  c.occurrences = p.occurrences;
  c.stopped = p.stopped;
  return c;
}

void Simulation::restore(const Checkpoint& c) {
  Engine& p = *engine_;
  if (c.method != to_string(p.options.method))
    throw_mismatch(fmt::format("it was made with the method '{}', this one has '{}'", c.method,
                               to_string(p.options.method)));
  const std::vector<std::string> names = coordinate_names(p.rates.equations());
  if (c.coordinates.size() != names.size())
    throw_mismatch(
        fmt::format("it has {} coordinates, this one has {}", c.coordinates.size(), names.size()));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (c.coordinates[i] != names[i])
      throw_mismatch(fmt::format("its coordinate {} is '{}', here it is '{}'", i + 1,
                                 c.coordinates[i], names[i]));
  if (const std::string what = first_difference(c.parts, compute_digests(p.system()));
      !what.empty())
    throw_mismatch(
        fmt::format("the model has changed since: {}. Go on with the model as it was, or "
                    "start anew",
                    what));
  if (c.now.state.q.size() != p.now.state.q.size() ||
      c.now.state.v.size() != p.now.state.v.size() || c.now.extra.size() != p.now.extra.size())
    throw_mismatch("its state has another size");
  door::check_state(p.system(), c.now.state);
  if (c.event_values.size() != p.events.values().size())
    throw_mismatch("it has other events or limits");
  if (c.watch.size() != p.watch.memory().size()) throw_mismatch("its energy watch is malformed");
  if (c.held.empty() || c.counts.size() < 3 ||
      !p.rates.restore({c.held.begin(), c.held.end() - 1}, {c.counts.begin(), c.counts.end() - 3},
                       c.now.state.t))
    throw_mismatch("it has other controllers or another reference");
  // Before the equations: what is held is among their constraints.
  if (p.contacts != nullptr ? !p.contacts->set_memory(c.contacts) : !c.contacts.empty())
    throw_mismatch("limits held joints in one of them and not in the other (--limits)");
  if (!p.rates.equations().set_memory(c.equations))
    throw_mismatch("its equations are others, or remember other things");
  resume(p, c);
}

std::string to_text(const Checkpoint& c) {
  Json json{{"linkwright_checkpoint", 5},
            {"method", c.method},
            {"step", to_json({c.step})},
            {"tolerances", to_json({c.relative_tolerance, c.absolute_tolerance})},
            {"coordinates", c.coordinates},
            {"t", to_json({c.now.state.t})},
            {"q", to_json(to_list(c.now.state.q))},
            {"v", to_json(to_list(c.now.state.v))},
            {"extra", to_json(to_list(c.now.extra))},
            {"memory", to_json(c.memory)},
            {"equations", to_json(c.equations)},
            {"held", to_json(c.held)},
            {"counts", c.counts},
            {"event_values", to_json(c.event_values)},
            {"watch", to_json(c.watch)},
            {"command_start", to_json(c.command_start)},
            {"contacts", to_json(c.contacts)},
            {"stopped", c.stopped}};
  json["system"] = to_list(c.parts);
  json["commands"] = to_list(c.commands);
  json["occurrences"] = Json::array();
  for (const Occurrence& o : c.occurrences)
    json["occurrences"].push_back({{"time", to_json({o.time})}, {"name", o.name}});
  return json.dump(1) + "\n";
}

Checkpoint to_checkpoint(const std::string& text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (json.at("linkwright_checkpoint").get<int>() != 5)
      throw Error("it has a version this program does not know");
    Checkpoint c;
    c.method = json.at("method").get<std::string>();
    c.step = to_numbers(json.at("step")).at(0);
    c.relative_tolerance = to_numbers(json.at("tolerances")).at(0);
    c.absolute_tolerance = to_numbers(json.at("tolerances")).at(1);
    c.coordinates = json.at("coordinates").get<std::vector<std::string>>();
    c.parts = to_digests(json.at("system"));
    c.commands = to_digests(json.at("commands"));
    c.now.state.t = to_numbers(json.at("t")).at(0);
    c.now.state.q = to_vector(to_numbers(json.at("q")));
    c.now.state.v = to_vector(to_numbers(json.at("v")));
    c.now.extra = to_vector(to_numbers(json.at("extra")));
    c.memory = to_numbers(json.at("memory"));
    c.equations = to_numbers(json.at("equations"));
    c.held = to_numbers(json.at("held"));
    c.counts = json.at("counts").get<std::vector<long>>();
    c.event_values = to_numbers(json.at("event_values"));
    c.watch = to_numbers(json.at("watch"));
    c.command_start = to_numbers(json.at("command_start"));
    c.contacts = to_numbers(json.at("contacts"));
    c.stopped = json.at("stopped").get<bool>();
    for (const Json& o : json.at("occurrences"))
      c.occurrences.push_back({to_numbers(o.at("time")).at(0), o.at("name").get<std::string>()});
    return c;
  } catch (const Json::parse_error& trouble) {
    throw Error(
        fmt::format("{}: not a checkpoint of a simulation: byte {} is not JSON; expected a "
                    "file that `simulate --checkpoint` wrote",
                    name, trouble.byte));
  } catch (const Json::exception&) {
    throw Error(
        fmt::format("{}: not a checkpoint of a simulation: an entry is missing or of "
                    "another kind; expected a file that `simulate --checkpoint` wrote",
                    name));
  } catch (const std::exception& trouble) {
    throw Error(fmt::format("{}: not a checkpoint of a simulation: {}", name, trouble.what()));
  }
}

void write_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  OutputFile file(path);
  file.write(to_text(checkpoint));
  file.commit();
}

Checkpoint read_checkpoint(const std::string& path) {
  return to_checkpoint(read_text_file(path, "a checkpoint"), path);
}

}  // namespace linkwright
