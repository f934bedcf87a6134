/**
 * @file test_next_attempt.c
 * Where, and as how many processes, a job goes on after a loss (src/supervise/next_attempt.h,
 * job_hosts.h).
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nereus/checkpoint.h"
#include "src/supervise/next_attempt.h"

enum { WORDS_MAX = 16 };

static const struct {
    const char *line;     /* behind mpiexec */
    const char *hostfile; /* text of NEREUS_HOSTFILE; NULL: none */
    const char *dead;     /* hosts that do not answer */
    int64_t wrote;        /* processes of the checkpoint; 0: 4, and the lost attempt wrote none */
    int64_t multiple_of;
    int64_t planned; /* processes of a restart that was asked for, on "x:1" */
    int64_t processes;
    const char *hosts, *says; /* an error, or about the hosts left out */
} rows[] = {
    /* none is known, or all are here: the command line as it is */
    {"-n 3 ./job", NULL, "", 3, 1, 0, 3, "", NULL},
    {"-n 3 ./job", "localhost/a:2\nlocalhost/b:2\n", "", 4, 1, 0, 4, "", NULL},
    {"-hosts a:2,b:2 -n 4 ./job", NULL, "", 4, 1, 0, 4, "", NULL},
    {"-hosts a,b -n 4 ./job", NULL, "", 4, 1, 0, 4, "", NULL},
    /* a host less */
    {"-hosts a:2,b:3 -n 5 ./job", NULL, "a", 5, 1, 0, 3, "b:3",
     ", without a, which does not answer"},
    {"-hosts a:2,b:3,c:1 -n 6 ./job", NULL, "a,c", 6, 2, 0, 2, "b:2",
     ", without a, c, which do not answer"},
    {"-hosts a:4,b:4 -n 2 ./job", NULL, "b", 2, 1, 0, 2, "a:2", ", without b, which does not"},
    {"-hosts a:2,b:2 -n 4 ./job", NULL, "a,b", 4, 1, 0, 0, "", "none of its hosts answers"},
    {"-hosts a:2,b:2 -n 4 ./job", NULL, "b", 4, 4, 0, 0, "",
     "the program can have no number of processes up to 2"},
    /* the job has grown beyond the command line */
    {"-n 1 ./job", "a:2\nb:2\n", "", 4, 1, 0, 4, "a:2,b:2", NULL},
    {"-n 1 ./job", "a:2\nb:2\n", "", 1, 1, 0, 1, "a:1", NULL},
    {"-hosts a:1 -n 1 ./job", "a:2\nb:2\n", "", 3, 1, 0, 3, "a:2,b:1", NULL},
    {"-hosts a:1 -n 1 ./job", "a:2\nb:2\n", "", 1, 1, 0, 1, "", NULL},
    {"-hosts a:1 -n 1 ./job", "a:2\nb:2\n", "a", 4, 1, 0, 2, "b:2", ", without a, which does not"},
    {"-n 8 ./job", "a:2\nb:2\n", "", 8, 1, 0, 8, "", NULL}, /* oversubscribed, as before */
    /* nothing was written since the start; a restart that was asked for */
    {"-n 2 ./job", NULL, "", 0, 1, 0, 2, "", NULL},
    {"./job", NULL, "", 0, 1, 0, 4, "", NULL},
    {"-hosts a:2,x:2 -n 4 ./job", NULL, "", 4, 1, 1, 1, "x:1", NULL},
    {"-hosts a:2,x:2 -n 4 ./job", NULL, "x", 4, 1, 3, 2, "a:2", ", without x, which does not"},
};

