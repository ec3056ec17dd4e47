#include "io/mjcf/bodies/assets.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

constexpr std::size_t many_numbers = 50'000'000;

/// The path as the main file would write it.
std::string mesh_path(const std::string& file, const Settings& settings) {
  const std::filesystem::path path =
      settings.strip_path ? std::filesystem::path(file).filename() : std::filesystem::path(file);
  return (std::filesystem::path(settings.mesh_folder) / path).string();
}

MeshAsset::Inertia to_inertia(const std::string& word) {
  if (word == "exact") return MeshAsset::Inertia::exact;
  if (word == "convex") return MeshAsset::Inertia::convex;
  return word == "shell" ? MeshAsset::Inertia::shell : MeshAsset::Inertia::legacy;
}

MeshAsset read_mesh(const Attributes& attributes, const Settings& settings) {
  const XmlElement& element = attributes.own();
  MeshAsset mesh;
  mesh.source = element.source();
  if (const auto file = element.attribute("file"))
    mesh.file = mesh_path(std::string(*file), settings);
  mesh.vertices = read_numbers(element, "vertex", 9, many_numbers).value_or(std::vector<double>{});
  mesh.faces = read_numbers(element, "face", 3, many_numbers).value_or(std::vector<double>{});
  if (mesh.file.empty() && mesh.vertices.empty())
    element.fail("has neither a file nor vertices; expected one of them");
  if (mesh.vertices.size() % 3 != 0 || mesh.faces.size() % 3 != 0)
    element.fail("has vertices or faces that are not in threes");
  mesh.scale = attributes.vector3("scale").value_or(Vector3{1, 1, 1});
  mesh.reference.translation = element.vector3("refpos").value_or(Vector3{});
  if (const auto q = element.four_numbers("refquat"))
    mesh.reference.rotation = to_rotation(element, "refquat", (*q)[0], (*q)[1], (*q)[2], (*q)[3]);
  mesh.inertia = to_inertia(
      attributes.word("inertia", {"legacy", "exact", "convex", "shell"}).value_or("legacy"));
  mesh.material = element.attribute("material").value_or("");
  return mesh;
}

std::string mesh_name(const XmlElement& element) {
  if (const auto name = element.attribute("name"); name && !name->empty())
    return std::string(*name);
  return std::filesystem::path(element.attribute("file").value_or("")).stem().string();
}

}  // namespace

Assets read_assets(const XmlElement& root, const Document& document, const Settings& settings,
                   const Classes& classes, Told& told, Problems& problems) {
  Assets assets;
  const auto read = [&](const XmlElement& item) {
    const XmlElement element = item.owned_by(fmt::format(
        "{} {}", item.tag(),
        in_quotes(item.tag() == "mesh" ? mesh_name(item)
                                       : std::string(item.attribute("name").value_or("")))));
    told.other_attributes(element, element.tag());
    if (element.tag() == "mesh") {
      told.other_children(element, "mesh", document);
      assets.meshes.insert_or_assign(mesh_name(element),
                                     read_mesh(classes.resolve(element, "mesh", {}), settings));
    } else {
      told.other_children(element, "material", document);
      const auto rgba = classes.resolve(element, "material", {}).numbers("rgba", 4, 4);
      assets.materials.insert_or_assign(
          element.required_attribute("name"),
          rgba ? Colour{(*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]} : Colour{1, 1, 1, 1});
    }
  };
  for (const XmlElement& section : document.children(root)) {
    if (section.tag() != "asset") continue;
    told.other_attributes(section, "asset");
    told.other_children(section, "asset", document);
    for (const XmlElement& item : document.children(section))
      if (item.tag() == "mesh" || item.tag() == "material") problems.attempt([&] { read(item); });
  }
  return assets;
}

std::vector<std::array<Vector3, 3>> read_triangles(const MeshAsset& mesh,
                                                   const std::filesystem::path& folder,
                                                   const XmlElement& element) {
  std::vector<std::array<Vector3, 3>> triangles;
  const auto place = [&](double x, double y, double z) {
    const Vector3 v =
        transpose_times(mesh.reference.rotation, Vector3{x, y, z} - mesh.reference.translation);
    return Vector3{mesh.scale.x * v.x, mesh.scale.y * v.y, mesh.scale.z * v.z};
  };
  const bool mirrored = mesh.scale.x * mesh.scale.y * mesh.scale.z < 0;
  const auto add = [&](Vector3 a, Vector3 b, Vector3 c) {
    if (mirrored) std::swap(b, c);
    triangles.push_back({a, b, c});
  };
  if (mesh.file.empty()) {
    const auto corner = [&](double index) {
      const std::size_t corners = mesh.vertices.size() / 3;
      const auto count = static_cast<double>(corners);
      if (index != std::floor(index) || index < 0 || index >= count)
        throw Error(mesh.source,
                    fmt::format("a face names vertex {}; expected 0 to {}", index, count - 1));
      const std::size_t i = 3 * static_cast<std::size_t>(index);
      return place(mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
    };
    if (mesh.faces.empty())
      element.fail("takes its mass from a mesh without faces; give its faces or an <inertial>");
    for (std::size_t f = 0; f + 2 < mesh.faces.size(); f += 3)
      add(corner(mesh.faces[f]), corner(mesh.faces[f + 1]), corner(mesh.faces[f + 2]));
    return triangles;
  }
  const auto path = find_mesh(mesh.file, folder / "model.xml");
  if (!path)
    element.fail(
        fmt::format("takes its mass from the mesh {}, and there is no such file; put it "
                    "there, or give the body an <inertial>",
                    in_quotes(mesh.file)));
  for (const Mesh& part : read_meshes(*path)) {
    const auto corner = [&](std::uint32_t i) {
      const auto& c = part.corners[i];
      return place(static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2]));
    };
    for (const auto& t : part.triangles) add(corner(t[0]), corner(t[1]), corner(t[2]));
  }
  return triangles;
}

}  // namespace linkwright::mjcf
