#include "batch/thread_team.hpp"

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

ThreadTeam::ThreadTeam(int size) {
  try {
    for (int member = 1; member < size; ++member)
      workers_.emplace_back([this, member] { work(member); });
  } catch (...) {
    stop();
    throw;
  }
}

ThreadTeam::~ThreadTeam() { stop(); }

void ThreadTeam::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::run(void (*job)(void*, int), void* context) {
  {
    const std::lock_guard lock(mutex_);
    job_ = job;
    context_ = context;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  job(context, 0);
  spin_until([this] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadTeam::work(int member) {
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

}  // namespace linkwright
