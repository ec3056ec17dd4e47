#pragma once
/// A word on contacts that could not hold what was computed with them closed.

#include "compute/quantities.hpp"

namespace linkwright::app {

/// For quantities that follow from forces on grasps with friction; of others it says nothing.
class LostContacts {
 public:
  LostContacts(const Quantity& quantity, const System& system);

  /// Looks at one state, after it was computed; `where` is its place in a file.
  void take(ClosedWorkspace& work, const Input& in, const std::string& where = "");
  /// The worst of all, once.
  void report() const;

 private:
  bool looks_ = false;
  std::size_t states_ = 0;  ///< with a contact outside its cone
  double worst_ = 0;
  std::string text_;
};

}  // namespace linkwright::app
