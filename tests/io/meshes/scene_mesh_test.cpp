// COLLADA and glTF: corners stand where the file's units and nodes put them, each colour is a mesh of
// its own, and a hostile file gives an Error, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "linkwright/io/mesh.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

using Corner = std::array<float, 3>;

/// A COLLADA file with a geometry of one triangle, (0,0,0) (1,0,0) (0,1,0), and two materials.
std::string collada(const std::string& nodes, const std::string& unit = "1",
                    const std::string& up = "Z_UP", const std::string& more = "") {
  const std::string geometry =
      "<source id='p'><float_array id='a' count='9'>0 0 0 1 0 0 0 1 0</float_array>"
      "<technique_common><accessor source='#a' count='3' stride='3'><param name='X' type='float'/>"
      "<param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common>"
      "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
      "<triangles count='1' material='paint'><input semantic='VERTEX' source='#v' offset='0'/>"
      "<p>0 1 2</p></triangles>";
  const auto effect = [](const std::string& name, const std::string& colour) {
    return "<effect id='" + name +
           "-fx'><profile_COMMON><technique sid='common'><lambert><diffuse><color>" + colour +
           "</color></diffuse></lambert></technique></profile_COMMON></effect>";
  };
  return "<?xml version='1.0'?><COLLADA "
         "xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>"
         "<asset><unit name='length' meter='" +
         unit + "'/><up_axis>" + up + "</up_axis></asset><library_effects>" +
         effect("red", "0.75 0.25 0.125 1") + effect("blue", "0 0 1 1") +
         "</library_effects><library_materials><material id='red'><instance_effect url='#red-fx'/>"
         "</material><material id='blue'><instance_effect url='#blue-fx'/></material>"
         "</library_materials>"
         "<library_geometries><geometry id='g'><mesh>" +
         geometry + "</mesh></geometry></library_geometries>" + more +
         "<library_visual_scenes><visual_scene id='s'>" + nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene>"
         "</COLLADA>";
}

const std::string grey = "<instance_geometry url='#g'/>";
std::string painted(const std::string& material) {
  return "<instance_geometry url='#g'><bind_material><technique_common><instance_material "
         "symbol='paint' target='#" +
         material + "'/></technique_common></bind_material></instance_geometry>";
}

std::string node(const std::string& inside, const std::string& id = "n") {
  return "<node id='" + id + "'>" + inside + "</node>";
}

/// The corners of a mesh's first triangle, in its order.
std::array<Corner, 3> first_triangle(const Mesh& mesh) {
  const auto& [a, b, c] = mesh.triangles.at(0);
  return {mesh.corners.at(a), mesh.corners.at(b), mesh.corners.at(c)};
}

void expect_triangle(const Mesh& mesh, const std::array<Corner, 3>& expected,
                     const std::string& what) {
  const std::array<Corner, 3> got = first_triangle(mesh);
  // Where a triangle begins does not matter; its sense does.
  for (std::size_t start = 0; start < 3; ++start) {
    float error = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        error = std::max(error, std::abs(got[(start + i) % 3][k] - expected[i][k]));
    if (error < 1e-5F) return;
  }
  ADD_FAILURE() << what << ": the triangle starts at " << got[0][0] << " " << got[0][1] << " "
                << got[0][2] << ", " << got[1][0] << " " << got[1][1] << " " << got[1][2];
}

TEST(SceneMesh, ColladaIsInMetresAlongItsOwnAxes) {
  for (const std::string up : {"X_UP", "Y_UP", "Z_UP"})
    for (const auto& [unit, metres] :
         {std::pair<std::string, float>{"1", 1.0F}, {"0.01", 0.01F}, {"0.0254", 0.0254F}}) {
      const auto meshes =
          parse_meshes(collada(node("<translate>1 2 3</translate>" + grey), unit, up), "t.dae");
      ASSERT_EQ(meshes.size(), 1U);
      const float m = metres;
      expect_triangle(meshes[0], {{{m, 2 * m, 3 * m}, {2 * m, 2 * m, 3 * m}, {m, 3 * m, 3 * m}}},
                      up + ", unit " + unit);
    }
}

TEST(SceneMesh, ColladaUnitsDoNotFollowTheLocale) {
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no de_DE.UTF-8";
  const auto meshes = parse_meshes(collada(node(grey), "0.01"), "t.dae");
  std::setlocale(LC_NUMERIC, "C");
  expect_triangle(meshes.at(0), {{{0, 0, 0}, {0.01F, 0, 0}, {0, 0.01F, 0}}}, "comma locale");
}

TEST(SceneMesh, ColladaNodesPlaceWhatTheyHold) {
  const auto quarter = node("<rotate>0 0 1 90</rotate><scale>2 3 4</scale>" + grey);
  expect_triangle(parse_meshes(collada(quarter), "t.dae").at(0),
                  {{{0, 0, 0}, {0, 2, 0}, {-3, 0, 0}}}, "turned and scaled");
  const auto nested = node("<translate>0 0 5</translate>" +
                               node("<matrix>0 0 1 1 1 0 0 2 0 1 0 3 0 0 0 1</matrix>" + grey, "i"),
                           "o");
  expect_triangle(parse_meshes(collada(nested), "t.dae").at(0), {{{1, 2, 8}, {1, 3, 8}, {1, 2, 9}}},
                  "a matrix in a node");
  expect_triangle(parse_meshes(collada(node("<scale>-1 1 1</scale>" + grey)), "t.dae").at(0),
                  {{{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}}}, "a mirrored outside is still the outside");
}

