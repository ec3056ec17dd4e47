# CVODE and what it needs of SUNDIALS, as linkwright::cvode. SUNDIALS' own package file insists on MPI,
# PETSc and hypre being installed, of which we use nothing.
find_path(LINKWRIGHT_CVODE_INCLUDE cvode/cvode.h)
find_library(LINKWRIGHT_CVODE_LIBRARY sundials_cvode)
find_library(LINKWRIGHT_NVECSERIAL_LIBRARY sundials_nvecserial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LinkwrightCvode
  REQUIRED_VARS LINKWRIGHT_CVODE_LIBRARY LINKWRIGHT_NVECSERIAL_LIBRARY LINKWRIGHT_CVODE_INCLUDE
  REASON_FAILURE_MESSAGE "install SUNDIALS 6 (Debian: libsundials-dev)")
if(LinkwrightCvode_FOUND AND NOT TARGET linkwright::cvode)
  add_library(linkwright::cvode INTERFACE IMPORTED)
  target_include_directories(linkwright::cvode INTERFACE ${LINKWRIGHT_CVODE_INCLUDE})
  target_link_libraries(linkwright::cvode INTERFACE
    ${LINKWRIGHT_CVODE_LIBRARY} ${LINKWRIGHT_NVECSERIAL_LIBRARY})
endif()
