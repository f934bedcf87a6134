/** @file settings_decisions.c  Sets the choice of sizes and methods, and its
 * measurements. */

#include "model/util/values.h"
#include "nereus/scaling.h"
#include "settings.h"
#include "src/core/policy_module.h"
#include "src/core/prepare_request.h"
#include "src/util/option_value.h"

static enum nereus_status set_monitor(nereus_job *job, struct nereus_error *err)
{
    NEREUS_TRY(nereus_option_copy_text(&job->settings.monitor_path,
                                       nereus_option_find(NULL, "NEREUS_MONITOR"), err));
    return nereus_monitor_setting_parse(job->settings.monitor_path, getenv("NEREUS_MONITOR_EVERY"),
                                        getenv("NEREUS_MONITOR_WORK"), &job->settings.monitor, err);
}

/* Set NEREUS_BALANCE: the interval of load balance in nereus_point. */
static enum nereus_status set_balance(nereus_job *job, struct nereus_error *err)
{
    return nereus_option_find(NULL, "NEREUS_BALANCE") == NULL
               ? NEREUS_OK
               : nereus_option_read_count(0, "NEREUS_BALANCE", 1, &job->settings.balance_every,
                                          err);
}

/* Load balance and policies need measurements, even if monitoring writes no file.
 * @param interval  interval of a policy that needs measurements, in iterations, of which the last
 *   quarter is measured; 0: no such policy */
static void measure_for_decisions(nereus_job *job, int64_t interval)
{
    struct nereus_monitor_setting *setting = &job->settings.monitor;
    if (job->settings.balance_every == 0 && interval == 0)
        return;
    if (interval > 0 && nereus_option_find(NULL, "NEREUS_MONITOR_EVERY") == NULL)
        setting->iterations = (interval + 3) / 4;
    if (!setting->on)
        setting->work = NEREUS_WORK_CPU_TIME;
    setting->on = true;
}

enum nereus_status nereus_settings_read_method(nereus_job *job,
                                               const struct nereus_options *options,
                                               struct nereus_error *err)
{
    struct resize_request request = {.method_is_auto = false};
    NEREUS_TRY(nereus_set_requested_method(job, options->method != NULL ? options->method : "auto",
                                           &request, err));
    job->settings.default_method = request.method;
    job->settings.default_is_auto = request.method_is_auto;
    return nereus_method_check(&request.method, err);
}

static enum nereus_status set_goal(nereus_job *job, const struct nereus_options *options,
                                   struct nereus_error *err)
{
    static const char *const goals[] = {"application", "system", "node-hours", "energy", NULL};
    int goal;
    job->settings.ranking = (struct nereus_ranking)NEREUS_RANKING_INIT;
    NEREUS_TRY(nereus_option_word(options->goal, "NEREUS_GOAL", goals,
                                  (int)job->settings.ranking.goal, &goal, err));
    job->settings.ranking.goal = (enum nereus_goal)goal;
    job->settings.goal_name = goals[goal];
    return NEREUS_OK;
}

/* Watts from an option (0: not set), else from the environment; else they stay. */
static enum nereus_status set_watts(double option, const char *variable, double *watts,
                                    struct nereus_error *err)
{
    const char *text = nereus_option_find(NULL, variable);
    if (option == 0)
        return text != NULL ? nereus_value_parse_number(variable, text, watts, err) : NEREUS_OK;
    *watts = option;
    return option > 0 && option < INFINITY
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "the option of %s is %g and must be watts of at least 0", variable,
                             option);
}

/* What a node draws. A site may set it for all jobs: other goals do not need it. */
static enum nereus_status set_power(nereus_job *job, const struct nereus_options *options,
                                    struct nereus_error *err)
{
    struct nereus_node_power *power = &job->settings.ranking.power;
    NEREUS_TRY(set_watts(options->node_power_w, "NEREUS_NODE_POWER", &power->busy_w, err));
    power->resize_w = power->busy_w;
    NEREUS_TRY(set_watts(options->idle_power_w, "NEREUS_IDLE_POWER", &power->idle_w, err));
    NEREUS_TRY(set_watts(options->resize_power_w, "NEREUS_RESIZE_POWER", &power->resize_w, err));
    return job->settings.ranking.goal != NEREUS_GOAL_ENERGY || power->busy_w > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "the goal energy needs NEREUS_NODE_POWER (options.node_power_w), the "
                             "watts of a node that computes, above 0");
}

/* Settings for the choice of a method by the model (core/model_choice.c). */
static enum nereus_status set_for_model(nereus_job *job, const struct nereus_options *options,
                                        struct nereus_error *err)
{
    struct nereus_scaling law;
    NEREUS_TRY(set_goal(job, options, err));
    NEREUS_TRY(set_power(job, options, err));
    if (options->iterations < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.iterations is %lld and must be 0 (unknown) or more",
                           (long long)options->iterations);
    job->settings.iterations = options->iterations;
    if (options->scaling != NULL) {
        NEREUS_TRY(nereus_scaling_parse(options->scaling, &law, err));
        nereus_scaling_fini(&law);
    }
    NEREUS_TRY(nereus_option_copy_text(&job->settings.scaling, options->scaling, err));
    NEREUS_TRY(nereus_option_copy_text(&job->settings.profile, options->profile, err));
    NEREUS_TRY(nereus_option_copy_text(&job->settings.learn_path,
                                       nereus_option_find(NULL, "NEREUS_LEARN"), err));
    const char *policy = nereus_option_find(options->policy, "NEREUS_POLICY");
    int64_t interval = 0;
    if (policy != NULL)
        NEREUS_TRY(nereus_policy_module_check(policy, options->decide != NULL, &interval, err));
    measure_for_decisions(job, interval);
    return nereus_option_copy_text(&job->settings.policy_path, policy, err);
}

enum nereus_status nereus_settings_read_decisions(nereus_job *job,
                                                  const struct nereus_options *options,
                                                  struct nereus_error *err)
{
    NEREUS_TRY(set_monitor(job, err));
    NEREUS_TRY(set_balance(job, err));
    return set_for_model(job, options, err);
}
