/**
 * @file start_spec.c
 * MPI_Comm_spawn starts guards (guard/): otherwise a missing program, or one that dies before
 * MPI_Init, would hang the job, with any error handler.
 *
 * The start record of the guards is stored in nereus-supervise, and their command lines have only
 * its name: no limit of a command line or of the launcher's wire format applies to arguments and
 * environment, and `ps` shows none of it. In a job without nereus-supervise it is on the command
 * line, which passes through that format; spaces and newlines break it, so every character but
 * letters, digits and a few others is sent as %XX.
 */
#include "start_spec.h"

#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

#include "host_resources.h"
#include "hosts.h"
#include "join_payload.h"
#include "model/plan/strategies/strategy.h"
#include "model/util/process.h"
#include "model/util/strings.h"
#include "spawn.h"
#include "src/link/connection.h"
#include "src/link/launcher_environment.h"
#include "src/link/spawn_timeout.h"
#include "src/link/supervise_requests.h"
#include "src/mpi/process_manager.h"
#include "src/util/fault.h"
#include "src/util/guard_link.h"
#include "src/util/own_launcher.h"

extern char **environ;

/* ---- what the guards start ------------------------------------------------------------------- */

static void add_word(struct nereus_strings *words, char letter, const char *value)
{
    nereus_strings_add_format(words, "%c%s", letter, value);
}

/* Add a variable with its present value, which the program may have changed. */
static void add_environment(struct nereus_strings *words, const char *name)
{
    const char *value = getenv(name);
    if (value != NULL)
        nereus_strings_add_format(words, "e%s=%s", name, value);
}

/* Is this list from /proc an environment? A program that has overwritten it with a title
 * (setproctitle) leaves other text or none. */
static bool is_list_of_settings(char *const *settings)
{
    for (; settings != NULL && *settings != NULL; settings++)
        if (strchr(*settings, '=') != NULL)
            return true;
    return false;
}

/* Variables that are valid only on this host, and that the guard sets. */
static bool is_guard_setting(const char *setting)
{
    const char *name = getenv(NEREUS_HOOKS_NAME);
    const size_t length = strcspn(setting, "=");
    return name != NULL && strlen(name) == length && strncmp(setting, name, length) == 0;
}

/* Add the initial environment, which a wrapper may have extended. Variables that the program has
 * set are not added: it sets them in new processes, too. */
static void add_whole_environment(struct nereus_strings *words)
{
    char **settings = nereus_command_read("/proc/self/environ");
    add_word(words, 'c', "");
    for (char **setting = is_list_of_settings(settings) ? settings : environ; *setting != NULL;
         setting++)
        if (strchr(*setting, '=') != NULL && !nereus_is_local_variable(*setting) &&
            !is_guard_setting(*setting))
            add_word(words, 'e', *setting);
    nereus_strings_free(settings);
}

/* The start record: time limit, folder, environment, program, arguments. */
static void describe_start(const nereus_job *job, const struct nereus_command *command, bool whole,
                           struct nereus_strings *words)
{
    char text[32];
    nereus_snprintf(text, sizeof text, "%.3f", job->settings.spawn_timeout_s);
    add_word(words, 't', text);
    if (command->folder != NULL)
        add_word(words, 'd', command->folder);
    if (whole)
        add_whole_environment(words);
    for (char **name = job->settings.environment; name != NULL && *name != NULL; name++)
        add_environment(words, *name);
    for (const char **word = command->argv; *word != NULL; word++)
        add_word(words, word == command->argv ? 'p' : 'a', *word);
}

/* ---- where guard and program are ------------------------------------------------------------- */

/* An object of this library, by whose address dladdr finds the library's file. */
static const char library_address;

/* Find the guard relative to the library: lib/libnereus.so -> libexec/nereus/nereus-guard, in the
 * build folder and in an installation. */
static bool find_guard(char *path, size_t size, struct nereus_error *failure)
{
    Dl_info library;
    const char *given = getenv("NEREUS_GUARD");
    if (given != NULL) {
        snprintf(path, size, "%s", given);
    } else if (dladdr(&library_address, &library) != 0 && library.dli_fname != NULL) {
        char file[PATH_MAX];
        if (realpath(library.dli_fname, file) == NULL)
            snprintf(file, sizeof file, "%s", library.dli_fname);
        char *slash = strrchr(file, '/');
        snprintf(path, size, "%.*s/../libexec/nereus/nereus-guard",
                 slash == NULL ? 1 : (int)(slash - file), slash == NULL ? "." : file);
    }
    if (access(path, X_OK) == 0)
        return true;
    nereus_fail(
        failure, NEREUS_ERR_SPAWN,
        "the guard that starts new processes is not at %.300s (set NEREUS_GUARD to where it is)",
        path);
    return false;
}

