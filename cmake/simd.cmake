# Kernels that are compiled once for every width of vectors, in files of their own; the program chooses when it runs
# (solver/position/kernels.h). The bits are those of the plain file: contractions stay off (cmake/flags.cmake), and no other
# header with code in it is included there.
function(muslin_compile_for_simd folder)
  set(kernels ${folder}/kernels_plain.cpp ${folder}/kernels_avx2.cpp ${folder}/kernels_avx512.cpp)
  list(TRANSFORM kernels PREPEND ${PROJECT_SOURCE_DIR}/)
  set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "-fno-math-errno")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
    list(GET kernels 1 avx2)
    list(GET kernels 2 avx512)
    set_source_files_properties(${avx2} PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-mavx2")
    set_source_files_properties(${avx512} PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-mavx512f;-mprefer-vector-width=512")
  endif()
endfunction()
