/** @file test_unequal.c  A cluster of unequal nodes, from samples and a host file to
 * predictions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/price/price_parts.h"
#include "model/profile/profile_machine.h"
#include "model/util/arith.h"
#include "nereus/predict.h"
#include "nereus/provenance.h"

#define DATA NEREUS_SOURCE_DIR "/tests/unit/data/"

/* Martín-Álvarez et al. (2025), section 5.3: nodes of 20 and 32 cores in turn, 416 cores in all. */
static struct nereus_samples samples;
static struct nereus_provenances origins;
static struct nereus_profile profile;

static void read_nasp(void)
{
    struct nereus_error err = {.text = ""};
    origins.hostfile = DATA "nasp.hosts";
    cr_assert(nereus_samples_read_provenance(DATA "parallel_nasp.csv", false, &samples, &origins,
                                             &err) == NEREUS_OK,
              "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
}

static void forget(void)
{
    nereus_profile_fini(&profile);
    nereus_samples_fini(&samples);
    nereus_provenances_fini(&origins);
}

TestSuite(unequal, .init = read_nasp, .fini = forget);

Test(unequal, rows_have_the_nodes_of_the_host_file)
{
    cr_assert(samples.count == 75 && profile.machine_count == 1);
    for (int64_t i = 0; i < samples.count; i++)
        cr_expect(samples.rows[i].machine != NULL && samples.rows[i].cores_per_node == 32);
    cr_expect(profile.machines[0].node_count == 16 && profile.cores_per_node == 32 &&
              nereus_machine_total_cores(&profile.machines[0]) == 416);
    struct nereus_machine machine;
    cr_expect(nereus_profile_machine(&profile, &machine, NULL) == NEREUS_ERR_ARGUMENT);
}

/* By hand: nodes of the sources and the targets, groups, most new processes on a node, load. */
Test(unequal, the_features_are_those_of_these_nodes)
{
    static const struct {
        const char *method;
        int64_t ns, nt, old_nodes, groups, k, target_nodes;
        double load;
    } rows[] = {
        {"merge-diffusive", 20, 52, 1, 1, 32, 2, 1},
        {"merge-diffusive", 52, 208, 2, 6, 32, 8, 1},
        {"baseline-diffusive", 20, 52, 1, 2, 32, 2, 2},
        {"baseline-diffusive", 260, 20, 10, 1, 20, 1, 2},
        {"baseline-diffusive", 52, 62, 2, 3, 32, 3, 2},
        {"merge-diffusive", 30, 72, 2, 2, 22, 3, 1},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_method method;
        struct nereus_cost_input input;
        cr_assert(nereus_method_parse(rows[i].method, &method, NULL) == NEREUS_OK);
        nereus_price_whole_input(&profile.machines[0], rows[i].ns, rows[i].nt, &method, &input);
        cr_expect(input.load.old_nodes == rows[i].old_nodes &&
                      input.load.new_nodes == rows[i].groups &&
                      input.load.new_per_node == rows[i].k &&
                      input.load.target_nodes == rows[i].target_nodes,
                  "row %zu: %lld %lld %lld %lld", i, (long long)input.load.old_nodes,
                  (long long)input.load.new_nodes, (long long)input.load.new_per_node,
                  (long long)input.load.target_nodes);
        cr_expect(fabs(input.load.core_load - rows[i].load) < 1e-12, "row %zu: load %g", i,
                  input.load.core_load);
    }
}

static struct nereus_machine machine_of(const char *text)
{
    struct nereus_machine machine;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_machine_from_text(text, &machine, &err) == NEREUS_OK, "%s", err.text);
    return machine;
}

/* A measured row holds for nodes that agree as far as its processes reach. */
Test(unequal, measured_rows_are_found_on_the_same_nodes_only)
{
    static const struct {
        const char *nodes;
        int64_t ns, nt;
        enum nereus_source source;
    } rows[] = {
        {"a:20,b:32,c:20,d:32", 20, 52, NEREUS_MEASURED},
        {"a:20,b:32,c:20,d:32", 52, 104, NEREUS_MEASURED},
        {"a:20,b:32", 20, 52, NEREUS_MEASURED},
        {"a:20,b:32,c:32,d:32", 52, 104, NEREUS_MODELLED},
        {"a:32,b:20,c:20,d:32", 20, 52, NEREUS_MODELLED},
        {"a:20,b:20,c:20,d:20,e:20,f:20", 20, 104, NEREUS_MODELLED},
        {"a:20,b:32,c:48,d:32", 20, 52, NEREUS_MEASURED},
        {"a:20,b:32,c:48,d:32", 52, 104, NEREUS_EXTRAPOLATED},
    };
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_machine machine = machine_of(rows[i].nodes);
        const struct nereus_scenario scenario = {.machine = &machine,
                                                 .ns = rows[i].ns,
                                                 .nt = rows[i].nt,
                                                 .t_iter_ns_s = 1,
                                                 .t_iter_nt_s = 1,
                                                 .iterations_after = 10};
        struct nereus_prediction p;
        cr_assert(nereus_predict(&profile, &scenario, &merge, &p, NULL) == NEREUS_OK);
        cr_expect(p.source == rows[i].source, "row %zu: source %d", i, (int)p.source);
        nereus_machine_fini(&machine);
    }
}

/* Two host files in one fit are two lists of nodes; a row of each is found on its own nodes. */
Test(unequal, two_host_files_are_two_machines)
{
    struct nereus_machine other = machine_of("a:8,b:4,c:8,d:4");
    struct nereus_profile both = {0};
    struct nereus_error err = {.text = ""};
    samples.rows[0].machine = &other;
    samples.rows[0].ns = 8;
    samples.rows[0].nt = 12;
    samples.rows[0].cores_per_node = 8;
    samples.rows[0].method = (struct nereus_method){.process = NEREUS_MERGE};
    samples.rows[0].rt_s = 1.25;
    cr_assert(nereus_profile_fit(&samples, NULL, &both, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(both.machine_count == 2);
    const int64_t first = both.measurements[0].machine;
    cr_expect(both.machines[first - 1].node_count == 4 && both.measurements[0].rt_s == 1.25);
    cr_expect(both.measurements[74].machine == 3 - first);
    cr_expect(nereus_profile_nodes(&both, &other, 24).machine == first);
    nereus_profile_fini(&both);
    nereus_machine_fini(&other);
}
