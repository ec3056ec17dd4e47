# The hot sweeps are compiled once per instruction set and chosen at run time, so that the default
# build is fast without -march=native. Each compilation sees LINKWRIGHT_ISA=<name>, the namespace its
# templates must live in: a weak symbol shared between two of them could carry AVX code to a machine
# without AVX (the test kernel_symbols guards this).
set(LINKWRIGHT_ISA_FLAGS_baseline)
set(LINKWRIGHT_ISA_FLAGS_avx2 -mavx2 -mfma)
set(LINKWRIGHT_ISA_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma)

function(linkwright_add_kernels target)
  if(NOT ARGN)
    return()
  endif()
  set(isas baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8
     AND NOT LINKWRIGHT_PLAIN_SWEEPS)
    list(APPEND isas avx2 avx512)
    target_compile_definitions(${target} PRIVATE LINKWRIGHT_HAS_X86_KERNELS)
  endif()
  set(optimise $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
  if(LINKWRIGHT_SANITIZE)
    set(optimise)  # as the rest of the library: instrumented, -O3 takes minutes
  endif()
  foreach(isa IN LISTS isas)
    set(kernels ${target}_kernels_${isa})
    add_library(${kernels} OBJECT ${ARGN})
    linkwright_target_defaults(${kernels})
    set_target_properties(${kernels} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${kernels} PRIVATE LINKWRIGHT_ISA=${isa})
    target_compile_options(${kernels} PRIVATE
      ${LINKWRIGHT_ISA_FLAGS_${isa}} -fno-math-errno -fno-signed-zeros ${optimise}
      # Loops over a few packs stay loops. As copies or fills of memory they take longer to start than to end.
      $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
    # Where there are others, the baseline is for processors of before 2013: right is enough, and inlining it all
    # takes minutes to compile.
    if(isa STREQUAL "baseline" AND "avx2" IN_LIST isas)
      target_compile_definitions(${kernels} PRIVATE LINKWRIGHT_NO_FORCED_INLINING)
      target_compile_options(${kernels} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O2>)
    endif()
    target_include_directories(${kernels} PRIVATE
      $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_link_libraries(${kernels} PRIVATE Eigen3::Eigen)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${kernels}>)
  endforeach()
  set(LINKWRIGHT_ISAS ${isas} PARENT_SCOPE)
endfunction()
