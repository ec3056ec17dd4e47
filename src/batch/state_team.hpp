#pragma once
/// States of a batch one after the other, shared among the members of a thread team: for results that are too large or
/// too various for lanes. Every state is computed by the function for one state, so that its bits are those.

#include <memory>
#include <vector>

#include "batch/members.hpp"
#include "batch/thread_team.hpp"
#include "linkwright/batch/batch.hpp"

namespace linkwright {

/// `Own` is what a member has for itself; it derives from BadStates.
template <class Own>
class StateTeam {
 public:
  template <class... Arguments>
  explicit StateTeam(int threads, const Arguments&... arguments) : team_(threads) {
    for (int i = 0; i < threads; ++i) own_.push_back(std::make_unique<Own>(arguments...));
  }
  [[nodiscard]] int size() const { return team_.size(); }

  /// work(own, s) for every state s; refuse(s) after one that throws Error.
  template <class Work, class Refuse>
  BatchReport run(Eigen::Index states, const Work& work, const Refuse& refuse) {
    const int count = static_cast<int>(states);
    make_room_for_bad(own_, count, bad_);
    struct Call {
      StateTeam* self;
      const Work* work;
      const Refuse* refuse;
      int count;
    } call{this, &work, &refuse, count};
    const auto run_member = [](void* context, int member) {
      const Call& given = *static_cast<const Call*>(context);
      Own& own = *given.self->own_[static_cast<std::size_t>(member)];
      const MemberRows rows = rows_of_member(given.count, 1, member, given.self->size());
      for (int s = rows.first; s < rows.last; ++s) {
        try {
          (*given.work)(own, s);
        } catch (const Error&) {
          (*given.refuse)(s);
          own.bad[own.bad_count++] = s;
        }
      }
    };
    if (count > 0) team_.run(run_member, &call);
    collect_bad(own_, bad_);
    return {bad_};
  }

 private:
  ThreadTeam team_;
  std::vector<std::unique_ptr<Own>> own_;
  std::vector<int> bad_;
};

}  // namespace linkwright
