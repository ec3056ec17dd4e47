#include "viewer/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwright/model/names.hpp"
#include "viewer/shapes.hpp"

namespace linkwright::viewer {
namespace {

using Samples = std::vector<std::size_t>;

constexpr std::array<std::string_view, 6> groups{"position", "velocity", "energy",
                                                 "frame",    "force",    "user"};

void require_count(const std::string& what, std::size_t got, std::size_t expected) {
  if (got == expected) return;
  throw Error(
      fmt::format("{} of the run has {} samples; expected {}, one per time", what, got, expected));
}

void require_finite(const std::string& what, double value, double time) {
  if (std::isfinite(value)) return;
  throw Error(fmt::format("{} of the run is {} at t = {:.6g} s; a page shows finite numbers only",
                          what, value, time),
              Error::Kind::failed_computation);
}

void check_time(const std::vector<double>& time) {
  if (time.empty()) throw Error("the run has no samples; a page needs at least one");
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (!std::isfinite(time[i]))
      throw Error(fmt::format("time {} of the run is {}; expected finite numbers", i, time[i]));
    if (i > 0 && time[i] < time[i - 1])
      throw Error(fmt::format("the run's time goes back from {:.6g} s to {:.6g} s at sample {}",
                              time[i - 1], time[i], i));
  }
}

Json time_to_json(const PageRun& run, const Samples& kept) {
  std::vector<double> time;
  for (const std::size_t i : kept) time.push_back(run.time[i]);
  return pack(time);
}

Json positions_to_json(const System& system, const PageRun& run, const Samples& kept) {
  if (run.q.rows() != system.nq())
    throw Error(fmt::format("q of the run has {} rows; expected {}, the numbers in q of {}",
                            run.q.rows(), system.nq(), in_quotes(system.model().name)));
  require_count("q", static_cast<std::size_t>(run.q.cols()), run.time.size());
  std::vector<double> q;
  q.reserve(kept.size() * static_cast<std::size_t>(system.nq()));
  for (const std::size_t i : kept)
    for (int k = 0; k < system.nq(); ++k) {
      q.push_back(run.q(k, static_cast<Eigen::Index>(i)));
      require_finite("q of " + in_quotes(system.position_names()[static_cast<std::size_t>(k)]),
                     q.back(), run.time[i]);
    }
  return pack(q);
}

Json channel_to_json(const PageChannel& channel, const PageRun& run, const Samples& kept) {
  const std::string what = "channel " + in_quotes(channel.name);
  require_count(what, channel.values.size(), run.time.size());
  if (std::find(groups.begin(), groups.end(), channel.group) == groups.end())
    throw Error(
        fmt::format("{} is in group {}; known are position, velocity, energy, frame, force "
                    "and user",
                    what, in_quotes(channel.group)));
  std::vector<double> values;
  for (const std::size_t i : kept) {
    values.push_back(channel.values[i]);
    require_finite(what, values.back(), run.time[i]);
  }
  Json json{{"name", channel.name}, {"unit", channel.unit}, {"group", channel.group}};
  // The drift of an energy is in digits that a float does not have; other curves need fewer.
  const bool needs_digits =
      channel.group == "energy" ||
      std::any_of(values.begin(), values.end(), [](double x) { return std::abs(x) > 1e30; });
  if (needs_digits)
    json["values"] = pack(values);
  else
    json["values"] = pack(std::vector<float>(values.begin(), values.end()));
  return json;
}

Json force_to_json(const System& system, const PageForce& force, const PageRun& run,
                   const Samples& kept, const std::vector<int>& bodies) {
  const std::string what = "force " + in_quotes(force.name);
  const auto body = find_body(system.model(), force.body);
  if (!body) {
    std::vector<std::string> known{std::string(world_name)};
    for (const Body& b : system.model().bodies) known.push_back(b.name);
    throw Error(fmt::format("{} of the run acts on {}, which is no body{}", what,
                            in_quotes(force.body), did_you_mean(force.body, known)));
  }
  require_count(what, static_cast<std::size_t>(force.values.cols()), run.time.size());
  for (const double x : {force.at.x, force.at.y, force.at.z})
    require_finite("the place of " + what, x, run.time.front());
  std::vector<double> values;
  for (const std::size_t i : kept)
    for (int k = 0; k < 3; ++k) {
      values.push_back(force.values(k, static_cast<Eigen::Index>(i)));
      require_finite(what, values.back(), run.time[i]);
    }
  return {{"name", force.name},
          {"body", bodies[*body]},
          {"at", to_json(force.at)},
          {"values", pack(values)}};
}

Json events_to_json(const PageRun& run) {
  Json events = Json::array();
  for (const PageEvent& event : run.events) {
    if (!std::isfinite(event.time))
      throw Error(fmt::format("event {} of the run is at time {}; expected a finite number",
                              in_quotes(event.name), event.time));
    events.push_back({{"time", event.time}, {"name", event.name}});
  }
  return events;
}

Json summary_to_json(const PageRun& run, const Samples& kept) {
  Json summary = Json::array();
  for (const auto& [label, value] : run.summary) summary.push_back(Json::array({label, value}));
  const std::size_t recorded = std::max(run.recorded, run.time.size());
  if (kept.size() < recorded)
    summary.push_back(
        Json::array({"samples in this page", fmt::format("{} of {}", kept.size(), recorded)}));
  return summary;
}

}  // namespace

std::vector<std::size_t> choose_samples(std::span<const double> time, std::size_t most) {
  Samples kept;
  if (time.size() <= most) {
    for (std::size_t i = 0; i < time.size(); ++i) kept.push_back(i);
    return kept;
  }
  const double first = time.front(), step = (time.back() - first) / static_cast<double>(most - 1);
  kept.push_back(0);
  std::size_t i = 0;
  for (std::size_t k = 1; k + 1 < most; ++k) {
    const double wanted = first + step * static_cast<double>(k);
    while (i + 1 < time.size() && std::abs(time[i + 1] - wanted) <= std::abs(time[i] - wanted)) ++i;
    if (i > kept.back() && i + 1 < time.size()) kept.push_back(i);
  }
  kept.push_back(time.size() - 1);
  return kept;
}

Json run_to_json(const System& system, const PageRun& run, const std::vector<int>& bodies) {
  check_time(run.time);
  const Samples kept = choose_samples(run.time, max_page_samples);
  Json json{{"time", time_to_json(run, kept)}, {"q", positions_to_json(system, run, kept)}};
  json["channels"] = Json::array();
  for (const PageChannel& channel : run.channels)
    json["channels"].push_back(channel_to_json(channel, run, kept));
  json["forces"] = Json::array();
  for (const PageForce& force : run.forces)
    json["forces"].push_back(force_to_json(system, force, run, kept, bodies));
  json["events"] = events_to_json(run);
  json["summary"] = summary_to_json(run, kept);
  if (run.energy_scale > 0) json["energy_scale"] = run.energy_scale;
  return json;
}

}  // namespace linkwright::viewer
