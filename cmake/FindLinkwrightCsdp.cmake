# CSDP, the cone solver, as linkwright::csdp. It brings no package file of its own.
find_path(LINKWRIGHT_CSDP_INCLUDE csdp/declarations.h)
find_library(LINKWRIGHT_CSDP_LIBRARY sdp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LinkwrightCsdp
  REQUIRED_VARS LINKWRIGHT_CSDP_LIBRARY LINKWRIGHT_CSDP_INCLUDE
  REASON_FAILURE_MESSAGE "install CSDP 6.2 (Debian: libsdp-dev)")
if(LinkwrightCsdp_FOUND AND NOT TARGET linkwright::csdp)
  add_library(linkwright::csdp INTERFACE IMPORTED)
  target_include_directories(linkwright::csdp INTERFACE ${LINKWRIGHT_CSDP_INCLUDE})
  target_link_libraries(linkwright::csdp INTERFACE ${LINKWRIGHT_CSDP_LIBRARY})
endif()
