#pragma once
/// How the members of a thread team share the states of a batch, and the states that had no answer.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace linkwright {

/// States without an answer: the first bad_count entries.
struct BadStates {
  std::vector<int> bad;
  std::size_t bad_count = 0;
};

struct MemberRows {
  int first, last;
};
/// Whole lane groups to every thread, so that the partition never changes a result.
inline MemberRows rows_of_member(int count, int lanes, int member, int members) {
  const long groups = (count + lanes - 1) / lanes;
  return {static_cast<int>(groups * member / members) * lanes,
          std::min(static_cast<int>(groups * (member + 1) / members) * lanes, count)};
}

/// Room for every state to be bad, made before the threads start; it only ever grows. `scratch` holds
/// pointers to one BadStates per member.
template <class Scratch>
void make_room_for_bad(Scratch& scratch, int count, std::vector<int>& all) {
  const auto most = static_cast<std::size_t>(count);
  for (auto& own : scratch) {
    own->bad_count = 0;
    if (own->bad.size() < most) own->bad.resize(most);
  }
  if (all.capacity() < most) all.reserve(most);
}
/// In order, as every member took rows behind those of the one before.
template <class Scratch>
void collect_bad(const Scratch& scratch, std::vector<int>& all) {
  all.clear();
  for (const auto& own : scratch)
    all.insert(all.end(), own->bad.begin(),
               own->bad.begin() + static_cast<std::ptrdiff_t>(own->bad_count));
}

/// Eight lane groups, fewer where their numbers would fill more than the processor's first cache.
inline int tile_groups(int numbers_per_state) {
  constexpr int cache = 32 * 1024, most = 8;
  return std::clamp(cache / (64 * (numbers_per_state + 1)), 1, most);
}

}  // namespace linkwright
