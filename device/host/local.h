/* Variables of threads that are asked for at every turn. Private to device/ and the runtime. */
#ifndef SIMTCL_LOCAL_H
#define SIMTCL_LOCAL_H

/* Found without a call, which could allocate too, also in a library that is loaded late: of such
 * room there is little in a process, so they are few and small. */
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

#endif
