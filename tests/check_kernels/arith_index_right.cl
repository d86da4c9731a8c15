// Indices into arrays inside of objects that stay in them, or may well leave them.

struct counters {
    int low[4];
    int high[4];
};

//: test each_member
//: global 8
//: local 8
//: arg out int[8] = 0
//: expect out = i + 1
kernel void each_member(global int *out) {
    struct counters c = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    int i = get_global_id(0);
    out[i] = i < 4 ? c.low[i] : c.high[i - 4];
}

// The address behind the last one is no access.
//: test end
//: global 1
//: local 1
//: arg out int[1] = 0
//: expect out = 10
kernel void end(global int *out) {
    struct counters c = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    int n = get_global_size(0) * 4, sum = 0;
    for (int *p = c.low; p < &c.low[n]; p++) sum += *p;
    out[0] = sum;
}

// A member that stands for as many as there are behind it.
struct list {
    int count, items[1];
};
//: test open_end
//: global 1
//: local 1
//: arg list int[4] = 3
//: arg out int[1] = 0
//: expect out = 9
kernel void open_end(global struct list *list, global int *out) {
    int sum = 0;
    for (int i = 0; i < list->count; i++) sum += list->items[i];
    out[0] = sum;
}

// An array of rows as one: a note, which is not told here.
//: test rows_as_one
//: global 12
//: local 12
//: arg out int[12] = 0
//: expect out = i
kernel void rows_as_one(global int *out) {
    local int t[3][4];
    int i = get_global_id(0);
    t[0][i] = i;
    out[i] = t[i / 4][i % 4];
}
