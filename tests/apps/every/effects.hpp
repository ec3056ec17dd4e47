#pragma once
/// The law that nothing a file says is without effect: change one word of a document and see whether
/// anything that can be observed changes with it.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/program.hpp"
#include "linkwright/model/model.hpp"

namespace apps {

/// Where a change must show. A warning or an error is enough everywhere.
enum class Shows {
  numbers,  ///< in what the library computes: dynamics, kinematics, names, the start
  drawing,  ///< in what the viewer draws
  told      ///< in `info`: what a later room will use
};

/// One word of a vocabulary and a change of it. `from` must stand in the document exactly once.
struct Change {
  std::string_view document, section, word, from, to;
  Shows shows = Shows::numbers;
};

/// Everything that can be observed of a document, or the error that refuses it.
struct Observed {
  std::string error, warnings, numbers, drawing, info;
};

/// A planted fault: what a reader or a compiler that drops something would leave of the model.
using Fault = std::function<void(linkwright::Model&)>;

class Observer {
 public:
  /// Documents by file name; files that others refer to stand among them.
  explicit Observer(const std::map<std::string, std::string, std::less<>>& documents);

  /// The "section.word" of every change that shows nowhere. With a fault only changes that must
  /// show in numbers are tried, since `info` reads the file by itself.
  std::vector<std::string> find_dropped(const std::vector<Change>& changes,
                                        const Fault& fault = {}) const;

 private:
  [[nodiscard]] Observed observe(const std::string& document, const std::string& text,
                                 const Fault& fault) const;
  [[nodiscard]] bool has_effect(const Change& change, const Observed& before,
                                const Fault& fault) const;

  Folder folder_;
  std::map<std::string, std::string, std::less<>> documents_;
};

}  // namespace apps
