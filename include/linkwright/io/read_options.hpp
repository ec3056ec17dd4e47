#pragma once
/// What all readers of model files are told.
///
///     linkwright::read_model("arm.urdf", {.base = linkwright::Base::free, .lenient = true});

#include "linkwright/model/model.hpp"

namespace linkwright {

struct ReadOptions {
  Base base = Base::fixed;  ///< how the root of a URDF is attached to the world
  /// Mistakes that can be dropped or clipped become warnings that say the meaning taken: those of
  /// `repair` (model/validation.hpp), and shapes that cannot be read, which are left out.
  bool lenient = false;
};

}  // namespace linkwright
