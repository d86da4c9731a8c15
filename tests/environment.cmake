# Read by ctest before the tests: what the user has in his cache and his settings must not decide what they see.
set(ENV{SIMTCL_CONFIG} none)
set(ENV{SIMTCL_CACHE} off)
