// Every mechanism must be visible: finite shapes of sensible size on everything that moves, from the
// file where it has them, and with a word where it promises a mesh that is not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"
#include "viewer/payload.hpp"

namespace linkwright::viewer_tests {
namespace {

using testing::all_texts;
using testing::TemporaryFolder;
using testing::warns;

/// What a body shows at first: all shapes but the box of its inertia.
std::vector<Json> shown_shapes(const Json& body) {
  std::vector<Json> shown;
  for (const Json& shape : body.at("shapes"))
    if (shape.at("source") != "inertia") shown.push_back(shape);
  return shown;
}

std::size_t numbers_of(const std::string& type) {
  return type == "sphere" ? 1 : type == "cylinder" || type == "capsule" ? 2 : 3;
}

void expect_sound_shape(const Json& shape, const Json& data, const std::string& where) {
  const double size = data.at("size");
  const std::string type = shape.at("type");
  ASSERT_EQ(shape.at("size").size(), numbers_of(type)) << where;
  for (const Json& x : shape.at("size")) {
    ASSERT_TRUE(x.is_number()) << where << shape;
    if (type == "mesh") continue;
    EXPECT_GT(x.get<double>(), 0) << where << shape;
    if (shape.at("source") == "inertia") continue;  // as large as the file says, in its own layer
    EXPECT_LE(x.get<double>(), 2 * size) << where << shape;
  }
  for (const Json& c : shape.at("color")) {
    EXPECT_GE(c.get<double>(), 0) << where;
    EXPECT_LE(c.get<double>(), 1) << where;
  }
  EXPECT_EQ(shape.at("color").size(), 4U);
  double length2 = 0;
  for (const Json& x : shape.at("pose").at("q")) length2 += x.get<double>() * x.get<double>();
  EXPECT_NEAR(length2, 1, 1e-12) << where;
  EXPECT_LE(to_vector(shape.at("pose").at("p")).norm(), 2 * size) << where << shape;
  if (type == "mesh") {
    EXPECT_LT(shape.at("mesh").get<std::size_t>(), data.at("meshes").size());
  }
}

/// The bodies that are welded together count as one: each of those that moves must show something.
void expect_visible(const Json& data, const std::string& name) {
  std::vector<std::size_t> group;
  std::set<std::size_t> shown, moving;
  for (std::size_t b = 0; b < data.at("bodies").size(); ++b) {
    const Json& body = data["bodies"][b];
    const int joint = body.at("joint");
    const bool welded = joint >= 0 && data["joints"][static_cast<std::size_t>(joint)]["nq"] == 0;
    group.push_back(welded ? group.at(body.at("parent").get<std::size_t>()) : b);
    if (!shown_shapes(body).empty()) shown.insert(group.back());
    if (body.at("mass").get<double>() > 0) moving.insert(group.back());
    for (const Json& shape : body.at("shapes"))
      expect_sound_shape(shape, data, name + ", " + body.at("name").get<std::string>() + ": ");
  }
  EXPECT_TRUE(std::includes(shown.begin(), shown.end(), moving.begin(), moving.end())) << name;
}

TEST(page_shapes, show_every_bundled_and_shared_model) {
  for (const auto& file : all_model_files()) {
    const Json data = data_of(compile(read_model(file)));
    EXPECT_GT(data.at("size").get<double>(), 0.01) << file;
    EXPECT_LT(data.at("size").get<double>(), 20) << file;
    expect_visible(data, file.filename().string());
  }
}

TEST(page_shapes, show_random_mechanisms_of_every_joint_type) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    testing::RandomModel random(seed);
    const Base base = seed % 2 == 0 ? Base::fixed : Base::free;
    expect_visible(data_of(compile(random.tree(12, base, testing::all_joint_types()))),
                   "random model " + std::to_string(seed));
  }
}

TEST(page_shapes, show_models_without_any_extent) {
  Model empty;
  EXPECT_EQ(data_of(compile(empty)).at("bodies").size(), 1U);
  Model point;
  point.bodies = {{.name = "point", .mass = 1}};
  point.joints = {{.name = "free", .type = JointType::free, .parent = "world", .child = "point"}};
  const Json data = data_of(compile(point));
  EXPECT_EQ(data["bodies"][1]["shapes"].size(), 1U);
  expect_visible(data, "a point");
}

Model brick(const Vector3& edges, double mass, const Matrix3& turned) {
  Model model;
  const auto square = [](double x) { return x * x; };
  const Symmetric3 own{mass / 12 * (square(edges.y) + square(edges.z)),
                       mass / 12 * (square(edges.x) + square(edges.z)),
                       mass / 12 * (square(edges.x) + square(edges.y)),
                       0,
                       0,
                       0};
  model.bodies = {{.name = "brick", .mass = mass, .com = {0.1, 0.2, 0.3}}};
  model.bodies[0].inertia = spatial::congruence(turned, own);
  model.joints = {{.name = "free", .type = JointType::free, .parent = "world", .child = "brick"}};
  return model;
}

