/**
 * @file process.h
 * Reads about processes from /proc, and finds the file of a program.
 */
#pragma once

#include "model/util/base.h"

struct nereus_process_stat {
    char name[32]; /**< at most 15 characters */
    char state;    /**< 'Z', 'X': the process has ended */
    long parent;
    unsigned long flags; /**< the kernel's PF_... */
};

/** @return false: there is no such process */
bool nereus_process_read(long pid, struct nereus_process_stat *process);

/** Find the program that execvp would start.
 * @param folder  base of a relative path; NULL: the current folder.
 * @return false, with errno */
bool nereus_program_search(const char *name, const char *folder, char *path, size_t size);
