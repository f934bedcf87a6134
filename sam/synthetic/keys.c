/** @file keys.c  Lists the keys: names, ranges, defaults and help. */
#include "keys.h"

static const struct nereus_ini_choice stage_choices[] = {
    {"pi", SAM_PI},
    {"matrix", SAM_MATRIX},
    {"point-to-point", SAM_POINT_TO_POINT},
    {"broadcast", SAM_BROADCAST},
    {"allgather", SAM_ALLGATHER},
    {"reduce", SAM_REDUCE},
    {"allreduce", SAM_ALLREDUCE},
    {"nonblocking", SAM_NONBLOCKING},
    {"wait", SAM_WAIT},
    {"barrier", SAM_BARRIER},
    {"alltoall", SAM_ALLTOALL},
    {"scatter", SAM_SCATTER},
    {"gather", SAM_GATHER},
    {"neighbours", SAM_NEIGHBOURS},
    {"write", SAM_WRITE},
    {"read", SAM_READ},
    {NULL, 0},
};
static const struct nereus_ini_choice spawn_method_choices[] = {
    {"baseline", 0}, {"merge", 1}, {NULL, 0}};
/* Strategies are prime numbers, combinations their product, 1 is none (Martín-Álvarez et al.
 * (2024b), section 4.4). */
static const struct nereus_ini_choice spawn_strategy_choices[] = {
    {"none", 1}, {"async", 2}, {"single", 3}, {"single-async", 6}, {"none", 0}, {NULL, 0}};
static const struct nereus_ini_choice data_method_choices[] = {
    {"coll", 0}, {"p2p", 1}, {"rma-lock", 2}, {"rma-lockall", 3}, {NULL, 0}};
static const struct nereus_ini_choice data_strategy_choices[] = {
    {"none", 1}, {"waitsources", 2}, {"waittargets", 3}, {"thread", 5}, {"none", 0}, {NULL, 0}};
static const struct nereus_ini_choice placement_choices[] = {
    {"compact", 0}, {"spread", 1}, {NULL, 0}};
static const struct nereus_ini_choice yes_choices[] = {{"no", 0}, {"yes", 1}, {NULL, 0}};
static const struct nereus_ini_choice t_op_choices[] = {{"profile", 0}, {"measured", 1}, {NULL, 0}};
static const struct nereus_ini_choice threads_choices[] = {
    {"multiple", 0}, {"single", 1}, {NULL, 0}};
static const struct nereus_ini_choice capture_choices[] = {{"slowest", SAM_CAPTURE_SLOWEST},
                                                           {"median", SAM_CAPTURE_MEDIAN},
                                                           {"mean", SAM_CAPTURE_MEAN},
                                                           {NULL, 0}};

#define IN_GENERAL(member) SAM_GENERAL, offsetof(struct sam_config, member)
#define IN_STAGE(member)   SAM_STAGE, offsetof(struct sam_stage, member)
#define IN_GROUP(member)   SAM_GROUP, offsetof(struct sam_group, member)
#define TEXT               NEREUS_INI_TEXT(1, SAM_TEXT_MAX)

