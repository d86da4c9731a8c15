# Examples of StarPU with OpenCL code, which check what they compute and end with 77 where they find no device, which may be
# a CPU. axpy and dot_product are left out: Debian has their kernels without the header that these include.
export STARPU_OPENCL_ON_CPUS=1 STARPU_NCPU=0 STARPU_NCUDA=0 STARPU_NOPENCL=1 STARPU_SILENT=1 STARPU_HOME=$PWD
wrong=0 ran=0
for example in vector_scal block variable matvecmult incrementer fblock; do
    /usr/lib/x86_64-linux-gnu/starpu/examples/$example >said 2>&1 && ran=$((ran + 1)) && continue
    wrong=$((wrong + 1))
    echo "$example:" && tail -n 5 said
done
echo "$ran examples are right, $wrong are not"
[ $wrong = 0 ]
