# Installs the build into an empty prefix, then builds and runs a project that knows only that prefix.
# cmake -D BUILD=<build tree> -D CONSUMER=<its source> -D WORK=<scratch folder> -D COMPILER=<c++>
#       -D GENERATOR=<as -G> -P install_test.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -G "${GENERATOR}" -S ${CONSUMER} -B ${WORK}/consumer -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/consumer)

# The command line finds the scenes that came with it, not those of the checkout.
run(${WORK}/prefix/bin/muslin --version)
execute_process(COMMAND ${WORK}/prefix/bin/muslin list scenes OUTPUT_VARIABLE scenes COMMAND_ERROR_IS_FATAL ANY)
if(NOT scenes MATCHES "hang")
  message(FATAL_ERROR "the installed `muslin list scenes` does not name the scene hang:\n${scenes}")
endif()
file(REMOVE_RECURSE ${WORK})
