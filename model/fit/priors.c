/**
 * @file priors.c
 * Lists the prior of every coefficient, with its reason. Priors come from physics, operating
 * systems and MPI, or from clusters other than the fitted one; a few rows of a fit already weigh
 * more.
 */
#include "priors.h"

#include "model/price/cost_restart.h"
#include "nereus/profile.h"

static const struct nereus_term_prior terms[] = {
    /* Any model that is not named below. */
    {"any", "const", 1e-4, 2.5, NULL, "some messages, or some milliseconds of a busy core"},
    {"any", "starts", 0.5, 2, "const", "the root also checks that it can start processes"},
    {"decide", "starts", 10, 1, "const", "measured on a machine of two cores: 7 to 20 times"},
    {"allocate", "starts", 2, 1, "const", "measured on the same: 2 to 4 times as long in all"},
    {"any", "log2_processes", 0.2, 2, "const", "a level of a tree"},
    {"any", "log2_new", 0.2, 2, "const", "a level of a tree"},
    {"any", "two_groups", 0.2, 2, "const", "messages between two worlds"},
    {"any", "log2_target_nodes", 0.2, 2, "const", "a level of a tree over a network"},
    {"any", "log2_source_nodes", 0.2, 2, "const", "a level of a tree over a network"},
    {"any", "touched_bytes", 5e-10, 1.4, NULL, "allocate: 0.5 ns a byte assumed"},
    {"any", "freed_bytes", 5e-11, 2, NULL, "pages given back"},
    {"any", "transfer", 1, 0.7, NULL, "as a ping-pong"},
    {"any", "moved_bytes", 1e-10, 2, NULL, "copies in addition to the messages"},
    {"any", "alike", 1, 0.1, "const", "the same processes on the same nodes"},
    {"any", "rt_sync", 1, 0.07, NULL, "the same steps"},
    {"any", "slice", 0.02, 0.7, NULL, "a thread on a busy core waits for it"},
    {"any", "notice", 1, 0.25, NULL, "src/job/consensus.c: a point two ahead at most"},
    {"any", "t_iter_excess", 0.5, 2, NULL, "processor sharing, with pauses"},
    {"spawn", "const", 0.1, 2.5, NULL, "start of a program: 0.1 s on a laptop, 10 s on a cluster"},
    {"spawn", "full_awake", 0.5, 2, "const", "programs that start on one node share its cores"},
    {"spawn", "filling", 1, 2, "const", "programs that start on one node share its cores"},
    {"spawn", "overload", 1, 0.7, "filling",
     "a start on full nodes: old and new processes take turns"},
    {"spawn", "overload_awake", 1, 1, "const",
     "a start on full nodes: old and new processes take turns"},
    {"spawn", "log2_new_nodes", 0.1, 2, "const", "a tree over the nodes"},
    {"spawn", "new_per_node", 0.05, 2, "const", "a node starts one program after the other"},
    {"launch", "const", 0.1, 2.5, NULL, "start of a program, as by spawn"},
    {"launch", "full", 0.5, 2, "const", "programs that start on one node share its cores"},
    {"launch", "log2_new_nodes", 0.1, 2, "const", "a tree over the nodes"},
    {"start", "const", 0.1, 2.5, NULL, "start of a program, as by spawn"},
    {"start", "full", 0.5, 2, "const", "programs that start on one node share its cores"},
    {"start", "log2_new_nodes", 0.1, 2, "const", "a tree over the nodes"},
    {"end", "const", NEREUS_ASSUMED_END_S, 1.4, NULL,
     "MPI_Finalize, and the launcher sees that all have ended"},
    {"write", "const", NEREUS_ASSUMED_WRITE_S, 1.4, NULL,
     "fsync of files and folders: 1 ms on a fast disk, 0.1 s on a busy file system"},
    {"write", "freed_bytes", NEREUS_ASSUMED_WRITE_PROCESS_S, 1.4, NULL,
     "copy into the page cache, and checksum"},
    {"write", "all_bytes", NEREUS_ASSUMED_WRITE_TOGETHER_S, 1.4, NULL,
     "file system: 0.1 to 10 GB/s"},
    {"read", "const", NEREUS_ASSUMED_READ_S, 1.4, NULL, "some files are opened"},
    {"read", "touched_bytes", NEREUS_ASSUMED_READ_PROCESS_S, 1.4, NULL,
     "copy from the page cache, and checksum"},
    {"read", "all_bytes", NEREUS_ASSUMED_READ_TOGETHER_S, 1.4, NULL, "file system: 0.3 to 30 GB/s"},
    {"connect", "const", 0.005, 2, NULL, "a handshake of two roots"},
    {"connect", "overload_log2", 0.05, 2, NULL, "time slices of busy cores, a level of a tree"},
    {"connect", "overloaded", 0.05, 2, NULL, "time slices of busy cores"},
    {"connect without rows", "const", 0.05, 1.4, NULL, "connect: a twentieth of a spawn assumed"},
    {"redistribute without rows", "transfer", 1, 0.7, NULL, "redistribute at ping-pong speed"},
    {"redistribute without rows", "const", 1e-5, 1.4, NULL, "a message"},
    {"redistribute without rows", "moved_bytes", 1e-9, 1.4, NULL,
     "redistribute: 10 us + 1 ns a byte assumed"},
    {"unattributed", "const", 1e-4, 2.5, NULL, "waits between steps"},
    {"moves", "transfer", 1, 1.4, NULL, "its operations one by one"},
    {"spawn without rows", "const", 1, 1.4, NULL, "spawn: 0.1 s on a laptop, 10 s on a cluster"},
    {"between nodes", "node_bytes", 5e-10, 2, NULL, "a link of 10 to 200 Gbit/s"},
    {"between nodes", "all_bytes", 0.02, 2, "node_bytes", "some of it passes one by one"},
    {"between nodes", "both_bytes", 0.05, 2, "node_bytes", "processes that send and receive wait"},
    {"between nodes", "const", 1e-4, 2, NULL, "messages of a few nodes"},
    {"between nodes in rounds", "all_bytes", 5e-10, 2, NULL,
     "rounds of blocking messages: bytes pass one after the other"},
    {"between nodes in rounds", "gathered_bytes", 0.4, 1, "all_bytes", "many send to one node"},
    {"between nodes in rounds", "crowded_bytes", 1, 1.4, "all_bytes",
     "each round waits for processes that share their cores"},
    {"program", "const", 0.05, 2.5, NULL, "libraries from a busy file system to an interpreter"},
    {"program", "excess", 0.5, 1.4, "const", "1 if it computes, 0 if it waits"},
    {"program", "other_new", 0.01, 2, "const", "a file server serves one after the other"},
    {"rest", "const", 0.03, 2, NULL, "time of a reconfiguration without its start"},
    {"merge in whole rows", "log2_target_nodes", 0.03, 2, NULL, "a level of a tree over a network"},

    /* Methods measured as a whole (model/price/price_common.c). */
    {"baseline method", "const", 1, 2.5, NULL,
     "start of a program: 0.1 s on a laptop, 10 s on a cluster"},
    {"baseline method", "log2_new_nodes", 0.05, 1, "const",
     "a tree over the nodes, each level quicker"},
    {"baseline method", "log2_shared_nodes", 0.05, 1.4, "const",
     "the slowest of so many nodes that old and new processes share"},
    {"baseline method", "shared_nodes", 0.01, 0.7, "const",
     "on 8 shared nodes of one published cluster it has grown with them, not with their logarithm"},
    {"merge method", "const", 1, 2.5, NULL,
     "start of a program: 0.1 s on a laptop, 10 s on a cluster"},
    {"merge method", "groups", 0.01, 1.4, "const", "a port for each, announced in turn"},
    {"merge method", "log2_source_nodes", 0.02, 1.4, "const", "agreement of the sources, a tree"},
    {"merge method", "log2_target_nodes", 0.05, 1, "const", "agreement of all nodes, a tree"},
    {"ts method", "const", 0.1, 2.5, NULL, "an agreement and the end of the processes of a node"},
    {"ts method", "log2_source_nodes", 0.15, 0.7, "const",
     "a further level of a tree over the worlds that end"},
    {"ts method", "log2_target_nodes", 0.1, 0.7, "const",
     "a further level of a tree over the nodes that stay"},

    /* How far the same measurement differs on another day: a factor of the time, by kind of
     * machine. */
    {"campaign", "start", 1, 0.045, NULL,
     "two published clusters: methods that do the same differ by 5 to 8 %, repeats by 4 %"},
    {"campaign", "shrink", 1, 0.15, NULL, "the same; milliseconds differ more"},
    {"campaign, dedicated", "start", 1, 0.1, NULL, "assumed: twice that of the published clusters"},
    {"campaign, dedicated", "shrink", 1, 0.3, NULL,
     "assumed: twice that of the published clusters"},
    {"campaign, shared virtual", "start", 1, 0.25, NULL,
     "one machine of two cores at loads of 18 to 30, half an hour apart: 0.23 to 0.29"},
    {"campaign, shared virtual", "shrink", 1, 0.6, NULL,
     "the same machine, whole reconfigurations: 0.45 to 0.75"},

    /* Shrinks by merge, synchronous: equation 3. */
    {"shrink", "one_node", 0.001, 2, NULL, "a few messages over shared memory"},
    {"shrink", "log2_source_nodes", 0.05, 2, NULL, "two communicators over a network"},

    /* Asynchronous reconfigurations of published tables (model/price/overlap.c). */
    {"async_plain", "sync_growth", 0.25, 1, NULL,
     "0 if a start never needs shared cores, 1 always"},
    {"async_single", "sync_excess", 0.125, 1, NULL,
     "0 if a start never needs shared cores, 1 always"},
    {"async_single", "t_iter_all", 1, 0.5, NULL, "the second phase begins at the next point"},
    {"async_shrink", "const", 0.02, 0.4, NULL, "a thread on a busy core waits for it"},
    {"async_shrink", "log2_source_nodes", 0.05, 2, NULL, "two communicators over a network"},
    {"async_shrink", "slice", 0.005, 1.4, NULL, "meetings of a thread on a busy core"},

    /* Iterations during a reconfiguration. */
    {"omega", "t_iter_shared", 1, 0.25, NULL, "processor sharing"},
    {"omega", "plain_excess", 0.02, 1, NULL, "a process that is waited for loses its time slice"},
    {"omega", "nodes_excess", 0.01, 1, NULL, "the slowest of twice as many is half a slice later"},
    {"omega", "locked", 0.8, 0.25, NULL, "computing processes wait for MPI's lock"},
    {"late", "late", 0.9, 0.3, NULL, "ends within an iteration, and is noticed at a later point"},
    {"late", "late_single", 1.1, 0.3, NULL, "two phases"},
    {"late", "late_respawn", 1.4, 0.3, NULL, "two phases, and the sources end"},
    {"waiting", "t_iter_excess", 0.05, 2, NULL, "sleeping threads wake now and then"},
    {"waiting", "plain_excess", 0.0005, 2, NULL, "sleeping threads wake now and then"},
    {"communicating", "plain_excess", 0.002, 1.4, NULL, "scheduler slices of 1 to 20 ms"},
    {"starting", "t_iter_excess", 1, 0.25, NULL, "processor sharing"},
    {"starting", "peers_excess", 0.02, 1, NULL, "a process that is waited for loses its slice"},
    {"by_thread", "peers_move", 0.2, 1.4, NULL, "copies delay those that wait for each other"},

    /* Overlapped constant data (model/price/overlap_data.c). */
    {"data_at_points", "points_passed", 1, 0.5, NULL, "counted in the runtime; or a point later"},
    {"data_at_points", "move_meanwhile", 0.5, 1, NULL, "either main threads or others move it"},
    {"data_at_points", "move_in_points", 0.5, 1, NULL, "either main threads or others move it"},
    {"data_by_thread", "move", 1, 0.7, NULL, "the same bytes over the same memory or network"},
    {"data_by_thread", "points", 1, 0.7, NULL, "the end of a thread is seen at the next point"},
    {"data_by_thread", "slice", 0.02, 1, NULL, "a thread on a busy core waits for it"},
};

