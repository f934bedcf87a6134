/**
 * @file launcher.c
 * Makes the launcher's command line and environment. The launcher is the one that the order names,
 * else NEREUS_LAUNCH_COMMAND, else the mpiexec that the job was started with, with its options
 * except those for the initial processes only (job_line.c). mpiexec takes its option for hosts and
 * `-n N`, srun `--ntasks=N --overlap --nodes=M --nodelist=HOSTS`, without the last two if no host
 * is named.
 *
 * The environment is that of nereus-supervise, without the variables that a launcher or a Slurm
 * step gives to its processes: an mpiexec that finds them behaves as one of these processes.
 *
 * In another allocation of Slurm than the job's own: mpiexec takes an option, srun
 * `--jobid=NUMBER`. Of Slurm's variables only the number of that allocation and the path of Slurm's
 * settings are kept, so that mpiexec's srun starts its step there.
 */
#include "launcher.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_line.h"
#include "model/util/strings.h"
#include "src/link/launcher_environment.h"
#include "src/mpi/process_manager.h"

static void add_split(struct nereus_strings *command, const char *text)
{
    char *copy = strdup(text), *position = NULL;
    if (copy == NULL)
        command->broken = true;
    for (char *word = copy == NULL ? NULL : strtok_r(copy, " \t", &position); word != NULL;
         word = strtok_r(NULL, " \t", &position))
        nereus_strings_add(command, word);
    free(copy);
}

/* Append ".launchN" to the file pattern. */
static void add_files(struct nereus_strings *command, char *const *argument,
                      const struct job_option *option, int launch)
{
    nereus_strings_add_words(command, argument, (size_t)option->words - 1);
    nereus_strings_add_format(command, "%s.launch%d", argument[option->words - 1], launch);
}

/* Add the options of the job's mpiexec that also apply to further launchers. */
static void add_options_of(struct nereus_strings *command, char *const *mpiexec,
                           bool same_allocation)
{
    static int launches;
    char *const *argument = mpiexec + 1;
    launches++;
    for (struct job_option option; (option = job_line_option(argument)).words > 0;
         argument += option.words)
        if (option.use == JOB_OPTION_FILES)
            add_files(command, argument, &option, launches);
        else if (option.use == JOB_OPTION_ALL ||
                 (option.use == JOB_OPTION_ALLOCATION && same_allocation))
            nereus_strings_add_words(command, argument, (size_t)option.words);
}

static bool is_srun(const char *program)
{
    return strcmp(basename(program), "srun") == 0;
}

/* Convert mpiexec's "A:1,B:1" to srun's "A,B". */
static void add_srun_nodes(struct nereus_strings *command, const struct launcher_order *order)
{
    char *list = malloc(strlen(order->host) + 1), *to = list;
    command->broken = command->broken || list == NULL;
    if (list == NULL)
        return;
    for (const char *from = order->host; *from != '\0'; from++)
        if (order->hosts > 0 && *from == ':')
            from += strcspn(from, ",") - 1;
        else
            *to++ = *from;
    *to = '\0';
    nereus_strings_add_format(command, "--nodes=%d", order->hosts > 0 ? order->hosts : 1);
    nereus_strings_add_format(command, "--nodelist=%s", list);
    free(list);
}

static void add_hosts(struct nereus_strings *command, const struct launcher_order *order)
{
    if (is_srun(command->words[0])) {
        nereus_strings_add_format(command, "--ntasks=%d", order->processes);
        nereus_strings_add(command, "--overlap"); /* the job's own step has allocated all cores */
        if (*order->host != '\0')
            add_srun_nodes(command, order);
        return;
    }
    if (*order->host != '\0') {
        nereus_strings_add(command, nereus_process_manager()->hosts_option);
        nereus_strings_add(command, order->host);
    }
    nereus_strings_add(command, "-n");
    nereus_strings_add_format(command, "%d", order->processes);
}

static const char slurm[] = "slurm:";

/* Get the Slurm job id of the allocation to start in; NULL: the job's own. */
static const char *get_allocation_number(const struct launcher_order *order)
{
    const char *allocation = order->allocation;
    return allocation != NULL && strncmp(allocation, slurm, sizeof slurm - 1) == 0
               ? allocation + sizeof slurm - 1
               : NULL;
}

