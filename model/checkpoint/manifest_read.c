/**
 * @file manifest_read.c
 * Reads manifest.json. It refuses any doubtful value, because the next attempt of a job reads its
 * data from where the manifest says.
 */
#include <sys/stat.h>

#include "manifest.h"
#include "model/util/json_reader.h"

enum { WORD_MAX = 32 };

/* Read a word.
 * @return its index in a list that ends with NULL */
static int read_word(struct nereus_json_reader *r, const json_t *json, const char *key,
                     const char *const *words)
{
    char word[WORD_MAX] = "", sentence[200] = "it is none of";
    nereus_json_read_string(r, json, key, word, sizeof word);
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0)
            return i;
        const size_t length = strlen(sentence);
        snprintf(sentence + length, sizeof sentence - length, "%s %s", i > 0 ? "," : "", words[i]);
    }
    nereus_json_fail(r, key, sentence);
    return 0;
}

static void read_file(struct nereus_json_reader *r, const json_t *object, const char *key,
                      struct nereus_checkpoint_file *file)
{
    static const char *const keys[] = {"file", "bytes", "crc32"};
    const json_t *json = json_object_get(object, key);
    int64_t crc32 = 0;
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, key);
    if (nereus_json_check(r, json, keys, 3, 3)) {
        nereus_json_read_string(r, json, "file", file->name, sizeof file->name);
        nereus_json_read_integer(r, json, "bytes", 0, INT64_MAX, &file->bytes);
        nereus_json_read_integer(r, json, "crc32", 0, UINT32_MAX, &crc32);
        file->crc32 = (uint32_t)crc32;
        if (!nereus_manifest_is_plain(file->name) || strcmp(file->name, NEREUS_MANIFEST_NAME) == 0)
            nereus_json_fail(r, "file", "it is not the name of a file in the checkpoint's folder");
    }
    nereus_json_leave(r, mark);
}

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

static void read_grid(struct nereus_json_reader *r, const json_t *json,
                      struct nereus_checkpoint_object *object)
{
    static const char *const keys[] = {"n", "block", "processes"};
    struct nereus_grid *grid = &object->grid;
    if (object->entry.shape != NEREUS_FIELD) {
        if (json_object_get(json, "grid") != NULL)
            nereus_json_fail(r, "grid", "only a field has one");
        return;
    }
    const json_t *list = nereus_json_read_array(r, json, "grid", NEREUS_GRID_DIMENSIONS);
    grid->dimensions = (int64_t)json_array_size(list);
    for (int d = 0; d < grid->dimensions; d++) {
        const json_t *dimension = json_array_get(list, (size_t)d);
        const size_t mark = nereus_json_enter_element(r, "grid", (size_t)d);
        if (nereus_json_check(r, dimension, keys, 3, 3)) {
            nereus_json_read_integer(r, dimension, "n", 1, INT64_MAX, &grid->n[d]);
            nereus_json_read_integer(r, dimension, "block", 0, INT64_MAX, &grid->block[d]);
            nereus_json_read_integer(r, dimension, "processes", 1, INT64_MAX, &grid->processes[d]);
        }
        nereus_json_leave(r, mark);
    }
    if (r->status == NEREUS_OK && (nereus_grid_check(grid, NULL) != NEREUS_OK ||
                                   nereus_grid_count(grid) != object->entry.count))
        nereus_json_fail(r, "grid", "its dimensions do not give the number of elements");
}

static void read_object(struct nereus_json_reader *r, const json_t *json,
                        struct nereus_checkpoint_object *object)
{
    static const char *const keys[] = {"name",          "kind",  "placement", "shape",
                                       "element_bytes", "count", "values",    "type",
                                       "across",        "index", "grid"};
    struct nereus_data_entry *entry = &object->entry;
    if (!nereus_json_check(r, json, keys, 11, 7))
        return;
    nereus_json_read_string(r, json, "name", entry->name, sizeof entry->name);
    nereus_json_read_string(r, json, "type", object->type, sizeof object->type);
    entry->kind = (enum nereus_data_kind)read_word(r, json, "kind", nereus_manifest_kinds);
    entry->placement =
        (enum nereus_data_placement)read_word(r, json, "placement", nereus_manifest_placements);
    entry->shape = (enum nereus_data_shape)read_word(r, json, "shape", nereus_manifest_shapes);
    nereus_json_read_integer(r, json, "element_bytes", 1, INT64_MAX, &entry->element_bytes);
    nereus_json_read_integer(r, json, "count", 0, INT64_MAX - 1, &entry->count);
    nereus_json_read_integer(r, json, "across", 1, INT64_MAX, &entry->undistributed);
    read_file(r, json, "values", &object->values);
    read_file(r, json, "index", &object->index);
    read_grid(r, json, object);
    if (r->status == NEREUS_OK)
        check_bytes(r, object);
}

