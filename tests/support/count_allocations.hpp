#pragma once
/// Counts heap allocations of a test binary. Include in one file of the binary only: it puts its own
/// malloc in front of glibc's, where Eigen and the standard library both end up. The address and thread
/// sanitizers have an allocator of their own, which calls us instead.

#include <atomic>
#include <cstdlib>

namespace {
std::atomic<long> allocations{0};
}  // namespace

#ifdef LINKWRIGHT_SANITIZED
// g++ ships the function without the header that declares it, sanitizer/allocator_interface.h. Which compilers say by
// themselves that they instrument differs; CMake says it for all.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
namespace {
[[maybe_unused]] const int allocations_hooked = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { allocations.fetch_add(1, std::memory_order_relaxed); },
    [](const volatile void*) {});
}  // namespace
#else
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif
