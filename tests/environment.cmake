# Read by ctest before the tests: what the user has in his cache must not decide what they see.
set(ENV{SIMTCL_CACHE} off)
