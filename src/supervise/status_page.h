/**
 * @file status_page.h
 * Makes the status page for the watchdogs of other hosts (src/link/progress_line.h): one text per
 * process that has waited in the same call for long.
 */
#pragma once

#include "model/util/base.h"

struct status_entry {
    char host[64];
    long pid;
    char *text; /* owned */
    double at_s;
};

struct status_page {
    struct status_entry *entries; /* owned */
    size_t count;
};

/** Replace the text of a process; NULL: remove it. */
void status_page_store(struct status_page *page, const char *host, long pid, const char *text);
/** Send the entries of other hosts in one line: ages in seconds and texts. */
void status_page_answer(const struct status_page *page, const char *host, int fd);
/** Free the entries. */
void status_page_fini(struct status_page *page);
