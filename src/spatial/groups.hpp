#pragma once
/// Which of n things belong together (union–find).
///
///     Groups groups(5);
///     groups.join(1, 3);
///     groups.root(3);  // 1: the first of its group

#include <algorithm>
#include <numeric>
#include <vector>

namespace linkwright {

class Groups {
 public:
  explicit Groups(std::size_t count) : first_(count) {
    std::iota(first_.begin(), first_.end(), std::size_t{0});
  }

  std::size_t root(std::size_t k) {
    while (first_[k] != k) k = first_[k] = first_[first_[k]];
    return k;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t x = root(a), y = root(b);
    first_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::size_t> first_;
};

}  // namespace linkwright
