#include "io/mjcf/document/replicate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "io/mjcf/document/attributes.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

using Element = tinyxml2::XMLElement;
using Names = std::map<std::string, std::set<std::string>, std::less<>>;  // by kind

/// What an attribute of other sections refers to, or an element of the tree is.
std::string_view kind_of(std::string_view word) {
  for (const std::string_view kind : {"joint", "body", "site", "tendon"})
    if (word == kind || word == std::string(kind) + "1" || word == std::string(kind) + "2")
      return kind;
  if (word == "freejoint" || word == "jointinparent") return "joint";
  return {};
}

std::vector<Element*> elements_in(Element& parent) {
  std::vector<Element*> found;
  for (auto* child = parent.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement())
    found.push_back(child);
  return found;
}

/// Copies name where they stood in the file.
void point_to_origin(Element& copy, Element& original) {
  copy.SetUserData(original.GetUserData() != nullptr ? original.GetUserData() : &original);
  const auto copies = elements_in(copy), originals = elements_in(original);
  for (std::size_t i = 0; i < copies.size(); ++i) point_to_origin(*copies[i], *originals[i]);
}
Element& copy_of(Element& original) {
  Element& copy = *original.DeepClone(original.GetDocument())->ToElement();
  point_to_origin(copy, original);
  return copy;
}

void append(Element& element, const char* attribute, const std::string& suffix) {
  if (const char* text = element.Attribute(attribute); text != nullptr && *text != '\0')
    element.SetAttribute(attribute, (text + suffix).c_str());
}

/// Everything below has its own name.
void rename(Element& element, const std::string& suffix, Names& renamed) {
  if (const char* name = element.Attribute("name"); name != nullptr)
    renamed[std::string(kind_of(element.Name()))].insert(name);
  append(element, "name", suffix);
  for (Element* child : elements_in(element)) rename(*child, suffix, renamed);
}

/// How many references of an element, and of what it holds, are to copied things, and how many to others; the first are
/// given the suffix.
struct References {
  int copied = 0, others = 0;
};
void refer(Element& element, const Names& copied, const std::string* suffix, References& found) {
  for (const auto* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
    const auto of_kind = copied.find(kind_of(a->Name()));
    if (kind_of(a->Name()).empty()) continue;
    const bool is_copied = of_kind != copied.end() && of_kind->second.contains(a->Value());
    ++(is_copied ? found.copied : found.others);
    if (is_copied && suffix != nullptr) append(element, a->Name(), *suffix);
  }
  for (Element* child : elements_in(element)) refer(*child, copied, suffix, found);
}

double count_elements(Element& element) {
  double count = 1;
  for (Element* child : elements_in(element)) count += count_elements(*child);
  return count;
}

class Replication {
 public:
  Replication(Document& document, const Settings& settings, Told& told, Problems& problems)
      : document_(document), settings_(settings), told_(told), problems_(problems) {}

  /// The inner ones first: their copies are copied.
  void expand(Element& element, const std::string& file) {
    for (Element* child : elements_in(element)) {
      expand(*child, file);
      if (std::string_view(child->Name()) == "replicate")
        problems_.attempt([&] { replicate(*child, file); });
    }
  }

