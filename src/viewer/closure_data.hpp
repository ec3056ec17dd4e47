#pragma once
/// Closures, springs and independent coordinates as the page takes them, so that it can keep a
/// mechanism closed under its sliders.

#include "viewer/encoding.hpp"
#include "viewer/shapes.hpp"

namespace linkwright::viewer {

/// A closure frame in its body's own frame; `at` is in the canonical frame of the body's node.
Pose in_body(const System& system, int body, const Pose& at);

Json closures_to_json(const System& system, const std::vector<int>& numbers);
/// Springs between bodies, at joints of the tree and at closing joints.
Json springs_to_json(const System& system, const std::vector<int>& numbers);
/// The independent coordinates at q. Where what the model asks for does not serve there, none, and a
/// warning says why.
Json independents_to_json(const System& system, const ConstVectorRef& q,
                          std::vector<Warning>& warnings);

}  // namespace linkwright::viewer
