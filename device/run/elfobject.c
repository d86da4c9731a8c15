#include "elfobject.h"

#include <elf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PAGE = 4096,
    MOST_SECTIONS = 4096,
    MOST_SYMBOLS = 1 << 16,
    MOST_BYTES = 1 << 28, /* placed: sections may overlap in the object */
    LINK_BYTES = 8        /* of a symbol's address, and of the jump that goes there */
};

/* An object while it is being placed. */
struct loading {
    const char *object;
    size_t size;
    Elf64_Ehdr head;
    Elf64_Shdr *sections;
    size_t *places; /* of sections, from the first page; NOWHERE */
    Elf64_Shdr symbols, strings;
    size_t nsymbols;
    size_t code_bytes, jumps, addresses; /* where the symbols' jumps and addresses begin */
    char *pages;
    size_t bytes;
    const char *why;
};
#define NOWHERE SIZE_MAX

static bool refuse(struct loading *l, const char *why) {
    l->why = why;
    return false;
}

/* ---- what code may call ---- */

/* What LLVM makes of operations that a processor without the newer extensions has no instruction
 * for, and of copies. */
static const struct {
    const char *name;
    void (*function)(void);
} callable[] = {
#define CALLABLE(name)                                                                             \
    { #name, (void (*)(void))name }
    CALLABLE(ceil),   CALLABLE(ceilf),     CALLABLE(floor), CALLABLE(floorf),     CALLABLE(fma),
    CALLABLE(fmaf),   CALLABLE(fmod),      CALLABLE(fmodf), CALLABLE(memcpy),     CALLABLE(memmove),
    CALLABLE(memset), CALLABLE(nearbyint), CALLABLE(rint),  CALLABLE(nearbyintf), CALLABLE(rintf),
    CALLABLE(round),  CALLABLE(roundf),    CALLABLE(trunc), CALLABLE(truncf),     CALLABLE(sqrt),
    CALLABLE(sqrtf),
#undef CALLABLE
};

static uintptr_t find_callable(const char *name) {
    for (size_t i = 0; i < sizeof callable / sizeof *callable; i++)
        if (!strcmp(callable[i].name, name)) return (uintptr_t)callable[i].function;
    return 0;
}

/* ---- reading: nothing about the object is trusted ---- */

static bool within(const struct loading *l, uint64_t offset, uint64_t bytes) {
    return offset <= l->size && bytes <= l->size - offset;
}

static bool read_at(const struct loading *l, uint64_t offset, void *to, size_t bytes) {
    if (!within(l, offset, bytes)) return false;
    memcpy(to, l->object + offset, bytes);
    return true;
}

static bool read_head(struct loading *l) {
    static const unsigned char magic[] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                          ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    const Elf64_Ehdr *h = &l->head;
    if (!read_at(l, 0, &l->head, sizeof l->head) || memcmp(h->e_ident, magic, sizeof magic) != 0 ||
        h->e_type != ET_REL || h->e_machine != EM_X86_64 || h->e_shentsize != sizeof(Elf64_Shdr) ||
        !h->e_shnum || h->e_shnum > MOST_SECTIONS)
        return refuse(l, "it is no relocatable object for this processor");
    size_t bytes = h->e_shnum * sizeof *l->sections;
    l->sections = malloc(bytes);
    l->places = malloc(h->e_shnum * sizeof *l->places);
    if (!l->sections || !l->places) return refuse(l, "there is no memory");
    if (!read_at(l, h->e_shoff, l->sections, bytes)) return refuse(l, "it is damaged");
    for (unsigned i = 0; i < h->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type != SHT_NOBITS && !within(l, s->sh_offset, s->sh_size))
            return refuse(l, "it is damaged");
    }
    return true;
}

static bool read_symbols(struct loading *l) {
    for (unsigned i = 0; i < l->head.e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type != SHT_SYMTAB) continue;
        if (s->sh_link >= l->head.e_shnum) return refuse(l, "it is damaged");
        l->symbols = *s;
        l->strings = l->sections[s->sh_link];
        l->nsymbols = s->sh_size / sizeof(Elf64_Sym);
        if (l->strings.sh_type != SHT_STRTAB || l->nsymbols > MOST_SYMBOLS)
            return refuse(l, "it is damaged");
        return true;
    }
    return refuse(l, "it has no symbols");
}

/* The symbol's name, NULL when it has none that ends. */
static const char *symbol_name(const struct loading *l, const Elf64_Sym *s) {
    if (s->st_name >= l->strings.sh_size) return NULL;
    const char *name = l->object + l->strings.sh_offset + s->st_name;
    return memchr(name, 0, l->strings.sh_size - s->st_name) ? name : NULL;
}

