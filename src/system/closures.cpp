#include "linkwright/system/closures.hpp"

#include <fmt/format.h>

#include <utility>

#include "linkwright/model/loops.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

std::string name_first(const std::vector<std::string>& loops, const char* what) {
  if (loops.empty()) return {};
  const bool one = loops.size() == 1;
  return fmt::format("{} {}{} ({}{})", loops.size(), what, one ? "" : "s", in_quotes(loops.front()),
                     one ? "" : ", …");
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& loops) {
  std::vector<std::string> names;
  for (const T& loop : loops) names.push_back(loop.name);
  return names;
}

}  // namespace

std::string describe_loops(const Model& model) {
  std::vector<std::string> closing, shafts;
  for (const Closure& closure : model.closures)
    (closure.kind == Closure::Kind::shaft ? shafts : closing).push_back(closure.name);
  for (std::string& joint : compute_closing_joints(model)) closing.push_back(std::move(joint));
  std::string text;
  for (const std::string& some :
       {name_first(closing, "closure"), name_first(names_of(model.grasps), "grasp"),
        name_first(shafts, "coupled transmission")})
    if (!some.empty()) text += (text.empty() ? "" : " and ") + some;
  return text;
}

void require_open(const System& system, Closures closures, std::string_view in_words) {
  if (closures == Closures::leave_out) return;
  const std::string loops = describe_loops(system.model());
  if (loops.empty()) return;
  throw Error(fmt::format(
      "this system has {}, which a tree cannot obey: forward and inverse dynamics of the "
      "whole take a ClosedWorkspace (closure/workspace.hpp). {} computes the spanning tree "
      "with every loop cut open: masses and accelerations as if nothing held it there",
      loops, in_words));
}

}  // namespace linkwright
