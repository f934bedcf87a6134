/** @file cmd_policy.c  The command nereus policy run: simulates a run under a policy, with times of
 * the model. */

#include "goals.h"
#include "model/policy/keys.h"
#include "model/util/file.h"
#include "predictor/cli/command.h"
#include "predictor/profile/profile_option.h"
#include "run_print.h"

struct settings {
    struct nereus_profile_settings profile;
    struct nereus_picture_settings picture;
    const char *application, *log, *goals;
    int policy, format;         /* policy -1: as in the file */
    double time_goal, finish_s; /* below 0: as in the file */
    int64_t interval;           /* 0: as in the file */
    bool keys;
};

#define NEREUS_WORD(e, word, help) word,
static const char *const policy_choices[] = {NEREUS_POLICY_LIST(NEREUS_WORD) NULL};
#undef NEREUS_WORD

static const struct nereus_option table[] = {
    {"application", 'a', NEREUS_OPTION_TEXT, "FILE.ini", "work, data and calls of the application",
     offsetof(struct settings, application), NULL},
    {"policy", 0, NEREUS_OPTION_CHOICE, "NAME",
     "instead of the policy file's: none, flex-efficiency, flex-cost or follow",
     offsetof(struct settings, policy), policy_choices},
    {"sooner", 0, NEREUS_OPTION_NUMBER, "PERCENT",
     "goal instead of the file's: end by this percentage sooner than without changes",
     offsetof(struct settings, time_goal), NULL},
    {"finish", 0, NEREUS_OPTION_SECONDS, "SECONDS",
     "goal instead of the file's: end so long after the start", offsetof(struct settings, finish_s),
     NULL},
    {"goals", 0, NEREUS_OPTION_TEXT, "LIST",
     "goals in percent sooner, as in 25,30,35: a table of both flex policies with each of them",
     offsetof(struct settings, goals), NULL},
    {"interval", 0, NEREUS_OPTION_COUNT, "N",
     "iterations of a sampling interval, instead of the file's",
     offsetof(struct settings, interval), NULL},
    {"log", 0, NEREUS_OPTION_TEXT, "FILE.jsonl",
     "write every decision there (JSON Lines; -: to standard output, and nothing else)",
     offsetof(struct settings, log), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "text: changes and a summary; csv: a line per interval; json: both (text)",
     offsetof(struct settings, format), nereus_format_choices},
    {"keys", 0, NEREUS_OPTION_FLAG, NULL, "list the keys of policy and application files",
     offsetof(struct settings, keys), NULL},
};

static enum nereus_status check_settings(const struct settings *settings, const char *path,
                                         struct nereus_error *err)
{
    NEREUS_TRY(nereus_profile_settings_check(&settings->profile, err));
    if (settings->application == NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--application is missing: a file with the work of a run");
    }
    if (settings->policy == NEREUS_POLICY_USER) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--policy user asks a function of a program: none is here");
    }
    if (settings->time_goal >= 0 && settings->finish_s >= 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--sooner and --finish are two goals: give one of them");
    }
    if (settings->time_goal >= 100)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--sooner must be below 100 percent");
    double time_goal[NEREUS_GOALS_MAX];
    int count;
    if (settings->goals != NULL && (settings->time_goal >= 0 || settings->finish_s >= 0 ||
                                    settings->policy >= 0 || settings->log != NULL)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--goals is for both flex policies, without a log: leave --policy, "
                           "--sooner, --finish and --log out");
    }
    if (settings->goals != NULL)
        NEREUS_TRY(nereus_goals_parse(settings->goals, time_goal, &count, err));
    const char *const read[] = {path, settings->application};
    NEREUS_TRY(nereus_picture_check(&settings->picture, err));
    NEREUS_TRY(nereus_picture_check_path(&settings->picture, read, NEREUS_COUNT_OF(read), err));
    if (settings->log != NULL && (nereus_file_is_same(settings->log, path) ||
                                  nereus_file_is_same(settings->log, settings->application)))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--log is an input file: name another");
    return NEREUS_OK;
}

/* Replace values of the file by those of options. */
static enum nereus_status apply_options(const struct settings *settings, const char *path,
                                        struct nereus_policy_settings *policy,
                                        struct nereus_error *err)
{
    if (settings->policy >= 0)
        policy->kind = (enum nereus_policy_kind)settings->policy;
    if (settings->time_goal >= 0 || settings->finish_s >= 0) {
        policy->time_goal = settings->time_goal >= 0 ? settings->time_goal / 100 : 0;
        policy->finish_s = settings->finish_s >= 0 ? settings->finish_s : 0;
    }
    if (settings->interval > 0)
        policy->interval_iterations = settings->interval;
    if (policy->kind == NEREUS_POLICY_USER) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%.200s: the policy user asks a function of a program: none is here",
                           path);
    }
    if (policy->kind == NEREUS_POLICY_FOLLOW && policy->follow[0] == '\0') {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--policy follow needs the key follow in [policy] of '%.200s': a file "
                           "that says what is asked for",
                           path);
    }
    return NEREUS_OK;
}