/* If all processes are on this host, check now what a guard would report later. The guard searches
 * PATH for a name without a folder. */
static bool find_locally(const nereus_job *job, const struct nereus_command *command,
                         struct nereus_error *failure)
{
    char path[PATH_MAX];
    const char *name = command->argv[0];
    if (nereus_machine_has_several_hosts(&job->machine) || strchr(name, '/') == NULL ||
        nereus_program_search(name, command->folder, path, sizeof path))
        return true;
    nereus_fail(failure, NEREUS_ERR_SPAWN, "the program %.300s %s: nothing was started", name,
                errno == ENOENT ? "is not there" : "cannot be executed");
    return false;
}

/* How this process was started: command lines of the launcher and of the program, file, folder. */
struct invocation {
    char **launcher, **own_words, **given_words;
    char *launcher_folder;
    char file[PATH_MAX], folder[PATH_MAX];
};

static void free_invocation(struct invocation *invocation)
{
    nereus_strings_free(invocation->launcher);
    nereus_strings_free(invocation->own_words);
    free(invocation->given_words);
    free(invocation->launcher_folder);
}

static void read_invocation(const nereus_job *job, struct invocation *invocation)
{
    char path[PATH_MAX];
    const ssize_t length =
        readlink("/proc/self/exe", invocation->file, sizeof invocation->file - 1);
    invocation->file[length > 0 ? length : 0] = '\0';
    invocation->own_words = nereus_command_read("/proc/self/cmdline");
    invocation->given_words = calloc((size_t)(job->argc > 0 ? job->argc : 0) + 1, sizeof(char *));
    for (int i = 0; invocation->given_words != NULL && i < job->argc && job->argv[i] != NULL; i++)
        invocation->given_words[i] = job->argv[i];
    invocation->launcher = nereus_supervise_command(&invocation->launcher_folder);
    if (invocation->launcher_folder == NULL ||
        !nereus_program_search(invocation->launcher[0], invocation->launcher_folder, path,
                               sizeof path)) {
        nereus_strings_free(invocation->launcher); /* PATH may have been different */
        invocation->launcher = NULL;
    }
    if (nereus_command_first_folder() != NULL)
        snprintf(invocation->folder, sizeof invocation->folder, "%s",
                 nereus_command_first_folder());
    else if (getcwd(invocation->folder, sizeof invocation->folder) == NULL)
        invocation->folder[0] = '\0';
}

