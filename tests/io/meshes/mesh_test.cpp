// Meshes: every format gives the same triangles, and a hostile file gives an Error, never a crash.
#include "linkwright/io/mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "support/files.hpp"

namespace linkwright {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

using Triangle = std::array<std::array<float, 3>, 3>;

const std::vector<Triangle> tetrahedron{{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                                        {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                                        {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
                                        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

template <class Number>
void append(std::string& text, Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  text.append(bytes, sizeof(Number));
}

std::string binary_stl(const std::vector<Triangle>& triangles, const std::string& head = "binary") {
  std::string text = head;
  text.resize(80, ' ');
  append(text, static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& triangle : triangles) {
    for (int i = 0; i < 3; ++i) append(text, 0.0F);
    for (const auto& corner : triangle)
      for (const float x : corner) append(text, x);
    text.append(2, '\0');
  }
  return text;
}

std::string text_stl(const std::vector<Triangle>& triangles) {
  std::string text = "solid t\n";
  for (const Triangle& triangle : triangles) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const auto& [x, y, z] : triangle)
      text += "   vertex " + std::to_string(x) + " " + std::to_string(y) + "  " +
              std::to_string(z) + "\r\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid t\n";
}

std::vector<Triangle> triangles_of(const Mesh& mesh) {
  std::vector<Triangle> all;
  for (const auto& [a, b, c] : mesh.triangles)
    all.push_back({mesh.corners.at(a), mesh.corners.at(b), mesh.corners.at(c)});
  return all;
}

/// The only mesh of a text without colours.
Mesh parse_mesh(const std::string& text, const std::string& name) {
  std::vector<Mesh> meshes = parse_meshes(text, name);
  EXPECT_EQ(meshes.size(), 1U) << name;
  EXPECT_EQ(meshes.at(0).rgba, std::nullopt) << name;
  return std::move(meshes.at(0));
}

TEST(Mesh, EveryFormatGivesTheSameTriangles) {
  const std::string obj =
      "# a comment\nmtllib x.mtl\no t\nv 0 0 0\nv 1 0 0\nv 0 1 0 0.5 0.5 0.5\nv 0 0 1\nvn 0 0 1\n"
      "f 1 3 2\nf 1//1 2//1 4//1\nf -4 -1/7 -2/7/1\ns off\nf 2 3 4";
  for (const Mesh& mesh :
       {parse_mesh(binary_stl(tetrahedron), "t.stl"), parse_mesh(text_stl(tetrahedron), "t.STL"),
        parse_mesh(binary_stl(tetrahedron, "solid but binary"), "t.stl"),
        parse_mesh(obj, "t.obj")}) {
    EXPECT_EQ(triangles_of(mesh), tetrahedron);
    EXPECT_EQ(mesh.corners.size(), 4U) << "corners at one place are one";
  }
}

TEST(Mesh, ColoursOfAnObjComeFromItsMaterials) {
  const TemporaryFolder temporary;
  temporary.write(
      "my paint.mtl",
      "# two\nnewmtl red one\nNs 10\nKd 0.8 0.1 2\nd 0.5\n\nnewmtl plain\nKa 1 1 1\n"
      "newmtl wood\nKd 1 1 1\nmap_Kd wood.png\nnewmtl glass\r\nKd 0 1 0\r\nTr 0.25\r\n");
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const std::string faces =
      "f 1 2 3\nusemtl red one\nf 1 2 4\nusemtl plain\nf 1 3 4\nusemtl wood\nf 2 3 4\n"
      "usemtl glass\nf 1 4 2\nusemtl unknown\nf 3 2 1\n";
  const auto meshes =
      read_meshes(temporary.write("part.obj", "mtllib my paint.mtl\n" + corners + faces));
  ASSERT_EQ(meshes.size(), 3U);
  EXPECT_EQ(meshes[0].rgba, std::nullopt);
  EXPECT_EQ(meshes[0].triangles.size(), 4U) << "before, without Kd, textured, and unknown";
  EXPECT_EQ(meshes[1].rgba, (std::array<double, 4>{0, 1, 0, 0.75}));
  EXPECT_EQ(meshes[2].rgba, (std::array<double, 4>{0.8, 0.1, 1, 0.5}));

  const auto colours = [&](const std::string& library) {
    return read_meshes(temporary.write("part.obj", "mtllib " + library + "\n" + corners + faces))
        .size();
  };
  temporary.write("a.mtl", "newmtl glass\nKd 0 1 0\n");
  EXPECT_EQ(colours("gone.mtl a.mtl"), 2U) << "several files";
  EXPECT_EQ(colours("gone.mtl"), 1U);
  EXPECT_EQ(colours("../" + temporary.path().filename().string() + "/a.mtl"), 2U);
  EXPECT_EQ(colours("/etc/passwd"), 1U) << "nothing outside the folder is opened";
  EXPECT_EQ(parse_meshes("mtllib a.mtl\n" + corners + faces, "part.obj").size(), 1U)
      << "text in memory names no files";
}

TEST(Mesh, FacesOfManyCornersBecomeFans) {
  const Mesh mesh =
      parse_mesh("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n", "p.obj");
  ASSERT_EQ(mesh.triangles.size(), 3U);
  float area = 0;
  for (const auto& [a, b, c] : triangles_of(mesh))
    area += 0.5F * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  EXPECT_FLOAT_EQ(area, 2.5F) << "by the shoelace formula";
}

TEST(Mesh, HostileFilesAreRefusedByName) {
  const std::string whole = binary_stl(tetrahedron);
  std::string huge = whole;
  std::memset(huge.data() + 80, 0xFF, 4);
  auto bad = tetrahedron;
  bad[2][1][0] = std::numeric_limits<float>::quiet_NaN();
  const struct {
    std::string name, text, word;
  } cases[] = {
      {"empty.stl", "", "0 bytes"},
      {"empty.obj", "", "no triangle"},
      {"none.stl", binary_stl({}), "no triangle"},
      {"none.stl", "solid t\nendsolid t\n", "no triangle"},
      {"cut.stl", whole.substr(0, whole.size() - 1), "cut off"},
      {"head.stl", whole.substr(0, 83), "83 bytes"},
      {"huge.stl", huge, "4294967295 triangles"},
      {"nan.stl", binary_stl(bad), "triangle 3"},
      {"nan.stl", "solid\nvertex 0 0 nan\nendsolid", "triangle 1"},
      {"big.stl", "solid\nvertex 0 0 1e300 vertex 0 1 0 vertex 1 0 0\nendsolid", "finite"},
      {"cut.stl", "solid\nvertex 0 0 0 vertex 0 1", "ends too early"},
      {"cut.stl", text_stl(tetrahedron).substr(0, 200), "cut off"},
      {"flat.stl", "solid\nvertex 0 0 0 vertex 0 0 0 vertex 0 0 0\nendsolid", "no triangle"},
      {"text.obj", "v 0 0 x\n", "text.obj:1"},
      {"short.obj", "v 0 0\n", "short.obj:1"},
      {"zero.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "zero.obj:4"},
      {"far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", "far.obj:5"},
      {"far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1e300\n", "3 corners are given"},
      {"half.obj", "v 0 0 0\nv 1 0 0\nf 1 1.5 2\n", "'1.5'"},
      {"two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "expected three or more"},
      {"picture.ply", "ply", "'.ply'"},
  };
  for (const auto& [name, text, word] : cases) {
    const std::string message = error_of([&, &t = text, &n = name] { parse_mesh(t, n); });
    EXPECT_TRUE(contains(message, name)) << name << ": " << message;
    EXPECT_TRUE(contains(message, word)) << "no \"" << word << "\" in: " << message;
  }
}

TEST(Mesh, BytesChangedAtRandomNeverCrash) {
  std::mt19937 random(5);
  int refused = 0, runs = 0;
  for (const std::string& whole : {binary_stl(tetrahedron), text_stl(tetrahedron)})
    for (const std::string name : {"x.stl", "x.obj"})
      for (int i = 0; i < 500; ++i, ++runs) {
        std::string text = whole;
        for (int k = 0; k < 4; ++k) text[random() % text.size()] = static_cast<char>(random());
        text.resize(random() % (text.size() + 1));
        try {
          const Mesh mesh = parse_mesh(text, name);
          for (const auto& triangle : mesh.triangles)
            for (const auto corner : triangle) ASSERT_LT(corner, mesh.corners.size());
          for (const auto& corner : mesh.corners)
            for (const float x : corner) ASSERT_TRUE(std::isfinite(x));
        } catch (const Error&) {
          ++refused;
        }
      }
  EXPECT_GT(refused, runs / 2);
}

TEST(Mesh, FilesAreFoundBesideTheModelAndInPackages) {
  const TemporaryFolder folder;
  const fs::path package = folder.path() / "arm";
  fs::create_directories(package / "urdf" / "deep");
  fs::create_directories(package / "meshes");
  const fs::path model = package / "urdf" / "deep" / "arm.urdf";
  const fs::path mesh = folder.write("arm/meshes/a.stl", binary_stl(tetrahedron));
  const fs::path beside = folder.write("arm/urdf/deep/b.stl", binary_stl(tetrahedron));
  EXPECT_EQ(find_mesh("b.stl", model), beside);
  EXPECT_EQ(find_mesh("../../meshes/a.stl", model), mesh);
  EXPECT_EQ(find_mesh("package://arm/meshes/a.stl", model), mesh);
  EXPECT_EQ(find_mesh("package://renamed/meshes/a.stl", model), mesh);
  EXPECT_EQ(find_mesh("model://arm/meshes/a.stl", model), mesh);
  EXPECT_EQ(find_mesh("package:///b.stl", model), beside);
  EXPECT_EQ(find_mesh("file://" + mesh.string(), model), mesh);
  EXPECT_EQ(find_mesh(mesh.string(), "elsewhere.urdf"), mesh);
  for (const char* name : {"", "a.stl", "package://", "package://arm", "package://arm/meshes",
                           "file://", "/dev/zero", "http://host/a.stl"})
    EXPECT_EQ(find_mesh(name, model), std::nullopt) << name;
}

TEST(Mesh, FilesAreReadOrRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_meshes(folder.write("a.stl", binary_stl(tetrahedron))).at(0).triangles.size(), 4U);
  EXPECT_TRUE(contains(error_of([&] { read_meshes(folder.path() / "b.stl"); }), "b.stl"));
  const fs::path big = folder.write("big.stl", "solid");
  fs::resize_file(big, std::uintmax_t{1} << 40);
  EXPECT_TRUE(contains(error_of([&] { read_meshes(big); }), "64 MiB"));
}

/// A sphere of n × 2n patches.
Mesh sphere(int n) {
  std::string text;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double a = M_PI * i / n, b = M_PI * j / n;
      text += "v " + std::to_string(std::sin(a) * std::cos(b)) + " " +
              std::to_string(std::sin(a) * std::sin(b)) + " " + std::to_string(std::cos(a)) + "\n";
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const int a = 2 * n * i + j + 1, b = 2 * n * i + (j + 1) % (2 * n) + 1;
      text += "f " + std::to_string(a) + " " + std::to_string(a + 2 * n) + " " +
              std::to_string(b + 2 * n) + " " + std::to_string(b) + "\n";
    }
  return parse_mesh(text, "sphere.obj");
}

TEST(Mesh, CoarserMeshesKeepTheShape) {
  const Mesh fine = sphere(100);
  EXPECT_GT(fine.triangles.size(), 35'000U);
  const Mesh coarse = simplify(fine, 5000);
  EXPECT_LE(coarse.triangles.size(), 5000U);
  EXPECT_GT(coarse.triangles.size(), 1000U) << "no coarser than asked";
  double area = 0;
  for (const auto& [a, b, c] : triangles_of(coarse)) {
    double u[3], v[3];
    for (std::size_t k = 0; k < 3; ++k)
      u[k] = static_cast<double>(b[k] - a[k]), v[k] = static_cast<double>(c[k] - a[k]);
    area += 0.5 * std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]);
  }
  EXPECT_NEAR(area, 4 * M_PI, 0.1 * 4 * M_PI);
  EXPECT_EQ(simplify(coarse, 5000).triangles, coarse.triangles) << "small meshes stay as they are";
}

}  // namespace
}  // namespace linkwright
