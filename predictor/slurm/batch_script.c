/** @file batch_script.c  See batch_script.h. */
#include "batch_script.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/ask/folder.h"
#include "model/util/try.h"

bool nereus_is_shell_script(const char *text)
{
    static const char env[] = "/usr/bin/env";
    static const char blanks[] = " \t";
    if (strncmp(text, "#!", 2) != 0) {
        return false;
    }
    const char *word = text + 2 + strspn(text + 2, blanks); /* "#! /bin/sh" is one, too */
    if (strncmp(word, env, strlen(env)) == 0) {
        word += strlen(env);
        word += strspn(word, blanks);
    }
    const size_t length = strcspn(word, " \t\n");
    return length >= 2 && strncmp(word + length - 2, "sh", 2) == 0;
}

/* The name with a number for "%j" is a name of a job. */
static enum nereus_status check_name(const char *name, struct nereus_error *err)
{
    const char *number = strstr(name, "%j");
    char text[2 * NEREUS_JOB_NAME_MAX];
    const int before = number != NULL ? (int)(number - name) : (int)strlen(name);
    snprintf(text, sizeof text, "%.*s%s%s", before, name, number != NULL ? "1234567" : "",
             number != NULL ? number + 2 : "");
    return nereus_job_name_check(text, err);
}

/* Does a comment, or nothing, stand in this line? */
static bool is_comment(const char *line)
{
    const char first = line[strspn(line, " \t\r")];
    return first == '#' || first == '\n';
}

/* The user's leading comments, with the options of #SBATCH: Slurm reads on until a command. */
static size_t header_of(const char *script)
{
    size_t at = 0;
    while (is_comment(script + at)) {
        at += strcspn(script + at, "\n");
        at += script[at] == '\n';
    }
    return at;
}

static void write_options(const struct nereus_batch *batch, FILE *to)
{
    const char *number = strstr(batch->name, "%j");
    const int before = number != NULL ? (int)(number - batch->name) : (int)strlen(batch->name);
    if (before > 0) {
        fprintf(to, "#SBATCH --job-name=%.*s\n",
                before - (number != NULL && before > 1 && number[-1] == '-'), batch->name);
    }
    fprintf(to, "#SBATCH --comment=\"" NEREUS_SLURM_COMMENT "%s\"\n", batch->name);
    fprintf(to, "#SBATCH --ntasks=%" PRId64 "\n", batch->sizes.minimum);
    if (batch->slurm_options != NULL) {
        fprintf(to, "#SBATCH %s\n", batch->slurm_options);
    }
}

static void write_variables(const struct nereus_batch *batch, FILE *to)
{
    const struct nereus_sizes *sizes = &batch->sizes;
    const char *number = strstr(batch->name, "%j");
    const int before = number != NULL ? (int)(number - batch->name) : (int)strlen(batch->name);
    fprintf(to, "export NEREUS_JOB=\"%.*s%s%s\"\n", before, batch->name,
            number != NULL ? "${SLURM_JOB_ID}" : "", number != NULL ? number + 2 : "");
    fprintf(to, "export NEREUS_SIZES=minimum=%" PRId64, sizes->minimum);
    if (sizes->maximum > 0) {
        fprintf(to, ",maximum=%" PRId64, sizes->maximum);
    }
    if (sizes->multiple_of > 1) {
        fprintf(to, ",multiple-of=%" PRId64, sizes->multiple_of);
    }
    fputs(sizes->powers_of_two ? ",powers-of-two\n" : "\n", to);
    fputs("# Slurm hands on the submitting host's folder, which may not be on this one.\n"
          "[ -d \"${XDG_RUNTIME_DIR-}\" ] || unset XDG_RUNTIME_DIR\n",
          to);
}

static void write_quoted(const char *word, FILE *to)
{
    putc('\'', to);
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\''", to);
        } else {
            putc(*word, to);
        }
    }
    putc('\'', to);
}

static void write_program(const struct nereus_batch *batch, FILE *to)
{
    fputs("exec ", to);
    write_quoted(batch->mpiexec, to);
    fprintf(to, " -n %" PRId64, batch->sizes.minimum);
    for (const char *const *word = batch->program; *word != NULL; word++) {
        putc(' ', to);
        write_quoted(*word, to);
    }
    putc('\n', to);
}

enum nereus_status nereus_batch_write(const struct nereus_batch *batch, char **text,
                                      struct nereus_error *err)
{
    size_t length;
    NEREUS_TRY(check_name(batch->name, err));
    const size_t header = batch->script != NULL ? header_of(batch->script) : 0;
    FILE *to = open_memstream(text, &length);
    NEREUS_TRY_MEMORY(to, err, "for a batch script");
    if (batch->script != NULL) {
        fwrite(batch->script, 1, header, to);
        fputs(header > 0 && batch->script[header - 1] != '\n' ? "\n" : "", to);
    } else {
        fputs("#!/bin/sh\n", to);
    }
    write_options(batch, to);
    write_variables(batch, to);
    if (batch->script != NULL) {
        fputs(batch->script + header, to);
    } else {
        write_program(batch, to);
    }
    const bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed) {
        free(*text);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a batch script");
    }
    return NEREUS_OK;
}
