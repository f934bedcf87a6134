/** @file settings.c  Checks and stores the options of nereus_init. */
#include "settings.h"

#include "model/job_client/folder.h"
#include "model/layout/slurm.h"
#include "model/partition/keep.h"
#include "model/util/home.h"
#include "model/util/values.h"
#include "src/checkpoint/restart.h"
#include "src/core/prepare_request.h"
#include "src/mpi/mpi_library.h"
#include "src/start/bind.h"
#include "src/util/clock.h"
#include "src/util/fault.h"
#include "src/util/option_value.h"
#include "src/util/process_settings.h"
#include "src/util/watchdog_setting.h"

static enum nereus_status add_changes(nereus_job *job, const struct nereus_resize *changes,
                                      int64_t count, struct nereus_error *err)
{
    job->settings.schedule = calloc((size_t)count + 1, sizeof *job->settings.schedule);
    NEREUS_TRY_MEMORY(job->settings.schedule, err, "for a schedule of %lld sizes",
                      (long long)count);
    for (int64_t i = 0; i < count; i++) {
        struct resize_request *request = &job->settings.schedule[i];
        request->point = changes[i].point;
        request->nt = changes[i].nt;
        NEREUS_TRY(nereus_set_requested_method(job, changes[i].method, request, err));
        if (i > 0 && request->point < request[-1].point)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "the schedule goes back from point %lld to point %lld",
                               (long long)request[-1].point, (long long)request->point);
        /* After a restart the machine may be smaller: then the change is refused at its point. */
        if (!nereus_is_restart())
            NEREUS_TRY(nereus_check_request(job, request, err));
        job->settings.schedule_count = i + 1;
    }
    return NEREUS_OK;
}

/* Parse "2@20:merge/p2p"; the text is modified. */
static enum nereus_status parse_change(char *text, struct nereus_resize *change,
                                       struct nereus_error *err)
{
    char *point = strchr(text, '@');
    struct nereus_error why;
    if (point != NULL)
        *point++ = '\0';
    char *method = point != NULL ? strchr(point, ':') : NULL;
    if (method != NULL)
        *method++ = '\0';
    change->method = method;
    if (point != NULL && (method == NULL || method[0] != '\0') &&
        nereus_value_parse_integer("size", text, 1, &change->nt, &why) == NEREUS_OK &&
        nereus_value_parse_integer("point", point, 1, &change->point, &why) == NEREUS_OK)
        return NEREUS_OK;
    if (method != NULL)
        method[-1] = ':';
    return nereus_fail(
        err, NEREUS_ERR_ARGUMENT,
        "NEREUS_SCHEDULE has '%.80s%s%.80s', and takes SIZE@POINT[:METHOD], separated "
        "by commas, as 4@10,2@20:merge/p2p",
        text, point != NULL ? "@" : "", point != NULL ? point : "");
}

/* Add the changes of "4@10,2@20:merge/p2p": SIZE@POINT[:METHOD], separated by commas. */
static enum nereus_status add_changes_of_text(nereus_job *job, const char *text,
                                              struct nereus_error *err)
{
    char *copy = strdup(text), *rest = copy, *one; /* the methods of the changes point to it */
    struct nereus_resize *changes = calloc(strlen(text) + 1, sizeof *changes);
    int64_t count = 0;
    enum nereus_status status =
        copy != NULL && changes != NULL
            ? NEREUS_OK
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for NEREUS_SCHEDULE");
    while (status == NEREUS_OK && (one = strsep(&rest, ",")) != NULL)
        status = parse_change(one, &changes[count++], err);
    if (status == NEREUS_OK)
        status = add_changes(job, changes, count, err);
    free(copy);
    free(changes);
    return status;
}

static enum nereus_status set_schedule(nereus_job *job, const struct nereus_options *options,
                                       struct nereus_error *err)
{
    const char *text =
        options->schedule_count == 0 ? nereus_option_find(NULL, "NEREUS_SCHEDULE") : NULL;
    if (options->schedule_count < 0 || (options->schedule_count > 0 && options->schedule == NULL))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.schedule_count is %lld, but options.schedule holds nothing",
                           (long long)options->schedule_count);
    return text != NULL ? add_changes_of_text(job, text, err)
                        : add_changes(job, options->schedule, options->schedule_count, err);
}

