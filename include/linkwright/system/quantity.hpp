#pragma once
/// A number with a name and a unit, for messages, recordings and tables.
///
///     const linkwright::Quantity current{"motor:m1:current", "A"};

#include <string>

namespace linkwright {

struct Quantity {
  std::string name{};
  std::string unit{"1"};  ///< "rad/s", "N*m", "V"; "1" for pure numbers
};

}  // namespace linkwright
