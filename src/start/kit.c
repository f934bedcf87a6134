/*
 * What MPI_Comm_spawn starts is the guard (guard/): otherwise a missing program, or one that dies
 * before MPI_Init, would hang the job, whatever the error handler.
 *
 * The guard's arguments go through the launcher's wire format, which spaces and newlines break:
 * every character but letters, digits and a few others is sent as %XX.
 */
#include "kit.h"
#include "model/util/text.h"

#include <dlfcn.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "hosts.h"
#include "join_payload.h"
#include "model/plan/strategies/strategy.h"
#include "probe.h"
#include "src/link/line.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "src/util/pack_buffer.h"

/* ---- the guard's command line ---------------------------------------------------------------- */

struct words {
    char **list;
    size_t count;
    bool broken;
};

/* Append a letter and an encoded value as one word. */
static void add_word(struct words *words, char letter, const char *value)
{
    char **list = realloc(words->list, (words->count + 2) * sizeof *list);
    if (list != NULL)
        words->list = list;
    char *word = list != NULL ? nereus_word_encode(letter, value) : NULL;
    words->broken = words->broken || word == NULL;
    if (list == NULL)
        return;
    list[words->count] = word;
    list[words->count + (word != NULL)] = NULL;
    words->count += word != NULL;
}

static void add_environment(struct words *words, const char *name)
{
    char *setting = NULL;
    const char *value = getenv(name);
    if (value == NULL)
        return;
    if (asprintf(&setting, "%s=%s", name, value) < 0)
        words->broken = true;
    else
        add_word(words, 'e', setting);
    free(setting);
}

/* Time limit, folder, environment, program, arguments. */
static void guard_arguments(const nereus_job *job, const char *program, struct words *words)
{
    char text[PATH_MAX];
    snprintf(text, sizeof text, "%.3f", job->settings.spawn_timeout_s);
    add_word(words, 't', text);
    if (getcwd(text, sizeof text) != NULL)
        add_word(words, 'd', text);
    for (char **name = job->settings.environment; name != NULL && *name != NULL; name++)
        add_environment(words, *name);
    add_word(words, 'p', program);
    for (int i = 1; i < job->argc; i++)
        add_word(words, 'a', job->argv[i]);
}

/* ---- where guard and program are ------------------------------------------------------------- */

/* Where this library is loaded. */
static const char library_address;

/* Beside the library: lib/libnereus.so -> libexec/nereus/nereus-guard, in build and installed trees
 * alike. */
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

/* Where all processes are on this host, a check tells beforehand what a guard would tell
 * afterwards. The guard looks for a name without a folder on PATH. */
static bool look_for(const nereus_job *job, const char *path, struct nereus_error *failure)
{
    struct stat about;
    if (nereus_several_hosts(&job->machine) || strchr(path, '/') == NULL)
        return true;
    const bool found = stat(path, &about) == 0;
    if (found && S_ISREG(about.st_mode) && access(path, X_OK) == 0)
        return true;
    nereus_fail(failure, NEREUS_ERR_SPAWN, "the program %.300s %s: nothing was started", path,
                found ? "cannot be executed" : "is not there");
    return false;
}

/* The program to start: the one asked for, else the one that is running. */
static bool find_program(const nereus_job *job, char *path, size_t size,
                         struct nereus_error *failure)
{
    if (job->settings.program != NULL) {
        snprintf(path, size, "%s", job->settings.program);
        return look_for(job, path, failure); /* elsewhere the guard sees */
    }
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length > 0) {
        path[length] = '\0';
        return look_for(job, path, failure); /* it may have been replaced meanwhile */
    }
    nereus_fail(
        failure, NEREUS_ERR_SPAWN,
        "cannot tell which program this is (/proc/self/exe is not readable): set options.program");
    return false;
}

/* ---- where new processes go ------------------------------------------------------------------ */

/* Where the processes of one world go, as the info key "hosts": only given where there are several
 * hosts. */
static enum nereus_status list_hosts(const nereus_job *job, const struct nereus_request *request,
                                     char **hosts, struct nereus_error *failure)
{
    size_t length = 0;
    if (!nereus_several_hosts(&job->machine) || request->group_count == 0)
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
            "the new processes' hosts take more than the %d characters that MPI can be told (its "
            "launcher takes one list only): a strategy that makes a world for each node, such as "
            "diffusive, names one host at a time",
            MPI_MAX_INFO_VAL - 1);
    return NEREUS_OK;
}

