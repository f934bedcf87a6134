/** @file manifest.c  Holds the words of manifest.json, and makes names and paths of its files. */
#include "manifest.h"

const char *const nereus_manifest_kinds[] = {"constant", "variable", NULL};
const char *const nereus_manifest_placements[] = {"distributed", "replicated", "application", NULL};
const char *const nereus_manifest_shapes[] = {"array",   "rows",   "columns", "csr",   "csc",
                                              "indices", "values", "custom",  "field", NULL};

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

bool nereus_manifest_is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return name[0] != '\0' && name[0] != '.' && name[strspn(name, plain)] == '\0';
}

char *nereus_checkpoint_file_name(const char *object, int64_t k, const char *suffix, char *file)
{
    /* names that another object or file may have: "state", "object-2" */
    const bool taken = strcmp(object, "state") == 0 || strncmp(object, "object-", 7) == 0;
    const int length = snprintf(file, NEREUS_CHECKPOINT_FILE_MAX, "%s%s", object, suffix);
    if (length >= NEREUS_CHECKPOINT_FILE_MAX || taken || !nereus_manifest_is_plain(object))
        snprintf(file, NEREUS_CHECKPOINT_FILE_MAX, "object-%lld%.32s", (long long)k, suffix);
    return file;
}