static void add_allocation(struct nereus_strings *command, const char *number)
{
    if (is_srun(command->words[0]))
        nereus_strings_add_format(command, "--jobid=%s", number);
    else
        for (const char *const *word = nereus_process_manager()->slurm_options; *word != NULL;
             word++)
            nereus_strings_add(command, *word);
}

static void build_command(struct nereus_strings *command, const struct launcher_order *order,
                          char **mpiexec)
{
    const char *setting = getenv("NEREUS_LAUNCH_COMMAND"), *number = get_allocation_number(order);
    if (*order->command != '\0') {
        add_split(command, order->command);
    } else if (setting != NULL && *setting != '\0') {
        add_split(command, setting);
    } else {
        nereus_strings_add(command, mpiexec[0]);
        add_options_of(command, mpiexec, number == NULL);
    }
    if (command->broken || command->count == 0)
        return;
    if (number != NULL)
        add_allocation(command, number);
    add_hosts(command, order);
    nereus_strings_add_words(command, order->argv, SIZE_MAX);
}

static bool is_kept_variable(const char *setting)
{
    return !nereus_is_launcher_variable(setting);
}

/* Is the variable neither of the job's own allocation, nor the choice of another launcher? */
static bool is_valid_in_any_allocation(const char *setting)
{
    static const char settings[] = "SLURM_CONF=";
    const char *const *choice = nereus_process_manager()->launcher_variables;
    while (*choice != NULL && !nereus_text_begins_with(setting, *choice))
        choice++;
    return *choice == NULL && (strncmp(setting, "SLURM_", 6) != 0 ||
                               strncmp(setting, settings, sizeof settings - 1) == 0);
}

static void enter_allocation(const char *number)
{
    nereus_environment_keep(is_valid_in_any_allocation);
    setenv("SLURM_JOB_ID", number, 1);
    setenv("SLURM_JOBID", number, 1);
    setenv("SLURM_OVERLAP", "1", 1); /* allow further steps on the same cores */
}

static void exec_launcher(char **argv, const char *allocation, pid_t parent, const int ends[2],
                          int error_end)
{
    sigset_t none;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); /* a session of its own, so that terminal signals do not reach it */
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    output_redirect(ends);
    nereus_environment_keep(is_kept_variable);
    if (allocation != NULL)
        enter_allocation(allocation);
    if (getppid() == parent)
        execvp(argv[0], argv);
    const int code = errno;
    if (write(error_end, &code, sizeof code) < 0)
        _exit(126);
    _exit(127);
}

/* Fork and execute the launcher.
 * @return its pid; -1 and errno */
static pid_t start_launcher(char **argv, const char *allocation, const int ends[2])
{
    int error_end[2], code = 0;
    const pid_t parent = getpid();
    if (pipe2(error_end, O_CLOEXEC) != 0)
        return -1;
    const pid_t child = fork();
    if (child == 0)
        exec_launcher(argv, allocation, parent, ends, error_end[1]);
    if (child < 0)
        code = errno;
    close(error_end[1]);
    while (child > 0 && read(error_end[0], &code, sizeof code) < 0 && errno == EINTR)
        ;
    close(error_end[0]);
    if (code == 0)
        return child;
    if (child > 0)
        waitpid(child, NULL, 0);
    errno = code;
    return -1;
}

pid_t launcher_start(const struct launcher_order *order, char **mpiexec, const int ends[2],
                     char *sentence, size_t size)
{
    struct nereus_strings command = {0};
    build_command(&command, order, mpiexec);
    const bool complete = !command.broken && command.count > 0;
    const pid_t child =
        complete ? start_launcher(command.words, get_allocation_number(order), ends) : -1;
    if (!complete)
        snprintf(sentence, size,
                 "no launcher is named, or there is no memory for its command line");
    else if (child < 0)
        snprintf(sentence, size, "the launcher '%.200s' cannot be started: %s", command.words[0],
                 strerror(errno));
    nereus_strings_free(command.words);
    return child;
}