const struct nereus_ini_key sam_keys[SAM_KEY_COUNT] = {
    [SAM_KEY_STAGES] = NEREUS_INI_KEY(
        IN_GENERAL(stage_count), NEREUS_INI_INTEGER(1, SAM_STAGES_MAX), NULL, "counted",
        "stages of an iteration: [stage0], [stage1], ...", "Total_Stages", "stages"),
    [SAM_KEY_GRANULARITY] = NEREUS_INI_KEY(
        IN_GENERAL(granularity), NEREUS_INI_INTEGER(1, 10000000), "100", NULL,
        "size of one operation: points of pi, or rows of the matrices", "Granularity"),
    [SAM_KEY_RECONFIGURATIONS] = NEREUS_INI_KEY(
        IN_GENERAL(reconfigurations), NEREUS_INI_INTEGER(0, SAM_GROUPS_MAX - 1), NULL, "counted",
        "number of groups - 1", "Total_Reconfigurations", "reconfigurations", "Total_Resizes"),
    [SAM_KEY_BYTES] =
        NEREUS_INI_KEY(IN_GENERAL(bytes), NEREUS_INI_BYTES(0, 1e15), "0", NULL,
                       "bytes to redistribute, in all", "Total_Data_Redistribution", "bytes"),
    [SAM_KEY_CONSTANT_PERCENT] =
        NEREUS_INI_KEY(IN_GENERAL(constant_percent), NEREUS_INI_NUMBER(0, 100), "0", NULL,
                       "how much of the bytes is constant data (the rest is variable)",
                       "Asynch_Percentage_Redistribution", "constant_percent"),
    [SAM_KEY_CONSTANT_BYTES] =
        NEREUS_INI_KEY(IN_GENERAL(constant_bytes), NEREUS_INI_BYTES(0, 1e15), "0", "by percentage",
                       "constant bytes, instead of the two keys above", "constant_bytes", "ADR"),
    [SAM_KEY_VARIABLE_BYTES] =
        NEREUS_INI_KEY(IN_GENERAL(variable_bytes), NEREUS_INI_BYTES(0, 1e15), "0", "by percentage",
                       "variable bytes, instead of the two keys above", "variable_bytes", "SDR"),
    [SAM_KEY_RESULTS] = NEREUS_INI_KEY(
        IN_GENERAL(results), TEXT, NULL, "none",
        "JSON file for the results; .jsonl: an event for each iteration, stage and step",
        "results"),
    [SAM_KEY_TRACE] = NEREUS_INI_KEY(IN_GENERAL(trace), TEXT, NULL, "$NEREUS_TRACE",
                                     "JSON Lines file for the trace", "trace"),
    [SAM_KEY_STATE] = NEREUS_INI_KEY(IN_GENERAL(state), TEXT, NULL, "$NEREUS_STATE",
                                     "JSON file for the state of the job", "state"),
    [SAM_KEY_HOSTFILE] = NEREUS_INI_KEY(IN_GENERAL(hostfile), TEXT, NULL, "$NEREUS_HOSTFILE",
                                        "hosts and their slots, 'name[:cores]' a line", "hostfile"),
    [SAM_KEY_SLOTS] =
        NEREUS_INI_KEY(IN_GENERAL(slots), NEREUS_INI_INTEGER(1, 1000000), NULL, "$NEREUS_SLOTS",
                       "declared slots on this host; larger sizes are refused", "slots"),
    [SAM_KEY_PROGRAM] = NEREUS_INI_KEY(IN_GENERAL(program), TEXT, NULL, "nereus-sam",
                                       "what to start as new processes", "program"),
    [SAM_KEY_RIGID] = NEREUS_INI_KEY(
        IN_GENERAL(rigid), NEREUS_INI_CHOICE(yes_choices), "no", NULL,
        "all processes meet before each stage, so that its time is its own", "Rigid"),
    [SAM_KEY_CAPTURE] =
        NEREUS_INI_KEY(IN_GENERAL(capture), NEREUS_INI_CHOICE(capture_choices), "slowest", NULL,
                       "which process' time is that of an iteration", "Capture_Method"),
    [SAM_KEY_T_OP] =
        NEREUS_INI_KEY(IN_GENERAL(t_op_measured), NEREUS_INI_CHOICE(t_op_choices), "profile", NULL,
                       "how long an operation takes: of the profile of this machine, where it has "
                       "the kind and its Granularity; or measured, at the start and then on",
                       "T_op"),
    [SAM_KEY_THREADS] = NEREUS_INI_KEY(
        IN_GENERAL(threads_single), NEREUS_INI_CHOICE(threads_choices), "multiple", NULL,
        "thread level of MPI: with single, waits do not yield the core to others; "
        "asynchronous methods need multiple",
        "threads"),
    [SAM_KEY_SCALING] =
        NEREUS_INI_KEY(IN_GENERAL(scaling), TEXT, NULL, "ideal",
                       "FactorS of groups without one: a law, as in FactorS", "scaling"),
    [SAM_KEY_PHASES] =
        NEREUS_INI_KEY(IN_GENERAL(phases), TEXT, NULL, "one phase",
                       "iterations of each phase but the last, as 100,50: loops that follow "
                       "each other",
                       "phases"),
    [SAM_KEY_FOLDER] = NEREUS_INI_KEY(IN_GENERAL(folder), TEXT, NULL, "$TMPDIR, else /tmp",
                                      "where stages that write keep their files", "folder"),

    [SAM_KEY_STAGE_TYPE] = NEREUS_INI_KEY(IN_STAGE(type), NEREUS_INI_CHOICE(stage_choices), NULL,
                                          "required", "what the stage does", "Stage_Type", "type"),
    [SAM_KEY_STAGE_TIME] =
        NEREUS_INI_KEY(IN_STAGE(time_s), NEREUS_INI_NUMBER(0, 1e6), "0", "required to compute",
                       "seconds that one process would compute, times the group's FactorS; "
                       "of one call, where a stage communicates without Stage_Bytes",
                       "Stage_Time", "time_s"),
    [SAM_KEY_STAGE_BYTES] = NEREUS_INI_KEY(
        IN_STAGE(bytes), NEREUS_INI_BYTES(0, INT32_MAX), "0", "by Stage_Time",
        "bytes of the message (allgather, scatter, gather, write, read: of all parts together; "
        "alltoall: that a process sends in all)",
        "Stage_Bytes", "bytes"),
    [SAM_KEY_STAGE_CAPPED] =
        NEREUS_INI_KEY(IN_STAGE(capped), NEREUS_INI_CHOICE(yes_choices), "no", NULL,
                       "end a stage after its time: instead of its operations, or of one call",
                       "Stage_Time_Capped"),
    [SAM_KEY_IMBALANCE] =
        NEREUS_INI_KEY(IN_STAGE(imbalance), TEXT, NULL, "equal",
                       "work of the processes: linear:X, a table as 1,1,3, uniform:X[:SEED], "
                       "normal:X[:SEED]; a table for each size, as 1,3 | 1,1,2,4",
                       "imbalance"),
    [SAM_KEY_PHASE] = NEREUS_INI_KEY(IN_STAGE(phase), NEREUS_INI_INTEGER(0, SAM_PHASES_MAX - 1),
                                     "0", NULL, "in which phase the stage runs, from 0", "phase"),
    [SAM_KEY_EVERY] = NEREUS_INI_KEY(
        IN_STAGE(interval_iterations), NEREUS_INI_NUMBER(1e-6, 1e9), "1", NULL,
        "run the stage every n-th iteration; below 1: several times in each", "every"),
    [SAM_KEY_STAGE_PROCESSES] = NEREUS_INI_KEY(
        IN_STAGE(processes), NEREUS_INI_INTEGER(1, 1000000), NULL, "all",
        "of a collective: over communicators of so many processes each", "processes"),
    [SAM_KEY_ROOT] =
        NEREUS_INI_KEY(IN_STAGE(root), NEREUS_INI_INTEGER(0, 1000000), NULL, "0",
                       "of broadcast, reduce, scatter and gather: the rank that has all; "
                       "modulo the processes",
                       "root"),
    [SAM_KEY_NEIGHBOURS] = NEREUS_INI_KEY(
        IN_STAGE(neighbours), TEXT, NULL,
        "the ranks before and behind",
        "messages of each process, as offset:bytes,... (offsets of ranks in a ring), or "
        "FILE.csv with columns processes,stage,from,to,bytes; of stages neighbours and nonblocking",
        "neighbours"),
    [SAM_KEY_VARIATION] =
        NEREUS_INI_KEY(IN_STAGE(variation), TEXT, NULL, "none",
                       "work of the iterations, in the forms of imbalance", "variation"),

    [SAM_KEY_ITERATIONS] =
        NEREUS_INI_KEY(IN_GROUP(iterations), NEREUS_INI_INTEGER(1, 10000000), NULL, "required",
                       "iterations of this group", "Iters", "iterations"),
    [SAM_KEY_PROCESSES] =
        NEREUS_INI_KEY(IN_GROUP(processes), NEREUS_INI_INTEGER(1, 1000000), NULL, "required",
                       "processes of this group", "Procs", "processes"),
    [SAM_KEY_FACTOR] = NEREUS_INI_KEY(
        IN_GROUP(scaling), TEXT, NULL, "by scaling in [general], else 1 / Procs",
        "share of Stage_Time that each process computes: a number, ideal, amdahl:F, or FILE.csv "
        "(n,t_iter_s)",
        "FactorS", "factor"),
    [SAM_KEY_METHOD] =
        NEREUS_INI_KEY(IN_GROUP(method), TEXT, NULL, "by the four below",
                       "how to get to this group, as 'merge/coll'; auto: chosen when it begins",
                       "method"),
    [SAM_KEY_SPAWN_METHOD] =
        NEREUS_INI_KEY(IN_GROUP(spawn_method), NEREUS_INI_CHOICE(spawn_method_choices), "merge",
                       NULL, "new processes for all, or for the difference", "Spawn_Method"),
    [SAM_KEY_SPAWN_STRATEGY] =
        NEREUS_INI_KEY(IN_GROUP(spawn_strategy), NEREUS_INI_CHOICE(spawn_strategy_choices), "none",
                       NULL, "who spawns, and whether the application goes on", "Spawn_Strategy"),
    [SAM_KEY_REDISTRIBUTION_METHOD] =
        NEREUS_INI_KEY(IN_GROUP(redistribution_method), NEREUS_INI_CHOICE(data_method_choices),
                       "coll", NULL, "how data moves", "Redistribution_Method"),
    [SAM_KEY_REDISTRIBUTION_STRATEGY] = NEREUS_INI_KEY(
        IN_GROUP(redistribution_strategy), NEREUS_INI_CHOICE(data_strategy_choices), "none", NULL,
        "whether the application goes on meanwhile", "Redistribution_Strategy"),
    [SAM_KEY_PLACEMENT] = NEREUS_INI_KEY(IN_GROUP(placement), NEREUS_INI_CHOICE(placement_choices),
                                         "compact", NULL, "how processes fill nodes", "Dist"),
    [SAM_KEY_ASYNCH_TYPE] =
        NEREUS_INI_KEY(IN_GROUP(asynch_type), NEREUS_INI_INTEGER(0, 100), "0", "none",
                       "of older files of Proteo; no effect", "Asynch_Redistribution_Type"),
};

/* Files of Proteo call a group a resize. */
static const struct nereus_ini_section sections[SAM_SECTION_COUNT] = {
    [SAM_GENERAL] = {"general", NULL, 0},
    [SAM_STAGE] = {"stage", NULL, SAM_STAGES_MAX},
    [SAM_GROUP] = {"group", "resize", SAM_GROUPS_MAX},
};

NEREUS_INI_CHECK_LIMITS(SAM_SECTION_COUNT, SAM_KEY_COUNT);
const struct nereus_ini_table sam_table = {sections, SAM_SECTION_COUNT, sam_keys, SAM_KEY_COUNT};

const char *sam_choice_name(enum sam_key_id id, int64_t number)
{
    for (const struct nereus_ini_choice *one = sam_keys[id].choices; one && one->name; one++)
        if (one->number == number)
            return one->name;
    return "?";
}