static bool read_symbol(struct loading *l, size_t n, Elf64_Sym *s) {
    if (n >= l->nsymbols || !read_at(l, l->symbols.sh_offset + n * sizeof *s, s, sizeof *s))
        return refuse(l, "it is damaged");
    return true;
}

/* ---- placing ---- */

static bool named(const struct loading *l, const Elf64_Shdr *s, const char *name) {
    if (l->head.e_shstrndx >= l->head.e_shnum) return false;
    const Elf64_Shdr *names = &l->sections[l->head.e_shstrndx];
    size_t bytes = strlen(name) + 1;
    return names->sh_type == SHT_STRTAB && s->sh_name <= names->sh_size &&
           bytes <= names->sh_size - s->sh_name &&
           !memcmp(l->object + names->sh_offset + s->sh_name, name, bytes);
}

/* Sections that are needed to run. Tables for unwinding are not: nobody unwinds through a kernel.
 * Some assemblers do not mark them by their type. */
static bool is_placed(const struct loading *l, const Elf64_Shdr *s) {
    return (s->sh_flags & SHF_ALLOC) && s->sh_size && s->sh_type != SHT_X86_64_UNWIND &&
           s->sh_type != SHT_NOTE && !named(l, s, ".eh_frame");
}

static bool place_section(struct loading *l, unsigned n, size_t *end) {
    const Elf64_Shdr *s = &l->sections[n];
    size_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (s->sh_type != SHT_PROGBITS || (s->sh_flags & (SHF_WRITE | SHF_TLS)))
        return refuse(l, "it has data that can be written");
    if ((align & (align - 1)) || align > PAGE) return refuse(l, "it is damaged");
    *end = (*end + align - 1) & ~(align - 1);
    l->places[n] = *end;
    *end += s->sh_size;
    return true;
}

static bool place_sections(struct loading *l, bool code, size_t *end) {
    for (unsigned i = 0; i < l->head.e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (!is_placed(l, s)) l->places[i] = NOWHERE;
        if (!is_placed(l, s) || !!(s->sh_flags & SHF_EXECINSTR) != code) continue;
        if (!place_section(l, i, end)) return false;
    }
    return true;
}

static size_t page_end(size_t at) { return (at + PAGE - 1) & ~(size_t)(PAGE - 1); }

/* Code and jumps, then data and addresses. */
static bool place(struct loading *l) {
    size_t end = 0;
    if (!place_sections(l, true, &end)) return false;
    l->jumps = (end + 15) & ~(size_t)15;
    end = l->code_bytes = page_end(l->jumps + l->nsymbols * LINK_BYTES);
    if (!place_sections(l, false, &end)) return false;
    l->addresses = (end + 15) & ~(size_t)15;
    l->bytes = page_end(l->addresses + l->nsymbols * LINK_BYTES);
    if (l->bytes > MOST_BYTES) return refuse(l, "it is too large");
    l->pages = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (l->pages == MAP_FAILED) {
        l->pages = NULL;
        return refuse(l, "there is no memory");
    }
    for (unsigned i = 0; i < l->head.e_shnum; i++)
        if (l->places[i] != NOWHERE)
            memcpy(l->pages + l->places[i], l->object + l->sections[i].sh_offset,
                   l->sections[i].sh_size);
    return true;
}

/* ---- relocating (System V ABI for AMD64, 4.4) ---- */

static bool symbol_address(struct loading *l, const Elf64_Sym *s, uintptr_t *address) {
    *address = 0;
    if (s->st_shndx == SHN_UNDEF) {
        const char *name = symbol_name(l, s);
        *address = name ? find_callable(name) : 0;
        return *address || refuse(l, "it calls a function that the driver does not offer");
    }
    if (s->st_shndx >= l->head.e_shnum || l->places[s->st_shndx] == NOWHERE ||
        s->st_value > l->sections[s->st_shndx].sh_size)
        return refuse(l, "it is damaged");
    *address = (uintptr_t)l->pages + l->places[s->st_shndx] + s->st_value;
    return true;
}

/* Where the symbol's address is stored. */
static uintptr_t stored_address(struct loading *l, size_t symbol, uintptr_t address) {
    char *at = l->pages + l->addresses + symbol * LINK_BYTES;
    memcpy(at, &address, sizeof address);
    return (uintptr_t)at;
}

