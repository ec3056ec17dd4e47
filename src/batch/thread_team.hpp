#pragma once
/// A fixed set of threads that run one job together and wait for the next. Starting a job allocates
/// nothing.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace linkwright {

class ThreadTeam {
 public:
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls job(context, member) for member = 0 … size − 1, member 0 on the calling thread, and
  /// waits.
  void run(void (*job)(void* context, int member), void* context);

 private:
  void work(int member);
  void stop();

  std::mutex mutex_;
  std::condition_variable start_, done_;
  void (*job_)(void*, int) = nullptr;
  void* context_ = nullptr;
  std::atomic<long> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

}  // namespace linkwright
