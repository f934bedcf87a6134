/**
 * @file manifest.c
 * Reads and writes manifest.json by tables of its members. It is written as the last file: a folder
 * with it counts as a checkpoint. The reader refuses any doubtful value, because the next attempt
 * of a job reads its data from where the manifest says.
 */
#include "manifest.h"

#include <sys/stat.h>

#include "model/util/file.h"
#include "model/util/json_table.h"

static const char *const kinds[] = {"constant", "variable"};
static const char *const placements[] = {"distributed", "replicated", "application"};
static const char *const shapes[] = {"array",   "rows",   "columns", "csr",  "csc",
                                     "indices", "values", "custom",  "field"};

void nereus_checkpoint_fini(struct nereus_checkpoint *checkpoint)
{
    free(checkpoint->hosts);
    free(checkpoint->objects);
    memset(checkpoint, 0, sizeof *checkpoint);
}

bool nereus_manifest_make_path(const char *path, const char *name, char *file)
{
    const int length = snprintf(file, PATH_MAX, "%s/%s", path, name);
    return length > 0 && length < PATH_MAX;
}

static bool is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return name[0] != '\0' && name[0] != '.' && name[strspn(name, plain)] == '\0';
}

char *nereus_checkpoint_file_name(const char *object, int64_t k, const char *suffix, char *file)
{
    /* names that another object or file may have: "state", "object-2" */
    const bool taken = strcmp(object, "state") == 0 || strncmp(object, "object-", 7) == 0;
    const int length = snprintf(file, NEREUS_CHECKPOINT_FILE_MAX, "%s%s", object, suffix);
    if (length >= NEREUS_CHECKPOINT_FILE_MAX || taken || !is_plain(object))
        snprintf(file, NEREUS_CHECKPOINT_FILE_MAX, "object-%lld%.32s", (long long)k, suffix);
    return file;
}

/* ---- files ---- */

static void read_crc32(struct nereus_json_reader *r, const json_t *object,
                       const struct nereus_json_member *member, void *target)
{
    int64_t crc32 = 0;
    nereus_json_read_integer(r, object, member->key, 0, UINT32_MAX, &crc32);
    *(uint32_t *)target = (uint32_t)crc32;
}

static json_t *make_crc32(const struct nereus_json_member *member, const void *target)
{
    (void)member;
    return json_integer(*(const uint32_t *)target);
}

static void check_file_name(struct nereus_json_reader *r, const json_t *object, void *values)
{
    const struct nereus_checkpoint_file *file = values;
    (void)object;
    if (!is_plain(file->name) || strcmp(file->name, NEREUS_MANIFEST_NAME) == 0)
        nereus_json_fail(r, "file", "it is not the name of a file in the checkpoint's folder");
}

static const struct nereus_json_member file_members[] = {
#define CHECKPOINT_FILE struct nereus_checkpoint_file
    {"file", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(CHECKPOINT_FILE, name)},
    {"bytes", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(CHECKPOINT_FILE, bytes, 0, INT64_MAX)},
    {"crc32", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN(CHECKPOINT_FILE, crc32, read_crc32, make_crc32)},
#undef CHECKPOINT_FILE
};
static const struct nereus_json_table file_table = {NEREUS_JSON_MEMBERS(file_members),
                                                    check_file_name, NULL};

/* ---- objects ---- */

/* Check that the bytes are those of the elements; custom data has its bytes in its index. */
static void check_bytes(struct nereus_json_reader *r, const struct nereus_checkpoint_object *object)
{
    const struct nereus_data_entry *entry = &object->entry;
    /* the starts of rows are one more than the rows */
    const int64_t more = entry->shape == NEREUS_CSR || entry->shape == NEREUS_CSC ? 1 : 0;
    int64_t bytes;
    if (entry->shape == NEREUS_CUSTOM) {
        if (object->index.name[0] == '\0')
            nereus_json_fail(r, "index", "it is missing, and custom data have one");
        else if (__builtin_mul_overflow(entry->count + 1, INT64_C(8), &bytes) ||
                 bytes != object->index.bytes)
            nereus_json_fail(r, "index", "it does not have 8 bytes for each element and its end");
    } else if (__builtin_mul_overflow(entry->count + more, entry->element_bytes, &bytes) ||
               bytes != object->values.bytes) {
        nereus_json_fail(r, "values", "its bytes are not those of the elements");
    } else if (object->index.name[0] != '\0') {
        nereus_json_fail(r, "index", "only custom data have one");
    }
}

