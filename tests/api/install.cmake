# Installs the driver as the README says and looks for it where loaders do; then under a prefix of its
# own, from which a program runs that builds a kernel.
#
#   cmake -DBUILD=... -DWHERE=... -DPROGRAM=... -P install.cmake
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status)
    message(FATAL_ERROR "${ARGN}: ${status}\n${said}")
  endif()
endfunction()
file(REMOVE_RECURSE ${WHERE})

# Installations from one build at the same time, each with its own library.
set(one "${CMAKE_COMMAND} --install ${BUILD} --component vendor --prefix ${WHERE}")
foreach(turn RANGE 7)
  must(sh -c "${one}/left & ${one}/right && wait $!")
  foreach(side left right)
    file(READ ${WHERE}/${side}/etc/OpenCL/vendors/simtcl.icd library)
    if(NOT library MATCHES "^${WHERE}/${side}/")
      message(FATAL_ERROR "two installations at once: ${side} has ${library}")
    endif()
  endforeach()
  file(REMOVE_RECURSE ${WHERE})
endforeach()

foreach(prefix /usr /usr/local)
  set(root ${WHERE}/root${prefix})
  must(${CMAKE_COMMAND} -E env DESTDIR=${root} ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
  file(READ ${root}/etc/OpenCL/vendors/simtcl.icd library)
  string(STRIP "${library}" library)
  if(NOT library MATCHES "^${prefix}/lib" OR NOT EXISTS ${root}${library})
    message(FATAL_ERROR "${prefix}: simtcl.icd names ${library}, which is not installed")
  endif()
endforeach()

must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WHERE}/own)
must(${CMAKE_COMMAND} -E env --unset=OCL_ICD_FILENAMES OCL_ICD_VENDORS=${WHERE}/own/etc/OpenCL/vendors/ SIMTCL_CACHE=off
  ${PROGRAM} naive 16 --platform simtcl)
# What users have besides: the header, and kernel tests for their own CI.
if(NOT EXISTS ${WHERE}/own/include/simtcl/profile.h)
  message(FATAL_ERROR "simtcl/profile.h is not installed")
endif()
must(${CMAKE_COMMAND} -E env --unset=OCL_ICD_FILENAMES OCL_ICD_VENDORS=${WHERE}/own/etc/OpenCL/vendors/ SIMTCL_CACHE=off
  ${WHERE}/own/bin/simtcl-kerneltest ${CMAKE_CURRENT_LIST_DIR}/../profile/kernels/counted.cl)
file(REMOVE_RECURSE ${WHERE})
