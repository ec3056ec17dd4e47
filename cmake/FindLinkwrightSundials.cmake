# CVODE, IDA and what they need of SUNDIALS, as linkwright::sundials. SUNDIALS' own package file insists on MPI,
# PETSc and hypre being installed, of which we use nothing.
find_path(LINKWRIGHT_SUNDIALS_INCLUDE ida/ida.h)
find_library(LINKWRIGHT_CVODE_LIBRARY sundials_cvode)
find_library(LINKWRIGHT_IDA_LIBRARY sundials_ida)
find_library(LINKWRIGHT_NVECSERIAL_LIBRARY sundials_nvecserial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LinkwrightSundials
  REQUIRED_VARS LINKWRIGHT_CVODE_LIBRARY LINKWRIGHT_IDA_LIBRARY LINKWRIGHT_NVECSERIAL_LIBRARY
                LINKWRIGHT_SUNDIALS_INCLUDE
  REASON_FAILURE_MESSAGE "install SUNDIALS 6 (Debian: libsundials-dev)")
if(LinkwrightSundials_FOUND AND NOT TARGET linkwright::sundials)
  add_library(linkwright::sundials INTERFACE IMPORTED)
  target_include_directories(linkwright::sundials INTERFACE ${LINKWRIGHT_SUNDIALS_INCLUDE})
  target_link_libraries(linkwright::sundials INTERFACE
    ${LINKWRIGHT_CVODE_LIBRARY} ${LINKWRIGHT_IDA_LIBRARY} ${LINKWRIGHT_NVECSERIAL_LIBRARY})
endif()
