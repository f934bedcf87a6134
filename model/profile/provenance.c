/** @file provenance.c  Reads and writes the provenance of samples: when, where and with which MPI
 * they were measured. */
#include "nereus/provenance.h"

#include "model/util/json_reader.h"

static const char mark[] = "# nereus calibrate: ";

void nereus_provenances_fini(struct nereus_provenances *origins)
{
    for (int64_t i = 0; i < origins->node_lists; i++) {
        nereus_machine_fini(&origins->nodes[i]->machine);
        free(origins->nodes[i]->path);
        free(origins->nodes[i]);
    }
    free(origins->nodes);
    free(origins->items);
    *origins = (struct nereus_provenances){0};
}

const struct nereus_provenance *nereus_provenances_find(const struct nereus_provenances *origins,
                                                        const char *cluster)
{
    for (int64_t i = origins->count - 1; i >= 0; i--)
        if (strcmp(origins->items[i].cluster, cluster) == 0)
            return &origins->items[i];
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

void nereus_provenance_describe(const struct nereus_provenance *origin,
                                struct nereus_profile *profile)
{
    describe_text(origin->host, profile->host, sizeof profile->host);
    describe_text(origin->date, profile->date, sizeof profile->date);
    describe_text(origin->mpi, profile->mpi, sizeof profile->mpi);
    describe_text(origin->launcher, profile->launcher, sizeof profile->launcher);
    describe_text(origin->machine_kind, profile->machine_kind, sizeof profile->machine_kind);
    if (origin->cores_per_node > 0)
        profile->cores_per_node = origin->cores_per_node;
    if (origin->nodes > 0)
        profile->nodes = origin->nodes;
    profile->processors = origin->processors;
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

char *nereus_provenance_line(const struct nereus_provenance *origin)
{
    json_t *object = json_object();
    add_text(object, "cluster", origin->cluster);
    add_text(object, "host", origin->host);
    add_text(object, "date", origin->date);
    add_text(object, "mpi", origin->mpi);
    add_text(object, "launcher", origin->launcher);
    add_text(object, "machine_kind", origin->machine_kind);
    add_count(object, "cores_per_node", origin->cores_per_node);
    add_count(object, "nodes", origin->nodes);
    if (origin->processors > 0.0)
        json_object_set_new(object, "processors", nereus_json_real(origin->processors));
    add_text(object, "hostfile", origin->hostfile);
    char *json = nereus_json_dump(object, 0); /* one line: line breaks are escaped */
    char *line = json != NULL ? malloc(sizeof mark + strlen(json)) : NULL;
    if (line != NULL)
        sprintf(line, "%s%s", mark, json);
    free(json);
    json_decref(object);
    return line;
}

static enum nereus_status read_object(const char *path, int64_t line, const json_t *object,
                                      struct nereus_provenance *origin, struct nereus_error *err)
{
    char where[512];
    snprintf(where, sizeof where, "%.480s:%lld", path, (long long)line);
    struct nereus_json_reader reader = {.path = where, .err = err};
    nereus_json_read_string(&reader, object, "cluster", origin->cluster, sizeof origin->cluster);
    nereus_json_read_string(&reader, object, "host", origin->host, sizeof origin->host);
    nereus_json_read_string(&reader, object, "date", origin->date, sizeof origin->date);
    nereus_json_read_string(&reader, object, "mpi", origin->mpi, sizeof origin->mpi);
    nereus_json_read_string(&reader, object, "launcher", origin->launcher, sizeof origin->launcher);
    nereus_json_read_string(&reader, object, "machine_kind", origin->machine_kind,
                            sizeof origin->machine_kind);
    nereus_json_read_integer(&reader, object, "cores_per_node", 1, INT64_MAX,
                             &origin->cores_per_node);
    nereus_json_read_integer(&reader, object, "nodes", 1, INT64_MAX, &origin->nodes);
    nereus_json_read_number(&reader, object, "processors", 0, &origin->processors);
    nereus_json_read_string(&reader, object, "hostfile", origin->hostfile, sizeof origin->hostfile);
    return reader.status;
}

enum nereus_status nereus_provenances_parse(const char *path, int64_t line, const char *comment,
                                            size_t length, struct nereus_provenances *origins,
                                            struct nereus_error *err)
{
    const size_t skip = strlen(mark);
    json_error_t why;
    struct nereus_provenance origin = {.nodes = 0};
    if (length <= skip || memcmp(comment, mark, skip) != 0 || comment[skip] != '{')
        return NEREUS_OK;
    json_t *object = nereus_json_parse(comment + skip, length - skip, 0, &why);
    if (object == NULL)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s:%lld: what stands behind '%s' is no JSON object (%s): remove the line, or "
            "write it as nereus calibrate does",
            path, (long long)line, mark, why.text);
    enum nereus_status status = read_object(path, line, object, &origin, err);
    json_decref(object);
    if (status != NEREUS_OK)
        return status;
    struct nereus_provenance *grown =
        realloc(origins->items, (size_t)(origins->count + 1) * sizeof *origins->items);
    NEREUS_TRY_MEMORY(grown, err, "for a line of %s", path);
    origins->items = grown;
    origins->items[origins->count++] = origin;
    return NEREUS_OK;
}
