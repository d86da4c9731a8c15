/* What befalls helpers on purpose, while they work. */
#ifndef TESTS_HELPER_MISFORTUNE_H
#define TESTS_HELPER_MISFORTUNE_H

/* From here on helpers get the signal: SIGSTOP at once, so that the next ask ends by its time
 * limit; others as soon as one is compiling. A signal of 0: none do. */
void misfortune_begin(int number);
/* No more. How many helpers got it. */
unsigned misfortune_end(void);

#endif