TEST(page_shapes, a_bodys_inertia_draws_the_uniform_box_that_has_it) {
  const Vector3 edges{0.3, 0.5, 0.7};
  const Matrix3 turned = spatial::from_rpy({0.4, -0.7, 1.1});
  const Json data = data_of(compile(brick(edges, 2, turned)));
  const Json& shapes = data["bodies"][1]["shapes"];
  const auto box = std::find_if(shapes.begin(), shapes.end(),
                                [](const Json& s) { return s["source"] == "inertia"; });
  ASSERT_NE(box, shapes.end());
  EXPECT_LT((to_vector((*box)["pose"]["p"]) - Eigen::Vector3d(0.1, 0.2, 0.3)).norm(), 1e-15);
  // Edges by length, each along the axis it came from.
  const Eigen::Matrix3d axes = to_isometry((*box)["pose"]).rotation();
  const std::vector<std::pair<double, Vector3>> expected{
      {0.3, turned.column_x()}, {0.5, turned.column_y()}, {0.7, turned.column_z()}};
  for (const auto& [length, direction] : expected) {
    bool found = false;
    for (int i = 0; i < 3; ++i)
      found =
          found ||
          (std::abs((*box)["size"][static_cast<std::size_t>(i)].get<double>() - length) < 1e-9 &&
           std::abs(std::abs(axes.col(i).dot(to_eigen(direction))) - 1) < 1e-9);
    EXPECT_TRUE(found) << length << " in " << (*box);
  }
}

TEST(page_shapes, an_impossible_inertia_still_draws_something_finite) {
  Model model = brick({0.3, 0.5, 0.7}, 1, Matrix3::identity());
  model.bodies[0].inertia = {1, 0.001, 0.001, 0, 0, 0};
  expect_visible(data_of(compile(model)), "impossible inertia");
}

TEST(page_shapes, rods_lead_from_joint_to_joint) {
  Model model;
  testing::RandomModel random(3);
  model.bodies = {random.body("upper"), random.body("lower")};
  model.joints = {
      {.name = "shoulder", .type = JointType::revolute, .parent = "world", .child = "upper"},
      {.name = "elbow",
       .type = JointType::revolute,
       .parent = "upper",
       .child = "lower",
       .pose = {Matrix3::identity(), {0.6, 0, 0.8}}}};
  const Json data = data_of(compile(model));
  bool found = false;
  for (const Json& shape : data["bodies"][1]["shapes"]) {
    if (shape["type"] != "capsule") continue;
    const Eigen::Isometry3d pose = to_isometry(shape["pose"]);
    const double half = 0.5 * shape["size"][1].get<double>();
    const Eigen::Vector3d a = pose * Eigen::Vector3d(0, 0, -half),
                          b = pose * Eigen::Vector3d(0, 0, half);
    found = found || (a.norm() < 1e-12 && (b - Eigen::Vector3d(0.6, 0, 0.8)).norm() < 1e-12);
  }
  EXPECT_TRUE(found) << data["bodies"][1]["shapes"];
}

/// A chain of random bodies, each a random way from the last.
Model random_chain(unsigned seed, int length) {
  testing::RandomModel random(seed);
  return random.tree(length, Base::fixed, testing::all_joint_types());
}

TEST(page_shapes, inertias_do_not_change_what_is_drawn_of_a_jointed_link) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Model model = random_chain(seed, 9);
    const auto is_floating = [](const Joint& joint) { return joint.type == JointType::free; };
    if (std::any_of(model.joints.begin(), model.joints.end(), is_floating)) continue;
    const Json before = data_of(compile(model));
    for (Body& body : model.bodies)
      for (double* moment : {&body.inertia.xx, &body.inertia.yy, &body.inertia.zz})
        *moment = 1e4 * *moment + 1;
    const Json after = data_of(compile(model));
    EXPECT_EQ(before.at("size"), after.at("size")) << seed;
    for (std::size_t b = 0; b < before.at("bodies").size(); ++b)
      EXPECT_EQ(shown_shapes(before["bodies"][b]), shown_shapes(after["bodies"][b])) << seed;
  }
}

TEST(page_shapes, drawn_links_leave_room_between_their_joints) {
  int rods = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Json data = data_of(compile(random_chain(seed, 9)));
    for (const Json& body : data.at("bodies"))
      for (const Json& shape : shown_shapes(body)) {
        if (shape["type"] != "capsule") continue;
        ++rods;
        EXPECT_LE(shape["size"][0].get<double>(), 0.25 * shape["size"][1].get<double>() + 1e-12)
            << "seed " << seed << ", " << body["name"] << shape;
      }
  }
  EXPECT_GT(rods, 100);
}