/* MPI_Comm_spawn on an unknown host ends the job. More names than these are not looked up. */
enum { LOOKUPS_MAX = 64 };

static enum nereus_status check_hosts(const nereus_job *job, const struct nereus_request *request,
                                      struct nereus_error *failure)
{
    char here[NEREUS_NODE_NAME_MAX] = "", last[NEREUS_NODE_NAME_MAX] = "";
    gethostname(here, sizeof here - 1);
    for (int64_t i = 0, lookups = 0; i < request->group_count && lookups < LOOKUPS_MAX; i++) {
        char host[NEREUS_NODE_NAME_MAX];
        struct addrinfo *found = NULL;
        nereus_host_of_node(&job->machine, request->groups[i].node, host, sizeof host);
        if (host[0] == '\0' || strcmp(host, here) == 0 || strcmp(host, last) == 0)
            continue;
        lookups++;
        snprintf(last, sizeof last, "%s", host);
        if (getaddrinfo(host, NULL, NULL, &found) != 0)
            return nereus_fail(
                failure, NEREUS_ERR_SPAWN,
                "the host '%s' of the host file is not known on %s: no process can be started there",
                host, here);
        freeaddrinfo(found);
    }
    return NEREUS_OK;
}

/* Without a launcher MPI_Comm_spawn looks for one on PATH, and hangs where there is none. */
static bool started_by_launcher(void)
{
    static const char *const signs[] = {"PMI_RANK", "PMI_FD", "PMI_PORT", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (getenv(signs[i]) != NULL)
            return true;
    return false;
}

/* The launcher's wire format ends a job that is started with more. */
enum { WORDS_MAX = 900 };

static enum nereus_status prepare_guard(const nereus_job *job, const struct nereus_request *request,
                                        struct start_kit *kit, struct nereus_error *failure)
{
    char guard[PATH_MAX] = "", program[PATH_MAX] = "";
    struct words words = {0};
    if (!started_by_launcher())
        return nereus_fail(
            failure, NEREUS_ERR_SPAWN,
            "this program was started without a launcher, which new processes need: start it "
            "with nereus-mpiexec");
    if (nereus_fault(NEREUS_STEP_SPAWN, job->rank))
        nereus_fault_report(NEREUS_STEP_SPAWN, failure);
    if (failure->status != NEREUS_OK || !find_guard(guard, sizeof guard, failure) ||
        !find_program(job, program, sizeof program, failure))
        return failure->status;
    guard_arguments(job, program, &words);
    kit->guard = strdup(guard);
    kit->words = words.list;
    if (words.broken || kit->guard == NULL)
        return nereus_fail(failure, NEREUS_ERR_MEMORY,
                           "no memory for the new processes' arguments");
    if (words.count > WORDS_MAX)
        return nereus_fail(failure, NEREUS_ERR_SPAWN,
                           "the program has %d argument%s: new processes can be given %d",
                           job->argc - 1, nereus_plural_s(job->argc - 1), WORDS_MAX - 10);
    NEREUS_TRY(check_hosts(job, request, failure));
    NEREUS_TRY(nereus_check_descriptors(job, request, failure));
    if (!nereus_strategy_of(&request->method)
             ->isolated) /* else the start finds out by itself, and is survived */
        NEREUS_TRY(nereus_probe(job, request, kit, failure));
    return !nereus_strategy_of(&request->method)->several_worlds
               ? list_hosts(job, request, &kit->hosts, failure)
               : NEREUS_OK;
}

/* Are processes started or woken? */
static bool starts_processes(const struct nereus_request *request)
{
    if (request->method.process != NEREUS_MERGE || request->nt > request->ns + request->zombies)
        return true;
    return request->method.shrink == NEREUS_SS; /* to the present size too */
}

enum nereus_status nereus_kit_prepare(nereus_job *job, struct nereus_request *request,
                                      struct start_kit *kit, struct nereus_error *err)
{
    const bool starts = starts_processes(request);
    if (starts)
        NEREUS_TRY(prepare_guard(job, request, kit, err));
    if (!starts && request->nt <= request->ns && request->zombies == 0)
        return NEREUS_OK; /* nobody to tell anything */
    return nereus_payload_pack(job, request, kit, err);
}

void nereus_kit_fini(struct start_kit *kit)
{
    pack_names_free(kit->words);
    free(kit->guard);
    free(kit->hosts);
    free(kit->payload);
    memset(kit, 0, sizeof *kit);
}
