#include "misfortune.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "watch.h"

enum { MOST = 16, LOOK_US = 200 };

static pthread_t thread;
static atomic_bool over;
static atomic_uint hit;
static int number;

static void strike(bool busy_only) {
    pid_t pids[MOST];
    int n = watch_find(pids, MOST);
    for (int i = 0; i < n && i < MOST; i++)
        if (!busy_only || watch_compiles(pids[i])) hit += !kill(pids[i], number);
}

static void *wait_for_work(void *unused) {
    while (!over && !hit) {
        strike(true);
        usleep(LOOK_US);
    }
    return unused;
}

void misfortune_begin(int signal_number) {
    number = signal_number;
    over = false;
    hit = 0;
    if (number == SIGSTOP)
        strike(false);
    else if (number)
        CHECK(!pthread_create(&thread, NULL, wait_for_work, NULL));
}

unsigned misfortune_end(void) {
    over = true;
    if (number && number != SIGSTOP) pthread_join(thread, NULL);
    return hit;
}
