include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/linkwright)
get_target_property(library_type linkwright TYPE)

install(TARGETS linkwright EXPORT linkwrightTargets)
install(DIRECTORY include/linkwright DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT linkwrightTargets NAMESPACE linkwright:: DESTINATION ${package_dir})

# A static library hands its private dependencies on to whoever links it.
if(library_type STREQUAL "STATIC_LIBRARY")
  set(LINKWRIGHT_IS_STATIC TRUE)
else()
  set(LINKWRIGHT_IS_STATIC FALSE)
endif()
get_target_property(hdf5_library hdf5::hdf5 IMPORTED_LOCATION)
get_filename_component(LINKWRIGHT_HDF5_FOLDER "${hdf5_library}" DIRECTORY)
configure_package_config_file(cmake/linkwrightConfig.cmake.in linkwrightConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(linkwrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/linkwrightConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/linkwrightConfigVersion.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindLinkwrightSundials.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindLinkwrightAssimp.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/FindLinkwrightCsdp.cmake
        DESTINATION ${package_dir})
