# Twelve modes of hashcat find the password of its own example among three. hashcat tests each mode's kernels before.
wrong=0 ran=0
for mode in 0 10 20 50 100 900 1000 1400 1700 6000 10800 17400; do
    hashcat --example-hashes -m $mode >example 2>/dev/null
    sed -n 's/.*Example.Hash\.*: //p' example >hash
    password=$(sed -n 's/.*Example.Pass\.*: //p' example)
    printf '%s\n' first "$password" last >words
    rm -f found
    hashcat -m $mode -a 0 --potfile-disable --force -D 1,2,3 -o found hash words >said 2>&1
    ran=$((ran + 1))
    grep -q ":$password\$" found 2>/dev/null && ! grep -qi 'self-test failed' said && continue
    wrong=$((wrong + 1))
    echo "mode $mode:" && tail -n 5 said
done
echo "$ran modes, $wrong wrong"
[ $wrong = 0 ]