/* Write the log to a temporary file and rename it, as for all files. */
static enum nereus_status run_logged(const struct settings *settings,
                                     struct nereus_modelled_question *question,
                                     struct nereus_error *err)
{
    struct nereus_file_replace replace = {0};
    struct nereus_modelled_run run;
    const char *log = settings->log != NULL              ? settings->log
                      : question->policy->log[0] != '\0' ? question->policy->log
                                                         : NULL;
    if (log != NULL) {
        NEREUS_TRY(nereus_file_replace_begin(log, &replace, err));
        replace.transient = true;
    }
    question->log = replace.stream;
    enum nereus_status status = nereus_modelled_run_make(question, &run, err);
    if (log != NULL && status == NEREUS_OK) {
        status = nereus_file_replace_commit(&replace, err);
        if (status != NEREUS_OK)
            nereus_modelled_run_fini(&run);
    } else if (log != NULL) {
        nereus_file_replace_abort(&replace);
    }
    NEREUS_TRY(status);
    const bool is_printed = log == NULL || strcmp(log, "-") != 0;
    if (is_printed &&
        !nereus_modelled_run_print(question, &run, (enum nereus_format)settings->format, stdout))
        status = nereus_fail(err, NEREUS_ERR_IO, "the results could not be written");
    else if (settings->picture.path != NULL)
        status = nereus_modelled_run_draw(question, &run, &settings->picture, err);
    nereus_modelled_run_fini(&run);
    return status;
}

static enum nereus_status run_goals(const struct settings *settings,
                                    const struct nereus_modelled_question *question,
                                    struct nereus_error *err)
{
    struct nereus_goal_runs runs;
    double time_goal[NEREUS_GOALS_MAX];
    int count;
    NEREUS_TRY(nereus_goals_parse(settings->goals, time_goal, &count, err));
    NEREUS_TRY(nereus_goal_runs_make(question, time_goal, count, &runs, err));
    enum nereus_status status = NEREUS_OK;
    if (!nereus_goal_runs_print(&runs, (enum nereus_format)settings->format, stdout))
        status = nereus_fail(err, NEREUS_ERR_IO, "the results could not be written");
    else if (settings->picture.path != NULL)
        status = nereus_goal_runs_draw(&runs, &settings->picture, err);
    nereus_goal_runs_fini(&runs);
    return status;
}

static enum nereus_status run_question(const struct settings *settings,
                                       struct nereus_modelled_question *question,
                                       struct nereus_error *err)
{
    return settings->goals != NULL ? run_goals(settings, question, err)
                                   : run_logged(settings, question, err);
}

/* Read the profile, which prices changes and collectives unless the policy file states costs. */
static enum nereus_status run_priced(const struct settings *settings,
                                     struct nereus_modelled_question *question,
                                     struct nereus_error *err)
{
    const bool named = settings->profile.profile != NULL || settings->profile.synthetic != NULL;
    struct nereus_profile profile;
    struct nereus_machine machine;
    if (question->policy->has_costs && !named)
        return run_question(settings, question, err);
    NEREUS_TRY(nereus_profile_open(&settings->profile, NULL, &profile, err));
    enum nereus_status status = nereus_machine_uniform(profile.cores_per_node, &machine, err);
    if (status == NEREUS_OK) {
        question->profile = &profile;
        question->machine = &machine;
        status = run_question(settings, question, err);
        nereus_machine_fini(&machine);
    }
    nereus_profile_fini(&profile);
    return status;
}

static enum nereus_status run_policy(const struct settings *settings, const char *path,
                                     struct nereus_error *err)
{
    struct nereus_policy_settings policy;
    struct nereus_application application;
    NEREUS_TRY(nereus_policy_read(path, &policy, err));
    struct nereus_modelled_question question = {.policy = &policy, .application = &application};
    enum nereus_status status = apply_options(settings, path, &policy, err);
    if (status == NEREUS_OK)
        status = nereus_application_read(settings->application, &application, err);
    if (status == NEREUS_OK)
        status = run_priced(settings, &question, err);
    nereus_policy_settings_fini(&policy);
    return status;
}

static const char help[] =
    "Runs an application under a policy, with the time of the computational model: before each "
    "sampling interval the policy decides whether processes are added or removed, so that the run "
    "ends by its goal. Prices of changes come from [costs] of the policy file, else from a "
    "profile. Example: `nereus policy run policy.ini --application app.ini --finish 300`.";

int nereus_cmd_policy_run(int argc, char **argv)
{
    struct settings settings = {.policy = -1, .time_goal = -1, .finish_s = -1};
    const struct nereus_option_group groups[] = {
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {"Picture", nereus_picture_options, nereus_picture_option_count, &settings.picture},
        {"Prices, without [costs]", nereus_profile_options, nereus_profile_option_count,
         &settings.profile}};
    const struct nereus_command_line line = NEREUS_COMMAND_LINE("POLICY.ini", help, groups, 0, 1);
    struct nereus_arguments files;
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    if (settings.keys) {
        puts("# policy file");
        nereus_ini_keys_print(&nereus_policy_file_keys, stdout);
        puts("\n# application file (--application)");
        nereus_ini_keys_print(&nereus_application_keys, stdout);
        return NEREUS_EXIT_OK;
    }
    if (files.count != 1)
        return nereus_cli_fail_usage("name a policy file");
    if (check_settings(&settings, files.items[0], &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    return run_policy(&settings, files.items[0], &err) == NEREUS_OK
               ? NEREUS_EXIT_OK
               : nereus_cli_fail("%s", err.text);
}
