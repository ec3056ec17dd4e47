// Models: files into models and back, and models into the dataclasses of linkwright/model.py and back.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <numbers>
#include <optional>

#include "bindings.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "linkwright/model/rigid.hpp"
#include "linkwright/model/validation.hpp"
#include "model_fields.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

// --- words of enumerations ---------------------------------------------------------------------

template <class E>
struct Words;
template <>
struct Words<JointType> {
  static constexpr const char* what = "joint type";
  static constexpr auto first = JointType::fixed, last = JointType::custom;
  static std::string_view word(JointType type) { return to_string(type); }
};
template <>
struct Words<Closure::Kind> {
  static constexpr const char* what = "kind of closure";
  static constexpr auto first = Closure::Kind::joint, last = Closure::Kind::shaft;
  static std::string_view word(Closure::Kind kind) { return to_string(kind); }
};
template <>
struct Words<Grasp::Contact> {
  static constexpr const char* what = "contact";
  static constexpr auto first = Grasp::Contact::rigid, last = Grasp::Contact::soft_finger;
  static std::string_view word(Grasp::Contact contact) { return to_string(contact); }
};
template <>
struct Words<Visual::Shape> {
  static constexpr const char* what = "shape";
  static constexpr auto first = Visual::Shape::box, last = Visual::Shape::mesh;
  static std::string_view word(Visual::Shape shape) {
    constexpr std::string_view words[]{"box", "cylinder", "sphere", "capsule", "mesh"};
    return words[static_cast<std::size_t>(shape)];
  }
};
template <>
struct Words<BeamSection::Shape> {
  static constexpr const char* what = "section";
  static constexpr auto first = BeamSection::Shape::rectangle, last = BeamSection::Shape::tube;
  static std::string_view word(BeamSection::Shape shape) {
    constexpr std::string_view words[]{"rectangle", "circle", "tube"};
    return words[static_cast<std::size_t>(shape)];
  }
};
template <>
struct Words<FlexibleLink::Bending> {
  static constexpr const char* what = "bending";
  static constexpr auto first = FlexibleLink::Bending::both, last = FlexibleLink::Bending::z;
  static std::string_view word(FlexibleLink::Bending bending) {
    constexpr std::string_view words[]{"both", "y", "z"};
    return words[static_cast<std::size_t>(bending)];
  }
};
template <>
struct Words<NetworkComponent::Kind> {
  static constexpr const char* what = "kind of component";
  static constexpr auto first = NetworkComponent::Kind::resistor,
                        last = NetworkComponent::Kind::transformer;
  static std::string_view word(NetworkComponent::Kind kind) { return words_of(kind).name; }
};

// --- to Python ---------------------------------------------------------------------------------

nb::module_ classes() { return nb::module_::import_("linkwright.model"); }

nb::object to_python(double x) { return nb::float_(x); }
nb::object to_python(int x) { return nb::int_(x); }
nb::object to_python(bool x) { return nb::bool_(x); }
nb::object to_python(const std::string& x) { return nb::str(x.data(), x.size()); }
nb::object to_python(const Vector3& v) { return nb::make_tuple(v.x, v.y, v.z); }
nb::object to_python(const Symmetric3& s) {
  return nb::make_tuple(s.xx, s.yy, s.zz, s.xy, s.xz, s.yz);
}
nb::object to_python(const Pose& pose) {
  const Matrix3& r = pose.rotation;
  const nb::tuple rotation =
      nb::make_tuple(nb::make_tuple(r.xx, r.xy, r.xz), nb::make_tuple(r.yx, r.yy, r.yz),
                     nb::make_tuple(r.zx, r.zy, r.zz));
  return nb::module_::import_("linkwright._pose")
      .attr("_pose")(to_python(pose.translation), rotation);
}
template <class E>
requires std::is_enum_v<E> nb::object to_python(E value) {
  const std::string_view word = Words<E>::word(value);
  return nb::str(word.data(), word.size());
}
template <class T>
requires(class_name<T> != nullptr) nb::object to_python(const T& x);
template <class T, std::size_t N>
nb::object to_python(const std::array<T, N>& values) {
  nb::list list;
  for (const T& value : values) list.append(to_python(value));
  return nb::tuple(list);
}
template <class T>
nb::object to_python(const std::optional<T>& value) {
  return value ? to_python(*value) : nb::none();
}
template <class T>
nb::object to_python(const std::vector<T>& values) {
  nb::list list;
  for (std::size_t i = 0; i < values.size(); ++i) list.append(to_python(T(values[i])));
  return list;
}
template <class T>
requires(class_name<T> != nullptr) nb::object to_python(const T& x) {
  nb::dict fields;
  visit_fields(x, [&](const char* name, const auto& value) { fields[name] = to_python(value); });
  return classes().attr(class_name<T>)(**fields);
}

