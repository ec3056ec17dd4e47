#pragma once
/// Linkwright behind the same face as its peers: the default build, public functions, checks
/// included.

#include <vector>

#include "linkwright/model/model.hpp"
#include "peers/peer.h"

namespace bench {

const Peer* linkwright_as_peer();

/// The neutral description as a Model.
linkwright::Model to_model(const std::vector<PeerBody>& bodies);

}  // namespace bench
