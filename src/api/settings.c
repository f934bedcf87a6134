/* Checks and stores the options of nereus_init. */
#include "settings.h"
#include "model/util/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_client/folder.h"
#include "model/layout/slurm.h"
#include "model/partition/keep.h"
#include "model/util/c_locale.h"
#include "model/util/values.h"
#include "nereus/scaling.h"
#include "src/checkpoint/write.h"
#include "src/core/check_request.h"
#include "src/core/choose.h"
#include "src/core/policy_module.h"
#include "src/start/bind.h"
#include "src/util/absolute_path.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "src/util/process_settings.h"
#include "src/util/watchdog_setting.h"

/* The faster way to connect old and new processes (docs/results/connect.md). */
enum { BRIDGE_BY_DEFAULT = true };

/* An option, else an environment variable, else NULL. */
static const char *given(const char *option, const char *variable)
{
    if (option != NULL)
        return option;
    const char *text = getenv(variable);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static enum nereus_status set_text(char **text, const char *value, struct nereus_error *err)
{
    if (value == NULL)
        return NEREUS_OK;
    *text = strdup(value);
    return *text != NULL ? NEREUS_OK
                         : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the options");
}

static enum nereus_status declared_slots(const struct nereus_options *options, int64_t *slots,
                                         struct nereus_error *err)
{
    const char *text = getenv("NEREUS_SLOTS");
    *slots = options->slots;
    if (options->slots < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%lld slot%s: the number must be 1 or more",
                           (long long)options->slots, nereus_plural_s(options->slots));
    if (options->slots > 0 || text == NULL || text[0] == '\0')
        return NEREUS_OK;
    char *end;
    errno = 0;
    *slots = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || *slots < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "NEREUS_SLOTS is '%s' and must be a whole number from 1 on", text);
    return NEREUS_OK;
}

/* An option, else the environment; 0: neither. */
static enum nereus_status given_per_process(const struct nereus_options *options, int64_t *cores,
                                            struct nereus_error *err)
{
    const char *text = getenv("NEREUS_CORES_PER_PROCESS");
    char *end;
    *cores = options->cores_per_process;
    if (*cores < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.cores_per_process is %lld and must be 1 or more",
                           (long long)*cores);
    if (*cores > 0 || text == NULL || text[0] == '\0')
        return NEREUS_OK;
    errno = 0;
    *cores = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || *cores < 1)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "NEREUS_CORES_PER_PROCESS is '%.160s' and must be a whole number from 1 on", text);
    return NEREUS_OK;
}

/* Warn if threads would share a core, unless the user has set the number of cores. */
static void notice_threads(const nereus_job *job, int64_t given_cores)
{
    const char *text = getenv("OMP_NUM_THREADS");
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
    const char *hostfile = given(options->hostfile, "NEREUS_HOSTFILE");
    const struct nereus_slurm slurm = nereus_slurm_environment();
    int64_t slots, cores;
    NEREUS_TRY(declared_slots(options, &slots, err));
    NEREUS_TRY(given_per_process(options, &cores, err));
    if (hostfile != NULL)
        NEREUS_TRY(nereus_machine_from_file(hostfile, &job->machine, err));
    else
        NEREUS_TRY(nereus_machine_around(&slurm, "localhost", job->cores_here, &job->machine, err));
    if (cores > 0)
        NEREUS_TRY(nereus_machine_set_per_process(&job->machine, cores, err));
    if (slots > 0)
        job->machine.slots = slots;
    notice_threads(job, cores);
    return NEREUS_OK;
}

