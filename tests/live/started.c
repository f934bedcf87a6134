/**
 * @file started.c
 * started: a job of one process that grows and is replaced by each way to start processes; every
 * new process has the name, arguments, environment and folder that the first one had, and no
 * command line on this host shows the environment variable SECRET.
 */
#include <dirent.h>
#include <nereus.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct nereus_resize schedule[] = {
    {2, 2, "merge/coll"}, {4, 1, "merge/coll"},     {6, 2, "merge-launch/coll"},
    {8, 1, "merge/coll"}, {10, 1, "baseline/coll"}, {12, 1, "baseline-launch/coll"},
};
enum { LAST = 14, CHANGES = sizeof schedule / sizeof *schedule };

static void add(char **text, size_t *length, const char *value)
{
    const size_t bytes = strlen(value) + 1;
    *text = realloc(*text, *length + bytes);
    if (*text == NULL)
        abort();
    memcpy(*text + *length, value, bytes);
    *length += bytes;
}

static void add_variable(char **text, size_t *length, const char *name)
{
    const char *value = getenv(name);
    add(text, length, name);
    add(text, length, value != NULL ? value : "(not set)");
}

/* What this process was started with. */
static char *describe(int argc, char **argv, size_t *length)
{
    char *text = NULL, folder[4096] = "?";
    for (int i = 0; i < argc; i++)
        add(&text, length, argv[i]);
    add_variable(&text, length, "WRAPPED");
    add_variable(&text, length, "SECRET");
    add_variable(&text, length, "LARGE");
    add_variable(&text, length, "PWD");
    if (getcwd(folder, sizeof folder) != NULL)
        add(&text, length, folder);
    return text;
}

static bool is_shown(const char *process, const char *secret)
{
    char path[300], text[1 << 16];
    snprintf(path, sizeof path, "/proc/%s/cmdline", process);
    FILE *file = fopen(path, "re");
    const size_t length = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file != NULL)
        fclose(file);
    return memmem(text, length, secret, strlen(secret)) != NULL;
}

static bool keeps_secret(void)
{
    const char *secret = getenv("SECRET");
    DIR *processes = secret != NULL ? opendir("/proc") : NULL;
    bool kept = true;
    for (struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;)
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name))
            kept = kept && !is_shown(entry->d_name, secret);
    if (processes != NULL)
        closedir(processes);
    return kept;
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    nereus_job *job = NULL;
    size_t length = 0, first_length = 0;
    char *text = describe(argc, argv, &length);
    bool passed = keeps_secret();
    if (!passed)
        fprintf(stderr, "started: a command line shows SECRET\n");
    options.schedule = schedule;
    options.schedule_count = CHANGES;
    options.user_state = text;
    options.user_state_bytes = length;
    if (chdir("/") != 0 || nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 1;
    const char *first = nereus_user_state(job, &first_length);
    if (first_length != length || memcmp(first, text, length) != 0) {
        fprintf(stderr, "started: not what the first process was started with:");
        for (size_t i = 0; i < length; i += strlen(text + i) + 1)
            fprintf(stderr, " '%.60s'", text + i);
        fprintf(stderr, "\n");
        passed = false;
    }
    while (nereus_points(job) < LAST && action != NEREUS_LEAVE)
        if (nereus_point(job, &action) != NEREUS_OK)
            return 1;
    if (action != NEREUS_LEAVE && nereus_reconfigurations(job) != CHANGES) {
        fprintf(stderr, "started: %lld changes of %d\n", (long long)nereus_reconfigurations(job),
                CHANGES);
        passed = false;
    }
    free(text);
    return nereus_finalize(&job) == NEREUS_OK && passed ? 0 : 1;
}
