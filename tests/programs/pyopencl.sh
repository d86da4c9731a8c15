# PyOpenCL's own tests, of the version that is installed: from GitHub, or from the git repository that PYOPENCL_SOURCE names.
version=$(dpkg-query -W -f='${Version}' python3-pyopencl | sed 's/-.*//')
git clone -q --depth 1 -b "v$version" "${PYOPENCL_SOURCE:-https://github.com/inducer/pyopencl}" source 2>said ||
    { echo "no source of its tests: $(tail -n 1 said)"; exit 77; }
cd source/test || exit 1 # not source/: the installed module is what is tested
/usr/bin/python3 -m pytest -q -p no:cacheprovider . >said 2>&1
status=$?
[ $status = 0 ] || grep '^E  \|^FAILED\|^ERROR' said
tail -n 1 said
exit $status
