#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/simtcl-cache-XXXXXX";
static pid_t maker;

static void clean(void) {
    if (getpid() != maker) return;
    folder_empty();
    rmdir(path);
}

const char *folder_use(const char *megabytes) {
    if (!maker) {
        if (!mkdtemp(path)) exit(EXIT_FAILURE);
        maker = getpid();
        atexit(clean);
    }
    folder_empty();
    setenv("SIMTCL_CACHE_DIR", path, 1);
    setenv("SIMTCL_CACHE", megabytes, 1);
    return path;
}

const char *folder_file(const char *begin, unsigned n) {
    static char file[512];
    DIR *dir = opendir(path);
    const char *found = NULL;
    for (struct dirent *d; dir && !found && (d = readdir(dir));) {
        if (d->d_name[0] == '.' || strncmp(d->d_name, begin, strlen(begin)) != 0 || n-- > 0)
            continue;
        snprintf(file, sizeof file, "%s/%s", path, d->d_name);
        found = file;
    }
    if (dir) closedir(dir);
    return found;
}

unsigned folder_count(const char *begin) {
    unsigned n = 0;
    while (folder_file(begin, n)) n++;
    return n;
}

void folder_empty(void) {
    for (const char *file; (file = folder_file("", 0));)
        if (unlink(file) && rmdir(file)) break;
}

size_t folder_bytes(void) {
    size_t bytes = 0;
    const char *file;
    for (unsigned n = 0; (file = folder_file("", n)); n++) {
        struct stat st;
        if (!stat(file, &st)) bytes += (size_t)st.st_size;
    }
    return bytes;
}

size_t folder_read(const char *file, char *bytes) {
    FILE *f = fopen(file, "rb");
    if (!f) return 0;
    size_t size = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    return size;
}

void folder_write(const char *file, const char *bytes, size_t size) {
    FILE *f = fopen(file, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f)) exit(EXIT_FAILURE);
}
