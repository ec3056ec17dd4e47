#include "io/mesh/mesh_files.hpp"

#include <algorithm>
#include <cstring>

#include "io/text_file.hpp"
#include "linkwright/error.hpp"

namespace linkwright::mesh {
namespace {

namespace fs = std::filesystem;

/// Bytes in memory as assimp reads them.
class MemoryStream : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  explicit MemoryStream(std::string&& bytes) : own_(std::move(bytes)), bytes_(own_) {}

  size_t Read(void* to, size_t size, size_t count) override {
    if (size == 0) return 0;
    const std::size_t items = std::min(count, (bytes_.size() - at_) / size);
    std::memcpy(to, bytes_.data() + at_, items * size);
    at_ += items * size;
    return items;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const std::size_t base = origin == aiOrigin_SET   ? 0
                             : origin == aiOrigin_CUR ? at_
                                                      : bytes_.size();
    const bool backwards = origin == aiOrigin_END;
    if (offset > (backwards ? base : bytes_.size() - base)) return aiReturn_FAILURE;
    at_ = backwards ? base - offset : base + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return at_; }
  size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string own_;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

fs::path find_inside(const fs::path& folder, const std::string& file) {
  if (folder.empty()) return {};
  std::error_code trouble;
  const fs::path whole = fs::weakly_canonical(folder, trouble);
  const fs::path path = fs::weakly_canonical(whole / file, trouble);
  const auto [inside, rest] = std::mismatch(whole.begin(), whole.end(), path.begin(), path.end());
  return inside == whole.end() && fs::is_regular_file(path, trouble) ? path : fs::path{};
}

bool MeshFiles::Exists(const char* file) const {
  return file == name_ || !find_inside(folder_, file).empty();
}

Assimp::IOStream* MeshFiles::Open(const char* file, const char*) {
  if (file == name_) return new MemoryStream(text_);
  const fs::path path = find_inside(folder_, file);
  if (path.empty()) return nullptr;
  try {
    return new MemoryStream(read_text_file(path));
  } catch (const Error&) {
    return nullptr;  // assimp names the file that it could not open
  }
}

}  // namespace linkwright::mesh
