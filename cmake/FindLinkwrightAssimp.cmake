# assimp as linkwright::assimp. Debian's own package file hands on draco, minizip and zlib, whose packages
# libassimp-dev does not bring; the shared library needs none of them to link.
find_path(LINKWRIGHT_ASSIMP_INCLUDE assimp/Importer.hpp)
find_library(LINKWRIGHT_ASSIMP_LIBRARY assimp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LinkwrightAssimp
  REQUIRED_VARS LINKWRIGHT_ASSIMP_LIBRARY LINKWRIGHT_ASSIMP_INCLUDE
  REASON_FAILURE_MESSAGE "install assimp 5 (Debian: libassimp-dev)")
mark_as_advanced(LINKWRIGHT_ASSIMP_INCLUDE LINKWRIGHT_ASSIMP_LIBRARY)
if(LinkwrightAssimp_FOUND AND NOT TARGET linkwright::assimp)
  add_library(linkwright::assimp INTERFACE IMPORTED)
  target_include_directories(linkwright::assimp INTERFACE ${LINKWRIGHT_ASSIMP_INCLUDE})
  target_link_libraries(linkwright::assimp INTERFACE ${LINKWRIGHT_ASSIMP_LIBRARY})
endif()
