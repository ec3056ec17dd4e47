#include "closed/closed_entry.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace bench {

std::vector<const ClosedPeer*> load_closed_peers(const std::string& folder) {
  std::vector<const ClosedPeer*> found;
  for (const char* name : {"pinocchio_closed_clang", "pinocchio_closed_gcc"}) {
    const std::string path = folder + "/peers_" + name + ".so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* entry = library == nullptr ? nullptr : dlsym(library, "linkwright_closed_peer");
    if (entry == nullptr)
      std::printf("skipped: %s (%s)\n", name, dlerror());
    else
      found.push_back(reinterpret_cast<ClosedPeerEntry>(entry)());
  }
  return found;
}

}  // namespace bench