// --- from Python; `where` is what a message calls the thing ------------------------------------

[[noreturn]] void refuse(const std::string& where, const char* expected, nb::handle given) {
  throw Error(where + ": expected " + expected + "; got " + nb::cast<std::string>(nb::repr(given)));
}

void from_python(nb::handle given, const std::string& where, double& x) {
  if (nb::isinstance<nb::bool_>(given) || !nb::try_cast(given, x)) refuse(where, "a number", given);
}
void from_python(nb::handle given, const std::string& where, int& x) {
  if (nb::isinstance<nb::bool_>(given) || !nb::try_cast(given, x))
    refuse(where, "a whole number", given);
}
void from_python(nb::handle given, const std::string& where, bool& x) {
  if (!nb::try_cast(given, x)) refuse(where, "True or False", given);
}
void from_python(nb::handle given, const std::string& where, std::string& x) {
  if (!nb::try_cast(given, x)) refuse(where, "a text", given);
}
void from_python(nb::handle given, const std::string& where, Vector3& v) {
  const Input numbers({given}, where.c_str(), 3, Input::Many::refused);
  v = to_vector3(Eigen::Vector3d(numbers.vector()));
}
void from_python(nb::handle given, const std::string& where, Symmetric3& s) {
  const Input numbers({given}, (where + " (ixx, iyy, izz, ixy, ixz, iyz)").c_str(), 6,
                      Input::Many::refused);
  const double* const n = numbers.state(0);
  s = {n[0], n[1], n[2], n[3], n[4], n[5]};
}
void from_python(nb::handle given, const std::string& where, Pose& pose) {
  if (!nb::isinstance(given, classes().attr("Pose"))) refuse(where, "a linkwright.Pose", given);
  from_python(given.attr("_xyz"), where + ".xyz", pose.translation);
  const nb::object rows = given.attr("_rows");
  std::array<Vector3, 3> r;
  for (std::size_t i = 0; i < 3; ++i) from_python(rows[i], where + ".rotation", r[i]);
  pose.rotation = {r[0].x, r[0].y, r[0].z, r[1].x, r[1].y, r[1].z, r[2].x, r[2].y, r[2].z};
}
template <class E>
requires std::is_enum_v<E>
void from_python(nb::handle given, const std::string& where, E& value) {
  std::string word;
  from_python(given, where, word);
  std::vector<std::string> known;
  for (int i = static_cast<int>(Words<E>::first); i <= static_cast<int>(Words<E>::last); ++i) {
    value = static_cast<E>(i);
    if (Words<E>::word(value) == word) return;
    known.emplace_back(Words<E>::word(value));
  }
  throw Error(where + ": there is no " + Words<E>::what + " " + in_quotes(word) +
              did_you_mean(word, known));
}
template <class T>
requires(class_name<T> != nullptr) void from_python(nb::handle given, const std::string& where,
                                                    T& x);
template <class T, std::size_t N>
void from_python(nb::handle given, const std::string& where, std::array<T, N>& values);
template <class T>
void from_python(nb::handle given, const std::string& where, std::optional<T>& value) {
  value.reset();
  if (!given.is_none()) from_python(given, where, value.emplace());
}
bool is_list(nb::handle given) {
  return nb::isinstance<nb::sequence>(given) && !nb::isinstance<nb::str>(given);
}
template <class T, std::size_t N>
void from_python(nb::handle given, const std::string& where, std::array<T, N>& values) {
  if (!is_list(given) || nb::len(given) != N)
    refuse(where, ("a sequence of " + std::to_string(N)).c_str(), given);
  for (std::size_t i = 0; i < N; ++i)
    from_python(nb::borrow(given)[i], where + "[" + std::to_string(i) + "]", values[i]);
}
template <class T>
void from_python(nb::handle given, const std::string& where, std::vector<T>& values) {
  if (!is_list(given)) refuse(where, "a list", given);
  values.clear();
  for (const nb::handle one : given) {
    T value{};
    from_python(one, where + "[" + std::to_string(values.size()) + "]", value);
    values.push_back(std::move(value));
  }
}
template <class T>
requires(class_name<T> != nullptr) void from_python(nb::handle given, const std::string& where,
                                                    T& x) {
  if (!nb::isinstance(given, classes().attr(class_name<T>)))
    refuse(where, (std::string("a linkwright.model.") + class_name<T>).c_str(), given);
  visit_fields(x, [&](const char* name, auto& value) {
    from_python(given.attr(name), where + "." + name, value);
  });
}

