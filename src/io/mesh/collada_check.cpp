#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <vector>

#include "io/mesh/formats.hpp"
#include "linkwright/error.hpp"

namespace linkwright::mesh {
namespace {

/// Real files nest a dozen levels and instance a few thousand nodes.
constexpr int deepest_element = 200;
constexpr double max_nodes = 100'000;

/// The deepest level of elements. Comments and CDATA may hold anything and do not count.
int nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  const auto skip_past = [&](std::size_t at, std::string_view end) {
    return std::min(text.find(end, at), text.size());
  };
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = skip_past(at, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      at = skip_past(at, "]]>");
    } else {
      const std::size_t end = skip_past(at, ">");
      const bool closes = rest.starts_with("</"), stands_alone = end > 0 && text[end - 1] == '/';
      if (closes) --depth;
      if (!closes && !stands_alone && !rest.starts_with("<?") && !rest.starts_with("<!")) ++depth;
      deepest = std::max(deepest, depth);
      at = end;
    }
  }
  return deepest;
}

/// Counts the nodes that a scene means when every <instance_node> is replaced by what it names.
class NodeCounter {
 public:
  NodeCounter(const tinyxml2::XMLDocument& document, std::string name) : name_(std::move(name)) {
    if (document.RootElement() != nullptr) learn(*document.RootElement());
  }

  double count_all() {
    double all = 0;
    for (const auto& [id, node] : nodes_) all += count(id);
    return all;
  }

 private:
  static constexpr double being_counted = -1;

  void learn(const tinyxml2::XMLElement& element) {
    const char* id = element.Attribute("id");
    if (std::string_view(element.Name()) == "node" && id != nullptr) nodes_.emplace(id, &element);
    for (const auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement())
      learn(*child);
  }

  double count(const std::string& id) {
    const auto node = nodes_.find(id);
    if (node == nodes_.end()) return 0;
    const auto [known, is_new] = counts_.try_emplace(id, being_counted);
    if (!is_new) {
      if (known->second == being_counted)
        throw Error(Source{name_, node->second->GetLineNum()},
                    fmt::format("node '{:.40}' contains itself by <instance_node>", id));
      return known->second;
    }
    const double all = count_inside(*node->second);
    return counts_[id] = all;
  }

  double count_inside(const tinyxml2::XMLElement& node) {
    double all = 1;
    for (const auto* child = node.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view tag = child->Name();
      const char* url = child->Attribute("url");
      if (tag == "node") all += count_inside(*child);
      if (tag == "instance_node" && url != nullptr && *url == '#') all += count(url + 1);
    }
    if (all > max_nodes)
      throw Error(Source{name_, node.GetLineNum()},
                  fmt::format("<instance_node> repeats more than {} nodes", max_nodes));
    return all;
  }

  std::string name_;
  std::map<std::string, const tinyxml2::XMLElement*> nodes_;
  std::map<std::string, double> counts_;
};

/// An <accessor> must stay within the array that it reads: assimp does not look.
class AccessorChecker {
 public:
  explicit AccessorChecker(std::string name) : name_(std::move(name)) {}

  void check(const tinyxml2::XMLElement& root) {
    learn(root);
    for (const auto* accessor : accessors_) check_accessor(*accessor);
  }

 private:
  [[noreturn]] void refuse(const tinyxml2::XMLElement& element, const std::string& message) const {
    throw Error(Source{name_, element.GetLineNum()}, message);
  }

  std::size_t number(const tinyxml2::XMLElement& element, const char* key,
                     std::size_t otherwise) const {
    const char* text = element.Attribute(key);
    if (text == nullptr) return otherwise;
    const std::string_view digits = text;
    const bool is_whole = !digits.empty() && digits.size() <= 9 &&
                          digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_whole)
      refuse(element, fmt::format("{} of <{}> is '{:.20}'; expected a whole number", key,
                                  element.Name(), digits));
    return static_cast<std::size_t>(std::stoul(text));
  }

  void learn(const tinyxml2::XMLElement& element) {
    const std::string_view tag = element.Name();
    if (const char* id = element.Attribute("id"); id != nullptr && tag.ends_with("_array"))
      arrays_[id] = number(element, "count", 0);
    if (tag == "accessor") accessors_.push_back(&element);
    if (tag == "input" && number(element, "offset", 0) > 32)
      refuse(element, "offset of <input> is larger than 32");
    for (const auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement())
      learn(*child);
  }

  void check_accessor(const tinyxml2::XMLElement& accessor) const {
    const char* source = accessor.Attribute("source");
    const auto array = arrays_.find(source != nullptr && *source == '#' ? source + 1 : "");
    if (array == arrays_.end()) refuse(accessor, "<accessor> names an array that is not there");
    std::size_t entries = 0;
    for (const auto* p = accessor.FirstChildElement("param"); p != nullptr;
         p = p->NextSiblingElement("param"))
      ++entries;
    const std::size_t count = number(accessor, "count", 0), stride = number(accessor, "stride", 1);
    // assimp reads three coordinates of a position and four of a colour, named or not.
    const std::size_t last = std::max({entries, stride, std::size_t{1}});
    if (count > 0 && number(accessor, "offset", 0) + (count - 1) * stride + last > array->second)
      refuse(accessor, fmt::format("<accessor> reads {} entries of {} numbers, but the array has "
                                   "{} numbers",
                                   count, stride, array->second));
  }

  std::string name_;
  std::map<std::string, std::size_t> arrays_;
  std::vector<const tinyxml2::XMLElement*> accessors_;
};

}  // namespace

void check_collada(std::string_view text, const std::string& name) {
  if (text.find("<COLLADA") == std::string_view::npos)
    throw Error(Source{name}, "there is no <COLLADA>; expected a COLLADA file");
  // The end of an archive makes assimp unpack it, whatever the file's name and beginning are.
  if (text.find("PK\x05\x06") != std::string_view::npos)
    throw Error(Source{name}, "this is a ZIP archive; unpack it and name the .dae file in it");
  if (nesting(text) > deepest_element)
    throw Error(Source{name},
                fmt::format("elements stand more than {} deep in each other", deepest_element));
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw Error(Source{name, document.ErrorLineNum()}, "this is not well-formed XML");
  AccessorChecker(name).check(*document.RootElement());
  if (text.find("<instance_node") != std::string_view::npos)
    NodeCounter(document, name).count_all();
}

}  // namespace linkwright::mesh
