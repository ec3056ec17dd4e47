#include "simulate/same_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwright/model/rigid.hpp"
#include "shell/model/loops.hpp"

namespace linkwright::app {
namespace {

std::string options_of(const SimulateArguments& arguments) {
  std::vector<std::string_view> options;
  if (arguments.model.base == Base::free) options.emplace_back("--base free");
  if (arguments.model.base == Base::planar) options.emplace_back("--base planar");
  if (arguments.rigid) options.emplace_back("--rigid");
  if (arguments.model.lenient) options.emplace_back("--lenient");
  if (arguments.cut_open) options.emplace_back("--cut-open");
  return options.empty() ? "none of --base, --rigid, --lenient and --cut-open"
                         : fmt::format("{}", fmt::join(options, " "));
}

bool gives_the_system(const SimulateArguments& tried, const Checkpoint& saved) {
  try {
    Model model = load(tried.model);
    if (tried.rigid) leave_out_forces(model);
    if (tried.cut_open) cut_loops(model);
    return first_difference(saved.parts, compute_digests(compile(model))).empty();
  } catch (const Error&) {
    return false;  // not every file can be read under every option
  }
}

}  // namespace

void require_same_options(const SimulateArguments& arguments, const System& system,
                          const Checkpoint& saved) {
  if (first_difference(saved.parts, compute_digests(system)).empty()) return;
  SimulateArguments tried = arguments;
  for (const Base base : {Base::fixed, Base::free, Base::planar})
    for (const bool rigid : {false, true})
      for (const bool lenient : {false, true})
        for (const bool cut_open : {false, true}) {
          tried.model.base = base;
          tried.rigid = rigid;
          tried.model.lenient = lenient;
          tried.cut_open = cut_open;
          if (!gives_the_system(tried, saved)) continue;
          throw Error(fmt::format(
              "--continue {}: the options differ from those of that run; it had {}, this "
              "one has {}. Give the options of that run",
              arguments.resume, options_of(tried), options_of(arguments)));
        }
}

}  // namespace linkwright::app
