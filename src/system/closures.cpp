#include "linkwright/system/closures.hpp"

#include <fmt/format.h>

#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

template <class T>
std::string name_first(const std::vector<T>& loops, const char* what) {
  if (loops.empty()) return {};
  const bool one = loops.size() == 1;
  return fmt::format("{} {}{} ({}{})", loops.size(), what, one ? "" : "s",
                     in_quotes(loops.front().name), one ? "" : ", …");
}

}  // namespace

std::string describe_loops(const Model& model) {
  const std::string closures = name_first(model.closures, "closure");
  const std::string grasps = name_first(model.grasps, "grasp");
  return closures + (closures.empty() || grasps.empty() ? "" : " and ") + grasps;
}

void require_open(const System& system, Closures closures, std::string_view in_words) {
  if (closures == Closures::leave_out) return;
  const std::string loops = describe_loops(system.model());
  if (loops.empty()) return;
  throw Error(
      fmt::format("this system has {}, which a tree cannot obey: forward and inverse dynamics of the "
                  "whole take a ClosedWorkspace (closure/workspace.hpp). {} computes the spanning tree "
                  "with every loop cut open: masses and accelerations as if nothing held it there",
                  loops, in_words));
}

}  // namespace linkwright
