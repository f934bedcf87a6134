/**
 * @file cmd_submit.c
 * The command nereus slurm submit: writes and submits the batch script of a malleable job.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "batch_script.h"
#include "model/job_client/folder.h"
#include "model/util/text_file.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/run/child.h"
#include "slurm_command.h"

struct settings {
    int64_t min, max, multiple_of;
    bool powers_of_two, print;
    const char *name, *slurm;
    char *checkpoint; /* without its time after split_checkpoint */
    const char *every, *on_failure, *restarts, *restart;
};

static const struct nereus_option table[] = {
    {"min", 0, NEREUS_OPTION_COUNT, "N", "least processes, with which it starts",
     offsetof(struct settings, min), NULL},
    {"max", 0, NEREUS_OPTION_COUNT, "N", "most processes (no limit)",
     offsetof(struct settings, max), NULL},
    {"multiple-of", 0, NEREUS_OPTION_COUNT, "N", "it takes multiples of this",
     offsetof(struct settings, multiple_of), NULL},
    {"powers-of-two", 0, NEREUS_OPTION_FLAG, NULL, "it takes powers of two",
     offsetof(struct settings, powers_of_two), NULL},
    {"name", 0, NEREUS_OPTION_TEXT, "NAME",
     "the job answers under it; %j is the number of the Slurm job (the program's name and -%j)",
     offsetof(struct settings, name), NULL},
    {"slurm", 0, NEREUS_OPTION_TEXT, "OPTIONS",
     "further options of sbatch, as in '--time=60 --partition=main'",
     offsetof(struct settings, slurm), NULL},
    {"checkpoint", 0, NEREUS_OPTION_TEXT, "DIR[,EVERY]",
     "checkpoints in DIR, after each EVERY (as 10min), or as often as pays (auto); also when "
     "Slurm's time limit is near",
     offsetof(struct settings, checkpoint), NULL},
    {"on-failure", 0, NEREUS_OPTION_TEXT, "ACTION",
     "restart: the job goes on after a loss, and after its time limit; end (the default)",
     offsetof(struct settings, on_failure), NULL},
    {"restarts", 0, NEREUS_OPTION_TEXT, "N", "it goes on at most so often after a loss (10)",
     offsetof(struct settings, restarts), NULL},
    {"restart", 0, NEREUS_OPTION_TEXT, "DIR",
     "begin from the newest checkpoint in DIR, or from the checkpoint DIR; once requeued, from the "
     "newest of its own",
     offsetof(struct settings, restart), NULL},
    {"print", 0, NEREUS_OPTION_FLAG, NULL, "print the script, and submit nothing",
     offsetof(struct settings, print), NULL},
};

static const char help[] =
    "Submits a malleable job to Slurm: it starts with its minimum, answers under its name (`nereus "
    "job list`), and says which sizes it takes. PROGRAM is started by nereus-mpiexec; a shell "
    "script (#!/bin/bash), or another one with #SBATCH lines, starts the job itself, with "
    "nereus-mpiexec and without -n, and these lines hold. Write -- before a PROGRAM whose "
    "arguments have options. Examples: `nereus slurm submit --min 4 --powers-of-two -- ./solver "
    "-v`, `nereus slurm submit --min 6 --multiple-of 6 job.sh`.";

/* Check that --checkpoint DIR,auto has a mean time between failures; of a program only, as a script
 * may set the variable itself. */
static enum nereus_status check_mtbf(const struct settings *settings, struct nereus_error *err)
{
    const char *mtbf = getenv("NEREUS_MTBF");
    double seconds;
    if (settings->every == NULL || strcmp(settings->every, "auto") != 0)
        return NEREUS_OK;
    if (mtbf != NULL && *mtbf != '\0')
        return nereus_value_parse_seconds("NEREUS_MTBF", mtbf, &seconds, err);
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--checkpoint DIR,auto needs the mean time between failures of the job: "
                       "NEREUS_MTBF, as in 6h");
}