struct dimension {
    int64_t n, block, processes;
};
static const struct nereus_json_member dimension_members[] = {
#define NUMBER(member, min) NEREUS_JSON_INTEGER(struct dimension, member, min, INT64_MAX)
    {"n", NEREUS_JSON_NEEDED, NUMBER(n, 1)},
    {"block", NEREUS_JSON_NEEDED, NUMBER(block, 0)},
    {"processes", NEREUS_JSON_NEEDED, NUMBER(processes, 1)},
#undef NUMBER
};
static const struct nereus_json_table dimension_table = {NEREUS_JSON_MEMBERS(dimension_members),
                                                         NULL, NULL};

static void read_grid(struct nereus_json_reader *r, const json_t *object,
                      const struct nereus_json_member *member, void *target)
{
    struct nereus_grid *grid = target;
    const json_t *list = nereus_json_read_array(r, object, member->key, NEREUS_GRID_DIMENSIONS);
    grid->dimensions = (int64_t)json_array_size(list);
    for (int d = 0; d < grid->dimensions; d++) {
        struct dimension one = {0};
        const size_t mark = nereus_json_enter_element(r, member->key, (size_t)d);
        nereus_json_read_table(r, json_array_get(list, (size_t)d), &dimension_table, &one);
        nereus_json_leave(r, mark);
        grid->n[d] = one.n;
        grid->block[d] = one.block;
        grid->processes[d] = one.processes;
    }
}

static json_t *make_grid(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_grid *grid = target;
    json_t *list = grid->dimensions > 0 ? json_array() : json_null();
    (void)member;
    for (int d = 0; d < grid->dimensions; d++) {
        const struct dimension one = {grid->n[d], grid->block[d], grid->processes[d]};
        json_array_append_new(list, nereus_json_make_table(&dimension_table, &one));
    }
    return list;
}

static void check_object(struct nereus_json_reader *r, const json_t *json, void *values)
{
    const struct nereus_checkpoint_object *object = values;
    if (object->entry.shape != NEREUS_FIELD) {
        if (json_object_get(json, "grid") != NULL)
            nereus_json_fail(r, "grid", "only a field has one");
    } else if (nereus_grid_check(&object->grid, NULL) != NEREUS_OK ||
               nereus_grid_count(&object->grid) != object->entry.count) {
        nereus_json_fail(r, "grid", "its dimensions do not give the number of elements");
    }
    check_bytes(r, object);
}

static const struct nereus_json_member object_members[] = {
#define OBJECT struct nereus_checkpoint_object
    {"name", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(OBJECT, entry.name)},
    {"kind", NEREUS_JSON_NEEDED, NEREUS_JSON_WORD(OBJECT, entry.kind, kinds)},
    {"placement", NEREUS_JSON_NEEDED, NEREUS_JSON_WORD(OBJECT, entry.placement, placements)},
    {"shape", NEREUS_JSON_NEEDED, NEREUS_JSON_WORD(OBJECT, entry.shape, shapes)},
    {"element_bytes", NEREUS_JSON_NEEDED,
     NEREUS_JSON_INTEGER(OBJECT, entry.element_bytes, 1, INT64_MAX)},
    {"count", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(OBJECT, entry.count, 0, INT64_MAX - 1)},
    {"values", NEREUS_JSON_NEEDED, NEREUS_JSON_OBJECT(OBJECT, values, &file_table)},
    {"type", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(OBJECT, type)},
    {"across", NEREUS_JSON_UNLESS_0,
     NEREUS_JSON_INTEGER(OBJECT, entry.undistributed, 1, INT64_MAX)},
    {"grid", 0, NEREUS_JSON_OWN(OBJECT, grid, read_grid, make_grid)},
    {"index", NEREUS_JSON_UNLESS_0, NEREUS_JSON_OBJECT(OBJECT, index, &file_table)},
#undef OBJECT
};
static const struct nereus_json_table object_table = {NEREUS_JSON_MEMBERS(object_members),
                                                      check_object, NULL};

/* ---- the job ---- */

static void check_sizes(struct nereus_json_reader *r, const json_t *object, void *values)
{
    (void)object;
    if (nereus_sizes_check(values, NULL) != NEREUS_OK)
        nereus_json_fail(r, "", "they allow no number of processes");
}

static void read_job(struct nereus_json_reader *r, const json_t *object,
                     const struct nereus_json_member *member, void *target)
{
    char id[24] = "";
    nereus_json_read_string(r, object, member->key, id, sizeof id);
    if (strlen(id) != 16 || id[strspn(id, "0123456789abcdef")] != '\0')
        nereus_json_fail(r, member->key, "it is not a number of 16 hexadecimal digits");
    *(uint64_t *)target = strtoull(id, NULL, 16);
}

