/** @file profile_option.c  Finds or makes the profile of a command: named, installed or
 * synthetic. */
#include "profile_option.h"

#include "model/util/values.h"
#include "nereus/synthetic.h"
#include "predictor/cli/command.h"

const struct nereus_option nereus_profile_options[] = {
    {"profile", 'p', NEREUS_OPTION_TEXT, "PROFILE.json",
     "the machine: a file of `nereus profile fit` or `calibrate`, -, or a name of `nereus "
     "profile list` ($NEREUS_PROFILE, else the one installed for this host or cluster)",
     offsetof(struct nereus_profile_settings, profile), NULL},
    {"synthetic", 0, NEREUS_OPTION_TEXT, "CLUSTER",
     "a synthetic machine instead, as \"nodes:16 cores:20 latency:1.5us bandwidth:12GB/s "
     "spawn:0.3s node-bandwidth:12GB/s\"; for restarts also file-write, file-read and start",
     offsetof(struct nereus_profile_settings, synthetic), NULL},
};
const size_t nereus_profile_option_count = NEREUS_COUNT_OF(nereus_profile_options);

enum nereus_status nereus_profile_settings_check(const struct nereus_profile_settings *settings,
                                                 struct nereus_error *err)
{
    struct nereus_synthetic cluster;
    if (settings->profile != NULL && settings->synthetic != NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--profile and --synthetic each describe a machine: leave one out");
    }
    return settings->synthetic != NULL ? nereus_synthetic_parse(settings->synthetic, &cluster, err)
                                       : NEREUS_OK;
}

/* Format the part of the note about the costs of a restart; "": none stated. */
static const char *format_restart(const struct nereus_synthetic *cluster, char text[160])
{
    char start[32];
    size_t length = 0;
    text[0] = '\0';
    if (cluster->file_write > 0) {
        length += (size_t)snprintf(text, 160, "; checkpoints written at %.4g GB/s",
                                   cluster->file_write / 1e9);
    }
    if (cluster->file_read > 0) {
        length += (size_t)snprintf(text + length, 160 - length, "%s read at %.4g GB/s",
                                   length > 0 ? " and" : "; checkpoints", cluster->file_read / 1e9);
    }
    if (cluster->start_s > 0) {
        snprintf(text + length, 160 - length, "%s %s until a program has started anew",
                 length > 0 ? "," : ";", nereus_format_seconds(cluster->start_s, start));
    }
    return text;
}

static enum nereus_status make_synthetic(const char *text, struct nereus_profile *profile,
                                         struct nereus_error *err)
{
    struct nereus_synthetic cluster;
    char latency[32], spawn[32], restart[160];
    NEREUS_TRY(nereus_synthetic_parse(text, &cluster, err));
    NEREUS_TRY(nereus_synthetic_profile(&cluster, profile, err));
    const double node_bandwidth =
        cluster.node_bandwidth > 0 ? cluster.node_bandwidth : cluster.bandwidth;
    nereus_cli_note("synthetic cluster: %lld node%s with %lld core%s, messages of %s and %.4g GB/s "
                    "(%.4g GB/s a node), %s to start a process%s; all else by priors",
                    (long long)cluster.nodes, nereus_plural_s(cluster.nodes),
                    (long long)cluster.cores, nereus_plural_s(cluster.cores),
                    nereus_format_seconds(cluster.latency_s, latency), cluster.bandwidth / 1e9,
                    node_bandwidth / 1e9, nereus_format_seconds(cluster.spawn_s, spawn),
                    format_restart(&cluster, restart));
    return NEREUS_OK;
}

enum nereus_status nereus_profile_open(const struct nereus_profile_settings *settings,
                                       char path[NEREUS_PROFILE_PATH_MAX],
                                       struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_profile_search search;
    struct nereus_profile_place place = {.path = ""};
    if (settings->synthetic != NULL) {
        NEREUS_TRY(make_synthetic(settings->synthetic, profile, err));
    } else {
        nereus_profile_search_init(&search);
        NEREUS_TRY(nereus_profile_read_default(&search, settings->profile, &place, profile, err));
        if (place.selection != NEREUS_PROFILE_NAMED) {
            nereus_cli_note("profile %s (%s)", place.path,
                            nereus_profile_selection_text(place.selection));
        }
    }
    if (path != NULL)
        snprintf(path, NEREUS_PROFILE_PATH_MAX, "%s", place.path);
    return NEREUS_OK;
}
