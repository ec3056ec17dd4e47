#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "io/mesh/formats.hpp"
#include "io/text_file.hpp"
#include "linkwright/error.hpp"

namespace linkwright::mesh {
namespace {

using Json = nlohmann::json;

constexpr int deepest_value = 100;
constexpr std::size_t max_chain = 1000;

/// The JSON of a .glb: a head of 12 bytes, then chunks with their length and kind, the first JSON.
std::string_view json_of(std::string_view text, const std::string& name) {
  constexpr std::size_t head = 12, chunk_head = 8;
  constexpr std::uint32_t json_kind = 0x4E4F534A;
  if (!text.starts_with("glTF")) return text;
  if (text.size() < head + chunk_head || little_endian(text, 8) > text.size() ||
      little_endian(text, head) > text.size() - head - chunk_head)
    throw Error(Source{name}, fmt::format("the file has {} bytes, fewer than it says; it is cut "
                                          "off or not a glTF file",
                                          text.size()));
  if (little_endian(text, 4) != 2 || little_endian(text, head + 4) != json_kind)
    throw Error(Source{name},
                fmt::format("the file is not glTF 2 (it says version {})", little_endian(text, 4)));
  return text.substr(head + chunk_head, little_endian(text, head));
}

Json parse_json(std::string_view text, const std::string& name) {
  const auto guard = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest_value)
      throw Error(Source{name},
                  fmt::format("values stand more than {} deep in each other", deepest_value));
    return true;
  };
  try {
    return Json::parse(text, guard);
  } catch (const Json::exception&) {
    throw Error(Source{name}, "this is not valid JSON; expected a glTF 2 file");
  }
}

/// Entries of an array of the file; none where there is no such array.
const Json& list(const Json& json, const char* key) {
  static const Json none = Json::array();
  const auto place = json.find(key);
  return place != json.end() && place->is_array() ? *place : none;
}

class GltfChecker {
 public:
  explicit GltfChecker(const std::string& name) : source_{name} {}

  void check(const Json& json) {
    const auto asset = json.find("asset");
    const bool is_two = asset != json.end() && asset->is_object() &&
                        asset->value("version", Json("")).is_string() &&
                        asset->value("version", std::string()).starts_with("2");
    if (!is_two) refuse("\"asset\" does not say version 2; expected a glTF 2 file");
    check_nodes(list(json, "nodes"));
    check_views(list(json, "bufferViews"), list(json, "buffers"));
    for (const Json& accessor : list(json, "accessors"))
      check_accessor(accessor, list(json, "bufferViews"));
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { throw Error(source_, message); }

  /// A count or an index; refuses what is no whole number within a file's bytes.
  std::size_t number(const Json& object, const char* key, std::size_t otherwise) const {
    const auto place = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object()) refuse(fmt::format("expected an object with \"{}\"", key));
    if (place == object.end()) return otherwise;
    if (!place->is_number_unsigned() || place->get<std::size_t>() > max_file_bytes)
      refuse(fmt::format("\"{}\" is {:.30}; expected a whole number up to {}", key, place->dump(),
                         max_file_bytes));
    return place->get<std::size_t>();
  }

  /// Nodes form trees: each stands below one other at most, and in no circle.
  void check_nodes(const Json& nodes) {
    constexpr std::size_t none = max_file_bytes + 1;
    std::vector<std::size_t> parent(nodes.size(), none);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n].is_object()) refuse(fmt::format("node {} is not an object", n));
      for (const Json& child : list(nodes[n], "children")) {
        if (!child.is_number_unsigned() || child.get<std::size_t>() >= nodes.size())
          refuse(fmt::format("node {} has a child {:.30}, but there are {} nodes", n, child.dump(),
                             nodes.size()));
        std::size_t& above = parent[child.get<std::size_t>()];
        if (above != none)
          refuse(fmt::format("node {:.30} stands below two nodes; expected a tree", child.dump()));
        above = n;
      }
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      std::size_t steps = 0;
      for (std::size_t at = n; at != none; at = parent[at])
        if (++steps > max_chain)
          refuse(fmt::format("node {} stands in a circle or more than {} deep", n, max_chain));
    }
  }

  void check_views(const Json& views, const Json& buffers) const {
    for (const Json& view : views) {
      const std::size_t buffer = number(view, "buffer", buffers.size());
      if (buffer >= buffers.size()) refuse("a bufferView names a buffer that is not there");
      if (number(view, "byteOffset", 0) + number(view, "byteLength", 0) >
          number(buffers[buffer], "byteLength", 0))
        refuse(fmt::format("a bufferView reaches past the end of buffer {}", buffer));
    }
  }

  static std::size_t element_bytes(const Json& accessor) {
    const Json type = accessor.value("type", Json("SCALAR"));
    const Json component = accessor.value("componentType", Json(0));
    static const std::map<std::string, std::size_t> counts{{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3},
                                                           {"VEC4", 4},   {"MAT2", 4}, {"MAT3", 9},
                                                           {"MAT4", 16}};
    const auto known = type.is_string() ? counts.find(type.get<std::string>()) : counts.end();
    const std::size_t count = known == counts.end() ? 1 : known->second;
    if (component == 5120 || component == 5121) return count;
    return count * (component == 5122 || component == 5123 ? 2 : 4);
  }

  void check_accessor(const Json& accessor, const Json& views) {
    const std::size_t count = number(accessor, "count", 0);
    const std::size_t bytes = element_bytes(accessor);
    if ((elements_ += count) > max_file_bytes)
      refuse(fmt::format("the accessors hold more than {} elements", max_file_bytes));
    if (accessor.find("sparse") != accessor.end()) refuse("sparse accessors are not read");
    if (accessor.find("bufferView") == accessor.end() || count == 0) return;
    const std::size_t view = number(accessor, "bufferView", views.size());
    if (view >= views.size()) refuse("an accessor names a bufferView that is not there");
    const std::size_t stride = number(views[view], "byteStride", 0);
    const std::size_t end =
        number(accessor, "byteOffset", 0) + (count - 1) * (stride == 0 ? bytes : stride) + bytes;
    if (end > number(views[view], "byteLength", 0))
      refuse(fmt::format("an accessor of {} elements reaches past the end of bufferView {}", count,
                         view));
  }

  const Source source_;
  std::size_t elements_ = 0;
};

}  // namespace

void check_gltf(std::string_view text, const std::string& name) {
  const Json json = parse_json(json_of(text, name), name);
  if (!json.is_object()) throw Error(Source{name}, "this is not a glTF file: expected an object");
  GltfChecker(name).check(json);
}

}  // namespace linkwright::mesh
