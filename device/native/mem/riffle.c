/* Rows of 16 words, a power of two of them, made columns and back: what lay row by row then lies
 * column by column, and the other way round. */
#include <string.h>

#include "device/native/mem/accesses.h"

enum { ROW = 16, BLOCK = 4 /* words, of 128 bits */ };

/* Of two rows: the words of which each of the two becomes, from 16 on the second one's. */
typedef uint32_t riffle_pair[2][ROW];

static void mix(struct emitter *e, LLVMValueRef *x, LLVMValueRef *y, const riffle_pair of) {
    LLVMValueRef a = *x, b = *y;
    *x = value_shuffled(e->b, a, b, of[0], ROW);
    *y = value_shuffled(e->b, a, b, of[1], ROW);
}

/* ---- words from anywhere in one operation ---- */

/* Words of both in turn; every other word of what both are one behind the other. */
static const riffle_pair in_turn = {{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23},
                                    {8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31}};
static const riffle_pair every_other = {
    {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30},
    {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31}};

/* In each round rows that are half of them apart become such as lie beside each other. */
static void by_rounds(struct emitter *e, LLVMValueRef *row, unsigned rows, bool back) {
    for (unsigned n = 1; n < rows; n *= 2) {
        LLVMValueRef next[ROW];
        for (unsigned r = 0; r < rows / 2; r++) {
            unsigned apart[] = {r, r + rows / 2}, beside[] = {2 * r, 2 * r + 1};
            unsigned *from = back ? beside : apart, *to = back ? apart : beside;
            for (unsigned h = 0; h < 2; h++) next[to[h]] = row[from[h]];
            mix(e, &next[to[0]], &next[to[1]], back ? every_other : in_turn);
        }
        memcpy(row, next, rows * sizeof *row);
    }
}

/* ---- words within blocks of 128 bits, and blocks ---- */

/* Four rows by four things: beside each other in the first step, two apart in the second. */
static void turn(struct emitter *e, LLVMValueRef *row, const riffle_pair *steps) {
    mix(e, &row[0], &row[1], steps[0]);
    mix(e, &row[2], &row[3], steps[0]);
    mix(e, &row[0], &row[2], steps[1]);
    mix(e, &row[1], &row[3], steps[1]);
    LLVMValueRef second = row[2];
    row[2] = row[1];
    row[1] = second;
}

/* In each block, words become rows and rows words. */
static const riffle_pair words[] = {{{0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29},
                                     {2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31}},
                                    {{0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29},
                                     {2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31}}};

/* Blocks become rows and rows blocks. */
static const riffle_pair blocks[] = {
    {{0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23},
     {8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31}},
    {{0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27},
     {4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31}}};

static void turn_all(struct emitter *e, LLVMValueRef *row, unsigned rows,
                     const riffle_pair *steps) {
    for (unsigned n = 0; n < rows; n += BLOCK) turn(e, row + n, steps);
}

/* First those that are first of their four, then the second ones; or back. */
static void deal(LLVMValueRef *row, unsigned rows, bool back) {
    LLVMValueRef x[ROW];
    for (unsigned n = 0; n < rows; n++) {
        unsigned to = n % BLOCK * (rows / BLOCK) + n / BLOCK;
        x[back ? n : to] = row[back ? to : n];
    }
    memcpy(row, x, rows * sizeof *row);
}

/* Column 4 l + c has a block of each four rows, block l of what is row c of those whose
 * words are turned: by four, in the order of columns, they are turned into what lies in row. */
static void by_blocks(struct emitter *e, LLVMValueRef *row, unsigned rows, bool back) {
    if (!back) turn_all(e, row, rows, words);
    deal(row, rows, back);
    turn_all(e, row, rows, blocks);
    deal(row, rows, back);
    if (back) turn_all(e, row, rows, words);
}

/* ---- both ---- */

/* AVX-512 picks words from two registers in one instruction, other levels within blocks. */
void riffle(struct emitter *e, LLVMValueRef *row, unsigned rows, bool back) {
    bool in_blocks = e->request->level != NATIVE_AVX512 && rows >= BLOCK;
    (in_blocks ? by_blocks : by_rounds)(e, row, rows, back);
}
