/**
 * @file decide.c
 * Rank 0 makes the record and the plan, and does everything that can fail locally, before one
 * broadcast to all. Bounds that need more than a formula are computed by all processes afterwards,
 * which completes the record.
 */

#include "balance.h"
#include "bounds.h"
#include "model/plan/strategies/strategy.h"
#include "prepare_request.h"
#include "reconfigure.h"
#include "src/start/spawn.h"
#include "src/util/callback.h"
#include "src/util/fault.h"
#include "src/util/guard_events.h"

/* Entries that replace data of rank 0 which this process has not registered: constant, variable,
 * replicated. */
enum { PLACEHOLDERS = 3 };

/* Copy the present partitions, and set blocks or grids for the time after: other bounds are
 * computed later. */
static enum nereus_status copy_partitions(const nereus_job *job, struct nereus_request *request,
                                          struct nereus_error *err)
{
    request->partitions =
        calloc((size_t)job->registry.space_count + 1, sizeof *request->partitions);
    NEREUS_TRY_MEMORY(request->partitions, err, "for a request record");
    const int64_t staying =
        request->method.process == NEREUS_MERGE ? nereus_min(request->ns, request->nt) : 0;
    for (; request->partition_count < job->registry.space_count; request->partition_count++) {
        const struct index_space *space = &job->registry.spaces[request->partition_count];
        struct nereus_data_partition *partition = &request->partitions[request->partition_count];
        memcpy(partition->name, space->name, sizeof partition->name);
        partition->parent = space->parent;
        partition->weights = space->weights;
        partition->new_ranges = nereus_partition_resized(&space->partition, request->nt, staying);
        NEREUS_TRY(nereus_partition_copy(&space->partition, &partition->old_ranges, err));
    }
    return NEREUS_OK;
}

/* Bytes that the application will move itself; at least 1, so that the plan has the step. At rank 0
 * a failure is one of the decision, which is broadcast; elsewhere it is the process' own. */
static enum nereus_status query_mover_bytes(struct reconfiguration *reconfig,
                                            struct nereus_data_entry *entry,
                                            struct nereus_error *err)
{
    const struct nereus_mover *mover = &reconfig->job->callbacks.mover;
    if (entry->placement != NEREUS_MOVED_BY_APPLICATION)
        return NEREUS_OK;
    const bool root = reconfig->job->rank == 0;
    nereus_callback_enter("options.mover");
    const int64_t bytes = mover->bytes(mover->user, reconfig->job->size, (int)reconfig->request.nt);
    nereus_callback_leave();
    entry->count = bytes > 0 ? bytes : 1;
    if (bytes >= 0)
        return NEREUS_OK;
    nereus_fail(root ? err : &reconfig->failure, NEREUS_ERR_STATE,
                "the application does not know how many bytes it moves (options.mover: bytes "
                "returned %lld)",
                (long long)bytes);
    return root ? NEREUS_ERR_STATE : NEREUS_OK;
}

/* Enter the nodes that the machine gains and loses into the record. */
static enum nereus_status record_machine_change(struct reconfiguration *reconfig,
                                                struct nereus_error *err)
{
    struct nereus_request *request = &reconfig->record;
    const int64_t count = reconfig->request.loses ? reconfig->request.release_count : 0;
    request->gained_nodes = reconfig->machine.gained_nodes;
    request->lost_nodes = calloc((size_t)count + 1, sizeof *request->lost_nodes);
    NEREUS_TRY_MEMORY(request->lost_nodes, err, "for a request record");
    memcpy(request->lost_nodes, reconfig->request.release,
           (size_t)count * sizeof *request->lost_nodes);
    request->lost_count = count;
    return NEREUS_OK;
}

/* Node indices may be outdated if another request has changed the machine. A spread layout is
 * recomputed, as a schedule is not repeated. */
static enum nereus_status resolve_nodes(const nereus_job *job, struct resize_request *request,
                                        struct nereus_error *err)
{
    if (request->machine_changes == job->machine_changes)
        return NEREUS_OK;
    if (request->spread)
        return nereus_request_set_spread(job, request, err);
    if (request->release_count + request->layout_count == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_STATE,
                       "the job's machine has gained or lost nodes since this was asked for: ask "
                       "again");
}

/* Make the record from the data that this process has registered: the plan's hash shows whether all
 * have registered the same. */