static json_t *make_job(const struct nereus_json_member *member, const void *target)
{
    char id[24];
    (void)member;
    snprintf(id, sizeof id, "%016llx", (unsigned long long)*(const uint64_t *)target);
    return nereus_json_text(id);
}

static const struct nereus_json_member sizes_members[] = {
#define SIZES struct nereus_sizes
    {"minimum", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(SIZES, minimum, 0, INT_MAX)},
    {"maximum", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(SIZES, maximum, 0, INT_MAX)},
    {"multiple_of", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(SIZES, multiple_of, 0, INT_MAX)},
    {"powers_of_two", NEREUS_JSON_NEEDED, NEREUS_JSON_BOOLEAN(SIZES, powers_of_two)},
#undef SIZES
};
static const struct nereus_json_member host_members[] = {
#define HOST struct nereus_checkpoint_host
    {"name", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(HOST, name)},
    {"slots", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(HOST, slots, 0, INT_MAX)},
    {"processes", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(HOST, processes, 0, INT_MAX)},
#undef HOST
};
static const struct nereus_json_table sizes_table = {NEREUS_JSON_MEMBERS(sizes_members),
                                                     check_sizes, NULL},
                                      host_table = {NEREUS_JSON_MEMBERS(host_members), NULL, NULL};

static const char *const format[] = {"nereus-checkpoint"};
static const struct nereus_json_member manifest_members[] = {
#define JOB struct nereus_checkpoint
    {"format", NEREUS_JSON_NEEDED, NEREUS_JSON_WORD_ALWAYS(format)},
    {"version", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER_ALWAYS(NEREUS_CHECKPOINT_VERSION)},
    {"number", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(JOB, number, 1, INT64_MAX)},
    {"job", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN(JOB, job, read_job, make_job)},
    {"job_name", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(JOB, job_name)},
    {"program", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(JOB, program)},
    {"library", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(JOB, library)},
    {"mpi", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(JOB, mpi)},
    {"processes", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(JOB, processes, 1, INT_MAX)},
    {"points", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(JOB, points, 0, INT64_MAX)},
    {"restarts", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(JOB, restarts, 0, INT64_MAX)},
    {"written_s", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(JOB, written_s)},
    {"took_s", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(JOB, took_s)},
    {"sizes", NEREUS_JSON_NEEDED, NEREUS_JSON_OBJECT(JOB, sizes, &sizes_table)},
    {"hosts", NEREUS_JSON_NEEDED, NEREUS_JSON_LIST(JOB, hosts, host_count, &host_table)},
    {"objects", NEREUS_JSON_NEEDED, NEREUS_JSON_LIST(JOB, objects, object_count, &object_table)},
    {"state", NEREUS_JSON_NEEDED, NEREUS_JSON_OBJECT(JOB, state, &file_table)},
    {"goes_on_as", NEREUS_JSON_UNLESS_0, NEREUS_JSON_INTEGER(JOB, goes_on_as, 0, INT_MAX)},
    {"slurm_job", NEREUS_JSON_UNLESS_0, NEREUS_JSON_INTEGER(JOB, slurm_job, 0, INT64_MAX)},
#undef JOB
};
static const struct nereus_json_table manifest_table = {NEREUS_JSON_MEMBERS(manifest_members), NULL,
                                                        NULL};

/* ---- reading ---- */

/* Check the version first: another version may have other keys. */
static void check_version(struct nereus_json_reader *r, const json_t *root)
{
    char word[32] = "";
    int64_t version = 0;
    nereus_json_read_string(r, root, "format", word, sizeof word);
    if (strcmp(word, format[0]) != 0)
        nereus_json_fail(r, "format", "it is not \"nereus-checkpoint\"");
    nereus_json_read_integer(r, root, "version", 1, INT_MAX, &version);
    if (version != NEREUS_CHECKPOINT_VERSION)
        nereus_json_fail(r, "version", "this Nereus reads version %d of checkpoints, not %lld",
                         NEREUS_CHECKPOINT_VERSION, (long long)version);
}

