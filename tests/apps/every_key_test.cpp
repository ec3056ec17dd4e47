/// Every key of the system file has an effect. The reader's own table says which keys there are, so a
/// new key without a change in every_key_changes.cpp fails, and so does a key that is read and then dropped.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "apps/every_key_changes.hpp"
#include "linkwright/io/vocabulary.hpp"

namespace apps {
namespace {

class EveryKey : public ::testing::Test {
 protected:
  EveryKey()
      : observer({{"rod.urdf", std::string(rod_urdf)},
                  {"open.yaml", std::string(open_system)},
                  {"closed.yaml", std::string(closed_system)},
                  {"flexible.yaml", std::string(flexible_system)},
                  {"network.yaml", std::string(network_system)},
                  {"written.yaml", std::string(written_system)},
                  {"listed.yaml", std::string(listed_system)},
                  {"pair.urdf", std::string(pair_urdf)},
                  {"pair.closures.yaml", std::string(listed_closures)},
                  {"points.closures.yaml", std::string(listed_points)},
                  {"triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}}) {}
  Observer observer;
};

TEST_F(EveryKey, of_the_reader_is_changed_here) {
  std::set<std::string> changed;
  for (const auto& changes : {changes_of_the_open_system(), changes_of_the_closed_system(),
                              changes_of_the_flexible_system(), changes_of_the_network(),
                              changes_of_the_written_system()})
    for (const Change& change : changes)
      changed.insert(std::string(change.section) + '.' + std::string(change.word));
  for (const linkwright::KeySection& section : linkwright::system_file_vocabulary())
    for (const std::string_view key : section.keys)
      EXPECT_EQ(changed.erase(std::string(section.name) + '.' + std::string(key)), 1U)
          << section.name << '.' << key << ": no change of it is tried";
  for (const std::string& left : changed) ADD_FAILURE() << left << " is no key of the reader";
}

TEST_F(EveryKey, has_an_effect_in_an_open_system) {
  for (const std::string& key : observer.find_dropped(changes_of_the_open_system()))
    ADD_FAILURE() << key << " is read and dropped";
}

TEST_F(EveryKey, has_an_effect_in_a_closed_system) {
  for (const std::string& key : observer.find_dropped(changes_of_the_closed_system()))
    ADD_FAILURE() << key << " is read and dropped";
}

TEST_F(EveryKey, has_an_effect_in_a_flexible_system) {
  for (const std::string& key : observer.find_dropped(changes_of_the_flexible_system()))
    ADD_FAILURE() << key << " is read and dropped";
}

TEST_F(EveryKey, has_an_effect_in_a_network) {
  for (const std::string& key : observer.find_dropped(changes_of_the_network()))
    ADD_FAILURE() << key << " is read and dropped";
}

TEST_F(EveryKey, has_an_effect_in_a_written_system) {
  for (const std::string& key : observer.find_dropped(changes_of_the_written_system()))
    ADD_FAILURE() << key << " is read and dropped";
}

/// A key that has no effect where it stands is told there: a spring between links that move as one.
TEST_F(EveryKey, without_effect_where_it_stands_is_told_there) {
  constexpr std::string_view document = R"(linkwright: 1
models:
  - {file: rod.urdf, name: post, base: fixed}
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: c, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
joints:
  - {name: j, type: universal, parent: world, child: a}
  - {name: weld, type: fixed, parent: a, child: b}
  - {name: hinge, type: universal, parent: b, child: c}
frames:
  - {name: corner, body: b, pose: {xyz: [0, 1, 0]}}
springs:
  - {name: coil, between: [ENDS], at_a: [0.3, 0, 0.1], at_b: [0, 0.2, 0.4], stiffness: 3, damping: 2, rest_length: 0.1}
)";
  const auto judge = [&](const std::string& ends) {
    std::string text(document);
    text.replace(text.find("ENDS"), 4, ends);
    const Observer springs({{"rod.urdf", std::string(rod_urdf)}, {"s.yaml", text}});
    // The stiffness shows in the energy wherever it stands; the damping only where it brakes.
    const bool brakes =
        springs.find_dropped({{"s.yaml", "spring", "damping", "damping: 2", "damping: 3"}}).empty();
    const Folder folder;
    (void)folder.file("rod.urdf", rod_urdf);
    const std::string err = run({"check", folder.file("s.yaml", text)}).err;
    const bool warned = contains(err, "spring 'coil'") && contains(err, "moves nothing");
    EXPECT_NE(warned, brakes) << ends << '\n' << err;
    return warned;
  };
  for (const char* idle : {"a, b", "corner, a", "a, a", "world, post/rod", "post/rod, world"})
    EXPECT_TRUE(judge(idle)) << idle;
  for (const char* acting : {"a, world", "post/rod, corner", "b, c"})
    EXPECT_FALSE(judge(acting)) << acting;
}

/// The law can fail: it names exactly the keys whose meaning a planted fault throws away.
TEST_F(EveryKey, that_is_dropped_is_found) {
  using linkwright::Model;
  using Keys = std::vector<std::string>;
  const auto found = [this](const Fault& fault) {
    return observer.find_dropped(changes_of_the_open_system(), fault);
  };
  EXPECT_EQ(found([](Model&) {}), Keys{});
  EXPECT_EQ(found([](Model& m) { m.gravity = {0, 0, -9.81}; }), Keys{"top level.gravity"});
  EXPECT_EQ(found([](Model& m) { m.initial.v.clear(); }), Keys{"state.v"});
  EXPECT_EQ(found([](Model& m) {
              for (auto& j : m.joints) j.damping.clear();
            }),
            (Keys{"joint.damping", "dh row.damping"}));
  EXPECT_EQ(found([](Model& m) {
              for (auto& a : m.actuators) a.motor->damping = 0;
            }),
            Keys{"motor.damping"});
  EXPECT_EQ(found([](Model& m) {
              for (auto& l : m.body_loads) l.in_world = true;
            }),
            Keys{"load (body).frame"});
}

}  // namespace
}  // namespace apps
