#include "codecache.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char kind[] = "kernel";
enum { MOST_MAKER = 8448, MOST_LIBRARY = 4200 };

/* ---- the key ---- */

/* Which processor it is and what it can do: all that LLVM goes by, without asking LLVM. */
static void print_processor(FILE *f) {
    static const struct {
        unsigned leaf, subleaf;
        unsigned char used[4]; /* eax, ebx, ecx, edx; leaf 1's ebx says which core it is */
    } leaves[] = {
        {0, 0, {0, 1, 1, 1}},          {1, 0, {1, 0, 1, 1}},    {7, 0, {1, 1, 1, 1}},
        {7, 1, {1, 1, 1, 1}},          {0xd, 1, {1, 0, 0, 0}},  {0x80000001, 0, {0, 0, 1, 1}},
        {0x80000008, 0, {0, 1, 0, 0}}, {0x19, 0, {0, 1, 0, 0}}, {0x24, 0, {0, 1, 0, 0}}};
    fputs("processor", f);
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        unsigned r[4] = {0};
        __get_cpuid_count(leaves[i].leaf, leaves[i].subleaf, &r[0], &r[1], &r[2], &r[3]);
        for (int n = 0; n < 4; n++) fprintf(f, " %x", leaves[i].used[n] ? r[n] : 0);
    }
    fputc('\n', f);
}

static void print_key(FILE *f, const char *maker, const struct native_request *r,
                      const char *text) {
    const uint32_t *size = r->local_size, *group = r->group_size;
    fprintf(f, "%srun %zu level %d flush %d size %u %u %u\n", maker, sizeof(struct native_run),
            (int)r->level, r->flush, size[0], size[1], size[2]);
    fprintf(f,
            "of groups of %u %u %u at origin %d cut %u flat %d along %u packed %u local %u general "
            "%d\n",
            group[0], group[1], group[2], r->low_ids, r->cut, r->flat, r->along, r->packed,
            r->local_step, r->general);
    print_processor(f);
    fputs(text, f);
}

char *codecache_key(const struct codecache *cache, const struct native_request *r) {
    char maker[MOST_MAKER], *key = NULL;
    size_t length;
    if (!cache->maker || !cache->maker(maker, sizeof maker)) return NULL;
    /* The kernel alone, with the module's data: another kernel of the program may change. */
    char *text = isa_print_alone(r->module, r->kernel, &length);
    FILE *f = text ? open_memstream(&key, &length) : NULL;
    if (f) {
        print_key(f, maker, r, text);
        bool good = !ferror(f);
        if (fclose(f) || !good) {
            free(key);
            key = NULL;
        }
    }
    free(text);
    return key;
}

/* ---- the value: a head, the library's path, the object ---- */

struct codecache_head {
    struct native_object object;                  /* without its bytes */
    int64_t library_bytes, library_s, library_ns; /* of its file, which an update changes */
    uint64_t path_bytes;
};

static bool describe(const char *library, struct codecache_head *head) {
    struct stat st;
    if (!library || stat(library, &st)) return false;
    head->library_bytes = st.st_size;
    head->library_s = st.st_mtim.tv_sec;
    head->library_ns = st.st_mtim.tv_nsec;
    head->path_bytes = strlen(library) + 1;
    return head->path_bytes <= MOST_LIBRARY;
}

static bool read_value(const char *value, size_t bytes, struct native_object *o) {
    struct codecache_head head, now;
    if (bytes < sizeof head) return false;
    memcpy(&head, value, sizeof head);
    const char *path = value + sizeof head;
    bytes -= sizeof head;
    if (!head.path_bytes || head.path_bytes > bytes || path[head.path_bytes - 1]) return false;
    memcpy(&now, &head, sizeof now);
    if (!describe(path, &now) || memcmp(&now, &head, sizeof now) != 0) return false;
    if (head.object.size != bytes - head.path_bytes) return false;
    *o = head.object;
    o->bytes = malloc(o->size + 1);
    if (o->bytes) memcpy(o->bytes, path + head.path_bytes, o->size);
    return o->bytes != NULL;
}

bool codecache_find(const struct codecache *cache, const char *key, struct native_object *object) {
    size_t bytes;
    char *value = cache->get(kind, key, strlen(key), &bytes);
    bool found = value && read_value(value, bytes, object);
    free(value);
    return found;
}

void codecache_keep(const struct codecache *cache, const char *key, const char *library,
                    const struct native_object *object) {
    struct codecache_head head;
    memset(&head, 0, sizeof head); /* what lies between members, too */
    memcpy(&head.object, object, sizeof *object);
    head.object.bytes = NULL;
    if (!describe(library, &head)) return;
    size_t bytes = sizeof head + head.path_bytes + object->size;
    char *value = malloc(bytes);
    if (!value) return;
    memcpy(value, &head, sizeof head);
    memcpy(value + sizeof head, library, head.path_bytes);
    memcpy(value + sizeof head + head.path_bytes, object->bytes, object->size);
    cache->put(kind, key, strlen(key), value, bytes);
    free(value);
}