static enum nereus_status make_record(struct reconfiguration *reconfig, int64_t zombies,
                                      struct nereus_error *err)
{
    const nereus_job *job = reconfig->job;
    const struct resize_request *resize = &reconfig->request;
    struct nereus_request *request = &reconfig->record;
    memset(request, 0, sizeof *request);
    request->version = NEREUS_RECORD_VERSION;
    request->number = job->requests;
    request->point = job->points;
    request->ns = job->size;
    request->nt = resize->nt;
    request->zombies = zombies;
    request->next_world_id = job->state.next_world_id;
    request->method = resize->method;
    request->data = calloc((size_t)job->registry.count + 1, sizeof *request->data);
    NEREUS_TRY_MEMORY(request->data, err, "for a request record");
    request->data_count = job->registry.count;
    for (int64_t i = 0; i < job->registry.count; i++)
        request->data[i] = job->registry.data[i].entry;
    if (request->data_count > 0) /* mover data is the first entry */
        NEREUS_TRY(query_mover_bytes(reconfig, &request->data[0], err));
    NEREUS_TRY(nereus_request_check_grids(job, request->nt, err));
    NEREUS_TRY(copy_partitions(job, request, err));
    request->bridge = job->settings.bridge;
    request->batch = job->settings.batch;
    request->keep_asleep = job->settings.keep_asleep;
    /* Deterministic: all processes have the same state. */
    NEREUS_TRY(nereus_job_place_request(job, &job->machine, resize, request, err));
    NEREUS_TRY(record_machine_change(reconfig, err));
    NEREUS_TRY(nereus_request_check_windows(&request->method, err));
    return request->nt != request->ns ? nereus_request_check_threads(job, &request->method, err)
                                      : NEREUS_OK;
}

static uint64_t hash_data(const struct nereus_request *request)
{
    uint64_t hash = (uint64_t)request->data_count;
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_data_partition *partition = &request->partitions[i];
        const int64_t numbers[] = {(int64_t)(hash >> 1),
                                   partition->parent == 0 ? partition->old_ranges.n : 0,
                                   partition->parent, partition->weights,
                                   (int64_t)nereus_hash(partition->name, strlen(partition->name))};
        hash = nereus_hash(numbers, sizeof numbers);
        if (partition->parent == 0)
            hash = nereus_hash(&partition->old_ranges.grid, sizeof partition->old_ranges.grid) ^
                   (hash >> 1);
    }
    for (int64_t i = 0; i < request->data_count; i++)
        hash = nereus_entry_hash(&request->data[i], hash);
    return hash;
}

enum { SENT_ENTRIES_MAX = 16 };

/* The decision of rank 0, sent in one broadcast. */
struct decision {
    struct resize_request request;
    int64_t zombies, announced_point, payload_bytes, data_count;
    /* Bytes by kind of data, on which the steps of a plan depend */
    struct nereus_request_bytes bytes;
    struct external_records external_records;
    bool needs_bounds;  /* partitions need more than a formula */
    int64_t swaps;      /* nereus_swap calls of rank 0 */
    uint64_t data_hash; /* hash of the entries of rank 0 */
    /* First entries, so that another process can name a mismatch */
    struct nereus_data_entry data[SENT_ENTRIES_MAX];
    struct nereus_error failure; /* why rank 0 could not prepare it */
};

/* Make entries with the bytes of each kind of data at rank 0.
 * @return their number */
static int64_t make_placeholders(const struct decision *decision, struct nereus_data_entry *data)
{
    const struct nereus_request_bytes *bytes = &decision->bytes;
    data[0] = (struct nereus_data_entry){
        .element_bytes = 1, .count = bytes->constant_bytes, .kind = NEREUS_CONSTANT};
    data[1] = (struct nereus_data_entry){
        .element_bytes = 1, .count = bytes->variable_bytes, .kind = NEREUS_VARIABLE};
    data[2] = (struct nereus_data_entry){.element_bytes = 1,
                                         .count = bytes->replicated_bytes,
                                         .kind = NEREUS_VARIABLE,
                                         .placement = NEREUS_REPLICATED};
    return decision->data_count > 0 ? PLACEHOLDERS : 0;
}

/* Format as "'x', a constant array of 100 elements of 8 bytes"; NULL: "nothing" */
static void format_entry(const struct nereus_data_entry *entry, char *text, size_t size)
{
    char form[120];
    if (entry == NULL) {
        snprintf(text, size, "nothing");
        return;
    }
    nereus_entry_format(entry, form, sizeof form);
    snprintf(text, size, "'%s', %s", entry->name, form);
}

