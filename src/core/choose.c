/**
 * @file choose.c
 * Chooses the method of a request that names none, or auto: the one with the best prediction, if
 * there is a profile of this machine (model_choice.c); else the possible one that survives most
 * failures. That is launch, if processes have to start and a launcher can start a world of its own:
 * until such a world has joined, a death in or after MPI_Init costs the job nothing, while after
 * MPI_Comm_spawn it ends the job (docs/failures.md, docs/architecture.md).
 *
 * A missing program or guard does not influence the choice: both methods need them
 * (start/start_spec.c checks them first).
 */
#include <unistd.h>

#include "model/plan/placement.h"
#include "model/plan/strategies/strategy.h"
#include "model/util/process.h"
#include "model_choice.h"
#include "prepare_request.h"
#include "src/job/machine.h"
#include "src/link/connection.h"
#include "src/mpi/mpi_library.h"
#include "src/start/hosts.h"
#include "src/start/spawn.h"
#include "src/util/guard_events.h"

static const double answer_limit_s = 2;

/* Can nereus-supervise be reached, and is there a launcher? The default launcher is the one that
 * started this job (supervise/launcher.c). */
static bool can_launch(void)
{
    struct nereus_connection_address supervisor;
    const char *command = getenv("NEREUS_LAUNCH_COMMAND");
    if (nereus_mpi()->no_launch != NULL)
        return false;
    if (!nereus_connection_parse_address(getenv(NEREUS_LAUNCHER_NAME), &supervisor, NULL))
        return false;
    if (command != NULL && *command != '\0') {
        char name[PATH_MAX], path[PATH_MAX];
        command += strspn(command, " \t");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(command, " \t"), command);
        if (!nereus_program_search(name, NULL, path, sizeof path))
            return false;
    }
    const int connection =
        nereus_connection_connect(supervisor.host, supervisor.port, answer_limit_s);
    if (connection < 0)
        return false;
    close(connection);
    return true;
}

enum nereus_status nereus_job_place_request(const nereus_job *job,
                                            const struct nereus_machine *machine,
                                            const struct resize_request *resize,
                                            struct nereus_request *request,
                                            struct nereus_error *err)
{
    return resize->layout_count > 0
               ? nereus_request_place_layout(machine, &job->state, resize->layout,
                                             resize->layout_count, request, err)
               : nereus_request_place(machine, &job->state, resize->release, resize->release_count,
                                      request, err);
}

enum nereus_status nereus_job_check_placement(const nereus_job *job,
                                              const struct resize_request *resize, int64_t zombies,
                                              enum nereus_shrink *shrink, struct nereus_error *err)
{
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .ns = job->size,
                                     .nt = resize->nt,
                                     .zombies = zombies,
                                     .next_world_id = job->state.next_world_id,
                                     .method = resize->method,
                                     .batch = job->settings.batch,
                                     .keep_asleep = job->settings.keep_asleep};
    struct nereus_machine machine;
    NEREUS_TRY(nereus_machine_of_request(job, resize, &machine, err));
    const enum nereus_status status =
        nereus_job_place_request(job, &machine, resize, &request, err);
    *shrink = request.method.shrink;
    nereus_request_fini(&request);
    nereus_machine_fini(&machine);
    return status;
}

static bool can_be_placed(const nereus_job *job, const struct resize_request *request,
                          int64_t zombies, enum nereus_shrink *shrink)
{
    struct nereus_error ignored;
    return nereus_job_check_placement(job, request, zombies, shrink, &ignored) == NEREUS_OK;
}

/* Releasing nodes may require a full respawn, depending on the job's state. */
static bool needs_respawn(const nereus_job *job, const struct resize_request *request,
                          int64_t zombies)
{
    enum nereus_shrink shrink;
    return can_be_placed(job, request, zombies, &shrink) && shrink == NEREUS_SS;
}

static bool is_resize(const nereus_job *job, const struct resize_request *request)
{
    return request->nt != job->size || request->release_count > 0 || request->layout_count > 0;
}

enum nereus_status nereus_set_requested_method(const nereus_job *job, const char *text,
                                               struct resize_request *request,
                                               struct nereus_error *err)
{
    if (text == NULL) {
        request->method = job->settings.default_method;
        request->method_is_auto = job->settings.default_is_auto;
        return NEREUS_OK;
    }
    request->method_is_auto = strcmp(text, "auto") == 0;
    return nereus_method_parse(request->method_is_auto ? "merge/coll" : text, &request->method,
                               err);
}

const char *nereus_start_refusal_reason(const nereus_job *job, const struct nereus_method *method)
{
    const char *spawns = getenv("NEREUS_SPAWN");
    const bool by_launcher = nereus_strategy_of(method)->channel == NEREUS_CHANNEL_LINES &&
                             getenv(NEREUS_LAUNCHER_NAME) != NULL;
    if (job->unconnectable)
        return "an earlier connection to launched processes has failed inside MPI, which cannot "
               "connect again";
    if (spawns != NULL && *spawns != '\0')
        return strcmp(spawns, "no") == 0 ? "NEREUS_SPAWN is no" : NULL;
    const char *why =
        nereus_mpi()->start_refusal != NULL
            ? nereus_mpi()->start_refusal(nereus_machine_has_several_hosts(&job->machine))
            : NULL;
    return why != NULL || by_launcher ? why : nereus_spawn_refusal_reason();
}

/* Choose restart, the only method without new processes in the running job, if the job has a folder
 * for checkpoints. */
static bool choose_restart(const nereus_job *job, struct resize_request *request,
                           struct method_choice *choice)
{
    struct nereus_error ignored;
    const struct nereus_method launched = {.process = NEREUS_MERGE, .strategy = NEREUS_LAUNCH};
    const char *why = nereus_start_refusal_reason(job, &launched);
    if (why == NULL || job->settings.checkpoint_folder == NULL)
        return false;
    snprintf(choice->reason, sizeof choice->reason, "%s", why);
    return nereus_method_parse("restart/file", &request->method, &ignored) == NEREUS_OK;
}

void nereus_choose_method(nereus_job *job, int64_t zombies, struct resize_request *request,
                          struct method_choice *choice)
{
    if (!request->method_is_auto)
        return;
    const bool starts = request->nt > job->size
                            ? request->nt > job->size + zombies
                            : (request->release_count > 0 || request->layout_count > 0) &&
                                  needs_respawn(job, request, zombies);
    if (starts && choose_restart(job, request, choice))
        return;
    const bool launch = starts && can_launch();
    struct resize_request by_model = *request;
    enum nereus_shrink shrink;
    if (is_resize(job, request) && nereus_choose_by_model(job, launch, &by_model, choice) &&
        can_be_placed(job, &by_model, zombies, &shrink)) {
        *request = by_model;
        request->by_model = true;
    } else if (launch) {
        request->method.strategy = NEREUS_LAUNCH;
    }
}
