// Lanes that constants of theirs turn into zeros, or leave as they are: what was gathered for them is
// not needed, but what follows is; and denormals become zeros.

//: test and_of_few_lanes
//: global 64
//: local 32
//: arg in uchar[4096] = i * 37 + i / 7
//: arg at int[64] = i * 61
//: arg out int[64] = 0
//: expect out = i % 32 < 2 ? (((i * 61 * 37 + i * 61 / 7) & 1) ^ 1) : 1
kernel void and_of_few_lanes(global const uchar *in, global const int *at, global int *out)
{
    int i = get_global_id(0), few = get_local_id(0) < 2;
    out[i] = (in[at[i]] & few) ^ 1;
}

//: test square_of_the_difference
//: global 64
//: local 32
//: arg in char[4096] = i % 2
//: arg out int[64] = 0
//: expect out = i % 32 == 1 ? 1 : i % 32 == 0 ? 0 : 1
kernel void square_of_the_difference(global const char *in, global int *out)
{
    int i = get_global_id(0), few = get_local_id(0) < 2;
    int x = few - (1 ^ (in[get_local_id(0) & few] & few));
    out[i] = x * x;
}

//: test product_with_the_lane
//: global 64
//: local 32
//: arg in uchar[4096] = i % 200
//: arg at int[64] = i * 61
//: arg out int[64] = 0
//: expect out = ((i * 61 % 200 * (i % 32 / 4) & 255) + 2 & 255) - 5
kernel void product_with_the_lane(global const uchar *in, global const int *at, global int *out)
{
    int i = get_global_id(0);
    uchar part = in[at[i]] * (uchar)(get_local_id(0) / 4);
    part += 2;
    out[i] = part - 5;
}

//: test shorts
//: global 64
//: local 32
//: arg in short[4096] = i - 2000
//: arg at int[64] = i * 61
//: arg out int[64] = 0
//: expect out = (i % 32 < 4 ? i * 61 - 2000 & 7 : 0) + 2 ^ 5
kernel void shorts(global const short *in, global const int *at, global int *out)
{
    int i = get_global_id(0);
    short mask = get_local_id(0) < 4 ? 7 : 0;
    short part = (in[at[i]] & mask) + 2;
    out[i] = part ^ 5;
}

//: test few_of_a_word
//: global 64
//: local 32
//: arg in int[4096] = i
//: arg at int[64] = i * 61
//: arg out long[64] = 0
//: expect out = (i % 32 < 16 ? i * 61 & 7 : 0) - 9
kernel void few_of_a_word(global const int *in, global const int *at, global long *out)
{
    int i = get_global_id(0);
    int part = in[at[i]] & (get_local_id(0) < 16 ? 7 : 0);
    out[i] = part - 9;
}

// 1 where the result is a denormal, or not what it would be of a zero.
//: test denormals_with_zeros_and_ones
//: global 64
//: local 32
//: arg in int[64] = i + 1
//: arg other float[64] = i + 2
//: arg out int[64] = 0
//: expect out = 0
kernel void denormals_with_zeros_and_ones(global const float *in, global const float *other, global int *out)
{
    int i = get_global_id(0), l = get_local_id(0), wrong = 0;
    float x = in[i], y = other[i];
    wrong |= as_int(x - (float)(l >> 1 & 2)) != as_int(l & 4 ? -2.0f : 0.0f);
    wrong |= as_int(x - (float)(l >> 3)) != as_int(0.0f - (float)(l >> 3));
    wrong |= as_int(x - (float)(l >> 4)) != as_int(l & 16 ? -1.0f : 0.0f);
    wrong |= as_int(x * (float)(l >> 2)) != 0;
    wrong |= as_int(x / (float)((l >> 4) + 1)) != 0;
    wrong |= as_int(x - (l < 4 ? 0.0f : y)) != as_int(l < 4 ? 0.0f : -y);
    wrong |= as_int(x + (l < 16 ? -0.0f : y)) != as_int(l < 16 ? 0.0f : y);
    wrong |= as_int(x * (l < 16 ? 1.0f : y)) != 0;
    out[i] = wrong;
}

//: test bytes_shifted_by_none
//: global 64
//: local 32
//: arg in char[64] = i * 37 - 100
//: arg out char[64] = 0
//: expect out = i % 32 % 3 == 1 ? (i * 37 - 100 << 24 >> 24) : -1
kernel void bytes_shifted_by_none(global const char *in, global char *out)
{
    int i = get_global_id(0), l = get_local_id(0);
    char v = in[i] >> (l == 0);
    out[i] = l % 3 == 1 ? v : (char)-1;
}

// The same of what lanes choose.
//: test denormals_with_chosen_zeros_and_ones
//: global 64
//: local 32
//: arg in int[64] = i + 1
//: arg other float[64] = i + 2
//: arg out int[64] = 0
//: expect out = 0
kernel void denormals_with_chosen_zeros_and_ones(global const float *in, global const float *other, global int *out)
{
    int i = get_global_id(0), c = (int)other[i] & 1, wrong = 0;
    float x = in[i], y = other[i];
    wrong |= as_int(x - (c ? 0.0f : y)) != as_int(c ? 0.0f : -y);
    wrong |= as_int(x + (c ? -0.0f : y)) != as_int(c ? 0.0f : y);
    wrong |= as_int(x * (c ? 1.0f : y)) != 0;
    wrong |= as_int(x / (c ? 1.0f : y)) != 0;
    out[i] = wrong;
}

// The less of two denormals, which are equal, is the second one, as it is.
//: test less_of_denormals
//: global 64
//: local 32
//: arg in int[64] = i + 1
//: arg out int[128] = 0
//: arg limit float 1.0
//: expect out = i < 64 ? (i ^ 1) + 1 : i - 63
kernel void less_of_denormals(global const float *in, global int *out, float limit)
{
    int i = get_global_id(0);
    float x = in[i], y = in[i ^ 1];
    out[i] = as_int(x < y ? x : y);
    out[i + 64] = as_int(x < limit ? x : limit);
}