static char **split(char *line)
{
    static char *words[WORDS_MAX];
    size_t count = 0;
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return words;
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_checkpoint_of(const char *folder, struct nereus_checkpoint checkpoint, char *path)
{
    struct nereus_error err = {0};
    cr_assert_eq(nereus_checkpoint_begin(folder, &checkpoint.number, path, &err), NEREUS_OK, "%s",
                 err.text);
    snprintf(checkpoint.state.name, sizeof checkpoint.state.name, "state.bin");
    write_file(path, "state.bin", "");
    cr_assert_eq(nereus_checkpoint_write(path, &checkpoint, &err), NEREUS_OK, "%s", err.text);
}

static bool is_dead(const char *dead, const char *name)
{
    const char *position = strstr(dead, name);
    return position != NULL && *name != '\0';
}

static void write_checkpoint(const char *folder, int64_t processes, int64_t multiple_of, char *path)
{
    const struct nereus_checkpoint checkpoint = {
        .processes = processes, .points = 7, .sizes.multiple_of = multiple_of};
    write_checkpoint_of(folder, checkpoint, path);
}

/* @param has_read  an attempt that has written nothing had read its checkpoint when it was lost */
static void look(size_t i, const char *folder, bool has_read)
{
    static struct next_attempt next;
    char line[200], path[PATH_MAX], file[300];
    struct nereus_error err = {0};
    struct job_hosts hosts;
    snprintf(line, sizeof line, "mpiexec %s", rows[i].line);
    snprintf(file, sizeof file, "%s/hosts", folder);
    unsetenv("NEREUS_HOSTFILE");
    if (rows[i].hostfile != NULL) {
        write_file(folder, "hosts", rows[i].hostfile);
        setenv("NEREUS_HOSTFILE", file, 1);
    }
    write_checkpoint(folder, rows[i].wrote > 0 ? rows[i].wrote : 4, rows[i].multiple_of, path);
    const struct attempt attempt = {.mpiexec = split(line), .hosts = ""};
    const struct survival survival = {.restarts = true, .max_restarts = 10};
    const bool wrote = rows[i].wrote > 0;
    struct attempt_checkpoints checkpoints = {.newest = wrote ? 0 : 1000};
    snprintf(checkpoints.from, sizeof checkpoints.from, "%s", wrote ? "" : path);
    snprintf(checkpoints.folder, sizeof checkpoints.folder, "%s", folder);
    const struct attempt_loss loss = {.attempt = &attempt,
                                      .checkpoints = &checkpoints,
                                      .good_checkpoint = wrote || has_read ? path : NULL,
                                      .planned_processes = rows[i].planned,
                                      .planned_hosts = "x:1",
                                      .survival = &survival};
    cr_assert_eq(next_attempt_choose_checkpoint(&loss, &next, &err), NEREUS_OK, "row %zu: %s", i,
                 err.text);
    cr_expect_str_eq(next.checkpoint, path);
    cr_expect_eq(next.written, wrote);
    cr_expect_eq(next.attempt.failed_reads, wrote || has_read ? 0 : 1);
    job_hosts_find(&hosts, attempt.mpiexec);
    for (size_t k = 0; k < hosts.count; k++)
        hosts.list[k].answers = !is_dead(rows[i].dead, hosts.list[k].name);
    const enum nereus_status status = next_attempt_choose_size(&loss, &hosts, &next, &err);
    cr_expect_eq(status == NEREUS_OK, rows[i].processes > 0, "row %zu: %s", i, err.text);
    if (status == NEREUS_OK) {
        cr_expect_eq(next.attempt.processes, rows[i].processes, "row %zu: %" PRId64, i,
                     next.attempt.processes);
        cr_expect_str_eq(next.attempt.hosts, rows[i].hosts, "row %zu: %s", i, next.attempt.hosts);
    }
    const char *said = status == NEREUS_OK ? next.sentence : err.text;
    cr_expect(rows[i].says == NULL ? strstr(said, "answer") == NULL
                                   : strstr(said, rows[i].says) != NULL,
              "row %zu: %s", i, said);
    job_hosts_fini(&hosts);
}

Test(next_attempt, fits_the_hosts_and_the_program)
{
    char folder[] = "/tmp/nereus-next-attempt-XXXXXX", command[100];
    cr_assert_not_null(mkdtemp(folder));
    unsetenv("SLURM_JOB_NODELIST");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int has_read = 0; has_read < 2; has_read++)
            look(i, folder, has_read);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

/* The host file of the next attempt, and its name, when node n does not answer. */
Test(next_attempt, leaves_silent_hosts_out_of_the_host_file)
{
    static const struct {
        const char *given, *left; /* NULL: the file stays as it is */
    } files[] = {
        {"n1:2\nn2:3\n", NULL},
        {"n:2\nn1:2\n", "n1:2\n"},
        {"  n:2\n\tn1:2\n", "n1:2\n"},
        {"n/a:2\nn1/a:2\nn/b\n", "n1/a:2\n"},
        {"n@slurm:1\nn1@slurm:1_2\n", "n1:1@slurm:1_2\n"},
        {"# two\nn slots=2\nn1 slots=3 max_slots=4\n", "n1:3\n"},
        {"n:4\ncores_per_process 4\nn1:8\n", "cores_per_process 4\nn1:8\n"},
    };
    char folder[] = "/tmp/nereus-next-attempt-XXXXXX", command[100], given[100], text[100];
    char *words[] = {"mpiexec", "./job", NULL};
    cr_assert_not_null(mkdtemp(folder));
    snprintf(given, sizeof given, "%s/given", folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct job_hosts hosts;
        write_file(folder, "given", files[i].given);
        setenv("NEREUS_HOSTFILE", given, 1);
        job_hosts_find(&hosts, words);
        for (size_t k = 0; k < hosts.count; k++)
            hosts.list[k].answers = strcmp(hosts.list[k].name, "n") != 0;
        job_hosts_leave_out(&hosts, folder);
        job_hosts_fini(&hosts);
        cr_expect_eq(strcmp(getenv("NEREUS_HOSTFILE"), given) == 0, files[i].left == NULL,
                     "row %zu", i);
        FILE *file = fopen(getenv("NEREUS_HOSTFILE"), "re");
        cr_assert_not_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        cr_expect_str_eq(text, files[i].left != NULL ? files[i].left : files[i].given,
                         "row %zu: %s", i, text);
    }
    unsetenv("NEREUS_HOSTFILE");
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

/* The folder has checkpoints of job 41, of job 42, and of one without a number, the newest one,
 * from which a script may begin the job (NEREUS_RESTART). */
Test(next_attempt, requeued_goes_on_from_its_own_checkpoint)
{
    static const struct {
        const char *job;
        const char *given; /* NEREUS_RESTART, in the folder; NULL: not set */
        const char *from;  /* "": it begins anew */
    } jobs[] = {{"41", NULL, "checkpoint-1"},
                {"42", NULL, "checkpoint-2"},
                {"43", NULL, ""},
                {"41", "/checkpoint-3", "checkpoint-1"},
                {"43", "/checkpoint-3", "checkpoint-3"}};
    char folder[] = "/tmp/nereus-next-attempt-XXXXXX", command[100], path[PATH_MAX], said[9000];
    char *words[] = {"mpiexec", "./job", NULL};
    struct nereus_error err = {0};
    cr_assert_not_null(mkdtemp(folder));
    const int64_t numbers[] = {41, 42, 0};
    for (size_t i = 0; i < 3; i++)
        write_checkpoint_of(
            folder, (struct nereus_checkpoint){.processes = 1, .slurm_job = numbers[i]}, path);
    const struct survival survival = {.restarts = true, .folder = folder};
    setenv("SLURM_RESTART_COUNT", "1", 1);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct attempt attempt = {.mpiexec = words, .first = true, .hosts = ""};
        unsetenv("NEREUS_RESTART");
        if (jobs[i].given != NULL) {
            snprintf(path, sizeof path, "%s%s", folder, jobs[i].given);
            setenv("NEREUS_RESTART", path, 1);
        }
        setenv("NEREUS_SLURM_JOB", jobs[i].job, 1);
        cr_assert_eq(next_attempt_choose_first(&attempt, &survival, said, sizeof said, &err),
                     NEREUS_OK);
        const char *from = getenv("NEREUS_RESTART");
        cr_expect(from == NULL ? *jobs[i].from == '\0'
                               : *jobs[i].from != '\0' && strstr(from, jobs[i].from) != NULL,
                  "%s: %s", jobs[i].job, said);
        cr_expect(from != NULL || strstr(said, "begins anew: there is no checkpoint of it") != NULL,
                  "%s", said);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

/* The folder has a checkpoint of an earlier job. A process is lost when the next one is begun, and
 * when it is whole and rank 0 has not reported it. */
Test(next_attempt, goes_on_from_a_checkpoint_that_was_not_reported)
{
    static struct next_attempt next;
    char folder[] = "/tmp/nereus-next-attempt-XXXXXX", command[100], path[PATH_MAX];
    char *words[] = {"mpiexec", "./job", NULL};
    const struct attempt attempt = {.mpiexec = words, .hosts = ""};
    struct attempt_checkpoints checkpoints;
    struct nereus_checkpoint written = {.processes = 1, .written_s = 4e9};
    struct nereus_error err = {0};
    cr_assert_not_null(mkdtemp(folder));
    const struct survival survival = {.restarts = true, .max_restarts = 10, .folder = folder};
    const struct attempt_loss loss = {
        .attempt = &attempt, .checkpoints = &checkpoints, .survival = &survival};
    write_checkpoint(folder, 1, 1, path);
    unsetenv("NEREUS_RESTART");
    next_attempt_record_checkpoints(&checkpoints, folder);
    cr_assert_eq(nereus_checkpoint_begin(folder, &written.number, path, &err), NEREUS_OK);
    cr_expect_neq(next_attempt_choose_checkpoint(&loss, &next, &err), NEREUS_OK);
    cr_expect_str_eq(err.text, "no checkpoint had been written");
    write_checkpoint_of(folder, written, path);
    memset(&err, 0, sizeof err);
    cr_expect_eq(next_attempt_choose_checkpoint(&loss, &next, &err), NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(next.checkpoint, path);
    cr_expect(next.written);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

/* An earlier job has written checkpoint 1 while the clock was ahead, this one 2 and 3 after it was
 * set back. 3 is damaged, and then 2. */
Test(next_attempt, knows_its_own_checkpoints_when_the_clock_was_stepped)
{
    static struct next_attempt next;
    char folder[] = "/tmp/nereus-next-attempt-XXXXXX", command[100], path[3][PATH_MAX];
    char *words[] = {"mpiexec", "./job", NULL};
    const struct attempt attempt = {.mpiexec = words, .hosts = ""};
    const struct survival survival = {.restarts = true, .max_restarts = 10, .folder = folder};
    struct attempt_checkpoints checkpoints;
    struct nereus_error err = {0};
    cr_assert_not_null(mkdtemp(folder));
    unsetenv("NEREUS_RESTART");
    for (int i = 0; i < 3; i++) {
        const struct nereus_checkpoint written = {.processes = 1, .written_s = i == 0 ? 4e9 : 1};
        write_checkpoint_of(folder, written, path[i]);
        if (i == 0)
            next_attempt_record_checkpoints(&checkpoints, folder);
    }
    const struct attempt_loss loss = {.attempt = &attempt,
                                      .checkpoints = &checkpoints,
                                      .good_checkpoint = path[2],
                                      .survival = &survival};
    write_file(path[2], "state.bin", "damaged");
    cr_expect_eq(next_attempt_choose_checkpoint(&loss, &next, &err), NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(next.checkpoint, path[1]);
    write_file(path[1], "state.bin", "damaged");
    cr_expect_neq(next_attempt_choose_checkpoint(&loss, &next, &err), NEREUS_OK);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

/* What is said of a checkpoint at 7 points, written 100 s ago. */
Test(next_attempt, says_what_is_repeated)
{
    static const struct {
        int64_t reached;
        double begun_s;          /* that the lost attempt began after the checkpoint was written */
        const char *because;     /* why it is not the newest checkpoint */
        const char *says, *also; /* the clock may go on by a second */
    } losses[] = {
        {19, 0, "", "; 12 points are repeated", NULL},
        {8, 0, "", "; 1 point is repeated", NULL},
        {7, 0, "", "; 0 points are repeated", NULL},
        {-1, -5, "", "; at most 100 s since", "; at most 101 s since"},
        {-1, 40, "", "; at most 60 s since", "; at most 61 s since"},
        {3, 40, ", as it is damaged", "; at most 100 s since", "; at most 101 s since"},
    };
    static struct next_attempt next;
    char folder[] = "/tmp/nereus-next-attempt-XXXXXX", command[100];
    const double written_s = (double)time(NULL) - 100;
    cr_assert_not_null(mkdtemp(folder));
    write_checkpoint_of(
        folder, (struct nereus_checkpoint){.processes = 1, .points = 7, .written_s = written_s},
        next.checkpoint);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        const struct attempt_checkpoints checkpoints = {.begun_s = written_s + losses[i].begun_s};
        const struct attempt_loss loss = {.checkpoints = &checkpoints,
                                          .reached_points = losses[i].reached};
        snprintf(next.because, sizeof next.because, "%s", losses[i].because);
        next_attempt_describe_requeued(&loss, &next, NULL);
        cr_expect(strstr(next.sentence, losses[i].says) != NULL ||
                      (losses[i].also != NULL && strstr(next.sentence, losses[i].also) != NULL),
                  "row %zu: %s", i, next.sentence);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}