static enum nereus_status set_schedule(nereus_job *job, const struct nereus_options *options,
                                       struct nereus_error *err)
{
    if (options->schedule_count < 0 || (options->schedule_count > 0 && options->schedule == NULL))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.schedule_count is %lld, but options.schedule holds nothing",
                           (long long)options->schedule_count);
    job->settings.schedule =
        calloc((size_t)options->schedule_count + 1, sizeof *job->settings.schedule);
    if (job->settings.schedule == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a schedule of %lld sizes",
                           (long long)options->schedule_count);
    for (int64_t i = 0; i < options->schedule_count; i++) {
        const struct nereus_resize *resize = &options->schedule[i];
        struct resize_request *wanted = &job->settings.schedule[i];
        wanted->point = resize->point;
        wanted->nt = resize->nt;
        NEREUS_TRY(nereus_set_requested_method(job, resize->method, wanted, err));
        if (i > 0 && wanted->point < wanted[-1].point)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "the schedule goes back from point %lld to point %lld",
                               (long long)wanted[-1].point, (long long)wanted->point);
        NEREUS_TRY(nereus_check_request(job, wanted, err));
        job->settings.schedule_count = i + 1;
    }
    return NEREUS_OK;
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
        NEREUS_TRY(set_text(&job->settings.environment[i], names[i], err));
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
    const char *text = given(options->bind, "NEREUS_BIND");
    const char *name = options->bind != NULL ? "options.bind" : "NEREUS_BIND";
    const bool to_cores = text != NULL && strcmp(text, "core") == 0;
    if (to_cores && !nereus_bind_possible())
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "%s is core, and this libnereus was built without hwloc, which binds "
                           "processes to cores",
                           name);
    if (text != NULL && !to_cores && strcmp(text, "none") != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is '%.160s' and must be core or none",
                           name, text);
    job->settings.bind_to_cores = (text == NULL || to_cores) && nereus_bind_possible();
    return NEREUS_OK;
}

/* A whole number above 0 from an option, else from the environment, else 1. */
static enum nereus_status set_count(int64_t option, const char *variable, int64_t *count,
                                    struct nereus_error *err)
{
    const char *text = given(NULL, variable);
    char *end = NULL;
    *count = option;
    if (option == 0 && text != NULL) {
        *count = strtoll(text, &end, 10);
        if (end == text || *end != '\0')
            *count = -1;
    }
    if (*count == 0 && end == NULL)
        *count = 1;
    if (option < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the option of %s is %lld and must be a whole number of at least 1",
                           variable, (long long)option);
    if (*count < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s is '%s' and must be a whole number of at least 1", variable, text);
    return NEREUS_OK;
}

static enum nereus_status set_connecting(nereus_job *job, const struct nereus_options *options,
                                         struct nereus_error *err)
{
    const char *text = given(options->connect, "NEREUS_CONNECT");
    job->settings.bridge = text == NULL ? BRIDGE_BY_DEFAULT : strcmp(text, "bridge") == 0;
    if (text != NULL && !job->settings.bridge && strcmp(text, "port") != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is '%.160s' and must be port or bridge",
                           options->connect != NULL ? "options.connect" : "NEREUS_CONNECT", text);
    const char *keep = getenv("NEREUS_KEEP_ASLEEP");
    job->settings.keep_asleep = keep != NULL && strcmp(keep, "1") == 0;
    if (keep != NULL && *keep != '\0' && !job->settings.keep_asleep && strcmp(keep, "0") != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "NEREUS_KEEP_ASLEEP is '%.160s' and must be 0 or 1", keep);
    NEREUS_TRY(set_count(options->batch, "NEREUS_BATCH", &job->settings.batch, err));
    return set_count(options->test_every, "NEREUS_TEST_EVERY", &job->settings.test_every, err);
}

/* Seconds from an option, else from the environment, else the default. */
static enum nereus_status set_seconds(double option, const char *variable, double otherwise,
                                      double *seconds, struct nereus_error *err)
{
    const char *text = given(NULL, variable);
    char *end = NULL;
    *seconds = option > 0 ? option : otherwise;
    if (option > 0 || text == NULL)
        return NEREUS_OK;
    *seconds = nereus_strtod(text, &end);
    if (end == text || *end != '\0' || !(*seconds > 0) || *seconds > 1e6)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s is '%.160s' and must be a number of seconds above 0", variable,
                           text);
    return NEREUS_OK;
}

/* The host limit is short, so that a job that must end because of a host ends within 10 s. Programs
 * may take longer. */
static enum nereus_status set_timeouts(nereus_job *job, const struct nereus_options *options,
                                       struct nereus_error *err)
{
    NEREUS_TRY(set_seconds(options->spawn_timeout_s, "NEREUS_SPAWN_TIMEOUT", 60,
                           &job->settings.spawn_timeout_s, err));
    return set_seconds(options->answer_timeout_s, "NEREUS_ANSWER_TIMEOUT", 7,
                       &job->settings.answer_timeout_s, err);
}