constexpr std::string_view tetrahedron =
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string urdf(const std::string& geometry_a, const std::string& geometry_b) {
  const auto link = [](const std::string& name, const std::string& geometry) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
           "</inertial><visual><geometry>" +
           geometry + "</geometry></visual></link>";
  };
  return "<robot name='r'>" + link("a", geometry_a) + link("b", geometry_b) +
         "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
         "<origin xyz='0 0 0.5'/></joint></robot>";
}

TEST(page_shapes, meshes_are_read_once_and_shared) {
  const TemporaryFolder folder;
  folder.write("t.obj", tetrahedron);
  const auto file = folder.write(
      "m.urdf",
      urdf("<mesh filename='t.obj'/>", "<mesh filename='package://t.obj' scale='2 -2 2'/>"));
  const System system = compile(read_model(file));
  const Page page = to_page_data(system, State(system).q);
  EXPECT_EQ(all_texts(page.warnings), "");
  const Json data = Json::parse(page.text);
  ASSERT_EQ(data["meshes"].size(), 1U);
  EXPECT_EQ(unpack(data["meshes"][0]["positions"]).size(), 12U);
  EXPECT_EQ(unpack(data["meshes"][0]["indices"]).size(), 12U);
  for (const std::size_t b : {1U, 2U}) {
    const auto shapes = shown_shapes(data["bodies"][b]);
    ASSERT_EQ(shapes.size(), 1U) << "the file's shape and nothing else";
    EXPECT_EQ(shapes[0]["mesh"], 0);
    EXPECT_EQ(shapes[0]["source"], "file");
  }
  EXPECT_EQ(shown_shapes(data["bodies"][2])[0]["size"], Json::array({2, -2, 2}));
}

TEST(page_shapes, a_mesh_that_cannot_be_used_is_named_and_the_body_is_drawn_anyway) {
  const TemporaryFolder folder;
  folder.write("cut.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n");
  folder.write("picture.ply", "ply");
  const auto file =
      folder.write("m.urdf", urdf("<mesh filename='gone.stl'/>", "<mesh filename='cut.stl'/>"));
  const System system = compile(read_model(file));
  const Page page = to_page_data(system, State(system).q);
  EXPECT_TRUE(warns(page.warnings, {"m.urdf:1", "'gone.stl'", "link 'a'", "not found"}))
      << all_texts(page.warnings);
  EXPECT_TRUE(warns(page.warnings, {"link 'b'", "cut.stl", "cut off"})) << all_texts(page.warnings);
  expect_visible(Json::parse(page.text), "meshes that cannot be used");
  const System ply = compile(read_model(
      folder.write("d.urdf", urdf("<mesh filename='picture.ply'/>", "<box size='1 1 1'/>"))));
  EXPECT_TRUE(
      warns(to_page_data(ply, State(ply).q).warnings, {"'picture.ply'", "link 'a'", "STL"}));
}

/// A trunk and a sensor welded to it, which has a box.
std::string trunk_with_sensor(const std::string& trunk_visual) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial>";
  return "<robot name='r'><link name='trunk'>" + inertial + trunk_visual + "</link>" +
         "<link name='sensor'><visual><geometry><box size='0.1 0.1 "
         "0.1'/></geometry></visual></link>"
         "<joint name='weld' type='fixed'><parent link='trunk'/><child link='sensor'/></joint>"
         "</robot>";
}

TEST(page_shapes, what_is_welded_to_a_shape_is_drawn_only_when_a_shape_was_lost) {
  const TemporaryFolder folder;
  const auto trunk = [&](const std::string& visual) {
    const Json data = data_of(compile(
        read_model(folder.write("m.urdf", trunk_with_sensor(visual)), {.base = Base::free})));
    return data["bodies"][1];
  };
  EXPECT_EQ(trunk("")["name"], "trunk");
  EXPECT_TRUE(shown_shapes(trunk("")).empty()) << "the file shows this part by its sensor";
  EXPECT_FALSE(
      shown_shapes(trunk("<visual><geometry><mesh filename='gone.stl'/></geometry></visual>"))
          .empty());
}

/// Three fingers touch the ball that the inertia describes; moved outward they hold something else of that inertia.
TEST(page_shapes, a_held_ball_is_round) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/three_fingers_and_ball.yaml");
  const auto trunk = [](const Model& shown) {
    return shown_shapes(data_of(compile(shown))["bodies"].back()).back();
  };
  const Json ball = trunk(model);
  EXPECT_EQ(ball.at("type"), "sphere");
  EXPECT_NEAR(ball.at("size")[0].get<double>(), 0.04, 1e-12);
  for (Grasp& grasp : model.grasps) grasp.at.translation = 1.2 * grasp.at.translation;
  EXPECT_EQ(trunk(model).at("type"), "box");
}

