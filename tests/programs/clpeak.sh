# clpeak's measurements of memory, transfers and launches, each of which is a number; those of arithmetic are made for the 30
# multiprocessors of a board and take a quarter of an hour (tests/api runs them).
clpeak --global-bandwidth --transfer-bandwidth --kernel-latency >said 2>&1 || { tail -n 20 said; exit 1; }
numbers=$(grep -c ': [0-9][0-9.e+]*\( us\)\?$' said)
echo "$numbers numbers"
[ "$numbers" -ge 12 ] && ! grep -i 'rror\|xception\|CL_\|nan\|inf$' said
