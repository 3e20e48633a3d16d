# Emscripten (preset web, docs/web.md): headers, and the flags by which the bits are those of a native build.
include_guard()

include(cmake/headers.cmake)
file(CONFIGURE OUTPUT ${muslin_headers}/mmintrin.h
     CONTENT "// Eigen asks for it with SSE2; the one of the compiler is for x86 alone.\n")
file(COPY ${CMAKE_CURRENT_LIST_DIR}/web/emmintrin.h DESTINATION ${muslin_headers})
# Without it, {:L}, which nothing uses, brings all of the locales into the program.
target_compile_definitions(fmt::fmt INTERFACE FMT_STATIC_THOUSANDS_SEPARATOR=',')
# Sums of two lanes, with as many registers as SSE2 has: Eigen cuts products by them.
target_compile_definitions(Eigen3::Eigen INTERFACE EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS=16)
add_compile_options(-msimd128 -msse2)
# Eigen writes x86 assembler for GCC before 6.0, which it takes clang for, and other assembler from 6.3 on, which it
# takes 5.13 for (10 * major + minor): this is neither.
add_compile_options(-fgnuc-version=5.13.0)
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)

# muslin_compile_small(TARGET): the rooms and files of a library in which no step of a run spends its time (some call kernels that do) are compiled for size, as a library of
# their own (TARGET_small). Link it after the whole of TARGET: of functions that both have, the first counts. What nothing here calls is left out.
function(muslin_compile_small target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/src/muslin/sweep/|/(compare|work_precision)_page.cpp$|/embedded/")  # the page of `muslin compare`
  set(rooms "/(audit|compare|io|model|pattern|platform|repair|sewing)/|/src/muslin/(changed_scene|hands|simulation)[.]cpp$")
  set(files "/(core/(csv|text|revision)|geometry/(bvh_order|closed_surface|geodesic|merge|ordering|polygons|shapes|sheet|solids|topology)|contact/bounded/close_pairs_blocks|contact/bounded/surface_blocks|contact/vertices/collider_probes|contact/vertices/posed_surface|contact/pairs/scene_surfaces|contact/pairs/surfaces|contact/pairs/touching|energy/(assembly_pattern|custom|membrane|plate)|linear/(aggregation|coarse_product_pattern|coarse_space_patches|multigrid_hierarchy|ordering|smoother_order|sparse_factor_pattern)|solver/(inert|methods|newton_system_set_up|projective|safeguard|solver|position/(coarse_net|contact_response|fast_path|colour_stream|colours|grid_tethers|limits|line_springs|lines|mesh_lines|paths|quality|tethers)))[.]cpp$")
  set(small ${sources})
  list(FILTER small INCLUDE REGEX "${rooms}|${files}")
  list(FILTER small EXCLUDE REGEX "/model/(collider_shape|controls|forces|input|measure|motion|wind/kernels_plain)[.]cpp$")  # every step enters these
  list(REMOVE_ITEM sources ${small})
  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
  add_library(${target}_small STATIC ${small})
  set_target_properties(${target}_small PROPERTIES UNITY_BUILD_MODE GROUP)
  target_compile_options(${target}_small PRIVATE -Oz -fmerge-all-constants)
  target_link_libraries(${target}_small PUBLIC ${target} PRIVATE fmt::fmt nlohmann_json::nlohmann_json Boost::headers muslin_flags)
endfunction()
