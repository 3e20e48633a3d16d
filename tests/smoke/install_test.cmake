# Installs the build into an empty prefix, then builds and runs a project that knows only that prefix.
# cmake -D BUILD=<build tree> -D CONSUMER=<its source> -D WORK=<scratch folder> -D COMPILER=<c++>
#       -D GENERATOR=<as -G> -D SOURCE=<of Muslin> -D LAUNCHER=<of the compiler> -P install_test.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -G "${GENERATOR}" -S ${CONSUMER} -B ${WORK}/consumer -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
foreach(name sse2 avx2 native)
  run(${WORK}/consumer/consumer_${name})
endforeach()
# A program with the library inside asks for little else of the system: no HDF5, and what that brings along.
function(expect_few_libraries program)
  execute_process(COMMAND ldd ${program} OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]*\\.so[^\n]*" libraries "${libraries}")
  list(LENGTH libraries count)
  list(JOIN libraries "\n" lines)
  message(STATUS "${count} shared libraries:\n${lines}")
  if(count GREATER 12 OR lines MATCHES "hdf5|curl|krb5")
    message(FATAL_ERROR "${program} needs ${count} shared libraries; expected 12 at most, without HDF5, curl and Kerberos")
  endif()
endfunction()
expect_few_libraries(${WORK}/consumer/plain)
run(${CMAKE_COMMAND} -G "${GENERATOR}" -S ${CONSUMER} -B ${WORK}/embedded -DEMBEDDED=${SOURCE} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_FLAGS_RELEASE=-O0)  # in a minute
run(${CMAKE_COMMAND} --build ${WORK}/embedded --target plain)
run(${WORK}/embedded/plain)
expect_few_libraries(${WORK}/embedded/plain)

execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/consumer --target wrong_layout
                RESULT_VARIABLE compiled OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(compiled EQUAL 0 OR NOT said MATCHES "Muslin and its callers must lay out Eigen's matrices alike")
  message(FATAL_ERROR "a caller with another layout of Eigen's matrices must be told at compile time:\n${said}")
endif()

# The command line finds the scenes that came with it, not those of the checkout.
run(${WORK}/prefix/bin/muslin --version)
execute_process(COMMAND ${WORK}/prefix/bin/muslin list scenes OUTPUT_VARIABLE scenes COMMAND_ERROR_IS_FATAL ANY)
if(NOT scenes MATCHES "hang")
  message(FATAL_ERROR "the installed `muslin list scenes` does not name the scene hang:\n${scenes}")
endif()
file(REMOVE_RECURSE ${WORK})
