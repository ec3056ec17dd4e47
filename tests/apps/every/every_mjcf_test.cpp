/// Every element and attribute of MJCF that is understood has an effect, as every key of the system file
/// (every_key_test.cpp) and every element of URDF (every_element_test.cpp) has.

#include <gtest/gtest.h>

#include <set>

#include "apps/every/effects.hpp"
#include "apps/every/every_mjcf_changes.hpp"
#include "linkwright/io/vocabulary.hpp"

namespace apps {
namespace {

class EveryMjcf : public ::testing::Test {
 protected:
  EveryMjcf() : observer(mjcf_documents()) {}
  Observer observer;
};

TEST_F(EveryMjcf, word_of_the_reader_is_changed_here) {
  std::set<std::string> changed;
  for (const Change& change : mjcf_changes())
    changed.insert(std::string(change.section) + ' ' + std::string(change.word));
  const auto require = [&](std::string_view kind, std::string_view word) {
    EXPECT_EQ(changed.erase(std::string(kind) + ' ' + std::string(word)), 1U)
        << "no change of " << word << " in <" << kind << "> is tried";
  };
  for (const linkwright::ElementWords& element : linkwright::mjcf_vocabulary()) {
    for (const std::string_view name : element.attributes) require(element.kind, name);
    for (const std::string_view tag : element.children)
      require(element.kind, "<" + std::string(tag));
  }
  for (const std::string& left : changed) ADD_FAILURE() << left << " is not in the vocabulary";
}

TEST_F(EveryMjcf, word_has_an_effect) {
  for (const std::string& word : observer.find_dropped(mjcf_changes()))
    ADD_FAILURE() << word << " is read and dropped";
}

TEST_F(EveryMjcf, word_that_is_dropped_is_found) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(observer.find_dropped(mjcf_changes(),
                                  [](linkwright::Model& m) {
                                    for (auto& joint : m.joints) joint.friction.clear();
                                  }),
            (Words{"flag.frictionloss", "joint.frictionloss", "fixed.frictionloss"}));
}

/// No word of the documents is noted as unknown.
TEST_F(EveryMjcf, word_of_the_documents_is_understood) {
  const Folder folder;
  for (const auto& [name, text] : mjcf_documents()) (void)folder.file(name, text);
  for (const char* name : {"tree.xml", "masses.xml", "bonds.xml"})
    EXPECT_FALSE(contains(run({"check", folder.path(name)}).err, "ignored attribute")) << name;
}

}  // namespace
}  // namespace apps
