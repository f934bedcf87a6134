/*
 * Where processes that stay at one place for long are, as they have told: a text for each, which
 * others read (src/link/progress_line.h). Private to src/guard.
 */
#ifndef NEREUS_BOARD_H
#define NEREUS_BOARD_H

#include <stddef.h>

struct board_note {
    char host[64];
    long pid;
    char *text; /* owned */
    double at_s;
};

struct board {
    struct board_note *notes; /* owned */
    size_t count;
};

/* Keep the text of a process instead of an earlier one; NULL: forget it. */
void board_put(struct board *board, const char *host, long pid, const char *text);
/* All notes of other hosts in one line: their ages in seconds and texts, as words. */
void board_answer(const struct board *board, const char *host, int fd);
void board_fini(struct board *board);

#endif
