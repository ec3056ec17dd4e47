#pragma once
/// The files of an MJCF model as one document: the main one, and in the place of each <include> what
/// the file that it names holds.

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/urdf/xml.hpp"
#include "linkwright/model/model.hpp"
#include "model/problems.hpp"

namespace linkwright::mjcf {

class Document {
 public:
  /// Throws for text that is not XML. Files that cannot be included go to `problems`.
  Document(std::string_view text, const std::string& name, std::filesystem::path folder,
           Problems& problems);

  [[nodiscard]] XmlElement root() const { return documents_.front().root(); }
  /// Elements of this name stand for nothing any more, and are no children.
  static constexpr const char* replaced = "replaced";
  /// The main file and what it includes, to be changed.
  struct Tree {
    tinyxml2::XMLElement* root;
    const std::string& file;
  };
  [[nodiscard]] std::vector<Tree> trees();
  /// The child elements in order, those of included files among them.
  [[nodiscard]] std::vector<XmlElement> children(const XmlElement& element) const;
  /// Where the main file lies; all paths are relative to it.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::vector<SourceText> take_sources() { return std::move(sources_); }
  /// Lines of comments with -- inside, which strict parsers refuse.
  [[nodiscard]] std::vector<Source> malformed_comments() const;

 private:
  void add(std::string_view text, const std::string& name);
  void include_below(const XmlElement& element, int depth, Problems& problems);
  void include(const XmlElement& element, int depth, Problems& problems);

  std::filesystem::path folder_;
  std::deque<XmlDocument> documents_;            ///< elements point into them
  std::vector<std::string> names_;               ///< of the documents, as messages call them
  std::map<std::string, std::size_t> included_;  ///< by the path as it is written
  std::vector<SourceText> sources_;
};

}  // namespace linkwright::mjcf
