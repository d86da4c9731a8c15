#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/sandbox/memory.h"
#include "finding.h"
#include "uninit.h"

/* Which finding is told when the host reads a word that a kernel has stored: a table open to
 * hashing. */
struct stored {
    const struct memory *memory; /* NULL: free */
    uint32_t word;
    uint64_t held;
};
enum { LEAST = 1024, MOST = 1 << 21, WHOLES = 64 };

/* Memory that was found to be set wholly, when so much had changed. */
struct whole {
    const struct memory *memory;
    uint32_t address;
    uint64_t bytes, changes;
};

static struct {
    pthread_mutex_t lock;
    struct stored *slots;
    size_t room, count;
    struct whole wholes[WHOLES];
    unsigned next; /* of them, that is forgotten for another one */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Atomic uint64_t changes = 1; /* whatever may leave something that is not set */

void uninit_changes(void) { atomic_fetch_add(&changes, 1); }

static size_t slot_of(const struct memory *m, uint32_t word) {
    uint64_t h = ((uint64_t)(uintptr_t)m ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(h >> 20) & (all.room - 1);
    while (all.slots[at].memory && (all.slots[at].memory != m || all.slots[at].word != word))
        at = (at + 1) & (all.room - 1);
    return at;
}

static void take_over(const struct stored *old, size_t room, const struct memory *without,
                      uint32_t begin, uint64_t bytes) {
    all.count = 0;
    for (size_t n = 0; n < room; n++) {
        if (!old[n].memory) continue;
        if (old[n].memory == without && old[n].word - begin / 4 <= bytes / 4) continue;
        all.slots[slot_of(old[n].memory, old[n].word)] = old[n];
        all.count++;
    }
}

/* Into a table of that size, but for what lies in the range. */
static bool renew(size_t room, const struct memory *without, uint32_t begin, uint64_t bytes) {
    struct stored *old = all.slots, *slots = calloc(room, sizeof *slots);
    size_t before = all.room;
    if (!slots) return false;
    all.slots = slots;
    all.room = room;
    take_over(old, before, without, begin, bytes);
    free(old);
    return true;
}

void uninit_stored(struct memory *m, uint32_t address, uint32_t bytes, uint64_t held) {
    pthread_mutex_lock(&all.lock);
    for (uint32_t word = address / 4; word <= (address + bytes - 1) / 4; word++) {
        bool full = (all.count + 1) * 2 > all.room;
        size_t room = all.room ? all.room * 2 : LEAST;
        if (full && (room > MOST || !renew(room, NULL, 0, 0))) break;
        struct stored *s = &all.slots[slot_of(m, word)];
        all.count += !s->memory;
        *s = (struct stored){m, word, held};
    }
    pthread_mutex_unlock(&all.lock);
}

static char *shadow(const struct memory *m, uint32_t address) {
    return memory_shadow_at(memory_base(m), address);
}

void uninit_set(struct memory *m, uint32_t address, uint64_t bytes) {
    if (memory_shadowed(m)) memset(shadow(m, address), 0, bytes);
}

void uninit_unset(struct memory *m, uint32_t address, uint64_t bytes) {
    if (!memory_shadowed(m)) return;
    memset(shadow(m, address), 0xff, bytes);
    uninit_changes();
    pthread_mutex_lock(&all.lock);
    if (all.count) renew(all.room, m, address, bytes);
    pthread_mutex_unlock(&all.lock);
}

void uninit_copy(struct memory *m, uint32_t to, uint32_t from, uint64_t bytes) {
    if (!memory_shadowed(m)) return;
    memmove(shadow(m, to), shadow(m, from), bytes);
    uninit_changes();
}

/* The first byte from `at` on that is not set wholly; `bytes` where all are. */
static uint64_t next_unset(const char *s, uint64_t at, uint64_t bytes) {
    static const char zeros[4096];
    while (at < bytes) {
        uint64_t n = bytes - at < sizeof zeros ? bytes - at : sizeof zeros;
        if (memcmp(s + at, zeros, n) != 0) break;
        at += n;
    }
    while (at < bytes && !s[at]) at++;
    return at;
}

static bool is_remembered(const struct whole *w) {
    bool found = false;
    pthread_mutex_lock(&all.lock);
    for (unsigned n = 0; n < WHOLES; n++) {
        const struct whole *at = &all.wholes[n];
        found |= at->memory == w->memory && at->address == w->address && at->bytes == w->bytes &&
                 at->changes == w->changes;
    }
    pthread_mutex_unlock(&all.lock);
    return found;
}

bool uninit_is_set(struct memory *m, uint32_t address, uint64_t bytes) {
    struct whole w = {m, address, bytes, atomic_load(&changes)};
    if (!memory_shadowed(m)) return false;
    if (is_remembered(&w)) return true;
    if (next_unset(shadow(m, address), 0, bytes) < bytes) return false;
    pthread_mutex_lock(&all.lock);
    all.wholes[all.next++ % WHOLES] = w;
    pthread_mutex_unlock(&all.lock);
    return true;
}

uint64_t uninit_read(struct memory *m, uint32_t address, uint64_t bytes, uint32_t *first) {
    uint64_t unwritten = 0;
    *first = 0;
    if (!memory_shadowed(m)) return 0;
    const char *s = shadow(m, address);
    pthread_mutex_lock(&all.lock);
    for (uint64_t at = 0; (at = next_unset(s, at, bytes)) < bytes; at++) {
        uint32_t byte = address + (uint32_t)at;
        const struct stored *known = all.room ? &all.slots[slot_of(m, byte / 4)] : NULL;
        if (known && known->memory) {
            check_confirm(known->held);
            continue;
        }
        if (!unwritten++) *first = byte;
    }
    pthread_mutex_unlock(&all.lock);
    return unwritten;
}

void uninit_lock(void) { pthread_mutex_lock(&all.lock); }
void uninit_unlock(void) { pthread_mutex_unlock(&all.lock); }
