# What SIMTCL_CHECK writes besides text: JSON and SARIF that parse and say what was found, a failing status, and what
# suppressions leave out.
cmake_minimum_required(VERSION 3.24)
set(kernels ${WHERE}/outputs.cl)
file(WRITE ${kernels} "//: test behind
//: global 32
//: local 32
//: arg out int[20] = 0
void put(global int *to, int i) {
    to[i] = i;
}
kernel void behind(global int *out) {
    put(out, get_global_id(0) % 21);
}
//: test before
//: global 32
//: local 32
//: arg out int[32] = 0
kernel void before(global int *out) {
    // simtcl-check: ignore memory
    out[(int)get_global_id(0) - 1] = 1;
}
")

function(run check expected)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ARGN} SIMTCL_LOG=fault "SIMTCL_CHECK=${check}" ${KERNELTEST} ${kernels}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL expected)
    message(SEND_ERROR "${check}: status ${status}, not ${expected}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(has text expected)
  string(JSON found GET "${text}" ${ARGN})
  if(NOT found STREQUAL expected)
    message(SEND_ERROR "${ARGN} is \"${found}\", not \"${expected}\"")
  endif()
endfunction()

run("memory,json=${WHERE}/found.json,sarif=${WHERE}/found.sarif" 0)
if(NOT output MATCHES "outputs|<program source>:6:5: error: store of 4 bytes outside its object")
  message(SEND_ERROR "stderr has no text:\n${output}")
endif()
file(READ ${WHERE}/found.json json)
string(JSON count LENGTH "${json}" findings)
if(NOT count EQUAL 1) # the other one is suppressed by its comment
  message(SEND_ERROR "${count} findings:\n${json}")
endif()
has("${json}" memory findings 0 check)
has("${json}" outside findings 0 rule)
has("${json}" behind findings 0 kernel)
has("${json}" 6 findings 0 at line)
has("${json}" put findings 0 at calls 0 function)
has("${json}" 20 findings 0 at global 0)
has("${json}" global findings 0 space)
file(READ ${WHERE}/found.sarif sarif)
has("${sarif}" 2.1.0 version)
has("${sarif}" outside runs 0 results 0 ruleId)
has("${sarif}" error runs 0 results 0 level)
has("${sarif}" 6 runs 0 results 0 locations 0 physicalLocation region startLine)
string(JSON index GET "${sarif}" runs 0 results 0 ruleIndex)
has("${sarif}" outside runs 0 tool driver rules ${index} id)
has("${sarif}" 9 runs 0 results 0 relatedLocations 0 physicalLocation region startLine)

run(memory 1 SIMTCL_CHECK_FATAL=1)
file(WRITE ${WHERE}/suppressed "# all of it\nmemory behind *:6\n")
run(memory 0 SIMTCL_CHECK_FATAL=1 SIMTCL_CHECK_SUPPRESS=${WHERE}/suppressed)
file(WRITE ${WHERE}/suppressed "outside other_kernel\n")
run(memory 1 SIMTCL_CHECK_FATAL=1 SIMTCL_CHECK_SUPPRESS=${WHERE}/suppressed)
file(WRITE ${WHERE}/suppressed "\nno_such_check behind\n")
run(memory 0 SIMTCL_CHECK_SUPPRESS=${WHERE}/suppressed)
if(NOT output MATCHES "SIMTCL_CHECK_SUPPRESS: [^\n]*: line 2 is no")
  message(SEND_ERROR "a wrong line is not told of:\n${output}")
endif()
run(no_such_check 0)
if(NOT output MATCHES "SIMTCL_CHECK: there is no \"no_such_check\"")
  message(SEND_ERROR "an unknown check is not told of:\n${output}")
endif()

# All checks, and all that SIMTCL_PROFILE knows beside them.
run(1 0 SIMTCL_PROFILE=sites,counters,time)
foreach(text "store of 4 bytes outside its object" "site kind" "would have counted" "the device would have taken")
  if(NOT output MATCHES "${text}")
    message(SEND_ERROR "all checks and profiles at once do not tell of \"${text}\":\n${output}")
  endif()
endforeach()
