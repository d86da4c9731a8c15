#include "range.h"

#include <stdlib.h>

static uint32_t largest(const struct range *n) { return n ? n->largest : 0; }

static uint32_t room(const struct range *n) { return n->used ? 0 : n->size; }

static void refresh(struct range *n) {
    uint32_t most = room(n);
    if (largest(n->left) > most) most = largest(n->left);
    if (largest(n->right) > most) most = largest(n->right);
    n->largest = most;
}

/* Refreshes the way from the root down to `start`, after a change of the node there. */
static void refresh_path(struct range *n, uint32_t start) {
    if (start < n->start)
        refresh_path(n->left, start);
    else if (start > n->start)
        refresh_path(n->right, start);
    refresh(n);
}

static struct range *turn_right(struct range *n) {
    struct range *up = n->left;
    n->left = up->right;
    up->right = n;
    refresh(n);
    return up;
}

static struct range *turn_left(struct range *n) {
    struct range *up = n->right;
    n->right = up->left;
    up->left = n;
    refresh(n);
    return up;
}

static struct range *insert(struct range *tree, struct range *n) {
    if (!tree) return n;
    if (n->start < tree->start) {
        tree->left = insert(tree->left, n);
        if (tree->left->priority > tree->priority) tree = turn_right(tree);
    } else {
        tree->right = insert(tree->right, n);
        if (tree->right->priority > tree->priority) tree = turn_left(tree);
    }
    refresh(tree);
    return tree;
}

static struct range *join(struct range *low, struct range *high) {
    if (!low) return high;
    if (!high) return low;
    if (low->priority > high->priority) {
        low->right = join(low->right, high);
        refresh(low);
        return low;
    }
    high->left = join(low, high->left);
    refresh(high);
    return high;
}

static struct range *erase(struct range *tree, const struct range *n) {
    if (tree == n) return join(n->left, n->right);
    if (n->start < tree->start)
        tree->left = erase(tree->left, n);
    else
        tree->right = erase(tree->right, n);
    refresh(tree);
    return tree;
}

static struct range *node_new(struct ranges *r, uint32_t start, uint32_t size) {
    struct range *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    r->random = r->random * 1664525u + 1013904223u;
    n->priority = r->random >> 4;
    n->start = start;
    n->size = n->largest = size;
    return n;
}

bool range_add(struct ranges *r, uint32_t start, uint32_t size) {
    struct range *n = node_new(r, start, size);
    if (!n) return false;
    n->first = true;
    r->root = insert(r->root, n);
    return true;
}

static struct range *lowest_of(struct range *n, uint32_t size) {
    for (;;) {
        if (largest(n->left) >= size)
            n = n->left;
        else if (room(n) >= size)
            return n;
        else
            n = n->right;
    }
}

static struct range *highest_of(struct range *n, uint32_t size) {
    for (;;) {
        if (largest(n->right) >= size)
            n = n->right;
        else if (room(n) >= size)
            return n;
        else
            n = n->left;
    }
}

struct range *range_take(struct ranges *r, uint32_t size, uint32_t align, bool highest) {
    uint32_t want = size + (align - 1); /* whatever the start, an aligned place is in it */
    if (!size || want < size || largest(r->root) < want) return NULL;
    struct range *n = highest ? highest_of(r->root, want) : lowest_of(r->root, want);
    uint32_t end = n->start + n->size;
    uint32_t start = highest ? (end - size) & -align : (n->start + align - 1) & -align;
    uint32_t before = start - n->start, behind = end - (start + size);

    struct range *taken = before ? node_new(r, start, size) : n;
    struct range *rest = behind ? node_new(r, start + size, behind) : NULL;
    if (!taken || (behind && !rest)) {
        if (taken != n) free(taken);
        free(rest);
        return NULL;
    }
    n->size = before ? before : size;
    taken->used = true;
    refresh_path(r->root, n->start);
    taken->largest = before ? 0 : taken->largest;
    if (before) r->root = insert(r->root, taken);
    if (rest) r->root = insert(r->root, rest);
    return taken;
}

struct range *range_find(const struct ranges *r, uint32_t at) {
    struct range *n = r->root;
    while (n && (at < n->start || at - n->start >= n->size)) n = at < n->start ? n->left : n->right;
    return n && n->used ? n : NULL;
}

static struct range *before(const struct ranges *r, uint32_t start) {
    struct range *best = NULL, *n = r->root;
    while (n) {
        if (n->start < start)
            best = n, n = n->right;
        else
            n = n->left;
    }
    return best;
}

static struct range *behind(const struct ranges *r, uint32_t start) {
    struct range *best = NULL, *n = r->root;
    while (n) {
        if (n->start > start)
            best = n, n = n->left;
        else
            n = n->right;
    }
    return best;
}

void range_give(struct ranges *r, struct range *n) {
    n->used = false;
    struct range *next = behind(r, n->start), *last = before(r, n->start);
    if (next && !next->used && !next->first) {
        r->root = erase(r->root, next);
        n->size += next->size;
        free(next);
    }
    if (last && !last->used && !n->first) {
        r->root = erase(r->root, n);
        last->size += n->size;
        free(n);
        n = last;
    }
    refresh_path(r->root, n->start);
}

bool range_empty(const struct ranges *r) {
    return !r->root || (!r->root->used && !r->root->left && !r->root->right);
}

static void free_tree(struct range *n) {
    if (!n) return;
    free_tree(n->left);
    free_tree(n->right);
    free(n);
}

void range_clear(struct ranges *r) {
    free_tree(r->root);
    r->root = NULL;
}
