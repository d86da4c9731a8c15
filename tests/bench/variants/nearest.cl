/* Which of d centres is nearest. */
KERNEL_TYPE(uint)
__kernel void nearest(PARAMS(uint)) {
    LINE
        uint own = AT(a, x) & 0xffff, least = 0xffffffff;
        LOOP(k, d)
            uint at = AT(b, k) & 0xffff, away = at > own ? at - own : own - at;
            if (away < least) least = away;
        LOOPED(k, d)
        out[x] = least;
    END
}