static enum nereus_status set_environment(nereus_job *job, const char *const *names,
                                          struct nereus_error *err)
{
    size_t count = 0;
    while (names != NULL && names[count] != NULL)
        count++;
    job->settings.environment = calloc(count + 1, sizeof *job->settings.environment);
    if (job->settings.environment == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the options");
    for (size_t i = 0; i < count; i++)
        NEREUS_TRY(nereus_option_copy_text(&job->settings.environment[i], names[i], err));
    return NEREUS_OK;
}

static enum nereus_status set_user_state(nereus_job *job, const struct nereus_options *options,
                                         struct nereus_error *err)
{
    if (options->user_state_bytes == 0)
        return NEREUS_OK;
    if (options->user_state == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.user_state_bytes is %zu, but options.user_state is NULL",
                           options->user_state_bytes);
    job->settings.user_state = malloc(options->user_state_bytes);
    if (job->settings.user_state == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a user state of %zu bytes",
                           options->user_state_bytes);
    memcpy(job->settings.user_state, options->user_state, options->user_state_bytes);
    job->settings.user_state_bytes = (int64_t)options->user_state_bytes;
    return NEREUS_OK;
}

static enum nereus_status set_binding(nereus_job *job, const struct nereus_options *options,
                                      struct nereus_error *err)
{
    static const char *const words[] = {"none", "core", NULL};
    int to_cores;
    NEREUS_TRY(nereus_option_word(options->bind, "NEREUS_BIND", words, nereus_bind_is_supported(),
                                  &to_cores, err));
    if (to_cores == 1 && !nereus_bind_is_supported())
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "NEREUS_BIND (options.bind) is core, and this libnereus was built "
                           "without hwloc, which binds processes to cores");
    job->settings.bind_to_cores = to_cores == 1;
    return NEREUS_OK;
}

/* Warn if threads would share a core, unless the user has set the number of cores. */
static void warn_of_threads(const nereus_job *job, int64_t given_cores)
{
    const char *text = getenv("OMP_NUM_THREADS");
    /* OpenMP allows a list: its first number is for the outermost level */
    const long threads = text != NULL ? strtol(text, NULL, 10) : 0;
    if (threads > 1 && given_cores == 0 && job->machine.cores_per_process == 0 &&
        job->settings.bind_to_cores)
        nereus_log(
            "OMP_NUM_THREADS is %ld, and each process gets one core: NEREUS_CORES_PER_PROCESS=%ld (or "
            "options.cores_per_process) gives it a core for each thread; 1 says that one is meant",
            threads, threads);
}

static enum nereus_status set_machine(nereus_job *job, const struct nereus_options *options,
                                      struct nereus_error *err)
{
    const char *hostfile = nereus_option_find(options->hostfile, "NEREUS_HOSTFILE");
    const struct nereus_slurm slurm = nereus_slurm_environment();
    int64_t slots, cores;
    NEREUS_TRY(nereus_option_read_count(options->slots, "NEREUS_SLOTS", 0, &slots, err));
    NEREUS_TRY(nereus_option_read_count(options->cores_per_process, "NEREUS_CORES_PER_PROCESS", 0,
                                        &cores, err));
    if (hostfile != NULL)
        NEREUS_TRY(nereus_machine_from_file(hostfile, &job->machine, err));
    else
        NEREUS_TRY(nereus_machine_from_environment(&slurm, "localhost", job->cores_here,
                                                   &job->machine, err));
    if (cores > 0)
        NEREUS_TRY(nereus_machine_set_per_process(&job->machine, cores, err));
    if (slots > 0)
        job->machine.slots = slots;
    warn_of_threads(job, cores);
    return NEREUS_OK;
}

static enum nereus_status set_connecting(nereus_job *job, const struct nereus_options *options,
                                         struct nereus_error *err)
{
    static const char *const ways[] = {"port", "bridge", NULL}, *const switches[] = {"0", "1",
                                                                                     NULL};
    const char *no_bridge = nereus_mpi()->no_bridge;
    int bridge, keep;
    /* default: the bridge, which is faster (docs/results/speed.md), where it works */
    NEREUS_TRY(nereus_option_word(options->connect, "NEREUS_CONNECT", ways, no_bridge == NULL,
                                  &bridge, err));
    if (bridge == 1 && no_bridge != NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "NEREUS_CONNECT (options.connect) is bridge, and must be port with %s: "
                           "%s",
                           nereus_mpi()->name, no_bridge);
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_KEEP_ASLEEP", switches, 0, &keep, err));
    job->settings.bridge = bridge == 1;
    job->settings.keep_asleep = keep == 1;
    NEREUS_TRY(
        nereus_option_read_count(options->batch, "NEREUS_BATCH", 1, &job->settings.batch, err));
    return nereus_option_read_count(options->test_every, "NEREUS_TEST_EVERY", 1,
                                    &job->settings.test_every, err);
}

