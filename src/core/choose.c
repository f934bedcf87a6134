/*
 * The method of a request that names none: of those that are possible the one that survives most.
 * That is launch, where new processes have to start and a launcher can start a world of its own.
 * Until such a world has joined, a death in or after MPI_Init costs the job nothing, while after
 * MPI_Comm_spawn it ends the job (docs/failures.md, docs/decisions.md).
 *
 * A missing program or guard does not matter for the choice: both methods need them (start/kit.c
 * checks them first).
 */
#include "choose.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/plan/placement.h"
#include "src/link/launch.h"
#include "src/link/line.h"
#include "src/util/guard_events.h"

static const double ANSWER_LIMIT_S = 2;

/* Does a name lead to a program, as execvp looks for it? */
static bool can_be_started(const char *name, size_t length)
{
    char path[PATH_MAX];
    const char *folders = getenv("PATH");
    snprintf(path, sizeof path, "%.*s", (int)length, name);
    if (length > 0 && (memchr(name, '/', length) != NULL || folders == NULL))
        return access(path, X_OK) == 0;
    for (; length > 0 && folders != NULL; folders = strchr(folders, ':')) {
        folders += *folders == ':';
        snprintf(path, sizeof path, "%.*s/%.*s", (int)strcspn(folders, ":"), folders, (int)length,
                 name);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Can nereus-supervise be reached, to start a launcher and to watch over its processes? And is
 * there a launcher? Unless one is named it is the one that started this job (guard/launcher.c). */
static bool can_launch(void)
{
    struct nereus_line_address supervisor;
    const char *command = getenv("NEREUS_LAUNCH_COMMAND");
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCHER_NAME), &supervisor, NULL))
        return false;
    if (command != NULL && *command != '\0') {
        command += strspn(command, " \t");
        if (!can_be_started(command, strcspn(command, " \t")))
            return false;
    }
    const int line = nereus_line_connect(supervisor.host, supervisor.port, ANSWER_LIMIT_S);
    if (line < 0)
        return false;
    close(line);
    return true;
}

/* To give nodes back all processes may have to start anew: the job's state tells. */
static bool starts_anew(const nereus_job *job, const struct resize_request *wanted, int64_t zombies)
{
    struct nereus_error ignored;
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .ns = job->size,
                                     .nt = wanted->nt,
                                     .zombies = zombies,
                                     .next_world_id = job->state.next_world_id,
                                     .method = wanted->method,
                                     .batch = job->settings.batch};
    const bool placed =
        nereus_request_place(&job->machine, &job->state, wanted->release, wanted->release_count,
                             &request, &ignored) == NEREUS_OK;
    const bool anew = placed && request.method.shrink == NEREUS_SS;
    nereus_request_fini(&request);
    return anew;
}

void nereus_choose(const nereus_job *job, int64_t zombies, struct resize_request *wanted)
{
    if (!wanted->open)
        return;
    const bool starts = wanted->nt > job->size
                            ? wanted->nt > job->size + zombies
                            : wanted->release_count > 0 && starts_anew(job, wanted, zombies);
    if (starts && can_launch())
        wanted->method.strategy = NEREUS_LAUNCH;
}