/* Report the first entry that differs from that of rank 0. */
static void report_mismatch(const struct decision *decision, const struct nereus_request *request,
                            int rank, struct nereus_error *failure)
{
    const int64_t own_count = request->data_count, roots = decision->data_count;
    int64_t i = 0;
    while (i < own_count && i < roots && i < SENT_ENTRIES_MAX &&
           nereus_entry_hash(&request->data[i], 0) == nereus_entry_hash(&decision->data[i], 0))
        i++;
    if (i == SENT_ENTRIES_MAX || (i == own_count && i == roots)) {
        nereus_fail(failure, NEREUS_ERR_MISMATCH,
                    "rank %d has registered other data than rank 0 (%lld piece%s, rank 0 %lld): %s",
                    rank, (long long)own_count, nereus_plural_s(own_count), (long long)roots,
                    i == SENT_ENTRIES_MAX ? "the first 16 are alike"
                                          : "the partitions or grids differ");
        return;
    }
    char my_side[180], root_side[180];
    format_entry(i < own_count ? &request->data[i] : NULL, my_side, sizeof my_side);
    format_entry(i < roots ? &decision->data[i] : NULL, root_side, sizeof root_side);
    nereus_fail(failure, NEREUS_ERR_MISMATCH,
                "rank %d has registered other data than rank 0: as number %lld %s, rank 0 %s%s",
                rank, (long long)i + 1, my_side, root_side,
                strcmp(my_side, root_side) == 0 ? ", in another partition or grid" : "");
}

/* Different numbers of nereus_swap calls would send parts under wrong names. */
static void compare_swaps(struct reconfiguration *reconfig, const struct decision *decision)
{
    const int64_t own_swaps = reconfig->job->registry.swaps;
    if (own_swaps != decision->swaps && reconfig->failure.status == NEREUS_OK)
        nereus_fail(&reconfig->failure, NEREUS_ERR_MISMATCH,
                    "since the last resize rank 0 has called nereus_swap %lld time%s, and rank %d "
                    "%lld: all processes must swap alike",
                    (long long)decision->swaps, nereus_plural_s(decision->swaps),
                    reconfig->job->rank, (long long)own_swaps);
}

/* This process has registered other data than rank 0. Its plan must have the same steps, because
 * the others would wait for it: it uses placeholders for the data of rank 0, and fails at the first
 * agreement. */
static enum nereus_status follow_root(struct reconfiguration *reconfig,
                                      const struct decision *decision, struct nereus_error *err)
{
    struct nereus_data_entry *data = calloc(PLACEHOLDERS, sizeof *data);
    NEREUS_TRY_MEMORY(data, err, "for a request record");
    if (reconfig->failure.status == NEREUS_OK)
        report_mismatch(decision, &reconfig->record, reconfig->job->rank, &reconfig->failure);
    free(reconfig->record.data);
    reconfig->record.data = data;
    reconfig->record.data_count = make_placeholders(decision, data);
    return NEREUS_OK;
}

/* Suggest how to change the size in a job that cannot start new processes. */
static const char *suggest_other_method(const nereus_job *job)
{
    if (getenv(NEREUS_LAUNCHER_NAME) == NULL)
        return "in an allocation of Slurm, too, nereus-mpiexec starts jobs that can change their "
               "size";
    if (nereus_spawn_refusal_reason() != NULL)
        return nereus_without_spawn;
    return job->settings.checkpoint_folder != NULL
               ? "the method restart/file needs none"
               : "with a folder for checkpoints (--checkpoint DIR) the method restart/file changes "
                 "the size";
}

/* Root: make the plan before the broadcast: some impossible requests are found only by planning. */
static enum nereus_status make_plan(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_fault_set_number(reconfig->record.number);
    if (nereus_fault_applies(NEREUS_STEP_DECIDE, 0)) {
        nereus_fault_report(NEREUS_STEP_DECIDE, err);
        return err->status;
    }
    NEREUS_TRY(nereus_plan_make(&reconfig->record, &reconfig->plan, err));
    const struct nereus_method *method = &reconfig->record.method;
    const char *why = nereus_start_refusal_reason(reconfig->job, method);
    if (why == NULL || reconfig->plan.spawned == 0 || method->process == NEREUS_RESTART)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_SPAWN, "no new processes can come in: %s; %s", why,
                       suggest_other_method(reconfig->job));
}

bool nereus_request_changes_nothing(const nereus_job *job, const struct resize_request *request)
{
    return request->method.process == NEREUS_MERGE && request->method.shrink != NEREUS_SS &&
           request->nt == job->size &&
           !(nereus_method_rebalances(&request->method, job->size, request->nt) &&
             job->registry.space_count > 0);
}

