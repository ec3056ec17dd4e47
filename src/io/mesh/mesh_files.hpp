#pragma once
/// The files that assimp may open: the mesh, held in memory, and files in its folder and below.

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace linkwright::mesh {

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
  /// The path of an allowed file; empty for any other.
  [[nodiscard]] std::filesystem::path allowed(const std::string& file) const;

  std::string name_;
  std::string_view text_;
  std::filesystem::path folder_;
};

}  // namespace linkwright::mesh
