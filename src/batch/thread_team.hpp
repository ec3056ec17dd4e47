#pragma once
/// A fixed set of threads that run one job together and wait for the next. Starting a job allocates
/// nothing. In a process that was forked the threads are started anew, at its first job.

#include <memory>

namespace linkwright {

class ThreadTeam {
 public:
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] int size() const { return size_; }

  /// Calls job(context, member) for member = 0 … size − 1, member 0 on the calling thread, and
  /// waits.
  void run(void (*job)(void* context, int member), void* context);

 private:
  /// The threads other than the caller's, and what they share with it.
  class Workers;
  void follow_fork();

  int size_;
  long process_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace linkwright
