"""PyOpenCL and numpy on the driver, as their users write it. Exit status 77: not installed."""
import sys

try:
    import numpy as np
    import pyopencl as cl
    import pyopencl.array as cl_array
except ImportError as missing:
    print(missing)
    sys.exit(77)

SOURCE = """
kernel void saxpy(float a, global const float *x, global float *y)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
kernel void flip(read_only image2d_t from, write_only image2d_t to, sampler_t s)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int2 other = (int2)(get_image_width(from) - 1 - at.x, at.y);
    write_imageui(to, at, read_imageui(from, s, other));
}
"""


def buffers(context, queue, program):
    x = np.linspace(0, 1, 10000, dtype=np.float32)
    y = np.arange(10000, dtype=np.float32)
    flags = cl.mem_flags
    on_x = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x)
    on_y = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=y)
    event = program.saxpy(queue, x.shape, None, np.float32(2), on_x, on_y)
    event.wait()
    assert event.profile.end >= event.profile.start > 0
    got = np.empty_like(y)
    cl.enqueue_copy(queue, got, on_y)
    assert np.allclose(got, y + np.float32(2) * x)
    view, _ = cl.enqueue_map_buffer(queue, on_y, cl.map_flags.READ, 0, y.shape, y.dtype)
    assert np.array_equal(view, got)
    view.base.release(queue)


def images(context, queue, program):
    pixels = np.random.RandomState(1).randint(0, 256, (30, 50, 4)).astype(np.uint8)
    shape = (50, 30)
    kind = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
    flags = cl.mem_flags
    source = cl.Image(context, flags.READ_ONLY | flags.COPY_HOST_PTR, kind, shape=shape,
                      hostbuf=pixels)
    result = cl.Image(context, flags.WRITE_ONLY, kind, shape=shape)
    sampler = cl.Sampler(context, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)
    program.flip(queue, shape, None, source, result, sampler)
    got = np.empty_like(pixels)
    cl.enqueue_copy(queue, got, result, origin=(0, 0), region=shape)
    assert np.array_equal(got, pixels[:, ::-1])


def arrays(queue):
    a = np.random.RandomState(2).rand(5000).astype(np.float32)
    on_a = cl_array.to_device(queue, a)
    assert np.allclose((2 * on_a + on_a * on_a).get(), 2 * a + a * a)
    assert abs(float(cl_array.sum(on_a).get()) - a.sum(dtype=np.float64)) < 0.1
    assert float(cl_array.max(on_a).get()) == a.max()


def main():
    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context,
                            properties=cl.command_queue_properties.PROFILING_ENABLE)
    program = cl.Program(context, SOURCE).build()
    buffers(context, queue, program)
    images(context, queue, program)
    arrays(queue)
    try:
        cl.Program(context, "kernel void broken( {").build()
        raise AssertionError("a broken program was built")
    except cl.RuntimeError as error:
        assert "error" in str(error)
    print(device.name, "fine")


main()
