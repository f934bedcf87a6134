/**
 * @file slurm_job.c
 * Runs scontrol and parses its output; requeues the job and checks that it took effect.
 */
#include "slurm_job.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/layout/slurm.h"
#include "model/util/clock.h"

/* ANSWER_S: time limit for scontrol: nereus-supervise watches the job and must not wait for a
 * controller that does not answer. */
enum { ANSWER_S = 20, COMMAND_MAX = 320, SENTENCE_MAX = 400, TEXT_MAX = 16384 };
/* Time for which a failed order is repeated. */
static const double requeue_limit_s = 30;
/* Time limits for a change of the job and for its release: Slurm kills this process KillWait (30 s
 * by default) after its SIGTERM. */
static const double change_limit_s = 5, release_limit_s = 15;

/* Get the number of the job; NULL: none. Digits only, as it becomes part of a shell command. */
static const char *get_job_number(void)
{
    const char *id = getenv("SLURM_JOB_ID");
    return id != NULL && *id != '\0' && id[strspn(id, "0123456789")] == '\0' ? id : NULL;
}

bool slurm_job_is_present(void)
{
    return get_job_number() != NULL;
}

bool slurm_job_is_requeued(void)
{
    const char *count = getenv("SLURM_RESTART_COUNT");
    return count != NULL && atoi(count) > 0;
}

/* Is this process the batch script (`exec nereus-mpiexec`), whose end is the job's end? */
static bool is_batch_script(void)
{
    const char *process = getenv("SLURM_TASK_PID");
    return process != NULL && atoll(process) == (long long)getpid();
}

/* @param[out] text  standard output and standard error of the command
 * @return false: the command failed */