/* The time limit for hosts is short, so that a job ends within 10 s after a host has stopped to
 * answer. The limit for programs is longer. */
static enum nereus_status set_timeouts(nereus_job *job, const struct nereus_options *options,
                                       struct nereus_error *err)
{
    NEREUS_TRY(nereus_option_read_seconds(options->spawn_timeout_s, "NEREUS_SPAWN_TIMEOUT", 60,
                                          &job->settings.spawn_timeout_s, err));
    return nereus_option_read_seconds(options->answer_timeout_s, "NEREUS_ANSWER_TIMEOUT", 7,
                                      &job->settings.answer_timeout_s, err);
}

/* Set the imbalance of ranges that is allowed in order to move less data. */
static enum nereus_status set_imbalance(nereus_job *job, const struct nereus_options *options,
                                        struct nereus_error *err)
{
    const char *text = getenv("NEREUS_IMBALANCE");
    char *end = NULL;
    job->settings.imbalance = options->imbalance == 0  ? NEREUS_IMBALANCE
                              : options->imbalance < 0 ? 0
                                                       : options->imbalance;
    if (options->imbalance != 0 || text == NULL)
        return NEREUS_OK;
    job->settings.imbalance = nereus_strtod(text, &end);
    if (end == text || *end != '\0' || !(job->settings.imbalance >= 0) ||
        job->settings.imbalance > 1e6)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "NEREUS_IMBALANCE is '%.160s' and must be a number of 0 (ranges as equal as can be) "
            "or more, as 0.05",
            text);
    return NEREUS_OK;
}

/* NEREUS_SIZES: sizes allowed by the user who started the job; nereus_declare_sizes adds the
 * program's own limits. */
static enum nereus_status set_sizes(nereus_job *job, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_SIZES");
    if (text == NULL)
        return NEREUS_OK;
    NEREUS_TRY(nereus_sizes_read("NEREUS_SIZES", text, &job->settings.sizes, err));
    job->settings.sizes_outside = job->settings.sizes;
    return NEREUS_OK;
}

/* Check variables that other files read (NEREUS_SHARED: exchange_shared.c, in each process;
 * NEREUS_SPAWN: spawn.c and choose.c), so that an error is reported once. */
static enum nereus_status check_words(struct nereus_error *err)
{
    static const char *const shared[] = {"messages", NULL}, *const spawn[] = {"yes", "no", NULL};
    int unused;
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_SHARED", shared, 0, &unused, err));
    return nereus_option_word(NULL, "NEREUS_SPAWN", spawn, 0, &unused, err);
}

/* Check NEREUS_WATCHDOG, which link/watchdog.c reads in each process; there an invalid value turns
 * the watchdog off. */
static enum nereus_status check_watchdog(struct nereus_error *err)
{
    struct nereus_watchdog_setting setting;
    return nereus_watchdog_setting_parse(getenv("NEREUS_WATCHDOG"), &setting, err);
}

/* An overlapped checkpoint stops the application for a shorter time
 * (docs/results/checkpoint.md). */
enum { OVERLAP_BY_DEFAULT = true };

/* NEREUS_CHECKPOINT_EVERY is a duration, or auto together with NEREUS_MTBF. */
static enum nereus_status set_interval(const char *text, struct checkpoint_interval *interval,
                                       struct nereus_error *err)
{
    const char *mtbf = nereus_option_find(NULL, "NEREUS_MTBF");
    if (text == NULL && interval->every_s >= 0)
        return NEREUS_OK;
    interval->automatic = text == NULL || strcmp(text, "auto") == 0;
    if (!interval->automatic)
        return nereus_value_parse_seconds("NEREUS_CHECKPOINT_EVERY", text, &interval->every_s, err);
    interval->every_s = 0;
    if (mtbf == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the interval between checkpoints is auto, which needs the mean time "
                           "between failures of the job: NEREUS_MTBF, as in 6h");
    return nereus_value_parse_seconds("NEREUS_MTBF", mtbf, &interval->mtbf_s, err);
}

