/** @file provenance.c  Reads and writes the provenance of samples: when, where and with which MPI
 * they were measured. */
#include "nereus/provenance.h"

#include "model/util/json_table.h"

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

static const struct nereus_json_member members[] = {
#define PROVENANCE struct nereus_provenance
    {"cluster", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, cluster)},
    {"host", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, host)},
    {"date", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, date)},
    {"mpi", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, mpi)},
    {"launcher", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, launcher)},
    {"machine_kind", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, machine_kind)},
    {"cores_per_node", NEREUS_JSON_UNLESS_0,
     NEREUS_JSON_INTEGER(PROVENANCE, cores_per_node, 1, INT64_MAX)},
    {"nodes", NEREUS_JSON_UNLESS_0, NEREUS_JSON_INTEGER(PROVENANCE, nodes, 1, INT64_MAX)},
    {"processors", NEREUS_JSON_UNLESS_0, NEREUS_JSON_NUMBER(PROVENANCE, processors)},
    {"hostfile", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROVENANCE, hostfile)},
#undef PROVENANCE
};
static const struct nereus_json_table table = {NEREUS_JSON_MEMBERS(members), NULL, NULL};

char *nereus_provenance_line(const struct nereus_provenance *provenance)
{
    json_t *object = nereus_json_make_table(&table, provenance);
    char *json = nereus_json_dump(object, 0); /* one line: line breaks are escaped */
    char *line = NULL;
    if (json != NULL && asprintf(&line, "%s%s", mark, json) < 0)
        line = NULL;
    free(json);
    json_decref(object);
    return line;
}

enum nereus_status nereus_provenances_parse(const char *path, int64_t line, const char *comment,
                                            size_t length, struct nereus_provenances *provenances,
                                            struct nereus_error *err)
{
    const size_t skip = strlen(mark);
    char where[512];
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
    snprintf(where, sizeof where, "%.480s:%lld", path, (long long)line);
    struct nereus_json_reader reader = {.path = where, .err = err};
    nereus_json_read_members(&reader, object, &table, &provenance);
    json_decref(object);
    NEREUS_TRY(reader.status);
    NEREUS_TRY_GROW(provenances->items, provenances->count, err, "for a line of %s", path);
    provenances->items[provenances->count++] = provenance;
    return NEREUS_OK;
}
