/* Forks of the host's process: what is to be locked over one, and forgotten in the child. Private
 * to device/ and the runtime. */
#ifndef SIMTCL_FORKS_H
#define SIMTCL_FORKS_H

/* Like pthread_atfork's arguments, all given. Static: it is never taken away. */
struct forks_watch {
    void (*before)(void), (*in_parent)(void), (*in_child)(void);
    struct forks_watch *next; /* for forks.c */
};

/* From now on forks call what the watch says, of several the last one's `before` first. Once is
 * enough and twice is no harm: another thread may fork in the middle of what registers it, and the
 * child, to which that has not happened, begins anew. */
void forks_watch(struct forks_watch *watch);

#endif
