#pragma once
/// Values of SDF, which stand as text inside elements: <mass>1.5</mass>.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/urdf/xml.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright::sdf {

// All of them throw Error with the line where the text is no such value.

/// The text; never empty.
std::string text_of(const XmlElement& element);
double number_of(const XmlElement& element);
Vector3 vector_of(const XmlElement& element);
bool truth_of(const XmlElement& element);
std::vector<double> numbers_of(const XmlElement& element);

std::optional<double> find_number(const XmlElement& parent, std::string_view tag);
std::optional<Vector3> find_vector(const XmlElement& parent, std::string_view tag);
bool find_truth(const XmlElement& parent, std::string_view tag, bool missing);
std::optional<std::string> find_text(const XmlElement& parent, std::string_view tag);

/// The <pose> of an element: numbers, and the frame that they are relative to (empty: not given).
struct GivenPose {
  Pose pose{};
  std::string relative_to{};
  Source source{};
  bool is_given = false;
};
GivenPose find_pose(const XmlElement& parent);

}  // namespace linkwright::sdf
