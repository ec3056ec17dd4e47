# Extra instruction sets, and sweeps inlined into one function each, pay only where code is optimised and not
# instrumented; elsewhere they cost minutes per object.
set(LINKWRIGHT_PLAIN_SWEEPS FALSE)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR LINKWRIGHT_SANITIZE)
  set(LINKWRIGHT_PLAIN_SWEEPS TRUE)
endif()

# For code that only calls the library (the program, the tests). Sweeps that are compiled there, of expressions for
# example, are compiled for the baseline alone and need not be inlined.
function(linkwright_compile_quickly target)
  target_compile_definitions(${target} PRIVATE LINKWRIGHT_NO_FORCED_INLINING)
  if(LINKWRIGHT_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# Headers and templates that the sources of a folder share are compiled once for all of them.
function(linkwright_compile_by_folder target)
  if(NOT LINKWRIGHT_COMPILE_BY_FOLDER)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Types of one source that hold others of it look to GCC as if a header did, and names that two sources share look to
  # Clang as if one hid the other's. Each keeps watch where the other is blind.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endfunction()

# What every target of ours has in common; nothing here leaks to users of the library.
function(linkwright_target_defaults target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>  # of -Wconversion there, not with GCC
    -Wno-psabi)  # SIMD packs pass in calls only where there is one instruction set
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: g++ 12 warns about overlapping copies in "text" + std::string.
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(LINKWRIGHT_PLAIN_SWEEPS)
    target_compile_definitions(${target} PRIVATE LINKWRIGHT_NO_FORCED_INLINING)
  endif()
  if(LINKWRIGHT_SANITIZE)
    set(flags -fsanitize=${LINKWRIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # g++ 12 reports false "maybe uninitialized" in standard headers under sanitizers.
    target_compile_options(${target} PRIVATE ${flags}
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
      $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignore.txt>)
    target_link_options(${target} PUBLIC -fsanitize=${LINKWRIGHT_SANITIZE})
  endif()
endfunction()
