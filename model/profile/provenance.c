/** @file provenance.c  Reads and writes the provenance of samples: when, where and with which MPI
 * they were measured. */
#include "nereus/provenance.h"

#include "model/util/json_reader.h"

static const char mark[] = "# nereus calibrate: ";

void nereus_provenances_fini(struct nereus_provenances *provenances)
{
    for (int64_t i = 0; i < provenances->node_lists; i++) {
        nereus_machine_fini(&provenances->nodes[i]->machine);
        free(provenances->nodes[i]->path);
        free(provenances->nodes[i]);
    }
    free(provenances->nodes);
    free(provenances->items);
    *provenances = (struct nereus_provenances){0};
}

const struct nereus_provenance *nereus_provenances_find(const struct nereus_provenances *all,
                                                        const char *cluster)
{
    for (int64_t i = all->count - 1; i >= 0; i--)
        if (strcmp(all->items[i].cluster, cluster) == 0)
            return &all->items[i];
    return NULL;
}

bool nereus_provenance_same_but_date(const struct nereus_provenance *a,
                                     const struct nereus_provenance *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && strcmp(a->host, b->host) == 0 &&
           strcmp(a->mpi, b->mpi) == 0 && strcmp(a->launcher, b->launcher) == 0 &&
           strcmp(a->machine_kind, b->machine_kind) == 0 &&
           a->cores_per_node == b->cores_per_node && a->nodes == b->nodes &&
           a->processors == b->processors && strcmp(a->hostfile, b->hostfile) == 0;
}

static void describe_text(const char *value, char *text, size_t size)
{
    if (value[0] != '\0')
        snprintf(text, size, "%s", value);
}

void nereus_provenance_describe(const struct nereus_provenance *provenance,
                                struct nereus_profile *profile)
{
    describe_text(provenance->host, profile->host, sizeof profile->host);
    describe_text(provenance->date, profile->date, sizeof profile->date);
    describe_text(provenance->mpi, profile->mpi, sizeof profile->mpi);
    describe_text(provenance->launcher, profile->launcher, sizeof profile->launcher);
    describe_text(provenance->machine_kind, profile->machine_kind, sizeof profile->machine_kind);
    if (provenance->cores_per_node > 0)
        profile->cores_per_node = provenance->cores_per_node;
    if (provenance->nodes > 0)
        profile->nodes = provenance->nodes;
    profile->processors = provenance->processors;
}

/* Make a text UTF-8, which JSON requires. */
static void add_text(json_t *object, const char *key, const char *text)
{
    if (text[0] != '\0')
        json_object_set_new(object, key, nereus_json_text(text));
}

static void add_count(json_t *object, const char *key, int64_t count)
{
    if (count > 0)
        json_object_set_new(object, key, json_integer(count));
}

char *nereus_provenance_line(const struct nereus_provenance *provenance)
{
    json_t *object = json_object();
    add_text(object, "cluster", provenance->cluster);
    add_text(object, "host", provenance->host);
    add_text(object, "date", provenance->date);
    add_text(object, "mpi", provenance->mpi);
    add_text(object, "launcher", provenance->launcher);
    add_text(object, "machine_kind", provenance->machine_kind);
    add_count(object, "cores_per_node", provenance->cores_per_node);
    add_count(object, "nodes", provenance->nodes);
    if (provenance->processors > 0.0)
        json_object_set_new(object, "processors", nereus_json_real(provenance->processors));
    add_text(object, "hostfile", provenance->hostfile);
    char *json = nereus_json_dump(object, 0); /* one line: line breaks are escaped */
    char *line = json != NULL ? malloc(sizeof mark + strlen(json)) : NULL;
    if (line != NULL)
        sprintf(line, "%s%s", mark, json);
    free(json);
    json_decref(object);
    return line;
}

static enum nereus_status read_object(const char *path, int64_t line, const json_t *object,
                                      struct nereus_provenance *provenance,
                                      struct nereus_error *err)
{
    char where[512];
    snprintf(where, sizeof where, "%.480s:%lld", path, (long long)line);
    struct nereus_json_reader reader = {.path = where, .err = err};
    nereus_json_read_string(&reader, object, "cluster", provenance->cluster,
                            sizeof provenance->cluster);
    nereus_json_read_string(&reader, object, "host", provenance->host, sizeof provenance->host);
    nereus_json_read_string(&reader, object, "date", provenance->date, sizeof provenance->date);
    nereus_json_read_string(&reader, object, "mpi", provenance->mpi, sizeof provenance->mpi);
    nereus_json_read_string(&reader, object, "launcher", provenance->launcher,
                            sizeof provenance->launcher);
    nereus_json_read_string(&reader, object, "machine_kind", provenance->machine_kind,
                            sizeof provenance->machine_kind);
    nereus_json_read_integer(&reader, object, "cores_per_node", 1, INT64_MAX,
                             &provenance->cores_per_node);
    nereus_json_read_integer(&reader, object, "nodes", 1, INT64_MAX, &provenance->nodes);
    nereus_json_read_number(&reader, object, "processors", 0, &provenance->processors);
    nereus_json_read_string(&reader, object, "hostfile", provenance->hostfile,
                            sizeof provenance->hostfile);
    return reader.status;
}

enum nereus_status nereus_provenances_parse(const char *path, int64_t line, const char *comment,
                                            size_t length, struct nereus_provenances *provenances,
                                            struct nereus_error *err)
{
    const size_t skip = strlen(mark);
    json_error_t why;
    struct nereus_provenance provenance = {.nodes = 0};
    if (length <= skip || memcmp(comment, mark, skip) != 0 || comment[skip] != '{')
        return NEREUS_OK;
    json_t *object = nereus_json_parse(comment + skip, length - skip, 0, &why);
    if (object == NULL)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s:%lld: what stands behind '%s' is no JSON object (%s): remove the line, or "
            "write it as nereus calibrate does",
            path, (long long)line, mark, why.text);
    enum nereus_status status = read_object(path, line, object, &provenance, err);
    json_decref(object);
    if (status != NEREUS_OK)
        return status;
    struct nereus_provenance *grown =
        nereus_grow(provenances->items, provenances->count, sizeof *grown);
    NEREUS_TRY_MEMORY(grown, err, "for a line of %s", path);
    provenances->items = grown;
    provenances->items[provenances->count++] = provenance;
    return NEREUS_OK;
}