TEST(page_shapes, a_loop_is_drawn_closed) {
  const Json data =
      data_of(compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/four_bar.yaml")));
  for (const std::string name : {"coupler", "rocker"})
    for (const Json& body : data["bodies"])
      if (body["name"] == name) {
        EXPECT_TRUE(std::any_of(body["shapes"].begin(), body["shapes"].end(),
                                [](const Json& s) { return s["type"] == "capsule"; }))
            << name << " has a rod to the pin that closes the loop";
      }
}

TEST(page_shapes, a_shape_without_extent_is_named) {
  const TemporaryFolder folder;
  const auto file = folder.write("m.urdf", urdf("<box size='0 1 1'/>", "<sphere radius='0'/>"));
  const System system = compile(read_model(file));
  const Page page = to_page_data(system, State(system).q);
  EXPECT_TRUE(warns(page.warnings, {"link 'a'", "extent"}));
  EXPECT_TRUE(warns(page.warnings, {"link 'b'", "extent"}));
  expect_visible(Json::parse(page.text), "shapes without extent");
}

/// A flat sheet of 2 n² triangles.
std::string sheet(int n) {
  std::string text;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      text += "v " + std::to_string(0.01 * i) + " " + std::to_string(0.01 * j) + " 0\n";
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j + 1, b = a + n + 1;
      text += "f " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(b + 1) +
              " " + std::to_string(a + 1) + "\n";
    }
  return text;
}

TEST(page_shapes, only_the_largest_of_too_many_triangles_are_drawn_coarser) {
  const TemporaryFolder folder;
  folder.write("sheet.obj", sheet(420));
  folder.write("tile.obj", sheet(60));
  const auto file =
      folder.write("m.urdf", urdf("<mesh filename='sheet.obj'/>", "<mesh filename='tile.obj'/>"));
  const System system = compile(read_model(file));
  const Page page = to_page_data(system, State(system).q);
  EXPECT_TRUE(warns(page.warnings, {"1 mesh is", "'sheet.obj'", "link 'a'", "of 360000 triangles"}))
      << all_texts(page.warnings);
  EXPECT_LT(page.text.size(), 7'000'000U);
  const Json data = Json::parse(page.text);
  EXPECT_GT(unpack(data["meshes"][0]["indices"]).size(), 3U * 100'000U);
  EXPECT_EQ(unpack(data["meshes"][1]["indices"]).size(), 3U * 7'200U);
}

TEST(page_shapes, colours_of_a_mesh_come_before_those_of_its_link) {
  const TemporaryFolder folder;
  const std::string source =
      "<source id='p'><float_array id='f' count='9'>0 0 0 1 0 0 0 1 0</float_array>"
      "<technique_common><accessor source='#f' count='3' stride='3'><param name='X' type='float'/>"
      "<param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common>"
      "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>";
  std::string effects, materials, faces, bindings;
  for (const auto& [name, colour] :
       {std::pair<std::string, std::string>{"r", "1 0 0 1"}, {"g", "0 1 0 1"}}) {
    effects += "<effect id='e" + name +
               "'><profile_COMMON><technique sid='c'><lambert><diffuse>"
               "<color>" +
               colour +
               "</color></diffuse></lambert></technique></profile_COMMON>"
               "</effect>";
    materials += "<material id='" + name + "'><instance_effect url='#e" + name + "'/></material>";
    faces += "<triangles count='1' material='s" + name +
             "'><input semantic='VERTEX' source='#v' "
             "offset='0'/><p>0 1 2</p></triangles>";
    bindings += "<instance_material symbol='s" + name + "' target='#" + name + "'/>";
  }
  folder.write(
      "two.dae",
      "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>"
      "<library_effects>" +
          effects + "</library_effects><library_materials>" + materials +
          "</library_materials><library_geometries><geometry id='g'><mesh>" + source + faces +
          "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
          "id='s'><node id='n'><instance_geometry url='#g'><bind_material><technique_common>" +
          bindings +
          "</technique_common></bind_material></instance_geometry></node>"
          "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/>"
          "</scene></COLLADA>");
  const auto file = folder.write(
      "m.urdf", urdf("<mesh filename='two.dae'/>", "<mesh filename='two.dae' scale='2 2 2'/>"));
  const Json data = data_of(compile(read_model(file)));
  ASSERT_EQ(data["meshes"].size(), 2U);
  for (const std::size_t b : {1U, 2U}) {
    std::set<Json> colours;
    for (const Json& shape : shown_shapes(data["bodies"][b])) colours.insert(shape["color"]);
    EXPECT_EQ(colours, (std::set<Json>{Json{1.0, 0.0, 0.0, 1.0}, Json{0.0, 1.0, 0.0, 1.0}}));
  }
}

}  // namespace
}  // namespace linkwright::viewer_tests
