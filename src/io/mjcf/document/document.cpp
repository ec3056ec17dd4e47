#include "io/mjcf/document/document.hpp"

#include <fmt/format.h>

#include "io/text_file.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// Files that include files; a model nests a few.
constexpr int deepest_include = 50;

}  // namespace

Document::Document(std::string_view text, const std::string& name, std::filesystem::path folder,
                   Problems& problems)
    : folder_(std::move(folder)) {
  add(text, name);
  sources_.push_back(to_source(text, name));
  include_below(root(), 0, problems);
}

void Document::add(std::string_view text, const std::string& name) {
  documents_.emplace_back(text, name);
  names_.push_back(name);
}

void Document::include_below(const XmlElement& element, int depth, Problems& problems) {
  for (const XmlElement& child : element.children())
    if (child.tag() == "include")
      problems.attempt([&] { include(child, depth + 1, problems); });
    else
      include_below(child, depth, problems);
}

void Document::include(const XmlElement& element, int depth, Problems& problems) {
  const std::string file = element.required_attribute("file");
  if (depth > deepest_include)
    element.fail(fmt::format("nests files deeper than {}; no model needs that", deepest_include));
  if (included_.contains(file))
    element.fail(
        fmt::format("includes {} a second time; a file can be included once, since its "
                    "names would stand twice",
                    in_quotes(file)));
  const std::filesystem::path path = folder_ / file;
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(path, trouble))
    element.fail(fmt::format("there is no file {}; paths are relative to the main file",
                             in_quotes(path.string())));
  const std::string text = read_text_file(path);
  included_.emplace(file, documents_.size());
  add(text, path.string());
  sources_.push_back({file, text});
  include_below(documents_.back().root(), depth, problems);
}

std::vector<Document::Tree> Document::trees() {
  std::vector<Tree> all;
  for (XmlDocument& document : documents_) all.push_back({&document.tree(), document.file()});
  return all;
}

std::vector<XmlElement> Document::children(const XmlElement& element) const {
  std::vector<XmlElement> found;
  for (const XmlElement& child : element.children()) {
    if (child.tag() == replaced) continue;
    if (child.tag() != "include") {
      found.push_back(child);
      continue;
    }
    const auto known = included_.find(std::string(child.attribute("file").value_or("")));
    if (known == included_.end()) continue;  // told when it was looked for
    const XmlElement root = documents_[known->second].root().owned_by(element.owner());
    for (const XmlElement& inner : children(root)) found.push_back(inner);
  }
  return found;
}

std::vector<Source> Document::malformed_comments() const {
  std::vector<Source> found;
  for (std::size_t i = 0; i < documents_.size(); ++i)
    for (const int line : documents_[i].malformed_comments()) found.push_back({names_[i], line});
  return found;
}

}  // namespace linkwright::mjcf
