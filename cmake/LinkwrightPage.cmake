# The page of `linkwright view`: viewer/ is bundled in the build folder by node and npm, and the HTML becomes part of
# the library. Whether node, npm and the network are there shows at build time, so that installing them and building
# again is enough; without them the library is built with an empty page and says so when one is asked for.
function(linkwright_add_page target)
  set(sources ${PROJECT_SOURCE_DIR}/viewer)
  set(work ${PROJECT_BINARY_DIR}/viewer)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${sources}/*)
  list(FILTER inputs EXCLUDE REGEX "/(node_modules|dist)/")
  # A page that could not be made is missing afterwards, so the next build tries again; page_data.cpp is always there.
  add_custom_command(
    OUTPUT ${work}/page.html ${PROJECT_BINARY_DIR}/page_data.cpp
    COMMAND ${CMAKE_COMMAND} -D sources=${sources} -D work=${work} -D code=${PROJECT_BINARY_DIR}/page_data.cpp
            -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    COMMENT "Bundling the page" VERBATIM)
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/page_data.cpp)
endfunction()