TEST(SceneMesh, InstancesOfANodeAreAllThere) {
  const std::string library = "<library_nodes>" + node(grey, "wheel") + "</library_nodes>";
  std::string nodes;
  for (int i = 0; i < 4; ++i)
    nodes +=
        node("<translate>0 0 " + std::to_string(i) + "</translate><instance_node url='#wheel'/>",
             "w" + std::to_string(i));
  const auto meshes = parse_meshes(collada(nodes, "1", "Z_UP", library), "t.dae");
  ASSERT_EQ(meshes.size(), 1U);
  EXPECT_EQ(meshes[0].triangles.size(), 4U);
  EXPECT_EQ(meshes[0].corners.size(), 12U);
}

TEST(SceneMesh, EachColourIsAMeshOfItsOwn) {
  const auto meshes = parse_meshes(collada(node(painted("red"), "a") + node(painted("blue"), "b") +
                                           node("<translate>0 0 1</translate>" + painted("red"))),
                                   "t.dae");
  ASSERT_EQ(meshes.size(), 2U);
  const std::size_t red = meshes[0].triangles.size() == 2 ? 0 : 1;
  const std::array<double, 4> colours[]{{0.75, 0.25, 0.125, 1}, {0, 0, 1, 1}};
  for (const std::size_t m : {red, 1 - red}) {
    ASSERT_TRUE(meshes[m].rgba.has_value());
    EXPECT_EQ(meshes[m].triangles.size(), m == red ? 2U : 1U);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR((*meshes[m].rgba)[k], colours[m == red ? 0 : 1][k], 1e-6);
  }
}

TEST(SceneMesh, NoColourIsMadeUp) {
  std::string text = collada(node(grey));
  const std::size_t begin = text.find("<library_effects>"), end = text.find("<library_geom");
  text.erase(begin, end - begin);
  EXPECT_EQ(parse_meshes(text, "t.dae").at(0).rgba, std::nullopt);
}

template <class Number>
void append(std::string& bytes, Number number) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

/// Four corners as floats and four triangles as 16-bit indices: a tetrahedron.
std::string tetrahedron_bytes() {
  std::string bytes;
  for (const int x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) append(bytes, static_cast<float>(x));
  for (const int i : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})
    append(bytes, static_cast<std::uint16_t>(i));
  return bytes;
}

json gltf(json buffer) {
  const std::size_t bytes = tetrahedron_bytes().size();
  buffer["byteLength"] = bytes;
  return {
      {"asset", {{"version", "2.0"}}},
      {"scene", 0},
      {"scenes", {{{"nodes", {0}}}}},
      {"nodes",
       {{{"translation", {1, 2, 3}}, {"children", {1}}}, {{"mesh", 0}, {"scale", {2, 2, 2}}}}},
      {"meshes",
       {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"material", 0}}}}}}},
      {"materials",
       {{{"name", "paint"},
         {"pbrMetallicRoughness", {{"baseColorFactor", {1, 0.2140411, 0, 1}}}}}}},
      {"buffers", {buffer}},
      {"bufferViews",
       {{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", 48}},
        {{"buffer", 0}, {"byteOffset", 48}, {"byteLength", bytes - 48}}}},
      {"accessors",
       {{{"bufferView", 0},
         {"componentType", 5126},
         {"count", 4},
         {"type", "VEC3"},
         {"min", {0, 0, 0}},
         {"max", {1, 1, 1}}},
        {{"bufferView", 1}, {"componentType", 5123}, {"count", 12}, {"type", "SCALAR"}}}}};
}

std::string glb(const json& content) {
  std::string head = content.dump(), bytes = tetrahedron_bytes();
  head.resize((head.size() + 3) / 4 * 4, ' ');
  bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
  std::string text = "glTF";
  append(text, std::uint32_t{2});
  append(text, static_cast<std::uint32_t>(28 + head.size() + bytes.size()));
  append(text, static_cast<std::uint32_t>(head.size()));
  text += "JSON" + head;
  append(text, static_cast<std::uint32_t>(bytes.size()));
  text += std::string("BIN\0", 4) + bytes;
  return text;
}

void expect_tetrahedron(const std::vector<Mesh>& meshes) {
  ASSERT_EQ(meshes.size(), 1U);
  EXPECT_EQ(meshes[0].triangles.size(), 4U);
  EXPECT_EQ(meshes[0].corners.size(), 4U);
  expect_triangle(meshes[0], {{{1, 2, 3}, {1, 4, 3}, {3, 2, 3}}}, "node in node");
  ASSERT_TRUE(meshes[0].rgba.has_value());
  const std::array<double, 4> srgb{1, 0.5, 0, 1};  // 0.5 of sRGB is 0.2140411 of light
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR((*meshes[0].rgba)[k], srgb[k], 1e-5);
}

