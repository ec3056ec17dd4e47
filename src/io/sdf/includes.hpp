#pragma once
/// Files that <include> names.

#include <filesystem>
#include <string>

#include "io/urdf/xml.hpp"
#include "linkwright/io/read_options.hpp"

namespace linkwright::sdf {

/// The SDF file behind a <uri> in `file`: itself, or in a folder what its model.config says, or its model.sdf. Throws
/// Error for what is nowhere, and for addresses of the network, which nothing is fetched from.
std::filesystem::path find_included(const XmlElement& uri, const std::filesystem::path& file,
                                    const ReadOptions& options);

}  // namespace linkwright::sdf
