/* Rows of 16 words, a power of two of them, made columns and back: what lay row by row then lies
 * column by column, and the other way round. */
#include "device/native/mem/accesses.h"

enum { ROW = 16, BLOCK = 4 /* words, of 128 bits */ };

/* ---- words from anywhere in one operation ---- */

static void by_rounds(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    LLVMValueRef low[ROW], high[ROW], next[ROW];
    for (unsigned i = 0; i < ROW; i++) {
        low[i] = emit_word(e, i / 2 + i % 2 * ROW);
        high[i] = emit_word(e, i / 2 + i % 2 * ROW + ROW / 2);
    }
    for (unsigned n = 1; n < rows; n *= 2) {
        for (unsigned r = 0; r < rows / 2; r++) {
            next[2 * r] = value_shuffled(e, row[r], row[r + rows / 2], low, ROW);
            next[2 * r + 1] = value_shuffled(e, row[r], row[r + rows / 2], high, ROW);
        }
        for (unsigned r = 0; r < rows; r++) row[r] = next[r];
    }
}

static void back_by_rounds(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    LLVMValueRef next[ROW];
    for (unsigned n = 1; n < rows; n *= 2) {
        for (unsigned r = 0; r < rows / 2; r++) {
            next[r] = value_picked(e, row[2 * r], row[2 * r + 1], 0, 2, ROW);
            next[r + rows / 2] = value_picked(e, row[2 * r], row[2 * r + 1], 1, 2, ROW);
        }
        for (unsigned r = 0; r < rows; r++) row[r] = next[r];
    }
}

/* ---- words within blocks of 128 bits, and blocks ---- */

/* Of two rows: the words of which each of the two becomes, from 16 on the second one's. */
typedef uint8_t riffle_pair[2][ROW];

static void mix(struct emitter *e, LLVMValueRef *x, LLVMValueRef *y, const riffle_pair of) {
    LLVMValueRef low[ROW], high[ROW], a = *x, b = *y;
    for (unsigned i = 0; i < ROW; i++) {
        low[i] = emit_word(e, of[0][i]);
        high[i] = emit_word(e, of[1][i]);
    }
    *x = value_shuffled(e, a, b, low, ROW);
    *y = value_shuffled(e, a, b, high, ROW);
}

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

/* Column 4 l + c has a block of each four rows, block l of what is row c of those whose
 * words are turned: by four, in the order of columns, they are turned into what lies in row. */
static void by_blocks(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    LLVMValueRef x[ROW];
    unsigned fours = rows / BLOCK;
    for (unsigned g = 0; g < fours; g++) {
        turn(e, row + BLOCK * g, words);
        for (unsigned c = 0; c < BLOCK; c++) x[c * fours + g] = row[BLOCK * g + c];
    }
    for (unsigned n = 0; n < fours; n++) {
        turn(e, x + BLOCK * n, blocks);
        for (unsigned l = 0; l < BLOCK; l++) row[l * fours + n] = x[BLOCK * n + l];
    }
}

static void back_by_blocks(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    LLVMValueRef x[ROW];
    unsigned fours = rows / BLOCK;
    for (unsigned n = 0; n < fours; n++) {
        for (unsigned l = 0; l < BLOCK; l++) x[BLOCK * n + l] = row[l * fours + n];
        turn(e, x + BLOCK * n, blocks);
    }
    for (unsigned g = 0; g < fours; g++) {
        for (unsigned c = 0; c < BLOCK; c++) row[BLOCK * g + c] = x[c * fours + g];
        turn(e, row + BLOCK * g, words);
    }
}

/* ---- both ---- */

/* AVX-512 picks words from two registers in one instruction, other levels within blocks. */
static bool has_blocks(const struct emitter *e, unsigned rows) {
    return e->request->level != NATIVE_AVX512 && rows >= BLOCK;
}

void riffle_rows(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    (has_blocks(e, rows) ? by_blocks : by_rounds)(e, row, rows);
}

void riffle_back(struct emitter *e, LLVMValueRef *row, unsigned rows) {
    (has_blocks(e, rows) ? back_by_blocks : back_by_rounds)(e, row, rows);
}