// --- what Python calls -------------------------------------------------------------------------

Base to_base(std::string_view name) {
  return choose<Base>("base", name,
                      {{"fixed", Base::fixed}, {"free", Base::free}, {"planar", Base::planar}});
}

using Packages = std::map<std::string, std::filesystem::path>;

Model read(const std::filesystem::path& path, std::string_view base, bool lenient,
           const Packages& packages, const std::filesystem::path& closures) {
  const ReadOptions options{to_base(base), lenient, packages, closures};
  const nb::gil_scoped_release without_lock;
  return read_model(path, options);
}

Model parse(const std::string& text, const std::string& name, const std::filesystem::path& folder,
            std::string_view base, bool lenient, const Packages& packages,
            const std::filesystem::path& closures) {
  const ReadOptions options{to_base(base), lenient, packages, closures};
  const nb::gil_scoped_release without_lock;
  return parse_model(text, name, folder, options);
}

/// The text, and what it does not say of the model.
std::pair<std::string, std::vector<std::string>> write(const Model& model, std::string_view format,
                                                       const std::filesystem::path& folder,
                                                       bool lenient) {
  if (!choose<bool>("format", format, {{"yaml", false}, {"urdf", true}}))
    return {write_system_file(model, folder), {}};
  std::vector<Warning> told;
  std::string text = write_urdf(model, {.folder = folder, .lenient = lenient}, &told);
  std::vector<std::string> left_out;
  for (const Warning& warning : told) left_out.push_back(warning.text());
  return {std::move(text), std::move(left_out)};
}

Model bend(const Model& model, nb::handle given) {
  std::vector<FlexibleLink> links;
  from_python(given, "links", links);
  return to_elastic_chains(model, links);
}

/// (body, elements, length, mass, damping ratio, {motion: the first frequencies in Hz}) of each.
nb::list found_beams(const Model& model) {
  constexpr int told_modes = 3;
  nb::list list;
  for (const auto& [body, beam, damping_ratio] : find_flexible_links(model)) {
    nb::dict frequencies;
    for (const BeamMotion motion : all_beam_motions) {
      if (!beam.moves(motion)) continue;
      nb::list hertz;
      for (const double frequency : clamped_frequencies(beam, motion, told_modes))
        hertz.append(frequency / (2 * std::numbers::pi));
      frequencies[std::string(to_string(motion)).c_str()] = hertz;
    }
    list.append(nb::make_tuple(body, beam.elements, beam.length, beam.mass_per_length * beam.length,
                               damping_ratio, frequencies));
  }
  return list;
}

/// One of everything as C++ makes it, by class name.
nb::dict defaults() {
  nb::dict all;
  const auto add = [&all]<class... T>(T... made) { ((all[class_name<T>] = to_python(made)), ...); };
  add(Source{}, Body{}, Limits{}, Friction{}, Joint{}, Frame{}, GearTerm{}, Closure{}, Grasp{},
      LineSpring{}, JointSpring{}, JointLoad{}, BodyLoad{}, Actuator{}, Actuator::Motor{},
      Actuator::Elastic{}, FlexibleBase{}, InitialState{}, InitialState::Entry{},
      InitialState::MotorEntry{}, Visual{}, Warning{}, SourceText{}, NetworkWire{},
      NetworkComponent{}, NetworkModel{}, Model{}, BeamSection{}, FlexibleLink{});
  return all;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A model as the readers leave it.");
  module.def("read_model", &read, "path"_a, "base"_a, "lenient"_a, "packages"_a, "closures"_a)
      .def("parse_model", &parse, "text"_a, "name"_a, "folder"_a, "base"_a, "lenient"_a,
           "packages"_a, "closures"_a)
      .def("_write", &write, "model"_a, "format"_a, "folder"_a, "lenient"_a)
      .def("_to_python", [](const Model& model) { return to_python(model); })
      .def("_from_python",
           [](nb::handle given) {
             Model model;
             from_python(given, "model", model);
             return model;
           })
      .def("_without_forces",
           [](Model model) {
             leave_out_forces(model);
             return model;
           })
      .def("_to_elastic_chains", &bend, "model"_a, "links"_a)
      .def("_found_beams", &found_beams, "model"_a)
      .def("_repair", [](Model& model) { (void)repair(model); })
      .def("_defaults", &defaults);
}

}  // namespace linkwright::python
