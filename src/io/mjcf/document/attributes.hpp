#pragma once
/// Attributes of an MJCF element, its own or inherited from the defaults of its class.

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/mjcf/settings.hpp"

namespace linkwright::mjcf {

/// All numbers of an attribute, `least` to `most` of them; nothing when it is missing.
std::optional<std::vector<double>> read_numbers(const XmlElement& element, std::string_view name,
                                                std::size_t least, std::size_t most);
/// One of `words`; nothing when it is missing.
std::optional<std::string> read_word(const XmlElement& element, std::string_view name,
                                     std::initializer_list<const char*> words);
std::optional<bool> read_flag(const XmlElement& element, std::string_view name);

/// An element before the defaults that it inherits, the nearest class first. An attribute is that of the
/// first element that has it; mistakes in it are told where it stands.
class Attributes {
 public:
  Attributes(XmlElement own, std::vector<XmlElement> defaults)
      : own_(std::move(own)), chain_(std::move(defaults)) {
    chain_.insert(chain_.begin(), own_);
  }
  [[nodiscard]] const XmlElement& own() const { return own_; }
  /// Itself and its defaults.
  [[nodiscard]] const std::vector<XmlElement>& chain() const { return chain_; }
  /// The element that has the attribute.
  [[nodiscard]] std::optional<XmlElement> holder(std::string_view name) const;

  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name, double otherwise) const;
  [[nodiscard]] int integer(std::string_view name, int otherwise) const;
  [[nodiscard]] std::optional<Vector3> vector3(std::string_view name) const;
  [[nodiscard]] std::optional<std::vector<double>> numbers(std::string_view name, std::size_t least,
                                                           std::size_t most) const;
  [[nodiscard]] std::optional<std::string> word(std::string_view name,
                                                std::initializer_list<const char*> words) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view name) const;
  [[noreturn]] void fail(std::string_view message) const { own_.fail(message); }

 private:
  XmlElement own_;
  std::vector<XmlElement> chain_;
};

/// A pair of numbers that is in force: `limited` says so or, where it says "auto" and `autolimits` allows,
/// the pair is there.
struct Range {
  double lower = 0, upper = 0;
};
std::optional<Range> read_range(const Attributes& attributes, std::string_view range,
                                std::string_view limited, bool autolimits);

/// Position and orientation, in any of MuJoCo's ways to write it.
Pose read_pose(const Attributes& attributes, const Settings& settings);
/// The same for an element without defaults.
Pose read_pose(const XmlElement& element, const Settings& settings);
/// The turn by `angle` about a unit vector.
Matrix3 turn_about(const Vector3& axis, double angle);
/// The shortest turn that leads z into `direction`.
Matrix3 turn_z_to(const Vector3& direction);
/// Of the numbers w x y z of any length but zero.
Matrix3 to_rotation(const XmlElement& element, std::string_view name, double w, double x, double y,
                    double z);

}  // namespace linkwright::mjcf