/* Allowed imbalance of ranges, in exchange for less data movement. */
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

/* exchange_shared.c reads it in each process; an error is reported here, once. */
static enum nereus_status check_shared(struct nereus_error *err)
{
    const char *text = getenv("NEREUS_SHARED");
    if (text == NULL || text[0] == '\0' || strcmp(text, "messages") == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "NEREUS_SHARED is '%.160s' and must be messages, or not be set", text);
}

static enum nereus_status set_monitor(nereus_job *job, struct nereus_error *err)
{
    NEREUS_TRY(set_text(&job->settings.monitor_path, given(NULL, "NEREUS_MONITOR"), err));
    return nereus_monitor_setting_parse(job->settings.monitor_path, getenv("NEREUS_MONITOR_EVERY"),
                                        getenv("NEREUS_MONITOR_WORK"), &job->settings.monitor, err);
}

/* NEREUS_BALANCE: interval of load balance in nereus_point. */
static enum nereus_status set_balance(nereus_job *job, struct nereus_error *err)
{
    return given(NULL, "NEREUS_BALANCE") == NULL
               ? NEREUS_OK
               : set_count(0, "NEREUS_BALANCE", &job->settings.balance_every, err);
}

/* Load balance and policies need measurements, even if monitoring writes no file.
 * @param interval  of a policy, in iterations, whose last quarter is measured; 0: none measures */
static void measure_for_decisions(nereus_job *job, int64_t interval)
{
    struct nereus_monitor_setting *setting = &job->settings.monitor;
    if (job->settings.balance_every == 0 && interval == 0)
        return;
    if (interval > 0 && given(NULL, "NEREUS_MONITOR_EVERY") == NULL)
        setting->iterations = (interval + 3) / 4;
    if (!setting->on)
        setting->work = NEREUS_WORK_CPU_TIME;
    setting->on = true;
}

/* link/watchdog.c reads it in each process, and stays off if it is invalid. */
static enum nereus_status check_watchdog(struct nereus_error *err)
{
    struct nereus_watchdog_setting setting;
    return nereus_watchdog_setting_parse(getenv("NEREUS_WATCHDOG"), &setting, err);
}

/* NEREUS_CHECKPOINT_EVERY: a duration, or auto with NEREUS_MTBF. */
static enum nereus_status set_interval(const char *text, struct checkpoint_interval *interval,
                                       struct nereus_error *err)
{
    const char *mtbf = given(NULL, "NEREUS_MTBF");
    if (text == NULL && interval->every_s >= 0)
        return NEREUS_OK;
    interval->automatic = text == NULL || strcmp(text, "auto") == 0;
    if (!interval->automatic)
        return nereus_value_seconds("NEREUS_CHECKPOINT_EVERY", text, &interval->every_s, err);
    interval->every_s = 0;
    if (mtbf == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the interval between checkpoints is auto, which needs the mean time "
                           "between failures of the job: NEREUS_MTBF, as in 6h");
    return nereus_value_seconds("NEREUS_MTBF", mtbf, &interval->mtbf_s, err);
}

static enum nereus_status set_checkpoints(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err)
{
    struct job_settings *settings = &job->settings;
    const char *folder = given(options->checkpoint, "NEREUS_CHECKPOINT"),
               *every =
                   options->checkpoint_every_s != 0 ? NULL : given(NULL, "NEREUS_CHECKPOINT_EVERY");
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
    /* The first one measures what one costs */
    settings->checkpoint.last_s = settings->checkpoint.automatic ? 0 : nereus_wall_clock_s();
    return NEREUS_OK;
}

static enum nereus_status set_default_method(nereus_job *job, const struct nereus_options *options,
                                             struct nereus_error *err)
{
    struct resize_request wanted = {.open = false};
    NEREUS_TRY(nereus_set_requested_method(job, options->method != NULL ? options->method : "auto",
                                           &wanted, err));
    job->settings.default_method = wanted.method;
    job->settings.default_open = wanted.open;
    return nereus_method_check(&wanted.method, err);
}