/* Refuse options now that nereus-mpiexec would refuse when the job has started. */
static enum nereus_status check_survival(const struct settings *settings, struct nereus_error *err)
{
    const char *action = settings->on_failure;
    double seconds;
    int64_t max;
    const bool restarts = action != NULL && strcmp(action, "restart") == 0;
    if (action != NULL && !restarts && strcmp(action, "end") != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--on-failure must be restart or end, not '%s'", action);
    if (restarts && settings->checkpoint == NULL && settings->restart == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--on-failure restart needs --checkpoint DIR,EVERY: there would be "
                           "nothing to go on from");
    if (settings->restarts != NULL)
        NEREUS_TRY(nereus_value_parse_integer("--restarts", settings->restarts, 0, &max, err));
    if (settings->every != NULL && strcmp(settings->every, "auto") != 0)
        NEREUS_TRY(
            nereus_value_parse_seconds("the time of --checkpoint", settings->every, &seconds, err));
    return NEREUS_OK;
}

/* Split "DIR,EVERY" at the last comma, as nereus-mpiexec does. */
static void split_checkpoint(struct settings *settings)
{
    char *comma = settings->checkpoint != NULL ? strrchr(settings->checkpoint, ',') : NULL;
    if (comma == NULL)
        return;
    *comma = '\0';
    settings->every = comma + 1;
}

static enum nereus_status check_settings(const struct settings *settings,
                                         struct nereus_sizes *sizes, struct nereus_error *err)
{
    *sizes = (struct nereus_sizes){.minimum = settings->min,
                                   .maximum = settings->max,
                                   .multiple_of = settings->multiple_of,
                                   .powers_of_two = settings->powers_of_two};
    if (settings->min == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--min is missing: the processes that the job starts with");
    }
    if (settings->max > 0 && settings->max < settings->min)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--max must be at least --min");
    if (settings->slurm != NULL && strchr(settings->slurm, '\n') != NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--slurm must be one line");
    NEREUS_TRY(check_survival(settings, err));
    NEREUS_TRY(nereus_sizes_check(sizes, err));
    return nereus_sizes_allow(sizes, settings->min)
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "--min must be a size that the job takes, as it starts with it");
}

/* Make a job name from the program's file name, without its ending and other characters than those
 * of job names. */
static void make_job_name(const char *program, char name[64])
{
    const char *slash = strrchr(program, '/'), *base = slash != NULL ? slash + 1 : program;
    const char *end = strchr(base, '.');
    char begin[32];
    int length = 0;
    for (; *base != '\0' && base != end && length < (int)sizeof begin - 1; base++) {
        const bool is_letter = nereus_is_letter_or_digit(*base);
        begin[length] = is_letter || *base == '_' ? *base : '-';
        length += is_letter || length > 0;
    }
    begin[length] = '\0';
    snprintf(name, 64, "%s-%%j", nereus_job_name_check(begin, NULL) == NEREUS_OK ? begin : "job");
}

static enum nereus_status check_program(const char *program, const char *start,
                                        struct nereus_error *err)
{
    struct stat about;
    if (stat(program, &about) == 0 && S_ISDIR(about.st_mode)) {
        return nereus_fail(err, NEREUS_ERR_IO,
                           "'%s' is a folder: name a program, or a shell script", program);
    }
    if (access(program, X_OK) != 0) {
        return nereus_fail(err, NEREUS_ERR_IO,
                           "'%s' is neither executable (chmod +x) nor a shell script: its first "
                           "line %s",
                           program,
                           strncmp(start, "#!", 2) == 0 ? "names no shell, as #!/bin/bash does"
                                                        : "is not #!/bin/bash or another shell's");
    }
    return NEREUS_OK;
}

static enum nereus_status read_lines(const char *program, char **script, struct nereus_error *err)
{
    struct nereus_text_file file;
    NEREUS_TRY(nereus_text_open(program, "batch script", &file, err));
    enum nereus_status status = nereus_text_read_rest(&file, script, NULL, err);
    nereus_text_close(&file);
    if (status == NEREUS_OK && file.returns > 0) {
        free(*script);
        status = nereus_fail(err, NEREUS_ERR_PARSE,
                             "the lines of '%s' end as those of DOS do (\\r\\n), which neither "
                             "sbatch nor a shell takes: dos2unix '%s'",
                             program, program);
    }
    return status;
}

/* Read a batch script; nothing of any other file. */
static enum nereus_status read_script(const char *program, char **script, struct nereus_error *err)
{
    /* beginning of the file, with the comments before the first command */
    static char start[1 << 16];
    FILE *file = fopen(program, "r");
    const bool by_path = strchr(program, '/') == NULL; /* the node may find it on PATH */
    *script = NULL;
    if (file == NULL) {
        if (by_path && !nereus_program_is_on_path(program)) {
            nereus_cli_note(
                "there is no '%s' in this folder or on PATH here: it has to be on that of "
                "the node where the job starts",
                program);
        }
        return by_path ? NEREUS_OK
                       : nereus_fail(err, NEREUS_ERR_IO, "the program '%s' cannot be read: %s",
                                     program, strerror(errno));
    }
    const size_t got = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    start[got] = '\0';
    if (nereus_batch_is_script(start))
        return read_lines(program, script, err);
    return by_path && nereus_program_is_on_path(program) ? NEREUS_OK
                                                         : check_program(program, start, err);
}

/* One submission. */
struct submission {
    const char *name;
    const struct nereus_arguments *arguments; /* the program or script, and its arguments */
    char *script;                             /* text of the batch script; owned */
    bool is_own;                              /* it is the user's script, with lines added */
};

/* Submit the script, which sbatch copies. The comment is an option of the command line, too,
 * because variables SBATCH_* take precedence over #SBATCH lines. */
static enum nereus_status submit_file(const struct submission *submission, const char *path,
                                      char number[NEREUS_SLURM_ID_MAX], struct nereus_error *err)
{
    struct nereus_slurm_command sbatch = {
        .argv = {"sbatch", "--parsable"},
        .further =
            submission->is_own ? (const char *const *)submission->arguments->items + 1 : NULL};
    nereus_slurm_add_word(&sbatch, "--comment=" NEREUS_SLURM_COMMENT "%s", submission->name);
    nereus_slurm_add_word(&sbatch, "--");
    nereus_slurm_add_word(&sbatch, "%s", path);
    return nereus_slurm_submit(&sbatch, number, err);
}

static enum nereus_status submit(const struct submission *submission,
                                 char number[NEREUS_SLURM_ID_MAX], struct nereus_error *err)
{
    char path[] = "/tmp/nereus-sbatch-XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        if (fd >= 0) {
            close(fd);
            unlink(path);
        }
        return nereus_fail(err, NEREUS_ERR_IO, "no file for the script can be made in /tmp");
    }
    const bool written = fputs(submission->script, file) >= 0;
    enum nereus_status status =
        fclose(file) == 0 && written
            ? submit_file(submission, path, number, err)
            : nereus_fail(err, NEREUS_ERR_IO, "the script cannot be written to %s: %s", path,
                          strerror(errno));
    unlink(path);
    return status;
}