/* A jump to it, for calls of what may be more than 2 GiB away: jmp *stored(%rip). */
static uintptr_t jump(struct loading *l, size_t symbol, uintptr_t address) {
    char *at = l->pages + l->jumps + symbol * LINK_BYTES;
    static const unsigned char opcode[] = {0xff, 0x25};
    int32_t distance =
        (int32_t)(stored_address(l, symbol, address) - ((uintptr_t)at + sizeof opcode + 4));
    memcpy(at, opcode, sizeof opcode);
    memcpy(at + sizeof opcode, &distance, sizeof distance);
    return (uintptr_t)at;
}

static bool put(struct loading *l, const Elf64_Shdr *target, size_t place, const Elf64_Rela *r,
                uint64_t value, unsigned bytes) {
    int64_t narrow = (int64_t)value;
    if (r->r_offset > target->sh_size || bytes > target->sh_size - r->r_offset)
        return refuse(l, "it is damaged");
    if (bytes == 4 && narrow != (int32_t)narrow) return refuse(l, "its parts lie too far apart");
    memcpy(l->pages + place + r->r_offset, &value, bytes);
    return true;
}

static bool relocate(struct loading *l, const Elf64_Shdr *target, size_t place,
                     const Elf64_Rela *r) {
    size_t n = ELF64_R_SYM(r->r_info);
    uintptr_t s, at = (uintptr_t)l->pages + place + r->r_offset;
    uint64_t a = (uint64_t)r->r_addend;
    Elf64_Sym symbol;
    if (!read_symbol(l, n, &symbol) || !symbol_address(l, &symbol, &s)) return false;
    switch (ELF64_R_TYPE(r->r_info)) {
    case R_X86_64_64: return put(l, target, place, r, s + a, 8);
    case R_X86_64_PC64: return put(l, target, place, r, s + a - at, 8);
    case R_X86_64_PC32: return put(l, target, place, r, s + a - at, 4);
    case R_X86_64_PLT32:
        if (symbol.st_shndx == SHN_UNDEF) s = jump(l, n, s);
        return put(l, target, place, r, s + a - at, 4);
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return put(l, target, place, r, stored_address(l, n, s) + a - at, 4);
    }
    return refuse(l, "it holds a relocation of another code model");
}

static bool relocate_section(struct loading *l, const Elf64_Shdr *s) {
    if (s->sh_info >= l->head.e_shnum) return refuse(l, "it is damaged");
    const Elf64_Shdr *target = &l->sections[s->sh_info];
    if (l->places[s->sh_info] == NOWHERE) return true;
    for (uint64_t i = 0; i < s->sh_size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        memcpy(&r, l->object + s->sh_offset + i * sizeof r, sizeof r);
        if (!relocate(l, target, l->places[s->sh_info], &r)) return false;
    }
    return true;
}

static bool relocate_all(struct loading *l) {
    for (unsigned i = 0; i < l->head.e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type == SHT_REL) return refuse(l, "it is no object for this processor");
        if (s->sh_type == SHT_RELA && !relocate_section(l, s)) return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool protect(struct loading *l) {
    return (!mprotect(l->pages, l->code_bytes, PROT_READ | PROT_EXEC) &&
            !mprotect(l->pages + l->code_bytes, l->bytes - l->code_bytes, PROT_READ)) ||
           refuse(l, "memory may not be made executable");
}

static bool find_function(struct loading *l, const char *name, void **function) {
    for (size_t i = 0; i < l->nsymbols; i++) {
        Elf64_Sym s;
        uintptr_t address;
        if (!read_symbol(l, i, &s)) return false;
        const char *found = symbol_name(l, &s);
        if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || !found || strcmp(found, name) != 0) continue;
        if (!symbol_address(l, &s, &address)) return false;
        if (address - (uintptr_t)l->pages >= l->jumps) break;
        *function = (void *)address;
        return true;
    }
    return refuse(l, "the function is not in it");
}

bool elfobject_load(const void *object, size_t size, const char *name, struct elfobject *placed,
                    void **function, const char **why) {
    struct loading l = {.object = object, .size = size};
    bool good = read_head(&l) && read_symbols(&l) && place(&l) && relocate_all(&l) &&
                find_function(&l, name, function) && protect(&l);
    free(l.sections);
    free(l.places);
    *placed = (struct elfobject){l.pages, l.pages ? l.bytes : 0};
    *why = l.why;
    if (!good) elfobject_unload(placed);
    return good;
}

void elfobject_unload(struct elfobject *placed) {
    if (placed->pages) munmap(placed->pages, placed->bytes);
    *placed = (struct elfobject){0};
}
