#include "contestant.hpp"

#include <dlfcn.h>

#include <cstdio>

#include "linkwright_peer.hpp"

namespace bench {

std::vector<Contestant> load_contestants(const std::string& folder) {
  std::vector<Contestant> found{{"linkwright", linkwright_as_peer(), false}};
  for (const char* name : {"pinocchio_clang", "pinocchio_gcc", "mujoco", "kdl"}) {
    const std::string path = folder + "/peers_" + name + ".so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* entry = library == nullptr ? nullptr : dlsym(library, "linkwright_peer");
    if (entry == nullptr) {
      std::printf("skipped: %s (%s)\n", name, dlerror());
      continue;
    }
    const Peer* peer = reinterpret_cast<PeerEntry>(entry)();
    found.push_back({name, peer, std::string(name).starts_with("pinocchio")});
  }
  return found;
}

std::unique_ptr<Entry> Entry::make(const Contestant& who, const std::vector<PeerBody>& bodies,
                                   std::string& why) {
  const char* reason = "no reason given";
  void* self = who.peer->create(bodies.data(), static_cast<int>(bodies.size()), &reason);
  if (self == nullptr) {
    why = reason;
    return nullptr;
  }
  return std::unique_ptr<Entry>(new Entry(who, self));
}

}  // namespace bench
