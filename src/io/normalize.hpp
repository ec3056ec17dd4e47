#pragma once
/// Axes as files give them: brought to unit length, and told when they were not.

#include <string_view>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// The direction of `axis`. Warns when its length is not 1; a zero axis is returned as it is, for
/// `validate` to refuse.
Vector3 normalize_axis(const Vector3& axis, const Source& where, std::string_view thing,
                       std::string_view what, std::vector<Warning>& warnings);

}  // namespace linkwright