static enum nereus_status set_goal(nereus_job *job, const struct nereus_options *options,
                                   struct nereus_error *err)
{
    static const char *const goals[] = {"application", "system", "node-hours"};
    const char *text = given(options->goal, "NEREUS_GOAL");
    for (size_t i = 0; text != NULL && i < sizeof goals / sizeof goals[0]; i++) {
        if (strcmp(text, goals[i]) == 0) {
            job->settings.goal = (enum nereus_goal)i;
            return NEREUS_OK;
        }
    }
    return text == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "%s is '%.160s' and must be application, system or node-hours",
                             options->goal != NULL ? "options.goal" : "NEREUS_GOAL", text);
}

/* Settings for the choice of a method by the model (core/model_choice.c). */
static enum nereus_status set_for_model(nereus_job *job, const struct nereus_options *options,
                                        struct nereus_error *err)
{
    struct nereus_scaling law;
    NEREUS_TRY(set_goal(job, options, err));
    if (options->iterations < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.iterations is %lld and must be 0 (unknown) or more",
                           (long long)options->iterations);
    job->settings.iterations = options->iterations;
    if (options->scaling != NULL) {
        NEREUS_TRY(nereus_scaling_parse(options->scaling, &law, err));
        nereus_scaling_fini(&law);
    }
    NEREUS_TRY(set_text(&job->settings.scaling, options->scaling, err));
    NEREUS_TRY(set_text(&job->settings.profile, options->profile, err));
    NEREUS_TRY(set_text(&job->settings.learn_path, given(NULL, "NEREUS_LEARN"), err));
    const char *policy = given(options->policy, "NEREUS_POLICY");
    int64_t interval = 0;
    if (policy != NULL)
        NEREUS_TRY(nereus_policy_module_check(policy, options->decide != NULL, &interval, err));
    measure_for_decisions(job, interval);
    return set_text(&job->settings.policy_path, policy, err);
}

/* Name and folder of the socket at which the job answers (core/external.h). */
static enum nereus_status set_name(nereus_job *job, struct nereus_error *err)
{
    const char *name = given(NULL, "NEREUS_JOB");
    struct nereus_error cause;
    char folder[NEREUS_JOB_PATH_MAX];
    if (name == NULL)
        return NEREUS_OK;
    if (nereus_job_name_check(name, &cause) != NEREUS_OK ||
        nereus_job_folder(folder, &cause) != NEREUS_OK)
        return nereus_fail(err, cause.status, "NEREUS_JOB: %s", cause.text);
    NEREUS_TRY(set_text(&job->settings.name, name, err));
    return set_text(&job->settings.folder, folder, err);
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
    NEREUS_TRY(set_default_method(job, options, err));
    NEREUS_TRY(set_binding(job, options, err));
    NEREUS_TRY(set_machine(job, options, err));
    NEREUS_TRY(set_connecting(job, options, err));
    NEREUS_TRY(set_imbalance(job, options, err));
    NEREUS_TRY(check_shared(err));
    NEREUS_TRY(check_watchdog(err));
    NEREUS_TRY(nereus_fault_check(err));
    NEREUS_TRY(set_sizes(job, err));
    NEREUS_TRY(set_monitor(job, err));
    NEREUS_TRY(set_balance(job, err));
    NEREUS_TRY(nereus_check_setting(&job->settings.checks, err));
    NEREUS_TRY(nereus_keep_setting(&job->settings.keep_bytes, err));
    NEREUS_TRY(nereus_huge_setting(&job->settings.huge_bytes, err));
    NEREUS_TRY(set_for_model(job, options, err));
    NEREUS_TRY(set_text(&job->settings.program, options->program, err));
    NEREUS_TRY(set_text(&job->trace.path, given(options->trace, "NEREUS_TRACE"), err));
    NEREUS_TRY(set_text(&job->settings.state_path, given(options->state, "NEREUS_STATE"), err));
    NEREUS_TRY(set_checkpoints(job, options, err));
    NEREUS_TRY(set_name(job, err));
    NEREUS_TRY(set_environment(job, options->environment, err));
    NEREUS_TRY(set_user_state(job, options, err));
    return set_schedule(job, options, err);
}