static const struct nereus_term_prior *find_row(const char *model, const char *term)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(terms); i++)
        if (strcmp(terms[i].model, model) == 0 && strcmp(terms[i].term, term) == 0)
            return &terms[i];
    return NULL;
}

const struct nereus_term_prior *nereus_term_prior_of(const char *model, const char *term)
{
    const struct nereus_term_prior *own = find_row(model, term);
    return own != NULL ? own : find_row("any", term);
}

struct nereus_prior_scatter nereus_prior_scatter_of(const char *model, bool single_runs)
{
    /* log-sd; number of rows that the prior counts as; outliers count; found from medians of ten
     * runs */
    static const struct {
        const char *model;
        struct nereus_prior_scatter prior;
        bool medians;
    } scatters[] = {
        {"whole", {0.1, 3, false}, true},
        {"step", {0.7, 0.5, false}, false},
        {"merge method", {0.04, 3, false}, true},
        {"baseline method", {0.04, 3, false}, true},
        {"ts method", {0.2, 3, false}, true},
        {"shrink", {0.3, 2, false}, false},
        {"async_plain", {0.08, 3, false}, true},
        {"async_single", {0.08, 3, false}, true},
        {"async_shrink", {0.3, 3, false}, false},
        {"omega", {0.1, 3, false}, true},
        {"late", {0.25, 3, false}, true},
        {"program", {0.25, 3, false}, false},
        {"between nodes", {0.1, 3, false}, false},
        {"between nodes in rounds", {0.1, 3, false}, false},
        {"moves", {0.7, 0.5, false}, false},
        {"unattributed", {0.3, 1, false}, false},
        {"starting", {0.3, 3, true}, false},
        {"waiting", {0.2, 3, true}, false},
        {"communicating", {0.2, 3, true}, false},
        {"by_thread", {0.3, 3, true}, false},
        {"data_at_points", {0.3, 3, false}, false},
        {"data_by_thread", {0.3, 3, false}, false},
    };
    size_t i = 0, last = NEREUS_COUNT_OF(scatters) - 1;
    while (i < last && strcmp(scatters[i].model, model) != 0)
        i++;
    struct nereus_prior_scatter prior = scatters[i].prior;
    if (single_runs &&
        scatters[i].medians) /* a median of n scatters 1.25 / sqrt(n) times as much */
        prior.log_sd *= sqrt(10) / 1.25;
    return prior;
}

void nereus_profile_set_campaign(struct nereus_profile *profile)
{
    char kind[64];
    snprintf(kind, sizeof kind, "campaign, %s", profile->machine_kind);
    const char *const model = find_row(kind, "start") != NULL ? kind : "campaign";
    profile->campaign_log_sd = find_row(model, "start")->log_sd;
    profile->campaign_of_shrinks_log_sd = find_row(model, "shrink")->log_sd;
}

void nereus_priors_set(const char *model, const char *const *names, size_t count, size_t first,
                       struct nereus_regression *regression)
{
    for (size_t i = 0; i < count; i++) {
        const struct nereus_term_prior *prior = nereus_term_prior_of(model, names[i]);
        regression->priors[first + i] = (struct nereus_prior){prior->value, prior->log_sd, 0};
        for (size_t k = 0; k < i && prior->ratio_to != NULL; k++)
            if (strcmp(names[k], prior->ratio_to) == 0)
                regression->priors[first + i].ratio_to = (int)(first + k) + 1;
    }
}
