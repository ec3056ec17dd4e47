#pragma once
/// Turns requests such as "frame:tip" into columns.

#include <string>
#include <unordered_set>
#include <vector>

#include "linkwright/simulate/channels.hpp"

namespace linkwright {

/// Of a contact with friction: normal, tangential, moment, margin, holds.
inline constexpr int contact_numbers = 5;

class ChannelBuilder {
 public:
  explicit ChannelBuilder(Channels& channels);

  void add_coordinates();
  void add_request(const std::string& request);
  void add_own(UserChannel own);
  void add_totals();

 private:
  using Kind = Channels::Kind;

  bool add_whole(const std::string& request);
  bool add_of_frame(const std::string& kind, const std::string& name);
  bool add_of_equations(const std::string& request);
  bool add_of_contact(const std::string& kind, const std::string& name);
  bool add_of_closure(const std::string& kind, const std::string& name);
  bool add_of_grasp(const std::string& kind, const std::string& name);
  bool add_of_joint(const std::string& kind, const std::string& name);
  bool add_entries(Kind kind, const std::string& letter, const std::string& name);
  void add_entry(Kind kind, const std::string& letter, int velocity);
  void add_group(Kind kind, int index, const std::string& prefix,
                 const std::vector<Column>& columns);
  [[noreturn]] void refuse(const std::string& request) const;

  Channels& channels_;
  const System& system_;
  std::vector<int> joint_of_velocity_;
  std::unordered_set<std::string> names_;
};

}  // namespace linkwright
