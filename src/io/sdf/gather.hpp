#pragma once
/// The elements of an SDF file and of all that it includes, with the scopes that they stand in. Poses are known when
/// all of it is gathered, since any may be relative to what comes later.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/sdf/scope.hpp"
#include "io/sdf/told.hpp"
#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::sdf {

/// An element with what it needs from around it.
struct Item {
  XmlElement element;
  Scope* scope = nullptr;
  std::string name{};  ///< local
  std::string self{};  ///< what __model__ means to it
  double version = 0;
  bool is_static = false;

  [[nodiscard]] std::string full_name() const { return scope->prefix() + name; }
};

struct Gathered {
  std::vector<std::unique_ptr<XmlDocument>> documents{};  ///< which the elements stand in
  std::unique_ptr<Scope> top{};
  std::vector<Item> links{}, joints{}, frames{};
  std::vector<SourceText> sources{};
  std::string name{};
  std::optional<XmlElement> world{};
  double version = 0;
};

/// What the text says, and whatever file it stands in includes. Throws Error for text that is no SDF; all else
/// goes to `problems`.
Gathered gather(std::string_view text, const std::string& name_for_messages,
                const std::filesystem::path& folder, const ReadOptions& options, Told& told,
                Problems& problems);

}  // namespace linkwright::sdf