static void report_submitted(const char *name, const char *number)
{
    char answers[128];
    nereus_batch_make_name(name, number, answers, sizeof answers);
    printf("submitted as Slurm job %s; it answers as %s once it runs\n", number, answers);
}

/* Make the script, which the caller frees. */
static enum nereus_status make_script(const struct settings *settings,
                                      const struct nereus_sizes *sizes,
                                      struct submission *submission, struct nereus_error *err)
{
    char mpiexec[PATH_MAX] = "", place[PATH_MAX] = "", *own;
    const char *program = submission->arguments->items[0], *slash = strrchr(program, '/');
    if (strcmp(slash != NULL ? slash + 1 : program, "srun") == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "name the program without srun: nereus-mpiexec starts it instead");
    NEREUS_TRY(read_script(program, &own, err));
    if (own == NULL)
        NEREUS_TRY(check_mtbf(settings, err));
    if (own != NULL && realpath(program, place) == NULL)
        place[0] = '\0';
    if (own == NULL)
        NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", mpiexec, err));
    const struct nereus_batch batch = {
        .name = submission->name,
        .sizes = *sizes,
        .survival = {settings->checkpoint, settings->every, settings->on_failure,
                     settings->restarts, settings->restart},
        .slurm_options = settings->slurm,
        .script = own,
        .place = place[0] != '\0' ? place : submission->arguments->items[0],
        .mpiexec = mpiexec,
        .program = (const char *const *)submission->arguments->items};
    const enum nereus_status status = nereus_batch_write(&batch, &submission->script, err);
    submission->is_own = own != NULL;
    free(own);
    return status;
}

static int carry_out(const struct settings *settings, const struct nereus_sizes *sizes,
                     const struct nereus_arguments *arguments)
{
    char after_program[64], number[NEREUS_SLURM_ID_MAX];
    struct submission submission = {.name = settings->name != NULL ? settings->name : after_program,
                                    .arguments = arguments};
    struct nereus_error err;
    make_job_name(arguments->items[0], after_program);
    enum nereus_status status = make_script(settings, sizes, &submission, &err);
    if (status == NEREUS_ERR_ARGUMENT)
        return nereus_cli_fail_usage("%s", err.text);
    NEREUS_CLI_TRY(status, err);
    if (settings->print)
        fputs(submission.script, stdout);
    else
        status = submit(&submission, number, &err);
    free(submission.script);
    NEREUS_CLI_TRY(status, err);
    if (!settings->print)
        report_submitted(submission.name, number);
    return NEREUS_EXIT_OK;
}

static const struct nereus_plain_line plain = {"PROGRAM [ARGUMENT...]", help, table,
                                               NEREUS_COUNT_OF(table),  1,    INT_MAX};

int nereus_cmd_slurm_submit(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_arguments arguments;
    struct nereus_sizes sizes;
    struct nereus_error err;
    int status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &arguments, &status))
        return status;
    split_checkpoint(&settings);
    return check_settings(&settings, &sizes, &err) == NEREUS_OK
               ? carry_out(&settings, &sizes, &arguments)
               : nereus_cli_fail_usage("%s", err.text);
}