static bool run_command(const char *command, char *text, size_t size)
{
    FILE *from = popen(command, "r");
    if (from == NULL)
        return false;
    const size_t length = fread(text, 1, size - 1, from);
    text[length] = '\0';
    while (fgetc(from) != EOF)
        ;
    const int status = pclose(from);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* @return seconds since 1970; negative: no time ("Unknown", "None") */
static double parse_time(const char *text)
{
    struct tm when = {.tm_isdst = -1};
    return strptime(text, "%Y-%m-%dT%H:%M:%S", &when) != NULL ? (double)mktime(&when) : -1;
}

void slurm_job_parse(const char *text, double now_s, struct slurm_job *job)
{
    char value[64];
    nereus_slurm_field(text, "BatchFlag", value, sizeof value);
    job->is_batch = atoi(value) > 0;
    nereus_slurm_field(text, "PreemptTime", value, sizeof value);
    job->is_preempted = parse_time(value) > 0;
    nereus_slurm_field(text, "EndTime", value, sizeof value);
    const double end_s = parse_time(value);
    job->left_s = end_s > now_s ? end_s - now_s : -1;
}

struct slurm_tasks slurm_job_tasks(void)
{
    const struct nereus_slurm slurm = nereus_slurm_environment();
    struct slurm_tasks tasks = {.asked_for = slurm.tasks_per_node != NULL};
    const int64_t cpus = tasks.asked_for || slurm.cpus_per_task < 1 ? 1 : slurm.cpus_per_task;
    char *text = NULL;
    if (slurm.nodes == NULL || nereus_slurm_hosts(&slurm, 0, &text, NULL) != NEREUS_OK)
        return tasks;
    for (const char *position = text; (position = strchr(position, ':')) != NULL; position++) {
        const int64_t host_processes = atoll(position + 1) / cpus;
        tasks.total += host_processes;
        tasks.max_per_node =
            host_processes > tasks.max_per_node ? host_processes : tasks.max_per_node;
    }
    free(text);
    return tasks;
}

bool slurm_job_read(struct slurm_job *job)
{
    char command[COMMAND_MAX], text[TEXT_MAX];
    if (get_job_number() == NULL)
        return false;
    snprintf(command, sizeof command,
             "SLURM_TIME_FORMAT=standard timeout -k 1 %d scontrol show job -o %s 2>&1", ANSWER_S,
             get_job_number());
    if (!run_command(command, text, sizeof text))
        return false;
    slurm_job_parse(text, (double)time(NULL), job);
    return true;
}

/* Repeat an order until Slurm carries it out, or until the time limit. Slurm also sends SIGTERM to
 * the command: timeout(1) passes it on, and scontrol ignores it.
 * @param[out] sentence  the message of scontrol, in one line */
static bool repeat_order(const char *order, double limit_s, char *sentence, size_t size)
{
    char command[COMMAND_MAX], text[TEXT_MAX];
    const double deadline_s = nereus_monotonic_s() + limit_s;
    for (double left_s = limit_s; left_s > 0;
         sleep(1), left_s = deadline_s - nereus_monotonic_s()) {
        snprintf(command, sizeof command,
                 "timeout -s KILL %d sh -c \"trap '' TERM; exec scontrol %s\" 2>&1",
                 left_s < ANSWER_S ? (int)left_s + 1 : ANSWER_S, order);
        if (run_command(command, text, sizeof text))
            return true;
        for (char *position = text; (position = strchr(position, '\n')) != NULL;)
            *position = ' ';
        snprintf(sentence, size, "scontrol: %.300s", *text != '\0' ? text : "no answer");
    }
    return false;
}

/* Change the size of a job that is held, so that it cannot start before. If Slurm refuses the
 * change the job continues at its old size. */
static void change_held(int64_t tasks, int64_t nodes)
{
    char order[COMMAND_MAX / 2], sentence[SENTENCE_MAX];
    snprintf(order, sizeof order, "update JobId=%s NumNodes=%lld-%lld NumTasks=%lld",
             get_job_number(), (long long)nodes, (long long)nodes, (long long)tasks);
    if (!repeat_order(order, change_limit_s, sentence, sizeof sentence))
        fprintf(stderr, "nereus-mpiexec: Slurm does not change the job to %lld tasks: %s\n",
                (long long)tasks, sentence);
    snprintf(order, sizeof order, "release %s", get_job_number());
    if (!repeat_order(order, release_limit_s, sentence, sizeof sentence))
        fprintf(stderr, "nereus-mpiexec: the job is held: scontrol release %s: %s\n",
                get_job_number(), sentence);
}

static bool requeue(int64_t tasks, int64_t nodes, char *sentence, size_t size)
{
    char order[COMMAND_MAX / 2];
    if (get_job_number() == NULL) {
        snprintf(sentence, size, "this is no job of Slurm's");
        return false;
    }
    snprintf(order, sizeof order, "%s %s", tasks > 0 ? "requeuehold" : "requeue", get_job_number());
    if (!repeat_order(order, requeue_limit_s, sentence, size))
        return false;
    if (tasks == 0)
        return true;
    change_held(tasks, nodes);
    return true;
}

bool slurm_job_requeue(int64_t tasks, int64_t nodes, char *sentence, size_t size)
{
    /* Slurm ends the commands, too, by SIGTERM. A shell may unblock it, but keeps it ignored. */
    signal(SIGTERM, SIG_IGN);
    const bool done = requeue(tasks, nodes, sentence, size);
    signal(SIGTERM, SIG_DFL); /* blocked in this process, which receives it by signalfd */
    return done;
}

void slurm_job_disable_requeue(void)
{
    char order[COMMAND_MAX / 2], sentence[SENTENCE_MAX];
    if (get_job_number() == NULL || !slurm_job_is_requeued() || !is_batch_script())
        return;
    snprintf(order, sizeof order, "update JobId=%s Requeue=0", get_job_number());
    if (!repeat_order(order, change_limit_s, sentence, sizeof sentence))
        fprintf(stderr, "nereus-mpiexec: Slurm may start the job again, which has ended well: %s\n",
                sentence);
}
