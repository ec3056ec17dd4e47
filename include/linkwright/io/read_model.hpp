#pragma once
/// Any model file that Linkwright reads.
///
///     linkwright::Model model = linkwright::read_model("arm.urdf");
///     for (const auto& warning : model.warnings) std::cerr << warning.text() << '\n';

#include <filesystem>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Picks the reader by the file's extension (.urdf, .xml, .yaml, .yml) or, failing that, by its
/// first character. `base` says how the root of a URDF is attached; a system file says that itself,
/// so there only Base::fixed, the default, is accepted.
Model read_model(const std::filesystem::path& path, Base base = Base::fixed);

}  // namespace linkwright
