# All of darktable's kernels are built, and it takes the device.
darktable-cltest >said 2>&1
grep -q 'opencl is AVAILABLE on this system' said && ! grep -i 'error: \|could not build' said && echo "darktable takes the device" && exit
tail -n 20 said
exit 1
