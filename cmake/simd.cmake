# Kernels that are compiled once for every width of vectors, in files of their own; the program chooses when it runs
# (core/simd.h). A folder may leave widths out that it has no use for. The bits are those of the plain file: contractions stay
# off (cmake/flags.cmake), and no other header with code in it is included there.
function(muslin_compile_for_simd folder)
  set(flags_plain "")
  set(flags_avx2 "-mavx2")
  set(flags_avx512 "-mavx512f;-mprefer-vector-width=512")
  foreach(width plain avx2 avx512)
    set(file ${PROJECT_SOURCE_DIR}/${folder}/kernels_${width}.cpp)
    if(NOT EXISTS ${file})
      continue()
    endif()
    set(flags "-fno-math-errno")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
      list(APPEND flags ${flags_${width}})
    endif()
    set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${flags}")
  endforeach()
endfunction()
