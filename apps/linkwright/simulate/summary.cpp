#include "simulate/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"
#include "simulate/arguments.hpp"

namespace linkwright::app {
namespace {

constexpr std::size_t listed_events = 5;

std::string time_line(const RunSummary& run) {
  std::string text = fmt::format("{:g} s", run.reached);
  if (run.from != 0) text = fmt::format("from {:g} s to {}", run.from, text);
  if (run.interrupted) return text + fmt::format(" of {:g} s: interrupted", run.goal);
  if (run.stopped) return text + fmt::format(" of {:g} s: stopped by an event", run.goal);
  return text;
}

std::string drift_text(const Drift& drift, std::string_view unit) {
  if (drift.scale == 0) return fmt::format("{:.2g} {} of nothing", drift.change, unit);
  return fmt::format("{:.2g} of {:.4g} {}", drift.relative(), drift.scale, unit);
}

std::pair<std::string, std::string> energy_line(const Conservation& kept) {
  if (!kept.is_conservative)
    return {"energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end; not kept, since "
                                  "efforts, loads, damping, friction or stops act",
                                  kept.energy_at_start, kept.energy_now)};
  std::string text = drift_text(kept.energy, "J") + " (kinetic at the start + released)";
  if (kept.energy.scale > 0)
    text += fmt::format(", {:.2g} in a step", kept.energy_step / kept.energy.scale);
  if (!kept.energy_is_kept()) text += ": NOT kept, take a shorter step or a tighter tolerance";
  return {"energy drift", text};
}

void add_momentum(SummaryLines& lines, const Conservation& kept) {
  if (!kept.linear_momentum || !kept.angular_momentum) return;
  lines.emplace_back("momentum drift", drift_text(*kept.linear_momentum, "N*s") +
                                           " (sum of the bodies' own momenta)");
  lines.emplace_back("", drift_text(*kept.angular_momentum, "N*m*s") + " (the same, angular)");
}

void add_closures(SummaryLines& lines, const RunSummary& run) {
  lines.emplace_back("closures",
                     fmt::format("kept to {:.2g} (m or rad), their rates to {:.2g} per s",
                                 run.statistics.closure_error, run.statistics.velocity_error));
}

void add_contacts(SummaryLines& lines, const RunSummary& run) {
  const SimulationStatistics& statistics = run.statistics;
  std::string text;
  if (const auto& least = statistics.least_margin)
    text = fmt::format("least margin {:.4g} N, of {} at t = {:.6g} s; ", least->margin,
                       in_quotes(least->contact), least->time);
  if (!statistics.slips.empty()) {
    const Slip& first = statistics.slips.front();
    text += fmt::format("{} {} at t = {:.9g} s", in_quotes(first.contact), to_string(first.loss),
                        first.time);
  } else if (run.released.empty()) {
    text += "all hold";
  }
  if (!run.released.empty())
    text += fmt::format("{}released: {}", text.empty() || text.ends_with("; ") ? "" : "; ",
                        list_in_quotes(run.released));
  lines.emplace_back("contacts", text);
}

std::string error_text(const RunSummary& run) {
  std::string text = fmt::format("{} tolerances{}", describe_error(run.statistics),
                                 run.from == 0 ? "" : ", what came before it included");
  if (run.statistics.missed_at)
    text += fmt::format(": MISSED from t = {:.6g} s on", *run.statistics.missed_at);
  return text;
}

void add_events(SummaryLines& lines, const std::vector<Occurrence>& events) {
  if (events.empty()) return lines.emplace_back("events", "none"), void();
  for (std::size_t i = 0; i < std::min(events.size(), listed_events); ++i)
    lines.emplace_back(i == 0 ? "events" : "",
                       fmt::format("t = {:.6g} s: {}", events[i].time, printable(events[i].name)));
  if (events.size() > listed_events)
    lines.emplace_back("", fmt::format("and {} more", events.size() - listed_events));
}

std::string network_line(const NetworkFacts& network) {
  std::string text =
      fmt::format("index {}, {}", network.index, counted(network.states, "state", "states"));
  if (!network.dependent.empty())
    text += fmt::format("; no states of their own have {}", list_in_quotes(network.dependent));
  return text;
}

/// A departure from nothing has no size in units of it: its drift is null.
Json to_json(const Drift& drift, std::string_view unit) {
  const double relative = drift.relative();
  return Json{{"drift", std::isfinite(relative) ? Json(relative) : Json()},
              {"change", drift.change},
              {"scale", drift.scale},
              {"scale_unit", unit}};
}

}  // namespace

std::string describe_error(const SimulationStatistics& statistics) {
  if (statistics.error_in_tolerances > 100) return "more than 100";
  return fmt::format("{:.2g}", statistics.error_in_tolerances);
}

std::string end_of(const RunSummary& run) {
  if (run.interrupted) return "interrupt";
  return run.stopped ? "event" : "time";
}

