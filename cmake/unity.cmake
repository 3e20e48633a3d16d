# Where CMAKE_UNITY_BUILD is on (presets release, asan and tsan), the files of one folder are compiled as one: what all of
# them include is read, and what all instantiate is made, once a room. Presets dev and clang compile each file by itself, so
# that none lives on what its neighbours include.
function(muslin_compile_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(room ${folder} NAME)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()
