# ffmpeg's OpenCL filters against its CPU filters, by the noise between them (dB).
source="testsrc2=size=322x246:rate=5:duration=1"
wrong=0 ran=0
# try FORMAT LEAST FILTER[=OPTIONS]: the filter NAME_opencl against NAME
try() {
    local format=$1 least=$2 name=${3%%=*} options= said noise
    [[ $3 = *=* ]] && options==${3#*=}
    said=$(ffmpeg -hide_banner -nostdin -init_hw_device opencl=d:0.0 -filter_hw_device d -f lavfi -i "$source,format=$format" \
        -filter_complex "[0]split[a][b];[a]hwupload,${name}_opencl$options,hwdownload,format=$format[x];[b]$name$options[y];[x][y]psnr" \
        -f null - 2>&1)
    noise=$(echo "$said" | sed -n 's/.*PSNR.*average:\([^ ]*\).*/\1/p')
    ran=$((ran + 1))
    [ "$noise" = inf ] || [ "${noise%.*}" -ge "$least" ] 2>/dev/null && return
    wrong=$((wrong + 1))
    echo "$3: ${noise:-$said}"
}
try yuv420p 45 avgblur=sizeX=3:sizeY=2
try yuv420p 45 boxblur=2:1
try gray 55 sobel
try gray 55 prewitt
try gray 55 roberts
try gray 55 erosion
try gray 55 dilation
try yuv420p 55 transpose=dir=clock
try yuv420p 45 unsharp=lx=5:ly=5:la=1
try yuv420p 55 "convolution=0 -1 0 -1 5 -1 0 -1 0"
try yuv420p 55 pad=400:300:10:20:black
try yuv420p 40 nlmeans=s=2:p=3:r=5
echo "$ran filters, $wrong wrong"
[ $wrong = 0 ]