/* Format the command in one line, truncated to fit. */
static void describe_command(const struct nereus_command *command, char *text, size_t size)
{
    size_t length = 0;
    for (const char **word = command->argv; *word != NULL && length < size; word++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "", *word);
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

/* Choose the command, and its text for the trace. */
static bool find_command(const nereus_job *job, const struct invocation *invocation,
                         struct nereus_command *command, struct start_spec *spec,
                         struct nereus_error *failure)
{
    const struct nereus_command_facts facts = {
        .option = job->settings.program,
        .launcher = invocation->launcher,
        .launcher_folder = invocation->launcher_folder,
        .own_words = invocation->own_words,
        .given_words = invocation->given_words,
        .file = invocation->file[0] != '\0' ? invocation->file : NULL,
        .name_is_file =
            invocation->own_words != NULL &&
            nereus_command_starts_this_program(invocation->own_words[0], invocation->folder),
        .folder = invocation->folder[0] != '\0' ? invocation->folder : NULL};
    if (!nereus_command_choose(&facts, command)) {
        nereus_fail(failure, NEREUS_ERR_SPAWN,
                    "cannot tell which program this is (/proc/self/exe is not readable): set "
                    "options.program");
        return false;
    }
    spec->source = command->source;
    describe_command(command, spec->program_text, sizeof spec->program_text);
    return find_locally(job, command, failure);
}

/* ---- where new processes go ------------------------------------------------------------------ */

/* The info key "hosts" of one world: only if there are several hosts. */
static enum nereus_status list_hosts(const nereus_job *job, const struct nereus_request *request,
                                     char **hosts, struct nereus_error *failure)
{
    size_t length = 0;
    if (!nereus_machine_has_several_hosts(&job->machine) || request->group_count == 0)
        return NEREUS_OK;
    *hosts = calloc(1, MPI_MAX_INFO_VAL);
    NEREUS_TRY_MEMORY(*hosts, failure, "for a list of hosts");
    for (int64_t i = 0; i < request->group_count && length < MPI_MAX_INFO_VAL - 1; i++) {
        char host[NEREUS_NODE_NAME_MAX];
        nereus_host_of_node(&job->machine, request->groups[i].node, host, sizeof host);
        length +=
            (size_t)snprintf(*hosts + length, MPI_MAX_INFO_VAL - length, "%s%s:%lld",
                             length == 0 ? "" : ",", host, (long long)request->groups[i].processes);
    }
    if (length >= MPI_MAX_INFO_VAL - 1)
        return nereus_fail(
            failure, NEREUS_ERR_SPAWN,
            "the new processes' hosts take more than the %d characters of a hosts info value (MPI's "
            "launcher takes one list only): a strategy that makes a world for each node, such as "
            "diffusive, names one host at a time",
            MPI_MAX_INFO_VAL - 1);
    return NEREUS_OK;
}

/* Largest number of host names that are resolved before a spawn, as MPI_Comm_spawn on an unknown
 * host ends the job. */
enum { LOOKUPS_MAX = 64 };

static enum nereus_status check_hosts(const nereus_job *job, const struct nereus_request *request,
                                      struct nereus_error *failure)
{
    char own_host[NEREUS_NODE_NAME_MAX] = "", last[NEREUS_NODE_NAME_MAX] = "";
    gethostname(own_host, sizeof own_host - 1);
    for (int64_t i = 0, lookups = 0; i < request->group_count && lookups < LOOKUPS_MAX; i++) {
        char host[NEREUS_NODE_NAME_MAX];
        struct addrinfo *found = NULL;
        nereus_host_of_node(&job->machine, request->groups[i].node, host, sizeof host);
        if (host[0] == '\0' || strcmp(host, own_host) == 0 || strcmp(host, last) == 0)
            continue;
        lookups++;
        snprintf(last, sizeof last, "%s", host);
        if (getaddrinfo(host, NULL, NULL, &found) != 0)
            return nereus_fail(
                failure, NEREUS_ERR_SPAWN,
                "the host '%s' of the host file is not known on %s: no process can be started there",
                host, own_host);
        freeaddrinfo(found);
    }
    return NEREUS_OK;
}

/* Pass the start record on the guards' command lines, as there is no nereus-supervise. Every user
 * can read them: only variables that the program names are passed. */
static enum nereus_status add_to_command_line(const nereus_job *job, struct nereus_strings *words,
                                              struct nereus_error *failure)
{
    enum { WORD_BYTES = 16 }; /* bytes of a message in addition to the word */
    const struct nereus_process_manager *manager = nereus_process_manager();
    const int words_max = manager->words_max, bytes_max = manager->message_bytes_max;
    size_t bytes = 0;
    for (size_t i = 0; i < words->count && !words->broken; i++) {
        char *encoded = nereus_word_encode(words->words[i][0], words->words[i] + 1);
        words->broken = encoded == NULL;
        if (encoded == NULL)
            break;
        free(words->words[i]);
        words->words[i] = encoded;
        bytes += strlen(encoded) + WORD_BYTES;
    }
    return words->count <= (size_t)words_max && bytes <= (size_t)bytes_max
               ? NEREUS_OK
               : nereus_fail(
                     failure, NEREUS_ERR_SPAWN,
                     "the arguments of the program (%d) are too long for the launcher's messages "
                     "(%zu bytes, at most %d; %zu words, at most %d): start the job with "
                     "nereus-mpiexec, which has no such limit",
                     job->argc - 1, bytes, bytes_max, words->count, words_max);
}

/* Store the start record in nereus-supervise, under a name for the guards. */
static enum nereus_status store_record(struct nereus_strings *words, struct nereus_error *failure)
{
    char name[NEREUS_SPAWN_ID_MAX];
    nereus_spawn_timeout_name(name, sizeof name);
    if (!words->broken)
        NEREUS_TRY(nereus_supervise_store_record(name, words->words, failure));
    nereus_strings_free(words->words);
    *words = (struct nereus_strings){.broken = words->broken};
    add_word(words, 'r', name);
    return NEREUS_OK;
}

static enum nereus_status prepare_words(const nereus_job *job, struct start_spec *spec,
                                        struct nereus_error *failure)
{
    const bool watched = getenv(NEREUS_LAUNCHER_NAME) != NULL;
    struct invocation invocation = {0};
    struct nereus_command command = {0};
    struct nereus_strings words = {0};
    read_invocation(job, &invocation);
    if (find_command(job, &invocation, &command, spec, failure)) {
        describe_start(job, &command, watched, &words);
        if (watched)
            store_record(&words, failure);
        else
            add_to_command_line(job, &words, failure);
    }
    nereus_command_fini(&command);
    free_invocation(&invocation);
    spec->argv = words.words;
    if (words.broken)
        return nereus_fail(failure, NEREUS_ERR_MEMORY,
                           "no memory for the new processes' arguments");
    return failure->status;
}

static enum nereus_status prepare_command(const nereus_job *job, struct start_spec *spec,
                                          struct nereus_error *failure)
{
    char guard[PATH_MAX] = "";
    if (!find_guard(guard, sizeof guard, failure))
        return failure->status;
    NEREUS_TRY(prepare_words(job, spec, failure));
    spec->guard = strdup(guard);
    NEREUS_TRY_MEMORY(spec->guard, failure, "for the name of the guard");
    return NEREUS_OK;
}

/* Prepare a restart. nereus-supervise starts the job as before, so that only the hosts are tested:
 * a host that does not answer would otherwise be found only after the job has ended. */
static enum nereus_status prepare_restart(const nereus_job *job,
                                          const struct nereus_request *request,
                                          struct start_spec *spec, struct nereus_error *failure)
{
    if (getenv(NEREUS_LAUNCHER_NAME) == NULL) /* the step write says so */
        return NEREUS_OK;
    NEREUS_TRY(prepare_command(job, spec, failure));
    return nereus_probe_hosts(job, request, spec, failure);
}

static enum nereus_status prepare_guard(const nereus_job *job, const struct nereus_request *request,
                                        struct start_spec *spec, struct nereus_error *failure)
{
    /* MPI_Comm_spawn would search for a launcher on PATH, and hang without one */
    if (!nereus_has_launcher())
        return nereus_fail(
            failure, NEREUS_ERR_SPAWN,
            "this program was started without a launcher, which new processes need: start it "
            "with nereus-mpiexec");
    if (nereus_fault_applies(NEREUS_STEP_SPAWN, job->rank))
        nereus_fault_report(NEREUS_STEP_SPAWN, failure);
    if (failure->status != NEREUS_OK)
        return failure->status;
    NEREUS_TRY(prepare_command(job, spec, failure));
    NEREUS_TRY(check_hosts(job, request, failure));
    NEREUS_TRY(nereus_check_descriptors(job, request, failure));
    NEREUS_TRY(nereus_check_host_resources(nereus_count_new_here(job, request), failure));
    if (!nereus_strategy_of(&request->method)
             ->isolated) /* otherwise the failure appears at the start, and can be rolled back */
        NEREUS_TRY(nereus_probe_hosts(job, request, spec, failure));
    return !nereus_strategy_of(&request->method)->several_worlds
               ? list_hosts(job, request, &spec->hosts, failure)
               : NEREUS_OK;
}

/* Are processes started or woken? */
static bool starts_processes(const struct nereus_request *request)
{
    if (request->method.process != NEREUS_MERGE || request->nt > request->ns + request->zombies)
        return true;
    return request->method.shrink == NEREUS_SS; /* ss starts processes also at the present size */
}

enum nereus_status nereus_start_spec_prepare(nereus_job *job, struct nereus_request *record,
                                             struct start_spec *spec, struct nereus_error *err)
{
    const bool starts = starts_processes(record);
    if (record->method.process == NEREUS_RESTART)
        return prepare_restart(job, record, spec, err);
    if (starts)
        NEREUS_TRY(prepare_guard(job, record, spec, err));
    if (!starts && record->nt <= record->ns && record->zombies == 0)
        return NEREUS_OK; /* no process needs the payload */
    return nereus_payload_pack(job, record, spec, err);
}

void nereus_start_spec_fini(struct start_spec *spec)
{
    nereus_strings_free(spec->argv);
    free(spec->guard);
    free(spec->hosts);
    free(spec->payload);
    memset(spec, 0, sizeof *spec);
}
