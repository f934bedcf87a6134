/** @file failure_file.c  Reads failures of nodes from CSV: time_s, node, and repair_s if known. */

#include "model/util/csv_table.h"
#include "model/util/file.h"
#include "nereus/simulate.h"

struct row {
    double time_s, repair_s;
    int64_t node;
};

static const struct nereus_option columns[] = {
    {"time_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL, offsetof(struct row, time_s), NULL},
    {"node", 0, NEREUS_OPTION_NATURAL, NULL, NULL, offsetof(struct row, node), NULL},
    {"repair_s", 0, NEREUS_OPTION_SECONDS, NULL, NULL, offsetof(struct row, repair_s), NULL},
};
NEREUS_CSV_CHECK_TABLE(struct row, NEREUS_COUNT_OF(columns));

struct reading {
    const char *path;
    int32_t nodes;
    struct nereus_sim_failure *list;
    int64_t failures;
};

static enum nereus_status add_failure(void *user, const void *values, uint64_t given, int64_t line,
                                      struct nereus_error *err)
{
    struct reading *r = user;
    const struct row *row = values;
    (void)given;
    if (row->node >= r->nodes) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: node must be 0 to %d, not %lld",
                           r->path, (long long)line, r->nodes - 1, (long long)row->node);
    }
    NEREUS_TRY_GROW(r->list, r->failures, err, "for the failures of '%s'", r->path);
    r->list[r->failures++] =
        (struct nereus_sim_failure){row->time_s, row->repair_s, (int32_t)row->node};
    return NEREUS_OK;
}

static int compare_times(const void *a, const void *b)
{
    const struct nereus_sim_failure *x = a, *y = b;
    return x->time_s != y->time_s ? (x->time_s > y->time_s) - (x->time_s < y->time_s)
                                  : (x->node > y->node) - (x->node < y->node);
}

enum nereus_status nereus_sim_failures_read(const char *path, int32_t nodes, double repair_s,
                                            struct nereus_sim_failure **list, int64_t *count,
                                            struct nereus_error *err)
{
    static const struct nereus_csv_table table = {.what = "failures have",
                                                  .columns = columns,
                                                  .count = NEREUS_COUNT_OF(columns),
                                                  .needed = 2,
                                                  .row_bytes = sizeof(struct row),
                                                  .take = add_failure};
    const struct row row = {.repair_s = repair_s};
    struct reading r = {.path = path, .nodes = nodes};
    char *text;
    NEREUS_TRY(nereus_file_read(path, "list of failures", &text, NULL, err));
    enum nereus_status status = nereus_csv_table_read(path, text, &table, &row, &r, err);
    free(text);
    if (status == NEREUS_OK && r.failures == 0)
        status = nereus_fail(err, NEREUS_ERR_PARSE, "'%s' has no failure", path);
    if (status != NEREUS_OK) {
        free(r.list);
        return status;
    }
    qsort(r.list, (size_t)r.failures, sizeof *r.list, compare_times);
    *list = r.list;
    *count = r.failures;
    return NEREUS_OK;
}
