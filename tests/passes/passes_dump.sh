#!/bin/sh
# What a person sees of passes: dumps, the log, names that are none; and that no cache hides or keeps any of it.
#
#   passes_dump.sh KERNELTEST
set -eu
kerneltest=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SIMTCL_CACHE=256 SIMTCL_CACHE_DIR="$work/cache"
failed=0

# run VARIABLE=VALUE ...: the test file under these variables; stderr in $work/err.
run() {
    env "$@" "$kerneltest" "$here/passes.cl" >"$work/out" 2>"$work/err" || {
        cat "$work/out" "$work/err"
        failed=1
    }
}
# expect N PATTERN: so many lines of stderr match.
expect() {
    found=$(grep -c -e "$2" "$work/err" || true)
    [ "$found" -eq "$1" ] && return
    echo "$found lines of stderr match '$2', not $1:"
    cat "$work/err"
    failed=1
}
kept() { find "$work/cache" -type f 2>/dev/null | wc -l; }

run SIMTCL_DUMP=hoist:steps,partial-unroll
expect 1 '^// simtcl: kernel "steps" after hoist$'
expect 0 '^// simtcl: kernel "other" after hoist$'
expect 1 '^// simtcl: kernel "steps" after partial-unroll$'
expect 1 '^// simtcl: kernel "other" after partial-unroll$'
run SIMTCL_DUMP=all:other
expect 0 'kernel "steps"'
expect 1 '^// simtcl: kernel "other" after lower$'
expect 1 '^// simtcl: kernel "other" after compact$'

run SIMTCL_LOG=passes
expect 1 'kernel "steps": .*:9: partial-unroll: . iterations in one, .*those that are left'
expect 1 'kernel "steps": .*:9: strength: the address is stepped$'
expect 1 'kernel "other": .*:18: unroll: 4 iterations are written out$'
run SIMTCL_LOG=passes SIMTCL_OFF=partial-unroll,unroll
expect 0 'partial-unroll'
expect 1 'kernel "other": .*:18: unroll: the loop stays: unrolling is off$'
run SIMTCL_LOG=passes SIMTCL_OFF=all
expect 0 'partial-unroll: \|strength: \|there is no pass'
run SIMTCL_LOG=all
expect 0 'partial-unroll'

# Names that are none are told, with those that are, and the others still count.
run SIMTCL_DUMP=nothing,hoist:steps SIMTCL_OFF=hoist,nobody
expect 1 'SIMTCL_DUMP: there is no pass "nothing"'
expect 1 'SIMTCL_OFF: there is no pass "nobody"'
expect 1 'passes: .*predicate.*partial-unroll'
expect 0 'after hoist'

# With the caches full, passes still run; without, nothing of what they make is kept.
rm -rf "$work/cache"
run SIMTCL_ENGINE=native SIMTCL_OFF=all-of-them
[ "$(kept)" -eq 0 ] || { echo "SIMTCL_OFF: $(kept) files in the cache"; failed=1; }
run SIMTCL_ENGINE=native
[ "$(kept)" -gt 0 ] || { echo "nothing is kept where nothing is asked for"; failed=1; }
run SIMTCL_ENGINE=native SIMTCL_DUMP=compact
expect 1 '^// simtcl: kernel "steps" after compact$'
exit $failed