/* Check that the file is there, with its size. */
static void check_file(struct nereus_json_reader *r, const char *path,
                       const struct nereus_checkpoint_file *file)
{
    char name[PATH_MAX];
    struct stat found;
    if (r->status != NEREUS_OK || file->name[0] == '\0')
        return;
    if (!nereus_manifest_make_path(path, file->name, name) || lstat(name, &found) != 0)
        nereus_json_fail(r, "", "the file '%s' cannot be read: %s", file->name, strerror(errno));
    else if (!S_ISREG(found.st_mode))
        nereus_json_fail(r, "", "'%s' is not a regular file", file->name);
    else if (found.st_size != file->bytes)
        nereus_json_fail(r, "", "the file '%s' has %lld bytes instead of %lld", file->name,
                         (long long)found.st_size, (long long)file->bytes);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Check that no two objects have one file or one name: the second would replace the first. */
static void check_are_unique(struct nereus_json_reader *r,
                             const struct nereus_checkpoint *checkpoint)
{
    const char **names = calloc(2 * (size_t)checkpoint->object_count + 1, sizeof *names);
    size_t count = 0;
    if (!nereus_json_check_memory(r, names))
        return;
    for (int pass = 0; pass < 2; pass++, count = 0) {
        for (int64_t i = 0; i < checkpoint->object_count; i++) {
            names[count++] =
                pass == 0 ? checkpoint->objects[i].entry.name : checkpoint->objects[i].values.name;
            if (pass == 1 && checkpoint->objects[i].index.name[0] != '\0')
                names[count++] = checkpoint->objects[i].index.name;
        }
        if (pass == 1)
            names[count++] = checkpoint->state.name;
        qsort(names, count, sizeof *names, compare_names);
        for (size_t i = 1; i < count; i++) {
            if (strcmp(names[i - 1], names[i]) == 0)
                nereus_json_fail(r, "objects", "two have the %s '%s'", pass == 0 ? "name" : "file",
                                 names[i]);
        }
    }
    free(names);
}

enum nereus_status nereus_checkpoint_read(const char *path, struct nereus_checkpoint *checkpoint,
                                          struct nereus_error *err)
{
    char file[PATH_MAX];
    json_t *root = NULL;
    struct nereus_checkpoint read = {0};
    struct nereus_json_reader r = {.path = file, .err = err};
    if (!nereus_manifest_make_path(path, NEREUS_MANIFEST_NAME, file))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of a checkpoint is too long: '%s'",
                           path);
    struct stat found;
    /* opening a pipe would wait for its writer */
    if (lstat(file, &found) == 0 && !S_ISREG(found.st_mode))
        return nereus_fail(err, NEREUS_ERR_IO, "'%s' is not a regular file", file);
    r.status = nereus_json_read(file, "manifest of a checkpoint", &root, err);
    if (json_is_object(root))
        check_version(&r, root);
    if (r.status == NEREUS_OK)
        nereus_json_read_table(&r, root, &manifest_table, &read);
    if (r.status == NEREUS_OK)
        check_are_unique(&r, &read);
    check_file(&r, path, &read.state);
    for (int64_t i = 0; i < read.object_count; i++) {
        check_file(&r, path, &read.objects[i].values);
        check_file(&r, path, &read.objects[i].index);
    }
    json_decref(root);
    if (r.status == NEREUS_OK)
        *checkpoint = read;
    else
        nereus_checkpoint_fini(&read);
    return r.status;
}

/* ---- writing ---- */

/* Refuse names that the reader would change (it repairs texts and replaces control characters): the
 * program registers the object under the old name. */
static enum nereus_status check_names(const struct nereus_checkpoint *checkpoint,
                                      struct nereus_error *err)
{
    char plain[NEREUS_DATA_NAME_MAX];
    for (int64_t i = 0; i < checkpoint->object_count; i++) {
        const char *name = checkpoint->objects[i].entry.name;
        nereus_text_replace_controls(nereus_text_copy(name, plain, sizeof plain), '?');
        if (!nereus_text_is_utf8(name) || strcmp(name, plain) != 0)
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "object %lld cannot be in a checkpoint: its name ('%s') must be UTF-8 "
                "without control characters",
                (long long)i, plain);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_checkpoint_write(const char *path,
                                           const struct nereus_checkpoint *checkpoint,
                                           struct nereus_error *err)
{
    char file[PATH_MAX], parent[PATH_MAX];
    if (!nereus_manifest_make_path(path, NEREUS_MANIFEST_NAME, file) ||
        !nereus_manifest_make_path(path, "..", parent))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of a checkpoint is too long: '%s'",
                           path);
    NEREUS_TRY(check_names(checkpoint, err));
    nereus_file_sync_folder(path);
    NEREUS_TRY(nereus_json_replace(file, nereus_json_make_table(&manifest_table, checkpoint), 2,
                                   false, err));
    nereus_file_sync_folder(parent);
    return NEREUS_OK;
}
