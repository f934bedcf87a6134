/** @file cmd_checkpoints.c  The command nereus job checkpoints: lists the checkpoints from which a
 * job can continue. */
#include <sys/stat.h>
#include <time.h>

#include "model/util/strings.h"
#include "nereus/checkpoint.h"
#include "predictor/cli/command.h"

struct settings {
    bool verify;
    int format;
};

static const struct nereus_option table[] = {
    {"verify", 0, NEREUS_OPTION_FLAG, NULL, "read all files, and compare them with their checksums",
     offsetof(struct settings, verify), NULL},
    NEREUS_FORMAT_OPTION(offsetof(struct settings, format)),
};

/* A checkpoint in the list. */
struct entry {
    int64_t number, bytes;
    struct nereus_checkpoint manifest; /* zero unless `readable` */
    bool readable, is_complete;
    struct nereus_error err; /* why it is not complete */
};

#define COLUMNS(X)                                                                                 \
    X("number", "number", NULL, nereus_cell_integer(entry->number))                                \
    X("written_s", "written", NULL,                                                                \
      nereus_cell_if(readable, text ? nereus_cell_text(written) : nereus_cell_real(m->written_s))) \
    X("processes", "processes", NULL, nereus_cell_if(readable, nereus_cell_integer(m->processes))) \
    X("points", "points", NULL, nereus_cell_if(readable, nereus_cell_integer(m->points)))          \
    X("bytes", "bytes", NULL, nereus_cell_if(readable, nereus_cell_integer(entry->bytes)))         \
    X("restarts", "restarts", NULL, nereus_cell_if(readable, nereus_cell_integer(m->restarts)))    \
    X("program", "program", NULL, nereus_cell_if(readable, nereus_cell_text(program)))             \
    X("whole", "whole", NULL, nereus_cell_bool(entry->is_complete))                                \
    X("sentence", "sentence", NULL,                                                                \
      nereus_cell_if(!text && !entry->is_complete, nereus_cell_text(entry->err.text)))

/* Format local time; NULL: the year is outside the calendar. */
static const char *format_local_time(double seconds, char text[32])
{
    const double most = 253402300799; /* the end of the year 9999 */
    const time_t calendar_s = seconds <= most ? (time_t)seconds : 0;
    struct tm local;
    return seconds <= most && localtime_r(&calendar_s, &local) != NULL &&
                   strftime(text, 32, "%Y-%m-%d %H:%M:%S", &local) > 0
               ? text
               : NULL;
}

/* @param text  the table is for people: the program is named without its folders */
static void add_row(struct nereus_table *rows, const struct entry *entry, bool text)
{
    const struct nereus_checkpoint *m = &entry->manifest;
    const bool readable = entry->readable;
    char storage[32];
    const char *written = format_local_time(m->written_s, storage),
               *slash = strrchr(m->program, '/');
    const char *program = text && slash != NULL ? slash + 1 : m->program;
    NEREUS_TABLE_ADD(rows, COLUMNS);
}

/* Sum of the bytes of all files, limited because files with holes may exceed an int64_t. */
static void add_bytes(int64_t *sum, int64_t bytes)
{
    if (__builtin_add_overflow(*sum, bytes, sum))
        *sum = INT64_MAX;
}

static void read_checkpoint(const char *path, bool verify, struct entry *entry)
{
    struct nereus_checkpoint *m = &entry->manifest;
    entry->readable = nereus_checkpoint_read(path, m, &entry->err) == NEREUS_OK;
    entry->is_complete =
        entry->readable && (!verify || nereus_checkpoint_verify(path, m, &entry->err) == NEREUS_OK);
    add_bytes(&entry->bytes, m->state.bytes);
    for (int64_t i = 0; i < m->object_count; i++) {
        add_bytes(&entry->bytes, m->objects[i].values.bytes);
        add_bytes(&entry->bytes, m->objects[i].index.bytes);
    }
}

/* Checkpoints that were found in a folder. */
struct list {
    struct nereus_table rows;
    int64_t count, complete_count;
    struct nereus_strings sentences; /* why some are not complete */
};

/* Add a checkpoint, unless it no longer exists: a running job removes old ones. */
static void list_one(struct list *list, const char *folder, struct entry *entry,
                     const struct settings *settings)
{
    const bool text = settings->format == NEREUS_FORMAT_TEXT;
    char path[PATH_MAX];
    if (nereus_checkpoint_newest(folder, entry->number + 1, path) == entry->number) {
        add_row(&list->rows, entry, text);
        if (!entry->is_complete && text)
            nereus_strings_add(&list->sentences, entry->err.text);
        list->complete_count += entry->is_complete;
        list->count++;
    }
    nereus_checkpoint_fini(&entry->manifest);
}

/* List all checkpoints of a folder, or the one that is named. */
static void list_all(struct list *list, const char *given, const struct settings *settings)
{
    char path[PATH_MAX], folder[PATH_MAX];
    const int64_t only = nereus_checkpoint_split_path(given, folder);
    NEREUS_TABLE_INIT(&list->rows, COLUMNS);
    int64_t number = nereus_checkpoint_newest(folder, only > 0 ? only + 1 : INT64_MAX, path);
    while (number > 0 && number >= only) {
        struct entry entry = {.number = number};
        read_checkpoint(path, settings->verify, &entry);
        list_one(list, folder, &entry, settings);
        number = nereus_checkpoint_newest(folder, number, path);
    }
}

static bool print_list(struct list *list, int format)
{
    const bool printed = nereus_table_print(&list->rows, (enum nereus_format)format, stdout);
    for (size_t i = 0; i < list->sentences.count && list->sentences.words != NULL; i++)
        nereus_print_wrapped(stdout, 2, "%s", list->sentences.words[i]);
    nereus_strings_free(list->sentences.words);
    return printed && !list->sentences.broken;
}

/* Report why there is no checkpoint to list. */
static int fail_without(const char *folder)
{
    char parent[PATH_MAX];
    struct stat file_status;
    if (stat(folder, &file_status) != 0)
        return nereus_cli_fail("the folder '%s' cannot be read: %s", folder, strerror(errno));
    if (!S_ISDIR(file_status.st_mode))
        return nereus_cli_fail("'%s' is not a folder", folder);
    if (nereus_checkpoint_split_path(folder, parent) > 0)
        return nereus_cli_fail("'%s' has no manifest.json: it was not written to its end", folder);
    return nereus_cli_fail("there is no checkpoint in '%s'", folder);
}

static const char help[] =
    "Lists the checkpoints in FOLDER, the newest first, or the one that is named, and whether each "
    "is whole: its manifest can be read, and its files have their sizes. A job goes on from the "
    "newest that is. The status is 1 if none is whole.";

static const struct nereus_plain_line plain = {"FOLDER", help, table, NEREUS_COUNT_OF(table), 1, 1};

int nereus_cmd_job_checkpoints(int argc, char **argv)
{
    struct settings settings = {.format = NEREUS_FORMAT_TEXT};
    struct nereus_arguments words;
    struct list list = {0};
    int status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &status))
        return status;
    const char *folder = words.items[0];
    list_all(&list, folder, &settings);
    if (list.count == 0) {
        nereus_table_fini(&list.rows);
        return fail_without(folder);
    }
    if (!print_list(&list, settings.format))
        return nereus_cli_fail("no memory for the list");
    char parent[PATH_MAX];
    if (list.complete_count > 0)
        return NEREUS_EXIT_OK;
    return nereus_checkpoint_split_path(folder, parent) > 0
               ? nereus_cli_fail("'%s' is not whole", folder)
               : nereus_cli_fail("no checkpoint in '%s' is whole", folder);
}
