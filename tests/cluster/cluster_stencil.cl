// One step of a slab of `slab` rows: each point becomes the mean of its four neighbours, the edge stays. `above` and `below`
// are the rows beside the slab; `top` and `bottom` its own first and last, for the slabs beside it.
kernel void stencil(global float *body, global float *top, global float *bottom, global const float *old,
                    global const float *above, global const float *below, int width, int slab, int first, int last)
{
    int column = get_global_id(0), row = get_global_id(1), at = row * width + column;
    if (column >= width)
        return;
    bool edge = column == 0 || column == width - 1 || (first && row == 0) || (last && row == slab - 1);
    float mean = old[at];
    if (!edge) {
        float up = row ? old[at - width] : above[column];
        float down = row < slab - 1 ? old[at + width] : below[column];
        mean = ((old[at - 1] + old[at + 1]) + (up + down)) * 0.25f;
    }
    body[at] = mean;
    if (row == 0)
        top[column] = mean;
    if (row == slab - 1)
        bottom[column] = mean;
}