static enum nereus_status set_overlap(struct checkpoint_interval *interval,
                                      struct nereus_error *err)
{
    static const char *const switches[] = {"on", "off", NULL};
    int off;
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_CHECKPOINT_OVERLAP", switches, !OVERLAP_BY_DEFAULT,
                                  &off, err));
    interval->overlapped = off == 0;
    return NEREUS_OK;
}

static enum nereus_status set_checkpoints(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err)
{
    struct job_settings *settings = &job->settings;
    const char *folder = nereus_option_find(options->checkpoint, "NEREUS_CHECKPOINT"),
               *every = options->checkpoint_every_s != 0
                            ? NULL
                            : nereus_option_find(NULL, "NEREUS_CHECKPOINT_EVERY");
    if (folder == NULL && every != NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "NEREUS_CHECKPOINT_EVERY is '%.100s', and there is no folder for "
                           "checkpoints (NEREUS_CHECKPOINT)",
                           every);
    if (folder == NULL)
        return NEREUS_OK;
    settings->checkpoint_folder = nereus_absolute_path(folder);
    NEREUS_TRY_MEMORY(settings->checkpoint_folder, err, "for the options");
    settings->checkpoint.every_s = options->checkpoint_every_s;
    NEREUS_TRY(set_interval(every, &settings->checkpoint, err));
    NEREUS_TRY(set_overlap(&settings->checkpoint, err));
    /* 0: the first checkpoint is due at once, to measure its cost */
    settings->checkpoint.last_s = settings->checkpoint.automatic ? 0 : nereus_steady_clock_s();
    return NEREUS_OK;
}

/* Set name and folder of the job's socket (core/external.h). */
static enum nereus_status set_name(nereus_job *job, struct nereus_error *err)
{
    const char *name = nereus_option_find(NULL, "NEREUS_JOB");
    struct nereus_error cause;
    char folder[NEREUS_JOB_PATH_MAX];
    if (name == NULL)
        return NEREUS_OK;
    if (nereus_job_name_check(name, &cause) != NEREUS_OK ||
        nereus_job_folder(folder, &cause) != NEREUS_OK)
        return nereus_fail(err, cause.status, "NEREUS_JOB: %s", cause.text);
    NEREUS_TRY(nereus_option_copy_text(&job->settings.name, name, err));
    return nereus_option_copy_text(&job->settings.folder, folder, err);
}

void nereus_job_set_callbacks(nereus_job *job, const struct nereus_options *options)
{
    job->callbacks.before = options->before;
    job->callbacks.after = options->after;
    job->callbacks.decide = options->decide;
    job->callbacks.user = options->user;
    if (options->mover != NULL)
        job->callbacks.mover = *options->mover;
}

enum nereus_status nereus_job_set_options(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err)
{
    NEREUS_TRY(set_timeouts(job, options, err));
    NEREUS_TRY(nereus_settings_read_method(job, options, err));
    NEREUS_TRY(set_binding(job, options, err));
    NEREUS_TRY(set_machine(job, options, err));
    NEREUS_TRY(set_connecting(job, options, err));
    NEREUS_TRY(set_imbalance(job, options, err));
    NEREUS_TRY(check_words(err));
    NEREUS_TRY(check_watchdog(err));
    NEREUS_TRY(nereus_fault_check(err));
    NEREUS_TRY(set_sizes(job, err));
    NEREUS_TRY(nereus_process_settings_read(&job->settings.process, err));
    NEREUS_TRY(nereus_settings_read_decisions(job, options, err));
    NEREUS_TRY(nereus_option_copy_text(&job->settings.program, options->program, err));
    NEREUS_TRY(nereus_option_copy_text(&job->trace.path,
                                       nereus_option_find(options->trace, "NEREUS_TRACE"), err));
    NEREUS_TRY(nereus_option_copy_text(&job->settings.state_path,
                                       nereus_option_find(options->state, "NEREUS_STATE"), err));
    NEREUS_TRY(set_checkpoints(job, options, err));
    NEREUS_TRY(set_name(job, err));
    NEREUS_TRY(set_environment(job, options->environment, err));
    NEREUS_TRY(set_user_state(job, options, err));
    return set_schedule(job, options, err);
}
