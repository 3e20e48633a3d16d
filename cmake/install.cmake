# `cmake --install` gives find_package(muslin) with the target muslin::muslin.
include(CMakePackageConfigHelpers)

install(TARGETS muslin EXPORT muslin_targets COMPONENT library)
# The public headers: muslin.h and what it includes, as tests/smoke/boundary_test.py holds. All others are inside. Those of
# single energies follow from energies.h, which includes them; all others are listed.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt
                                                               ${PROJECT_SOURCE_DIR}/src/muslin/energy/energies.h)
file(STRINGS cmake/public_headers.txt public_headers)
file(STRINGS src/muslin/energy/energies.h energy_headers REGEX "^#include \"muslin/")
list(TRANSFORM energy_headers REPLACE "#include \"(.*)\"" "\\1")
foreach(header ${public_headers} ${energy_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT library)
endforeach()
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/muslin/scenes COMPONENT program)
install(DIRECTORY docs/shaders/ DESTINATION ${CMAKE_INSTALL_DATADIR}/muslin/shaders COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/muslin COMPONENT program)
install(FILES third_party/musl_maths/COPYRIGHT DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/muslin RENAME musl_maths.COPYRIGHT
        COMPONENT program)
install(EXPORT muslin_targets NAMESPACE muslin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/muslin COMPONENT library)
configure_package_config_file(cmake/muslin-config.cmake.in ${PROJECT_BINARY_DIR}/muslin-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/muslin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/muslin-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/muslin-config.cmake ${PROJECT_BINARY_DIR}/muslin-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/muslin COMPONENT library)
