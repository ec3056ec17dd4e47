#pragma once
/// Counts heap allocations of a test binary. Include in one file of the binary only: it puts its own
/// malloc in front of glibc's, where Eigen and the standard library both end up.

#include <atomic>
#include <cstdlib>

namespace {
std::atomic<long> allocations{0};
}  // namespace

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
