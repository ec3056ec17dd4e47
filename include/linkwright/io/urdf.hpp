#pragma once
/// URDF files. docs/urdf.md tells what is read, what is kept and what is warned of.
///
///     linkwright::Model arm = linkwright::read_urdf("arm.urdf");
///     linkwright::Model satellite = linkwright::read_urdf("arm.urdf", {.base = linkwright::Base::free});
///     std::string text = linkwright::write_urdf(arm);

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright {

/// Reads a URDF file; its root link is attached to the world as `options.base` says. What can be read
/// is judged by `compile` or `validate`.
Model read_urdf(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for text that is already in memory; messages call it `name_for_messages`.
Model parse_urdf(std::string_view text, const std::string& name_for_messages,
                 const ReadOptions& options = {});

/// What a limit that is not there is written as, since other readers want a number; a limit of this size or
/// more is read as none.
inline constexpr double unlimited_in_urdf = 1e30;

struct WriteUrdfOptions {
  std::filesystem::path
      folder{};  ///< where the text will stand: files of meshes are named from there
  /// Leave out what URDF cannot say of the dynamics (rotors, springs, loops, …), and tell it. Joints that it
  /// does not have are refused all the same.
  bool lenient = false;
};

/// A tree as URDF; what moves it besides joints' damping and friction, and whatever else URDF cannot say,
/// makes one Error that names each. What has no part in the dynamics is told in `told`: frames become links
/// without mass, motors are left to what their joints feel of them. Throws what `validate` throws.
std::string write_urdf(const Model& model, const WriteUrdfOptions& options = {},
                       std::vector<Warning>* told = nullptr);

}  // namespace linkwright
