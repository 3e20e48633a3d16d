# 64-bit ARM: the bits are those of x86-64 where Eigen multiplies and sums by SSE2's operations, of which SIMDe writes each as one of
# NEON's. Eigen's own NEON fuses products with sums, and cuts products of matrices in other strips (docs/determinism.md).
include_guard()
find_path(MUSLIN_SIMDE simde/x86/sse2.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
if(NOT MUSLIN_SIMDE)
  message(FATAL_ERROR "On ARM, Muslin needs SIMDe for the bits of x86-64 (Debian: apt install libsimde-dev)")
endif()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/simde)
file(CREATE_LINK ${MUSLIN_SIMDE}/simde ${PROJECT_BINARY_DIR}/simde/simde SYMBOLIC)  # without what lies beside it
add_compile_definitions(__SSE__ __SSE2__ EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS=16)  # products are cut by the number of registers
include_directories(BEFORE SYSTEM ${CMAKE_CURRENT_LIST_DIR}/arm ${PROJECT_BINARY_DIR}/simde)
