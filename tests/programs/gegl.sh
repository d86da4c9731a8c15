# GEGL's operations with OpenCL against those without, and that they launched kernels. Left out: oilify, snn-mean and c2g,
# whose OpenCL code computes something else than their C code, on every driver. Other drivers do not tell of launches.
wrong=0 ran=0
launched() { [ -s launched.csv ] || [ -n "${PROGRAM_DRIVER-}" ]; }
gegl -o in.png -- gegl:plasma width=201 height=163 seed=7
while read -r operation; do
    rm -f launched.csv
    # shellcheck disable=SC2086 # properties are words
    GEGL_USE_OPENCL=no gegl in.png -o host.png -- $operation &&
        GEGL_USE_OPENCL=yes SIMTCL_PROFILE=sites=launched.csv gegl in.png -o device.png -- $operation
    ran=$((ran + 1))
    gegl-imgcmp host.png device.png >said 2>&1 && launched && continue
    wrong=$((wrong + 1))
    echo "$operation: $(cat said) $(launched || echo no kernel)"
done 2>/dev/null <<'LIST'
gegl:box-blur radius=4
gegl:brightness-contrast contrast=1.3 brightness=0.1
gegl:levels in-low=0.1 in-high=0.8
gegl:posterize levels=4
gegl:pixelize size-x=8 size-y=8
gegl:color-temperature intended-temperature=3000
gegl:invert-linear
gegl:noise-hsv
gegl:motion-blur-linear length=8
gegl:bilateral-filter
gegl:threshold
LIST
echo "$ran operations, $wrong wrong"
[ $wrong = 0 ]