 private:
  void replicate(Element& element, const std::string& file) {
    const XmlElement told(element, file, "replicate");
    told_.other_attributes(told, "replicate");
    told_.other_children(told, "replicate", document_);
    check_contents(told);
    const double count = told.required_number("count");
    if (!(count >= 0 && count <= most && count == std::floor(count)))
      told.fail(fmt::format("has count=\"{}\"; expected a whole number from 0 to {}", count, most));
    written_ += count * (count_elements(element) - 1);
    if (written_ > most_written)
      told.fail(
          fmt::format("writes out {:.3g} elements with those before it; expected {:.0f} at most",
                      written_, most_written));
    const Vector3 offset = told.vector3("offset").value_or(Vector3{}),
                  turn = told.vector3("euler").value_or(Vector3{});
    const std::string separator(told.attribute("sep").value_or(""));
    const std::string numeral = fmt::format("{:.0f}", count);
    Names copied;
    std::vector<std::string> suffixes;
    Vector3 at{};
    Element* last = &element;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      suffixes.push_back(fmt::format("{}{:0{}}", separator, i, numeral.size()));
      Element& frame = add_frame(element, *last, at, i * turn);
      const Pose pose = read_pose(XmlElement(frame, file, "replicate"), settings_);
      at = at + pose.rotation * offset;
      for (Element* child : elements_in(element)) {
        Element& copy = copy_of(*child);
        frame.InsertEndChild(&copy);
        rename(copy, suffixes.back(), copied);
      }
      last = &frame;
    }
    element.SetName(Document::replaced);  // stays, for the lines that its copies name
    for (const Document::Tree& tree : document_.trees()) copy_what_refers(tree, copied, suffixes);
  }

  /// What copies could not stand for.
  static void check_contents(const XmlElement& told) {
    for (const XmlElement& child : told.children())
      for (const std::string_view tag : {"include", "joint", "freejoint", "inertial"})
        if (child.tag() == tag)
          child.fail(
              fmt::format("stands in <replicate>; expected <body>, <geom>, <site>, <frame>"));
  }

  static Element& add_frame(Element& element, Element& last, const Vector3& at,
                            const Vector3& euler) {
    Element& frame = *element.GetDocument()->NewElement("frame");
    frame.SetUserData(&element);
    frame.SetAttribute("pos", fmt::format("{} {} {}", at.x, at.y, at.z).c_str());
    frame.SetAttribute("euler", fmt::format("{} {} {}", euler.x, euler.y, euler.z).c_str());
    if (const char* childclass = element.Attribute("childclass"); childclass != nullptr)
      frame.SetAttribute("childclass", childclass);
    element.Parent()->InsertAfterChild(&last, &frame);
    return frame;
  }

  /// Tendons first, to which actuators and equalities refer. Copies stand behind all others, those of one place together.
  void copy_what_refers(const Document::Tree& tree, Names& copied,
                        const std::vector<std::string>& suffixes) {
    for (const std::string_view name : {"tendon", "equality", "actuator"})
      for (Element* section : elements_in(*tree.root)) {
        if (section->Name() != name) continue;
        const std::vector<Element*> those = what_refers(*section, tree.file, copied);
        for (const std::string& suffix : suffixes)
          for (Element* element : those)
            section->InsertEndChild(&referring(*element, copied, suffix));
        for (Element* element : those) {
          if (const char* tendon = element->Attribute("name");
              name == "tendon" && tendon != nullptr)
            copied["tendon"].insert(tendon);
          element->SetName(Document::replaced);
        }
      }
  }

  std::vector<Element*> what_refers(Element& section, const std::string& file,
                                    const Names& copied) {
    std::vector<Element*> those;
    for (Element* element : elements_in(section)) {
      References found;
      refer(*element, copied, nullptr, found);
      if (found.copied == 0) continue;
      those.push_back(element);
      problems_.attempt([&] {
        if (found.others > 0 && std::string_view(section.Name()) == "equality")
          XmlElement(*element, file, fmt::format("<{}>", element->Name()))
              .fail(
                  "ties what <replicate> copies to what stands outside, which MuJoCo leaves out "
                  "without a word; write the copies out");
      });
    }
    return those;
  }

  static Element& referring(Element& element, const Names& copied, const std::string& suffix) {
    Element& copy = copy_of(element);
    References unused;
    refer(copy, copied, &suffix, unused);
    append(copy, "name", suffix);
    return copy;
  }

  static constexpr int most = 100000;
  static constexpr double most_written = 1e6;  // copies hold copies

  Document& document_;
  const Settings& settings_;
  Told& told_;
  Problems& problems_;
  double written_ = 0;
};

}  // namespace

void replicate(Document& document, const Settings& settings, Told& told, Problems& problems) {
  Replication replication(document, settings, told, problems);
  for (const Document::Tree& tree : document.trees()) replication.expand(*tree.root, tree.file);
}

}  // namespace linkwright::mjcf
