#include "batch/thread_team.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace linkwright {
namespace {

/// Looks for a while before sleeping: waking a thread takes longer than a small batch. Where the
/// threads have to share a processor, whoever is waited for must get it.
template <class Condition>
void spin_until(Condition condition) {
  for (int i = 1; i <= 20000 && !condition(); ++i) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    if (i % 100 == 0) std::this_thread::yield();
  }
}

}  // namespace

class ThreadTeam::Workers {
 public:
  explicit Workers(int count) {
    try {
      for (int member = 1; member <= count; ++member)
        threads_.emplace_back([this, member] { work(member); });
    } catch (...) {
      stop();
      throw;
    }
  }
  ~Workers() { stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run(void (*job)(void*, int), void* context) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      context_ = context;
      busy_ = static_cast<int>(threads_.size());
      ++round_;
    }
    start_.notify_all();
    job(context, 0);
    spin_until([this] { return busy_ == 0; });
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    start_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void work(int member) {
    for (long seen = 0;;) {
      spin_until([&] { return stop_ || round_ != seen; });
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      const auto job = job_;
      void* const context = context_;
      lock.unlock();
      job(context, member);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable start_, done_;
  void (*job_)(void*, int) = nullptr;
  void* context_ = nullptr;
  std::atomic<long> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

ThreadTeam::ThreadTeam(int size)
    : size_(size), process_(getpid()), workers_(std::make_unique<Workers>(size - 1)) {}

ThreadTeam::~ThreadTeam() {
  if (getpid() != process_) static_cast<void>(workers_.release());
}

/// A forked process has this team's memory and none of its threads. Nobody can wait for them: what they shared is left
/// as it lies.
void ThreadTeam::follow_fork() {
  if (getpid() == process_) return;
  static_cast<void>(workers_.release());
  workers_ = std::make_unique<Workers>(size_ - 1);
  process_ = getpid();
}

void ThreadTeam::run(void (*job)(void*, int), void* context) {
  if (size_ == 1) return job(context, 0);
  follow_fork();
  workers_->run(job, context);
}

}  // namespace linkwright
