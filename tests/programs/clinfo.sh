# clinfo asks for every property of the platform and its devices, and makes a context for each kind of device; what it cannot
# have it says in the property's place.
clinfo --raw >said 2>&1 && clinfo >told 2>&1 || { tail -n 20 said told; exit 1; }
platforms=$(sed -n 's/^#PLATFORMS *//p' said) properties=$(grep -c '^\[[^]]*/[0-9*]*\] *CL_' said)
echo "$properties properties, $(grep -ci 'error [0-9-]\|INVALID' said) refused"
[ "$platforms" = 1 ] && [ "$properties" -ge 80 ] && ! grep -i 'error [0-9-]\|INVALID' said told
