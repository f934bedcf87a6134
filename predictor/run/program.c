/**
 * @file program.c
 * Finds the programs that belong to this `nereus`, whose relative places are the same in a build
 * tree and an installed one, and queries nereus-sam about a configuration.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "model/util/process.h"
#include "model/util/values.h"
#include "nereus_mpi_config.h"

enum nereus_status nereus_program_find(enum nereus_program_place place, const char *name,
                                       char *path, struct nereus_error *err)
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) {
        return nereus_fail(err, NEREUS_ERR_IO, "this program's own folder is not known: %s",
                           strerror(errno));
    }
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    *(slash != NULL ? slash : own) = '\0';
    const char *between = place == NEREUS_PROGRAM_BIN ? "" : "/../libexec/nereus";
    const int written = name[0] == '/' ? snprintf(path, PATH_MAX, "%s", name)
                                       : snprintf(path, PATH_MAX, "%s%s/%s", own, between, name);
    if (written >= PATH_MAX)
        return nereus_fail(err, NEREUS_ERR_IO, "the path of %s is too long", name);
    struct stat file_status;
    if (stat(path, &file_status) == 0 && S_ISREG(file_status.st_mode) && access(path, X_OK) == 0)
        return NEREUS_OK;
    if (!NEREUS_HAVE_MPI) {
        return nereus_fail(
            err, NEREUS_ERR_UNSUPPORTED,
            "this nereus was built without MPI and cannot run MPI programs (%s); build it where an "
            "MPI is installed",
            name);
    }
    return nereus_fail(err, NEREUS_ERR_IO,
                       "%s is missing or cannot be executed; build or install Nereus again", path);
}

bool nereus_program_is_on_path(const char *name)
{
    char file[PATH_MAX];
    return nereus_program_search(name, NULL, file, sizeof file);
}

/* First line that a helper program prints to each stream. */
struct captured {
    char output[64];
    char error[512];
};

static void store_first_line(void *user, const char *line, bool is_stderr)
{
    struct captured *captured = user;
    char *text = is_stderr ? captured->error : captured->output;
    size_t bytes = is_stderr ? sizeof captured->error : sizeof captured->output;
    if (text[0] == '\0') {
        /* Replace nereus-sam's prefix by this command's. */
        const char *own = "nereus-sam: ";
        snprintf(text, bytes, "%s", nereus_text_begins_with(line, own) ? line + strlen(own) : line);
    }
}

enum nereus_status nereus_sam_query(const char *program, const char *file, int64_t *processes,
                                    struct nereus_error *err)
{
    const char *const argv[] = {program, "--processes", "--", file, NULL};
    struct captured captured = {.output = ""};
    const struct nereus_child child = {
        .argv = argv, .limit_s = 30, .on_line = store_first_line, .user = &captured};
    struct nereus_child_result result;
    char outcome[96];
    NEREUS_TRY(nereus_child_run(&child, &result, err));
    if (result.exit_status != 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s",
                           captured.error[0] != '\0'
                               ? captured.error
                               : nereus_child_format_outcome(&child, &result, outcome));
    }
    return nereus_value_parse_integer("the number of processes that nereus-sam gave",
                                      captured.output, 1, processes, err);
}
