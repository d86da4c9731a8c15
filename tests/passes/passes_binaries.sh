#!/bin/sh
# Binaries are the same whatever the environment says of the host.
#
#   passes_binaries.sh PASSES_BINARIES FILE.cl ...
set -eu
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SIMTCL_CACHE=off
"$program" "$@" >"$work/plain" || { cat "$work/plain"; exit 1; }
failed=0
for setting in SIMTCL_SIMD=baseline SIMTCL_SIMD=avx2 SIMTCL_ENGINE=native SIMTCL_ENGINE=interpreter SIMTCL_THREADS=1 \
    SIMTCL_OFF=if-convert,split-counter,partial-unroll SIMTCL_DUMP=compact; do
    if env "$setting" "$program" "$@" >"$work/other" 2>/dev/null && cmp -s "$work/plain" "$work/other"; then continue; fi
    echo "$setting changes binaries:"
    diff "$work/plain" "$work/other" || true
    failed=1
done
# What the device's passes do is in them.
env SIMTCL_OFF=value "$program" >"$work/other" 2>/dev/null
[ "$(tail -n 1 "$work/plain")" != "$(cat "$work/other")" ] || { echo "SIMTCL_OFF=value changes nothing"; failed=1; }
exit $failed
