#pragma once
/// Systems whose loops are closed, by closures or by grasps. What computes with the spanning tree
/// alone refuses them unless the caller says in words that the loops are to be left out.
///
///     linkwright::Workspace tree(system, linkwright::Closures::leave_out);

#include <string>
#include <string_view>

#include "linkwright/system/system.hpp"

namespace linkwright {

/// `leave_out` goes on with the spanning tree as if every loop were cut open. What only speaks of a
/// given state (poses, Jacobians, energy) is right for a closed system too, if that state closes
/// the loops; masses, accelerations and efforts are those of the open tree.
enum class Closures { refuse, leave_out };

/// "2 closures ('loop', …) and 1 grasp ('pinch')"; empty for a model without loops.
std::string describe_loops(const Model& model);

/// Throws Error for a system with loops, naming them, unless they are to be left out. `in_words`
/// tells what the caller would have to write for that.
void require_open(const System& system, Closures closures, std::string_view in_words);

}  // namespace linkwright
