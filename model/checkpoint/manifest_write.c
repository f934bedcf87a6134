/** @file manifest_write.c  Writes manifest.json, as the last file: a folder with it counts as a
 * checkpoint. */

#include "manifest.h"
#include "model/util/file.h"
#include "model/util/json_make.h"

/* Repair the text before it is cut: U+FFFD is longer than the byte that it replaces. */
static json_t *make_text_json(const char *text, size_t bytes)
{
    char fitting[NEREUS_CHECKPOINT_TEXT_MAX];
    char *repaired = nereus_text_repair(text);
    json_t *json =
        repaired != NULL ? nereus_json_text(nereus_text_copy(repaired, fitting, bytes)) : NULL;
    free(repaired);
    return json;
}

static json_t *make_file_json(const struct nereus_checkpoint_file *file)
{
    return nereus_json_pack("{s:s, s:I, s:I}", "file", file->name, "bytes", (json_int_t)file->bytes,
                            "crc32", (json_int_t)file->crc32);
}

/* The dimensions of a grid, of what determines the boxes. */
static json_t *make_grid_json(const struct nereus_grid *grid)
{
    json_t *list = json_array();
    for (int d = 0; d < grid->dimensions; d++)
        json_array_append_new(list, nereus_json_pack("{s:I, s:I, s:I}", "n", (json_int_t)grid->n[d],
                                                     "block", (json_int_t)grid->block[d],
                                                     "processes", (json_int_t)grid->processes[d]));
    return list;
}

static json_t *make_object_json(const struct nereus_checkpoint_object *object)
{
    const struct nereus_data_entry *entry = &object->entry;
    json_t *json = nereus_json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:o}", "name", entry->name, "kind",
        nereus_manifest_kinds[entry->kind], "placement",
        nereus_manifest_placements[entry->placement], "shape", nereus_manifest_shapes[entry->shape],
        "element_bytes", (json_int_t)entry->element_bytes, "count", (json_int_t)entry->count,
        "values", make_file_json(&object->values));
    if (json != NULL && object->type[0] != '\0')
        nereus_json_set(json, "type", make_text_json(object->type, sizeof object->type));
    if (json != NULL && entry->undistributed > 0)
        nereus_json_set(json, "across", json_integer(entry->undistributed));
    if (json != NULL && object->grid.dimensions > 0)
        nereus_json_set(json, "grid", make_grid_json(&object->grid));
    if (json != NULL && object->index.name[0] != '\0')
        nereus_json_set(json, "index", make_file_json(&object->index));
    return json;
}

static json_t *make_sizes_json(const struct nereus_sizes *sizes)
{
    return nereus_json_pack("{s:I, s:I, s:I, s:b}", "minimum", (json_int_t)sizes->minimum,
                            "maximum", (json_int_t)sizes->maximum, "multiple_of",
                            (json_int_t)sizes->multiple_of, "powers_of_two", sizes->powers_of_two);
}

static json_t *make_host_json(const struct nereus_checkpoint_host *host)
{
    return nereus_json_pack("{s:o, s:I, s:I}", "name",
                            make_text_json(host->name, sizeof host->name), "slots",
                            (json_int_t)host->slots, "processes", (json_int_t)host->processes);
}

static json_t *make_manifest_json(const struct nereus_checkpoint *checkpoint)
{
    json_t *hosts = json_array(), *objects = json_array();
    char job[24];
    snprintf(job, sizeof job, "%016llx", (unsigned long long)checkpoint->job);
    for (int64_t i = 0; i < checkpoint->host_count; i++)
        json_array_append_new(hosts, make_host_json(&checkpoint->hosts[i]));
    for (int64_t i = 0; i < checkpoint->object_count; i++)
        json_array_append_new(objects, make_object_json(&checkpoint->objects[i]));
    json_t *json = nereus_json_pack(
        "{s:s, s:i, s:I, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o, s:o}",
        "format", NEREUS_MANIFEST_FORMAT, "version", NEREUS_CHECKPOINT_VERSION, "number",
        (json_int_t)checkpoint->number, "job", job, "job_name",
        make_text_json(checkpoint->job_name, sizeof checkpoint->job_name), "program",
        make_text_json(checkpoint->program, sizeof checkpoint->program), "library",
        make_text_json(checkpoint->library, sizeof checkpoint->library), "mpi",
        make_text_json(checkpoint->mpi, sizeof checkpoint->mpi), "processes",
        (json_int_t)checkpoint->processes, "points", (json_int_t)checkpoint->points, "restarts",
        (json_int_t)checkpoint->restarts, "written_s", checkpoint->written_s, "took_s",
        checkpoint->took_s, "sizes", make_sizes_json(&checkpoint->sizes), "hosts", hosts, "objects",
        objects, "state", make_file_json(&checkpoint->state));
    if (json != NULL && checkpoint->goes_on_as > 0)
        nereus_json_set(json, "goes_on_as", json_integer(checkpoint->goes_on_as));
    if (json != NULL && checkpoint->slurm_job > 0)
        nereus_json_set(json, "slurm_job", json_integer(checkpoint->slurm_job));
    return json;
}

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
    struct nereus_file_replace replace = {0};
    if (!nereus_manifest_make_path(path, NEREUS_MANIFEST_NAME, file) ||
        !nereus_manifest_make_path(path, "..", parent))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of a checkpoint is too long: '%s'",
                           path);
    NEREUS_TRY(check_names(checkpoint, err));
    nereus_file_sync_folder(path);
    NEREUS_TRY(nereus_file_replace_begin(file, &replace, err));
    /* if the stream failed, the commit reports why */
    if (!nereus_json_write(make_manifest_json(checkpoint), replace.stream) &&
        !ferror(replace.stream)) {
        nereus_file_replace_abort(&replace);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to write '%s'", file);
    }
    NEREUS_TRY(nereus_file_replace_commit(&replace, err));
    nereus_file_sync_folder(parent);
    return NEREUS_OK;
}
