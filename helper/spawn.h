/* Starting a process that the host never meets: no child that it can wait for, no SIGCHLD, nothing
 * inherited but what is given. */
#ifndef SIMTCL_SPAWN_H
#define SIMTCL_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

enum { SPAWN_SOCKET = 3 }; /* the descriptor at which the new process finds its end */

struct spawn_process {
    int socket; /* this process's end of a stream socket */
    int pidfd;  /* -1: the kernel has none */
    pid_t
        reap; /* not 0: this process is init, to which it was given; it is waited for in the end */
};

/* Runs the file with these arguments and this environment, in "/", with a process group of its
 * own, every signal blocked, the affinity of this process's first thread, /dev/null for input,
 * output and (unless it is to be kept) errors. False: *why says which step failed, errno says why;
 * nothing is left behind. Takes as long as exec; may be called on a thread with little stack. */
bool spawn_process(const char *path, char *const arguments[], char *const environment[],
                   bool keep_errors, struct spawn_process *made, const char **why);
/* Ends it, if it has not ended, and leaves no trace of it. Does not wait for a process that is to
 * be given away. */
void spawn_end(struct spawn_process *process);

#endif
