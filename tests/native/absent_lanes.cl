// Groups of half a warp, of whose lanes a comparison of bytes says which store, behind a loop that needs many masks: lanes that are not there store nothing.
//: test stores
//: global 128
//: local 16
//: arg table char[16384] = 0
//: arg rows uint[10240] = 5
//: expect rows = i % 64 == 62 && i / 64 < 128 && i / 64 % 16 != 5 ? 1 : 5
uint mixed(int x, float y, __global const char *table, uint id, uint lid)
{
    __global const ulong *longs = (__global const ulong *)table;
    __global const uint *words = (__global const uint *)table;
    int n = 0;
    do {
        n++;
        if (n > (words[lid & 1023] & 3) + 1)
            break;
        x += (y - y) * (y - y);
        y *= y;
        x = (ulong)x % longs[510] < (ulong)(longs[(uint)y & 63] != 0x7e2501043831ul)
                ? (int)lid
                : popcount((int)(x * words[id & 1023]));
    } while (n < 2);
    return x ^ as_uint(y);
}

__kernel void stores(__global const char *table, __global char *rows)
{
    uint lid = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint id = get_group_id(0) * items + lid;
    __global char *row = rows + id * 256;
    if ((uchar)((uchar)lid ^ (uchar)5) | ((__global const uchar *)table)[id & 4095])
        ((__global uint *)row)[62] = mixed(((__global const int *)table)[id & 1023], 16777217.0f, table, id, lid) != 12345678;
}
