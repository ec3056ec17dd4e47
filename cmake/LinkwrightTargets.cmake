# What every target of ours has in common; nothing here leaks to users of the library.
function(linkwright_target_defaults target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    -Wno-psabi)  # SIMD packs are inlined, never passed in a call
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: g++ 12 warns about overlapping copies in "text" + std::string.
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(LINKWRIGHT_SANITIZE)
    set(flags -fsanitize=${LINKWRIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # g++ 12 reports false "maybe uninitialized" in standard headers under sanitizers.
    target_compile_options(${target} PRIVATE ${flags} -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=${LINKWRIGHT_SANITIZE})
  endif()
endfunction()