TEST(SceneMesh, GltfIsReadFromOneFileAndFromTwo) {
  expect_tetrahedron(parse_meshes(glb(gltf(json::object())), "t.glb"));
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "deep");
  folder.write("deep/t.bin", tetrahedron_bytes());
  const auto file = folder.write("deep/t.gltf", gltf({{"uri", "t.bin"}}).dump());
  expect_tetrahedron(read_meshes(file));
  EXPECT_TRUE(contains(error_of([&] {
                         parse_meshes(gltf({{"uri", "t.bin"}}).dump(), "memory.gltf");
                       }),
                       "t.bin"))
      << "text in memory has no folder";
}

TEST(SceneMesh, GltfOpensNothingOutsideItsFolder) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "deep");
  const auto secret = folder.write("secret.bin", tetrahedron_bytes());
  for (const std::string& uri :
       {std::string("../secret.bin"), secret.string(), std::string("/dev/zero")}) {
    const auto file = folder.write("deep/t.gltf", gltf({{"uri", uri}}).dump());
    const std::string message = error_of([&] { read_meshes(file); });
    EXPECT_TRUE(contains(message, "t.gltf")) << uri << ": " << message;
  }
}

TEST(SceneMesh, HostileFilesAreRefusedByName) {
  const auto changed = [](const std::string& place, const json& value) {
    json content = gltf(json::object());
    content[json::json_pointer(place)] = value;
    return glb(content);
  };
  std::string laughs, deep, archive = collada(node(grey)) + "PK\x05\x06";
  for (int i = 0; i < 60; ++i) {
    const std::string next = "<instance_node url='#l" + std::to_string(i + 1) + "'/>";
    laughs += node(next + next, "l" + std::to_string(i));
  }
  for (int i = 0; i < 100'000; ++i) deep += "<node>";
  const std::string whole = glb(gltf(json::object()));
  const struct {
    std::string name, text, word;
  } cases[] = {
      {"empty.dae", "", "COLLADA"},
      {"empty.glb", "", "JSON"},
      {"none.dae", collada(""), "no triangle"},
      {"cut.dae", collada(node(grey)).substr(0, 700), "well-formed"},
      {"short.dae",
       std::string(collada(node(grey))).replace(collada("").find("count='9'"), 9, "count='6'"),
       "3 entries of 3 numbers"},
      {"laughs.dae", collada("", "1", "Z_UP", "<library_nodes>" + laughs + "</library_nodes>"),
       "repeats"},
      {"circle.dae", collada(node("<instance_node url='#n'/>")), "contains itself"},
      {"deep.dae", collada(deep), "deep"},
      {"archive.dae", archive, "ZIP"},
      {"cut.glb", whole.substr(0, whole.size() - 1), "cut off"},
      {"head.glb", whole.substr(0, 15), "15 bytes"},
      {"old.gltf", R"({"asset": {"version": "1.0"}})", "version 2"},
      {"number.gltf", "7", "object"},
      {"deep.gltf", std::string(100'000, '['), "deep"},
      {"circle.glb", changed("/nodes/1/children", {0}), "circle"},
      {"twice.glb", changed("/nodes/1/children", {1}), "two nodes"},
      {"lost.glb", changed("/nodes/1/children", {7}), "2 nodes"},
      {"huge.glb", changed("/accessors/0/count", 4'000'000'000), "4000000000"},
      {"past.glb", changed("/accessors/0/count", 5), "past the end"},
      {"past.glb", changed("/bufferViews/0/byteOffset", 60), "past the end"},
      {"less.glb", changed("/accessors/0/count", -1), "\"count\""},
  };
  for (const auto& [name, text, word] : cases) {
    const std::string message = error_of([&, &t = text, &n = name] { parse_meshes(t, n); });
    EXPECT_TRUE(contains(message, name)) << name << ": " << message;
    EXPECT_TRUE(contains(message, word)) << "no \"" << word << "\" in: " << message;
  }
}

TEST(SceneMesh, BytesChangedAtRandomNeverCrash) {
  std::mt19937 random(7);
  const std::pair<std::string, std::string> files[] = {
      {"x.dae", collada(node("<translate>1 2 3</translate>" + painted("red")))},
      {"x.glb", glb(gltf(json::object()))}};
  int refused = 0, runs = 0;
  for (const auto& [name, whole] : files)
    for (int i = 0; i < 400; ++i, ++runs) {
      std::string text = whole;
      for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
      if (i % 4 == 0) text.resize(random() % (text.size() + 1));
      try {
        for (const Mesh& mesh : parse_meshes(text, name)) {
          for (const auto& triangle : mesh.triangles)
            for (const auto corner : triangle) ASSERT_LT(corner, mesh.corners.size());
          for (const auto& corner : mesh.corners)
            for (const float x : corner) ASSERT_TRUE(std::isfinite(x));
        }
      } catch (const Error&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, runs / 4);
}

}  // namespace
}  // namespace linkwright
