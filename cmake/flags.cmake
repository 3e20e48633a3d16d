# Flags shared by every target. Determinism forbids -ffast-math and fused contractions (docs/architecture.md). A switch that
# forgets a value of its enumeration never compiles: so the compiler says where a new shape or solver is missing.
add_library(muslin_flags INTERFACE)
target_compile_options(muslin_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off -Werror=switch
  $<$<BOOL:${MUSLIN_WERROR}>:-Werror>)
if(WIN32)
  # The stack is aligned for 16 bytes there, and GCC 12 stores wider vectors in it as if it were for more.
  add_compile_options(-Wa,-muse-unaligned-vector-move)
endif()
if(MUSLIN_SANITIZE)
  target_compile_options(muslin_flags INTERFACE -fsanitize=${MUSLIN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(muslin_flags INTERFACE -fsanitize=${MUSLIN_SANITIZE})
  # GCC's manual: with sanitizers this warning has false positives (in std::regex and std::optional of GCC 12).
  target_compile_options(muslin_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# muslin_harden(TARGET): what a mistake of a reader would open. Copies of known size are checked, text on the stack is guarded (no
# arrays of numbers: kernels keep their speed), and a program's table of addresses is read-only.
function(muslin_harden target)
  if(MUSLIN_SANITIZE OR EMSCRIPTEN OR APPLE OR WIN32)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL STATIC_LIBRARY)
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
  endif()
endfunction()