static void decide_at_root(struct reconfiguration *reconfig, struct decision *decision)
{
    nereus_job *job = reconfig->job;
    if (reconfig->past_deadline) {
        nereus_fail(&decision->failure, NEREUS_ERR_STATE, "it was not begun by its deadline");
        return;
    }
    if (resolve_nodes(job, &reconfig->request, &decision->failure) != NEREUS_OK ||
        nereus_machine_begin(job, &reconfig->request, &reconfig->machine, &decision->failure) !=
            NEREUS_OK)
        return;
    /* A schedule may be too large for the machine: the job may have continued on fewer nodes. */
    if (reconfig->request.nt > job->size &&
        nereus_machine_check_start(&job->machine, "the wanted number of processes",
                                   reconfig->request.nt, &decision->failure) != NEREUS_OK)
        return;
    nereus_choose_method(job, decision->zombies, &reconfig->request, &reconfig->choice);
    /* Sources have no cores on the nodes that the machine gains. */
    reconfig->request.method = nereus_method_adapt(
        reconfig->machine.begun ? &reconfig->machine.old_machine : &job->machine,
        &reconfig->request.method, job->size, reconfig->request.nt);
    if (make_record(reconfig, decision->zombies, &decision->failure) != NEREUS_OK ||
        make_plan(reconfig, &decision->failure) != NEREUS_OK)
        return;
    decision->needs_bounds = nereus_bounds_are_needed(&reconfig->record) &&
                             !nereus_request_changes_nothing(job, &reconfig->request);
    if (!decision->needs_bounds)
        nereus_start_spec_prepare(job, &reconfig->record, &reconfig->spec, &decision->failure);
}

/* Root: fill in the broadcast message. */
static void describe_decision(const struct reconfiguration *reconfig, struct decision *decision)
{
    const struct nereus_request *record = &reconfig->record;
    decision->request = reconfig->request;
    decision->external_records = reconfig->job->external_records;
    decision->payload_bytes = reconfig->spec.payload_bytes;
    decision->data_count = record->data_count;
    decision->swaps = reconfig->job->registry.swaps;
    nereus_request_sum_bytes(record, &decision->bytes);
    decision->data_hash = hash_data(record);
    for (int64_t i = 0; i < record->data_count && i < SENT_ENTRIES_MAX; i++)
        decision->data[i] = record->data[i];
}

/* Second message of the root, after the partitions are computed. */
struct confirmation {
    int64_t payload_bytes;
    struct nereus_error failure; /* the root's */
    char idle[sizeof((struct reconfiguration *)NULL)->unchanged_reason];
};

/* Computing bounds needs the root's plan (which targets are sources); the complete record gives
 * another plan. */
static enum nereus_status compute_bounds(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    NEREUS_TRY(nereus_bounds_compute(reconfig, err));
    nereus_plan_fini(&reconfig->plan);
    if (reconfig->verdict.status != NEREUS_OK)
        return NEREUS_OK;
    if (job->rank == 0 && reconfig->failure.status == NEREUS_OK)
        nereus_balance_check_gain(reconfig);
    if (job->rank == 0)
        nereus_start_spec_prepare(job, &reconfig->record, &reconfig->spec, &reconfig->verdict);
    struct confirmation confirmation = {reconfig->spec.payload_bytes, reconfig->verdict, {0}};
    memcpy(confirmation.idle, reconfig->unchanged_reason, sizeof reconfig->unchanged_reason);
    NEREUS_TRY(nereus_broadcast(&confirmation, sizeof confirmation, 0, job->control,
                                NEREUS_WAIT_AWAKE, err));
    reconfig->spec.payload_bytes = confirmation.payload_bytes;
    reconfig->verdict = confirmation.failure;
    memcpy(reconfig->unchanged_reason, confirmation.idle, sizeof reconfig->unchanged_reason);
    return NEREUS_OK;
}

enum nereus_status nereus_decide(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    struct decision decision;
    memset(&decision, 0, sizeof decision); /* with its padding, as it is sent as bytes */
    decision.zombies = job->zombies.count;
    decision.announced_point = job->consensus.announced;
    if (job->rank == 0) {
        decide_at_root(reconfig, &decision);
        describe_decision(reconfig, &decision);
    }
    NEREUS_TRY(
        nereus_broadcast(&decision, sizeof decision, 0, job->control, NEREUS_WAIT_AWAKE, err));
    reconfig->request = decision.request;
    job->external_records = decision.external_records;
    reconfig->spec.payload_bytes = decision.payload_bytes;
    reconfig->verdict = decision.failure;
    NEREUS_TRY(nereus_consensus_end(job, decision.announced_point != 0, err));
    if (reconfig->verdict.status != NEREUS_OK)
        return NEREUS_OK;
    if (job->rank != 0) {
        NEREUS_TRY(nereus_machine_begin(job, &reconfig->request, &reconfig->machine, err));
        NEREUS_TRY(make_record(reconfig, decision.zombies, err));
        if (hash_data(&reconfig->record) != decision.data_hash)
            NEREUS_TRY(follow_root(reconfig, &decision, err));
        compare_swaps(reconfig, &decision);
    }
    return decision.needs_bounds ? compute_bounds(reconfig, err) : NEREUS_OK;
}
