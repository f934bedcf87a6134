/** @file sample_store.c  Keeps a samples file (sample_store.h). */
#include "sample_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/text_file.h"
#include "predictor/cli/command.h"

static enum nereus_status fail_file(struct nereus_error *err, const char *path, const char *what)
{
    return nereus_fail(err, NEREUS_ERR_IO, "%s cannot be %s: %s", path, what, strerror(errno));
}

static enum nereus_status check_header(struct nereus_sample_store *store, const char *line,
                                       struct nereus_error *err)
{
    if (nereus_samples_header_fits(line, &store->per_process))
        return NEREUS_OK;
    return nereus_fail(
        err, NEREUS_ERR_PARSE,
        "%s, line 1: these are not the columns that a calibration writes, so that it cannot "
        "be continued%s; name another file",
        store->path,
        strcmp(line, nereus_samples_header(false)) == 0 ? " with processes of several cores" : "");
}

static enum nereus_status check_cluster(const char *path, const char *cluster,
                                        const struct nereus_samples *samples,
                                        struct nereus_error *err)
{
    for (int64_t i = 0; i < samples->count; i++) {
        if (strcmp(samples->rows[i].cluster, cluster) != 0) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "%s, line %lld: measured on '%s', and this is '%s'; name another file, or "
                "the cluster with --cluster",
                path, (long long)samples->rows[i].line, samples->rows[i].cluster, cluster);
        }
    }
    return NEREUS_OK;
}

static enum nereus_status flush_store(struct nereus_sample_store *store, struct nereus_error *err)
{
    if (fflush(store->stream) != 0 || fsync(fileno(store->stream)) != 0)
        return fail_file(err, store->path, "written to");
    return NEREUS_OK;
}

static enum nereus_status write_header(struct nereus_sample_store *store, struct nereus_error *err)
{
    fprintf(store->stream, "%s\n", nereus_samples_header(store->per_process));
    return flush_store(store, err);
}

/* Read the header line.
 * @param[out] half  it was not written to its end */
static enum nereus_status read_header(struct nereus_sample_store *store, bool *half,
                                      struct nereus_error *err)
{
    struct nereus_text_file file;
    char *line;
    NEREUS_TRY(nereus_text_open(store->path, "samples file", &file, err));
    file.is_appended_to = true;
    enum nereus_status status = nereus_text_read_line(&file, &line, err);
    if (status == NEREUS_OK) {
        line = line != NULL ? line : (char[]){""};
        *half = !file.terminated && strncmp(line, nereus_samples_header(true), strlen(line)) == 0;
        status = *half ? NEREUS_OK : check_header(store, line, err);
    }
    nereus_text_close(&file);
    return status;
}

/* Make a last line without newline a comment: the process that wrote it was killed, and its last
 * number may be truncated. */
static enum nereus_status continue_file(struct nereus_sample_store *store, const char *cluster,
                                        struct nereus_samples *samples, struct nereus_error *err)
{
    bool half_header = false;
    enum nereus_status status = read_header(store, &half_header, err);
    if (status == NEREUS_OK && !nereus_samples_repair_last_line(fileno(store->stream)))
        status = fail_file(err, store->path, "mended");
    if (status == NEREUS_OK) {
        status = half_header ? write_header(store, err)
                             : nereus_samples_read(store->path, true, samples, err);
    }
    return status == NEREUS_OK ? check_cluster(store->path, cluster, samples, err) : status;
}

enum nereus_status nereus_sample_store_path(const char *profile, const char *given,
                                            char path[PATH_MAX], struct nereus_error *err)
{
    size_t stem = strlen(profile);
    if (nereus_text_has_ending(profile, ".json"))
        stem -= 5;
    const int length = given != NULL ? snprintf(path, PATH_MAX, "%s", given)
                                     : snprintf(path, PATH_MAX, "%.*s.csv", (int)stem, profile);
    return length < PATH_MAX ? NEREUS_OK
                             : nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long",
                                           given != NULL ? given : profile);
}

enum nereus_status nereus_sample_store_lock(const char *path, struct nereus_sample_store *store,
                                            struct nereus_error *err)
{
    struct stat found;
    int descriptor;
    *store = (struct nereus_sample_store){.path = path};
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) {
        return nereus_fail(err, NEREUS_ERR_IO, "%s is a %s, which keeps nothing: name a file", path,
                           S_ISFIFO(found.st_mode) ? "pipe" : "device");
    }
    const enum nereus_file_lock lock = nereus_file_open_locked(path, &descriptor, &store->is_own);
    if (lock == NEREUS_FILE_LOCK_BUSY)
        return nereus_fail(err, NEREUS_ERR_BUSY, "another nereus is writing to %s", path);
    if (descriptor < 0)
        return fail_file(err, path, "opened for writing");
    if (lock == NEREUS_FILE_LOCK_NONE) {
        store->is_own = false; /* another process may have written to it */
        nereus_cli_note("%s cannot be locked (%s): let no other nereus write to it meanwhile", path,
                        strerror(errno));
    }
    store->stream = fdopen(descriptor, "a+");
    if (store->stream != NULL)
        return NEREUS_OK;
    close(descriptor);
    return fail_file(err, path, "opened for writing");
}

enum nereus_status nereus_sample_store_read(struct nereus_sample_store *store, const char *cluster,
                                            int64_t cores_per_process,
                                            struct nereus_samples *samples,
                                            struct nereus_error *err)
{
    *samples = (struct nereus_samples){.rows = NULL};
    store->per_process = cores_per_process > 1;
    const bool has_text = fseek(store->stream, 0, SEEK_END) == 0 && ftell(store->stream) > 0;
    const enum nereus_status status =
        has_text ? continue_file(store, cluster, samples, err) : write_header(store, err);
    store->has_header = status == NEREUS_OK;
    if (status != NEREUS_OK)
        nereus_samples_fini(samples);
    return status;
}

enum nereus_status nereus_sample_store_write_provenance(struct nereus_sample_store *store,
                                                        struct nereus_error *err)
{
    if (store->provenance == NULL || store->provenance_written)
        return NEREUS_OK;
    char *line = nereus_provenance_line(store->provenance);
    NEREUS_TRY_MEMORY(line, err, "for a line of %s", store->path);
    fprintf(store->stream, "%s\n", line);
    free(line);
    store->provenance_written = true;
    return flush_store(store, err);
}

enum nereus_status nereus_sample_store_append(struct nereus_sample_store *store,
                                              const struct nereus_samples *rows,
                                              struct nereus_error *err)
{
    enum nereus_status status = nereus_sample_store_write_provenance(store, err);
    for (int64_t i = 0; i < rows->count && status == NEREUS_OK; i++)
        status = nereus_samples_write_row(store->stream, &rows->rows[i], store->per_process, err);
    return status == NEREUS_OK ? flush_store(store, err) : status;
}

void nereus_sample_store_close(struct nereus_sample_store *store)
{
    if (store->stream == NULL)
        return;
    const size_t header = strlen(nereus_samples_header(store->per_process)) + 1;
    if (store->is_own && fseek(store->stream, 0, SEEK_END) == 0 &&
        ftell(store->stream) <= (store->has_header ? (long)header : 0))
        unlink(store->path);
    fclose(store->stream);
    store->stream = NULL;
}
