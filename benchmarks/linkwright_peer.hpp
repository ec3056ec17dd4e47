#pragma once
/// Linkwright behind the same face as its peers: the default build, public functions, checks
/// included.

#include "peers/peer.h"

namespace bench {

const Peer* linkwright_as_peer();

}  // namespace bench