static void read_objects(struct nereus_json_reader *r, const json_t *root,
                         struct nereus_checkpoint *checkpoint)
{
    const json_t *list = nereus_json_read_array(r, root, "objects", SIZE_MAX);
    const size_t count = json_array_size(list);
    checkpoint->objects = calloc(count + 1, sizeof *checkpoint->objects);
    if (!nereus_json_check_memory(r, checkpoint->objects))
        return;
    checkpoint->object_count = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        const size_t mark = nereus_json_enter_element(r, "objects", i);
        read_object(r, json_array_get(list, i), &checkpoint->objects[i]);
        nereus_json_leave(r, mark);
    }
}

static void read_hosts(struct nereus_json_reader *r, const json_t *root,
                       struct nereus_checkpoint *checkpoint)
{
    static const char *const keys[] = {"name", "slots", "processes"};
    const json_t *list = nereus_json_read_array(r, root, "hosts", SIZE_MAX);
    const size_t count = json_array_size(list);
    checkpoint->hosts = calloc(count + 1, sizeof *checkpoint->hosts);
    if (!nereus_json_check_memory(r, checkpoint->hosts))
        return;
    checkpoint->host_count = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(list, i);
        const size_t mark = nereus_json_enter_element(r, "hosts", i);
        if (nereus_json_check(r, json, keys, 3, 3)) {
            nereus_json_read_string(r, json, "name", checkpoint->hosts[i].name,
                                    sizeof checkpoint->hosts[i].name);
            nereus_json_read_integer(r, json, "slots", 0, INT_MAX, &checkpoint->hosts[i].slots);
            nereus_json_read_integer(r, json, "processes", 0, INT_MAX,
                                     &checkpoint->hosts[i].processes);
        }
        nereus_json_leave(r, mark);
    }
}

static void read_sizes(struct nereus_json_reader *r, const json_t *root, struct nereus_sizes *sizes)
{
    static const char *const keys[] = {"minimum", "maximum", "multiple_of", "powers_of_two"};
    const json_t *json = json_object_get(root, "sizes");
    const size_t mark = nereus_json_enter(r, "sizes");
    if (nereus_json_check(r, json, keys, 4, 4)) {
        nereus_json_read_integer(r, json, "minimum", 0, INT_MAX, &sizes->minimum);
        nereus_json_read_integer(r, json, "maximum", 0, INT_MAX, &sizes->maximum);
        nereus_json_read_integer(r, json, "multiple_of", 0, INT_MAX, &sizes->multiple_of);
        nereus_json_read_boolean(r, json, "powers_of_two", &sizes->powers_of_two);
    }
    nereus_json_leave(r, mark);
    if (r->status == NEREUS_OK && nereus_sizes_check(sizes, NULL) != NEREUS_OK)
        nereus_json_fail(r, "sizes", "they allow no number of processes");
}

static void read_job(struct nereus_json_reader *r, const json_t *root,
                     struct nereus_checkpoint *checkpoint)
{
    char id[24] = "";
    nereus_json_read_string(r, root, "job", id, sizeof id);
    if (strlen(id) != 16 || id[strspn(id, "0123456789abcdef")] != '\0')
        nereus_json_fail(r, "job", "it is not a number of 16 hexadecimal digits");
    checkpoint->job = strtoull(id, NULL, 16);
    nereus_json_read_string(r, root, "job_name", checkpoint->job_name, sizeof checkpoint->job_name);
    nereus_json_read_string(r, root, "program", checkpoint->program, sizeof checkpoint->program);
    nereus_json_read_string(r, root, "library", checkpoint->library, sizeof checkpoint->library);
    nereus_json_read_string(r, root, "mpi", checkpoint->mpi, sizeof checkpoint->mpi);
    nereus_json_read_integer(r, root, "number", 1, INT64_MAX, &checkpoint->number);
    nereus_json_read_integer(r, root, "processes", 1, INT_MAX, &checkpoint->processes);
    nereus_json_read_integer(r, root, "goes_on_as", 0, INT_MAX, &checkpoint->goes_on_as);
    nereus_json_read_integer(r, root, "slurm_job", 0, INT64_MAX, &checkpoint->slurm_job);
    nereus_json_read_integer(r, root, "points", 0, INT64_MAX, &checkpoint->points);
    nereus_json_read_integer(r, root, "restarts", 0, INT64_MAX, &checkpoint->restarts);
    nereus_json_read_number(r, root, "written_s", 0, &checkpoint->written_s);
    nereus_json_read_number(r, root, "took_s", 0, &checkpoint->took_s);
}