SummaryLines summary_lines(const RunSummary& run) {
  const Conservation kept = run.statistics.conservation.value_or(Conservation{});
  SummaryLines lines{{"method", describe_method(run.options)},
                     {"simulated time", time_line(run)},
                     {"steps", fmt::format("{}", run.statistics.steps)}};
  if (run.statistics.rejected > 0)
    lines.back().second += fmt::format(" and {} withdrawn", run.statistics.rejected);
  if (run.statistics.unknowns > 0)
    lines.emplace_back("descriptor form",
                       fmt::format("index {}, {}", run.statistics.index,
                                   counted(static_cast<std::size_t>(run.statistics.unknowns),
                                           "unknown", "unknowns")));
  lines.emplace_back("evaluations", fmt::format("{}", run.statistics.evaluations));
  lines.push_back(energy_line(kept));
  add_momentum(lines, kept);
  if (run.closed) add_closures(lines, run);
  if (run.one_sided) add_contacts(lines, run);
  if (!has_fixed_step(run.options.method) && run.options.watch_error)
    lines.emplace_back("estimated error", error_text(run));
  if (run.seconds > 0)
    lines.emplace_back("rate", fmt::format("{:.3g} x real time ({:.3g} s)",
                                           (run.reached - run.from) / run.seconds, run.seconds));
  if (run.network) lines.emplace_back("network", network_line(*run.network));
  if (!run.cut_open.empty()) lines.emplace_back("cut open", list_in_quotes(run.cut_open));
  lines.insert(lines.end(), run.command.begin(), run.command.end());
  add_events(lines, run.events);
  return lines;
}

std::string to_text(const RunSummary& run, const SummaryLines& lines) {
  std::string text = bold("simulation of " + printable(run.file)) + "\n";
  const auto add = [&text](std::string_view label, std::string_view value) {
    text += fmt::format("  {:<16}  {}\n", label, value);
  };
  for (const auto& [label, value] : lines) add(label, value);
  if (!run.out.empty())
    add("recording", fmt::format("{}, {}", printable(run.out), counted(run.rows, "row", "rows")));
  if (!run.html.empty()) add("page", printable(run.html));
  if (!run.checkpoint.empty()) add("checkpoint", printable(run.checkpoint));
  return text;
}

Json to_json(const RunSummary& run) {
  const Conservation kept = run.statistics.conservation.value_or(Conservation{});
  Json json{{"file", run.file}, {"method", to_string(run.options.method)}};
  if (!run.cut_open.empty()) json["cut_open"] = run.cut_open;
  if (has_fixed_step(run.options.method)) {
    json["step"] = run.options.step;
  } else {
    json["rtol"] = run.options.relative_tolerance;
    json["atol"] = run.options.absolute_tolerance;
    json["estimated_error_in_tolerances"] = run.statistics.error_in_tolerances;
    json["tolerance_missed_at"] =
        run.statistics.missed_at ? Json(*run.statistics.missed_at) : Json();
  }
  json["from"] = run.from;
  json["time"] = run.reached;
  json["end"] = end_of(run);
  json["steps"] = run.statistics.steps;
  json["rejected"] = run.statistics.rejected;
  json["evaluations"] = run.statistics.evaluations;
  if (run.statistics.unknowns > 0)
    json["descriptor_form"] =
        Json{{"index", run.statistics.index}, {"unknowns", run.statistics.unknowns}};
  json["energy"] = Json{{"start", kept.energy_at_start},
                        {"end", kept.energy_now},
                        {"conservative", kept.is_conservative},
                        {"kept", kept.energy_is_kept()}};
  if (kept.is_conservative) {
    json["energy"].update(to_json(kept.energy, "J"));
    json["energy"]["step"] = kept.energy_step;
  }
  json["contacts"] = run.statistics.contacts;
  json["momentum"] = nullptr;
  if (kept.linear_momentum && kept.angular_momentum)
    json["momentum"] = Json{{"linear", to_json(*kept.linear_momentum, "N*s")},
                            {"angular", to_json(*kept.angular_momentum, "N*m*s")}};
  if (run.closed) {
    json["closure_error"] = run.statistics.closure_error;
    json["velocity_error"] = run.statistics.velocity_error;
  }
  if (run.one_sided) {
    const auto& least = run.statistics.least_margin;
    json["least_margin"] =
        least ? Json{{"contact", least->contact}, {"margin", least->margin}, {"time", least->time}}
              : Json();
    json["released"] = run.released;
    json["slips"] = Json::array();
    for (const Slip& slip : run.statistics.slips)
      json["slips"].push_back(Json{{"contact", slip.contact},
                                   {"time", slip.time},
                                   {"what", to_string(slip.loss)},
                                   {"margin", slip.margin},
                                   {"released", slip.released}});
  }
  if (run.network)
    json["network"] = Json{{"index", run.network->index},
                           {"states", run.network->states},
                           {"dependent", run.network->dependent}};
  if (run.command_json.is_object()) json.update(run.command_json);
  json["seconds"] = run.seconds;
  json["rate"] = run.seconds > 0 ? Json((run.reached - run.from) / run.seconds) : Json();
  json["events"] = Json::array();
  for (const Occurrence& event : run.events)
    json["events"].push_back(Json{{"time", event.time}, {"name", event.name}});
  json["rows"] = run.rows;
  for (const auto& [key, path] : {std::pair<const char*, const std::string&>{"out", run.out},
                                  {"html", run.html},
                                  {"checkpoint", run.checkpoint}})
    if (!path.empty()) json[key] = path;
  return json;
}

}  // namespace linkwright::app
