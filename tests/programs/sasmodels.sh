# sasmodels' own tests of all its models: written in C for OpenCL, each is compared with what the same C gives on the host, in
# double precision, and with values that its authors know. That it runs on the device is seen by the tests' names.
/usr/bin/python3 -m sasmodels.model_test -v all >said 2>&1
status=$?
ran=$(grep -c '^test_.*_opencl ' said)
echo "$ran models with OpenCL: $(tail -n 1 said)"
[ $status = 0 ] && [ "$ran" -ge 50 ] && exit
tail -n 40 said
exit 1
