#pragma once
/// How forward dynamics grows with the number of arms that hold one object.

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// 1, 2, 4 … 64 arms on a body that floats: the closures' own recursion, and RCCFD2 with Ω solved by its
/// structure and as one matrix. Prints and appends rows where "arms" contains `only`; returns whether the
/// answers agree.
bool run_arms(const std::string& only, nlohmann::json& rows);

}  // namespace bench
