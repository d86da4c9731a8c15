/* Kernels of programs: what their compilers' logs said is in registers.csv. */

/* A product of 32 by 32 bits, by the method of Karatsuba, one for each work-item. */
kernel void karatsuba(global uint *u) {
    uint at = (uint)get_group_id(0) * 64 + (uint)get_local_id(0);
    uint a = u[2 * at], b = u[2 * at + 1];
    uint a0 = a & 0xffff, a1 = a >> 16, b0 = b & 0xffff, b1 = b >> 16;
    uint low = mul24(a0, b0), high = mul24(a1, b1);
    uint cross = mul24(a0, b1), middle = mad24(a1, b0, cross);
    uint carry = middle < cross ? 0x10000 : 0;
    uint sum = low + (middle << 16);
    carry += sum < low;
    u[2 * at] = high + (middle >> 16) + carry;
    u[2 * at + 1] = sum;
}

/* Prices of options, by the formula of Black and Scholes. */
float normal(float d) {
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f,
                a5 = 1.330274429f;
    float k = native_recip(1.0f + 0.2316419f * fabs(d));
    float c = 0.39894228f * native_exp(-0.5f * d * d) *
              (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1.0f - c : c;
}

kernel void black_scholes(global float *call, global float *put, global const float *price,
                          global const float *strike, global const float *years, float riskless,
                          float volatility, int n) {
    int threads = get_global_size(0);
#pragma unroll 1
    for (int i = get_global_id(0); i < n; i += threads) {
        float s = price[i], x = strike[i], t = years[i];
        float root = native_sqrt(t);
        float d1 = native_divide(native_log(native_divide(s, x)) +
                                     (riskless + 0.5f * volatility * volatility) * t,
                                 volatility * root);
        float d2 = d1 - volatility * root;
        float c1 = normal(d1), c2 = normal(d2);
        float discount = native_exp(-riskless * t);
        call[i] = s * c1 - x * discount * c2;
        put[i] = x * discount * (1.0f - c2) - s * (1.0f - c1);
    }
}

/* Patterns in text, by an automaton without failure transitions; the table lies in a texture. Each
 * work-item begins at four places. */
enum { GROUP = 256, SYMBOLS = 256, TRAP = -1 };
#define EACH_PLACE(F) F(0, m0) F(1, m1) F(2, m2) F(3, m3)
#define MATCH(j, match)                                                                            \
    at = group * (GROUP * 4) + tid + j * GROUP;                                                    \
    if (at < size) {                                                                               \
        int state = first[bytes[at]];                                                              \
        if (state != TRAP) {                                                                       \
            if (state <= finals) match = state;                                                    \
            for (at++; at < size; at++) {                                                          \
                int symbol = bytes[at];                                                            \
                state = NEXT;                                                                      \
                if (state == TRAP) break;                                                          \
                if (state <= finals) match = state;                                                \
            }                                                                                      \
        }                                                                                          \
    }
#define WRITE(j, match)                                                                            \
    found[start] = match;                                                                          \
    start += GROUP;
#define WRITE_INSIDE(j, match)                                                                     \
    if (start >= size) return;                                                                     \
    found[start] = match;                                                                          \
    start += GROUP;
#define SEARCH(initial_row)                                                                        \
    local int first[SYMBOLS];                                                                      \
    int tid = get_local_id(0), at, m0 = 0, m1 = 0, m2 = 0, m3 = 0;                                 \
    int group = (int)(get_group_id(1) * get_num_groups(0) + get_group_id(0));                      \
    if (group > last_group) return;                                                                \
    first[tid] = initial_row;                                                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    global uchar *bytes = (global uchar *)text;                                                    \
    EACH_PLACE(MATCH)                                                                              \
    int start = group * (GROUP * 4) + tid;                                                         \
    if (group < last_group) {                                                                      \
        EACH_PLACE(WRITE)                                                                          \
    } else {                                                                                       \
        EACH_PLACE(WRITE_INSIDE)                                                                   \
    }

#define NEXT read_imagei(table, state * SYMBOLS + symbol).x
kernel void match_table(read_only image1d_buffer_t table, global int *unused, global int *text,
                        int size, int words, int finals, int initial, int last_group,
                        global int *found) {
    SEARCH(read_imagei(table, initial * SYMBOLS + tid).x)
}
#undef NEXT

/* The same with the table in a hash table. */
int hashed(read_only image1d_buffer_t rows, read_only image1d_buffer_t values, int state, int symbol,
           int m, int p) {
    int4 row = read_imagei(rows, state);
    int next = TRAP;
    if (row.x >= 0) {
        int k = row.y >> 16, x = k * symbol;
        int rest = x - p * (x >> m);
        if (rest < 0) rest += p;
        int4 value = read_imagei(values, row.x + (rest & row.y & 0xffff));
        if (symbol == value.y) next = value.x;
    }
    return next;
}

#define NEXT hashed(rows, values, state, symbol, m, p)
kernel void match_hashed(read_only image1d_buffer_t rows, read_only image1d_buffer_t values,
                         read_only image1d_buffer_t firsts, global int2 *unused,
                         global int2 *unused2, global int *unused3, int m, int p, global int *text,
                         int size, int words, int finals, int initial, int last_group,
                         global int *found) {
    SEARCH(read_imagei(firsts, tid).x)
}
