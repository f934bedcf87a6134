/**
 * @file provenance_nodes.c
 * Finds the nodes of rows without cores_per_node: those of a host file, filled one after the other.
 *
 * A host file of equal nodes is equivalent to cores_per_node: such a row gets that number, and no
 * machine of its own.
 */
#include <libgen.h>

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/provenance.h"

/* Path that a samples file names, relative to the folder of that file; the caller frees it. NULL:
 * no memory. */
static char *make_sibling_path(const char *samples_path, const char *hostfile)
{
    if (hostfile[0] == '/')
        return strdup(hostfile);
    char *copy = strdup(samples_path), *path = NULL;
    if (copy != NULL && asprintf(&path, "%s/%s", dirname(copy), hostfile) < 0)
        path = NULL;
    free(copy);
    return path;
}

/* Host file of a row: its own, the caller's, or its provenance's. The caller frees it. */
static enum nereus_status find_path(const struct nereus_provenances *provenances,
                                    const char *samples_path, const char *hostfile,
                                    const struct nereus_sample *row, char **path,
                                    struct nereus_error *err)
{
    const struct nereus_provenance *provenance = nereus_provenances_find(provenances, row->cluster);
    if (hostfile[0] != '\0')
        *path = make_sibling_path(samples_path, hostfile);
    else if (provenances->hostfile != NULL)
        *path = strdup(provenances->hostfile);
    else if (provenance != NULL && provenance->hostfile[0] != '\0')
        *path = make_sibling_path(samples_path, provenance->hostfile);
    else
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s:%lld: column 'cores_per_node' is empty: write the cores of a node, or name the "
            "host file of unequal nodes by --hostfile or in a column 'hostfile'",
            samples_path, (long long)row->line);
    return *path != NULL ? NEREUS_OK
                         : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the name of a file");
}

static const struct nereus_machine *find_known(const struct nereus_provenances *provenances,
                                               const char *path)
{
    for (int64_t i = provenances->node_lists - 1; i >= 0; i--)
        if (strcmp(provenances->nodes[i]->path, path) == 0)
            return &provenances->nodes[i]->machine;
    return NULL;
}

/*
 * Add the machine of a host file.
 * @param path  owned by the provenances afterwards, also on failure
 */
static enum nereus_status read_nodes(struct nereus_provenances *provenances, char *path,
                                     const struct nereus_machine **machine,
                                     struct nereus_error *err)
{
    struct nereus_provenance_nodes *one = calloc(1, sizeof *one);
    struct nereus_provenance_nodes **grown =
        nereus_grow(provenances->nodes, provenances->node_lists, sizeof(*grown));
    provenances->nodes = grown != NULL ? grown : provenances->nodes;
    enum nereus_status status =
        one != NULL && grown != NULL
            ? nereus_machine_from_file(path, &one->machine, err)
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a host file");
    if (status != NEREUS_OK) {
        free(one);
        free(path);
        return status;
    }
    one->path = path;
    grown[provenances->node_lists++] = one;
    *machine = &one->machine;
    return NEREUS_OK;
}

static bool is_equal(const struct nereus_machine *machine)
{
    for (int64_t i = 0; i < machine->node_count; i++)
        if (machine->nodes[i].cores != machine->cores_per_node)
            return false;
    return true;
}

/* Refuse processes without a core, which are probably of another host file. */
static enum nereus_status check_fits(const char *samples_path, const struct nereus_sample *row,
                                     const struct nereus_machine *machine, struct nereus_error *err)
{
    const int64_t max = row->ns > row->nt ? row->ns : row->nt,
                  cores = nereus_machine_total_cores(machine);
    return max <= cores || row->oversubscribed
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s:%lld: %lld process%s, and the nodes of the host file have %lld "
                             "core%s: name the host file of these rows, or write oversubscribed 1",
                             samples_path, (long long)row->line, (long long)max,
                             nereus_plural_es(max), (long long)cores, nereus_plural_s(cores));
}

enum nereus_status nereus_provenances_set_nodes(struct nereus_provenances *provenances,
                                                const char *samples_path, const char *hostfile,
                                                struct nereus_sample *row, struct nereus_error *err)
{
    char *path;
    NEREUS_TRY(find_path(provenances, samples_path, hostfile, row, &path, err));
    const struct nereus_machine *machine = find_known(provenances, path);
    if (machine == NULL)
        NEREUS_TRY(read_nodes(provenances, path, &machine, err));
    else
        free(path);
    NEREUS_TRY(check_fits(samples_path, row, machine, err));
    row->cores_per_process = nereus_machine_cores_per_process(machine);
    row->cores_per_node = machine->cores_per_node * row->cores_per_process;
    row->machine = is_equal(machine) ? NULL : machine;
    return row->machine == NULL || row->cores_per_process == 1
               ? NEREUS_OK
               : nereus_fail(
                     err, NEREUS_ERR_UNSUPPORTED,
                     "%s:%lld: processes of %lld core%s each on unequal nodes: rows like this "
                     "are not fitted; leave them out",
                     samples_path, (long long)row->line, (long long)row->cores_per_process,
                     nereus_plural_s(row->cores_per_process));
}