/* Check the version first: another version may have other keys. */
static void check_version(struct nereus_json_reader *r, const json_t *root)
{
    char format[WORD_MAX] = "", sentence[120];
    int64_t version = 0;
    nereus_json_read_string(r, root, "format", format, sizeof format);
    if (strcmp(format, NEREUS_MANIFEST_FORMAT) != 0)
        nereus_json_fail(r, "format", "it is not \"" NEREUS_MANIFEST_FORMAT "\"");
    nereus_json_read_integer(r, root, "version", 1, INT_MAX, &version);
    snprintf(sentence, sizeof sentence, "this Nereus reads version %d of checkpoints, not %lld",
             NEREUS_CHECKPOINT_VERSION, (long long)version);
    if (version != NEREUS_CHECKPOINT_VERSION)
        nereus_json_fail(r, "version", sentence);
}

static void read_manifest(struct nereus_json_reader *r, const json_t *root,
                          struct nereus_checkpoint *checkpoint)
{
    static const char *const keys[] = {
        "format", "version",   "number", "job",        "job_name",  "program", "library",
        "mpi",    "processes", "points", "restarts",   "written_s", "took_s",  "sizes",
        "hosts",  "objects",   "state",  "goes_on_as", "slurm_job"};
    enum { KEYS = NEREUS_COUNT_OF(keys), REQUIRED = KEYS - 2 };
    if (json_is_object(root))
        check_version(r, root);
    if (!nereus_json_check(r, root, keys, KEYS, REQUIRED))
        return;
    read_job(r, root, checkpoint);
    read_sizes(r, root, &checkpoint->sizes);
    read_hosts(r, root, checkpoint);
    read_objects(r, root, checkpoint);
    read_file(r, root, "state", &checkpoint->state);
}

/* Check that the file is there, with its size. */
static void check_file(struct nereus_json_reader *r, const char *path,
                       const struct nereus_checkpoint_file *file)
{
    char name[PATH_MAX], sentence[200];
    struct stat found;
    if (r->status != NEREUS_OK || file->name[0] == '\0')
        return;
    if (!nereus_manifest_make_path(path, file->name, name) || lstat(name, &found) != 0)
        snprintf(sentence, sizeof sentence, "the file '%s' cannot be read: %s", file->name,
                 strerror(errno));
    else if (!S_ISREG(found.st_mode))
        snprintf(sentence, sizeof sentence, "'%s' is not a regular file", file->name);
    else if (found.st_size != file->bytes)
        snprintf(sentence, sizeof sentence, "the file '%s' has %lld bytes instead of %lld",
                 file->name, (long long)found.st_size, (long long)file->bytes);
    else
        return;
    nereus_json_fail(r, "", sentence);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Check that no two objects have one file or one name: the second would replace the first. */
static void check_names(struct nereus_json_reader *r, const struct nereus_checkpoint *checkpoint)
{
    const char **names = calloc(2 * (size_t)checkpoint->object_count + 1, sizeof *names);
    size_t count = 0;
    char sentence[160];
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
            snprintf(sentence, sizeof sentence, "two have the %s '%s'", pass == 0 ? "name" : "file",
                     names[i]);
            if (strcmp(names[i - 1], names[i]) == 0)
                nereus_json_fail(r, "objects", sentence);
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
    if (r.status == NEREUS_OK)
        read_manifest(&r, root, &read);
    if (r.status == NEREUS_OK)
        check_names(&r, &read);
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
