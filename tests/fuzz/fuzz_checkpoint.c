/**
 * @file fuzz_checkpoint.c
 * Reads manifests of checkpoints, in a folder that has the files of the corpus; writes what was
 * accepted, and checks that it is read as the same.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "nereus/checkpoint.h"

static char folder[64];

/* By name and size; all zeros. A file of 40 bytes is also an index of custom data. */
static const struct {
    const char *name;
    long bytes;
} files[] = {{"state.bin", 5}, {"x.bin", 16}, {"y.bin", 40}, {"z.bin", 0}, {"z.index", 40}};
enum { FILES = sizeof files / sizeof files[0] };

static void put(const char *name, const void *data, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    FUZZ_CHECK(stream != NULL && fwrite(data, 1, size, stream) == size && fclose(stream) == 0);
}

static void remove_folder(void)
{
    char path[PATH_MAX];
    for (int i = 0; i <= FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i < FILES ? files[i].name : "manifest.json");
        unlink(path);
    }
    rmdir(folder);
}

/* In memory where there is such a file system: writing a manifest waits for the disk. */
static void make_folder(void)
{
    static const char zeros[64];
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/nereus-fuzz-XXXXXX"
                                                 : "/tmp/nereus-fuzz-XXXXXX");
    FUZZ_CHECK(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    for (int i = 0; i < FILES; i++)
        put(files[i].name, zeros, (size_t)files[i].bytes);
}

static bool same_file(const struct nereus_checkpoint_file *a,
                      const struct nereus_checkpoint_file *b)
{
    return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes && a->crc32 == b->crc32;
}

static void check_object(const struct nereus_checkpoint_object *a,
                         const struct nereus_checkpoint_object *b)
{
    FUZZ_CHECK(strcmp(a->entry.name, b->entry.name) == 0 && strcmp(a->type, b->type) == 0);
    FUZZ_CHECK(a->entry.kind == b->entry.kind && a->entry.placement == b->entry.placement);
    FUZZ_CHECK(a->entry.shape == b->entry.shape &&
               a->entry.undistributed == b->entry.undistributed);
    FUZZ_CHECK(a->entry.element_bytes == b->entry.element_bytes);
    FUZZ_CHECK(a->entry.count == b->entry.count);
    FUZZ_CHECK(same_file(&a->values, &b->values) && same_file(&a->index, &b->index));
}

static void check_same(const struct nereus_checkpoint *a, const struct nereus_checkpoint *b)
{
    FUZZ_CHECK(a->number == b->number && a->job == b->job && a->processes == b->processes);
    FUZZ_CHECK(strcmp(a->job_name, b->job_name) == 0 && strcmp(a->program, b->program) == 0);
    FUZZ_CHECK(strcmp(a->library, b->library) == 0 && strcmp(a->mpi, b->mpi) == 0);
    FUZZ_CHECK(a->points == b->points && a->restarts == b->restarts);
    FUZZ_CHECK(a->written_s == b->written_s && a->took_s == b->took_s);
    FUZZ_CHECK(a->sizes.minimum == b->sizes.minimum && a->sizes.maximum == b->sizes.maximum);
    FUZZ_CHECK(a->sizes.multiple_of == b->sizes.multiple_of);
    FUZZ_CHECK(a->sizes.powers_of_two == b->sizes.powers_of_two);
    FUZZ_CHECK(a->host_count == b->host_count && a->object_count == b->object_count);
    FUZZ_CHECK(same_file(&a->state, &b->state));
    for (int64_t i = 0; i < a->host_count; i++) {
        FUZZ_CHECK(strcmp(a->hosts[i].name, b->hosts[i].name) == 0);
        FUZZ_CHECK(a->hosts[i].slots == b->hosts[i].slots);
        FUZZ_CHECK(a->hosts[i].processes == b->hosts[i].processes);
    }
    for (int64_t i = 0; i < a->object_count; i++)
        check_object(&a->objects[i], &b->objects[i]);
}

/* What a process that reads the data relies on: no size or offset overflows. */
static void check_object_bytes(const struct nereus_checkpoint_object *object)
{
    const struct nereus_data_entry *entry = &object->entry;
    int64_t bytes;
    FUZZ_CHECK(entry->count >= 0 && entry->element_bytes > 0 && entry->undistributed >= 0);
    FUZZ_CHECK(object->values.name[0] != '\0' && strchr(object->values.name, '/') == NULL);
    if (entry->shape == NEREUS_CUSTOM)
        FUZZ_CHECK(object->index.bytes / 8 == entry->count + 1);
    else
        FUZZ_CHECK(!__builtin_mul_overflow(entry->count, entry->element_bytes, &bytes) &&
                   bytes <= object->values.bytes && object->index.name[0] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_checkpoint read, again;
    if (folder[0] == '\0')
        make_folder();
    put("manifest.json", data, size);
    if (!fuzz_accepted(nereus_checkpoint_read(folder, &read, &err), &err))
        return 0;
    for (int64_t i = 0; i < read.object_count; i++)
        check_object_bytes(&read.objects[i]);
    fuzz_accepted(nereus_checkpoint_verify(folder, &read, &err), &err);
    FUZZ_CHECK(nereus_checkpoint_write(folder, &read, &err) == NEREUS_OK);
    FUZZ_CHECK(nereus_checkpoint_read(folder, &again, &err) == NEREUS_OK);
    check_same(&read, &again);
    nereus_checkpoint_fini(&read);
    nereus_checkpoint_fini(&again);
    return 0;
}
