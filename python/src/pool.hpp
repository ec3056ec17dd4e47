#pragma once
/// Things that are dear to make and serve one caller at a time: workspaces, batches. One that is given back
/// serves the next caller, on whichever thread.
///
///     auto work = pool.lend([&] { return std::make_unique<Work>(system); });
///     compute_bias(work->tree(), work->state, bias);                          // given back at the end

#include <memory>
#include <mutex>
#include <vector>

namespace linkwright::python {

template <class Thing>
class Pool {
 public:
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Thing> thing) : pool_(&pool), thing_(std::move(thing)) {}
    ~Lease() {
      if (thing_) pool_->take_back(std::move(thing_));
    }
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Thing* operator->() const { return thing_.get(); }
    Thing& operator*() const { return *thing_; }

   private:
    Pool* pool_;
    std::unique_ptr<Thing> thing_;
  };

  /// The one used last for which `fits` says so, or a new one.
  template <class Fits, class Make>
  Lease lend(const Fits& fits, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = idle_.size(); i-- > 0;) {
        if (!fits(*idle_[i])) continue;
        std::unique_ptr<Thing> thing = std::move(idle_[i]);
        idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
        return Lease(*this, std::move(thing));
      }
    }
    return Lease(*this, make());
  }
  template <class Make>
  Lease lend(const Make& make) {
    return lend([](const Thing&) { return true; }, make);
  }

 private:
  void take_back(std::unique_ptr<Thing> thing) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() >= most_idle) idle_.erase(idle_.begin());
    idle_.push_back(std::move(thing));
  }
  static constexpr std::size_t most_idle = 64;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thing>> idle_;
};

}  // namespace linkwright::python
