#pragma once
/// The files that assimp may open: the mesh, held in memory, and files in its folder and below.

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace linkwright::mesh {

/// The path of `file` in `folder` or below; empty when it is elsewhere, when there is no such file, and
/// for an empty folder.
std::filesystem::path find_inside(const std::filesystem::path& folder, const std::string& file);

class MeshFiles : public Assimp::IOSystem {
 public:
  /// `text` must outlive this; an empty `folder` allows no other file.
  MeshFiles(std::string name, std::string_view text, std::filesystem::path folder)
      : name_(std::move(name)), text_(text), folder_(std::move(folder)) {}

  bool Exists(const char* file) const override;
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override;
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string name_;
  std::string_view text_;
  std::filesystem::path folder_;
};

}  // namespace linkwright::mesh
