#!/bin/sh
# Every pass and rewrite can be left out: kernels compute the same without it, and without all of them.
#
#   passes_off.sh KERNELTEST FILE.cl ...
set -eu
kerneltest=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
export SIMTCL_CACHE=off
# A name that is none brings the list of all.
names=$(SIMTCL_OFF=? "$kerneltest" "$here/passes.cl" 2>&1 | sed -n 's/^simtcl: passes: //p')
[ -n "$names" ] || { echo "no names of passes"; exit 1; }
all=$(echo "$names" | tr ' ' ',')
failed=0
check() {
    result=$(SIMTCL_ENGINE=$1 SIMTCL_OFF=$2 "$kerneltest" "$3" 2>&1) && return
    printf 'SIMTCL_ENGINE=%s SIMTCL_OFF=%s %s\n%s\n' "$1" "$2" "$3" "$result"
    failed=1
}
for file in "$@"; do
    for engine in interpreter native; do check $engine "$all" "$file"; done
done
for name in $names; do check native "$name" "$here/passes.cl"; done
exit $failed
