int odd(int n);
int even(int n) { return n ? odd(n - 1) : 1; }
int odd(int n) { return n ? even(n - 1) : 0; }
int self(int n) { return n ? self(n - 1) : 0; }
kernel void k(global int *o) { o[0] = even(3) + self(2); }
