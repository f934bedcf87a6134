/**
 * @file epidemic.c
 * nereus-epidemic: an epidemic on a contact network, malleable: a small version of the third
 * application of Martín et al. (2015), section 5 (EpiGraph).
 *
 * Persons are distributed by ranges, each with its row of the contact matrix. On a day every
 * process goes through the contacts of its infectious persons and tells the owners of those who
 * have caught the disease, by one MPI_Alltoallv: work and messages follow the number of infectious
 * persons. Who infects whom is a function of the seed (contacts.h), so the epidemic is the same
 * with any number of processes.
 */
#include <argp.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contacts.h"
#include "malleable.h"
#include "model/util/c_locale.h"
#include "model/util/grow.h"
#include "model/util/standard_output.h"
#include "model/util/text.h"
#include "nereus/nereus.h"
#include "solver.h"

const char *argp_program_version = "nereus-epidemic " NEREUS_VERSION;

struct options {
    int64_t persons, days, encounters, infectious_days;
    uint64_t seed;
    double rate, start;
    bool print;
    struct malleable malleable;
};

/* State of a person: SUSCEPTIBLE, the days for which he is still infectious, or REMOVED. */
enum { SUSCEPTIBLE = 0, REMOVED = -1 };

enum count { COUNT_SUSCEPTIBLE, COUNT_INFECTIOUS, COUNT_REMOVED, COUNTS };

/* New infections found by this process, by the rank that owns the person. */
struct infections {
    int64_t *persons; /* sorted by owner at the end of the day */
    int64_t count;
};

struct epidemic {
    const struct options *options;
    struct contacts network;
    int64_t day;
    int64_t *history; /* COUNTS numbers of each day */
    struct solver_layout layout;
    struct sparse contacts;
    int64_t *states;
    struct infections infections;
    nereus_job *job;
    int contacts_id, states_id;
};

/* ---- options --------------------------------------------------------------------------------- */

static const char doc[] =
    "Simulate an epidemic on a synthetic contact network."
    "\vA person who is infected infects others for some days, and is immune then. The same seed "
    "gives the same epidemic with any number of processes. Example:\n\n"
    "    NEREUS_SCHEDULE=3@20,1@40 nereus-mpiexec -n 2 nereus-epidemic --print";

static const struct argp_option option_list[] = {
    {"persons", 'n', "N", 0, "So many persons (10000)", 0},
    {"days", 'i', "N", 0, "So many days, one an iteration (90)", 0},
    {"seed", 'S', "N", 0, "Another network, and another epidemic (1)", 0},
    {"rate", 'R', "P", 0,
     "Probability of an infection in an encounter of the highest intensity (0.03)", 0},
    {"infectious", 'I', "DAYS", 0, "A person is infectious for so many days (7)", 0},
    {"start", 'f', "SHARE", 0, "Share of the persons who are infected at the start (0.001)", 0},
    {"encounters", 'E', "N", 0,
     "Encounters of two contacts on a day: more of them are more work (1)", 0},
    {"print", 'p', NULL, 0, "Print the numbers of each day", 0},
    {0}};

static double read_share(const struct argp_state *state, const char *option, const char *text)
{
    char *end;
    const double value = nereus_strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= 1))
        argp_error(state, "%s takes a number from 0 to 1, not '%s'", option, text);
    return value;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->malleable;
        break;
    case 'n':
        options->persons = solver_number(state, "--persons", argument, 1);
        break;
    case 'i':
        options->days = solver_number(state, "--days", argument, 0);
        break;
    case 'S':
        options->seed = (uint64_t)solver_number(state, "--seed", argument, 0);
        break;
    case 'R':
        options->rate = read_share(state, "--rate", argument);
        break;
    case 'I':
        options->infectious_days = solver_number(state, "--infectious", argument, 1);
        break;
    case 'f':
        options->start = read_share(state, "--start", argument);
        break;
    case 'E':
        options->encounters = solver_number(state, "--encounters", argument, 1);
        break;
    case 'p':
        options->print = true;
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'; --help lists the options", argument);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void read_options(struct options *options, int argc, char **argv)
{
    static const struct argp_child children[] = {{&malleable_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {option_list, parse_option, NULL, doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, options);
}

/* ---- data ------------------------------------------------------------------------------------ */

static void must_succeed(const struct epidemic *e, enum nereus_status status)
{
    if (status != NEREUS_OK)
        solver_abort(nereus_last_error(e->job));
}

/* Weight of a person: the contacts of an infectious one, and 1 for the check of each. */
static int64_t weigh_persons(void *user, int64_t first, int64_t count, int64_t *weights)
{
    const struct epidemic *e = user;
    for (int64_t i = 0; i < count; i++) {
        const int64_t own = first + i - e->contacts.first,
                      contacts = e->contacts.starts[own + 1] - e->contacts.starts[own];
        weights[i] = e->states[own] > 0 ? 1 + contacts * e->options->encounters : 1;
    }
    return 0;
}

/* Register the data to keep across changes of size.
 * @param matrix  initial processes: the contacts of own persons */
static void register_all(struct epidemic *e, const struct sparse *matrix)
{
    const int64_t n = e->options->persons;
    int id, partition;
    must_succeed(e, nereus_register_csr(e->job, "contacts", MPI_DOUBLE, n, n, NEREUS_BY_LENGTH,
                                        matrix->starts, matrix->columns, matrix->values,
                                        NEREUS_CONSTANT, &e->contacts_id));
    must_succeed(
        e, nereus_register_array(e->job, "states", MPI_INT64_T, n, NEREUS_VARIABLE, &e->states_id));
    must_succeed(e, nereus_partition_of(e->job, e->states_id, &partition));
    must_succeed(e, nereus_set_weights(e->job, partition, weigh_persons, e));
    must_succeed(e, nereus_register_replicated(e->job, "day", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                               &e->day, &id));
    must_succeed(e, nereus_register_replicated(e->job, "history", MPI_INT64_T,
                                               COUNTS * (e->options->days + 1), NEREUS_VARIABLE,
                                               e->history, &id));
}

/* Called after registration, and after each change of size or move of data. */
static void get_parts(struct epidemic *e)
{
    struct nereus_sparse a;
    must_succeed(e, nereus_local_sparse(e->job, e->contacts_id, &a));
    e->contacts = (struct sparse){a.first, a.count, a.pointers, a.indices, a.values};
    must_succeed(e, nereus_local(e->job, e->states_id, (void **)&e->states, NULL, NULL));
    solver_lay_out(&e->layout, nereus_comm(e->job), e->options->persons, a.first, a.count);
}

/* ---- a day ----------------------------------------------------------------------------------- */

static void append_infected(struct infections *infections, int64_t person)
{
    infections->persons =
        nereus_grow(infections->persons, infections->count, sizeof *infections->persons);
    if (infections->persons == NULL)
        solver_abort("no memory for the persons who were infected");
    infections->persons[infections->count++] = person;
}

static void infect_contacts(struct epidemic *e)
{
    const struct options *o = e->options;
    e->infections.count = 0;
    for (int64_t i = 0; i < e->contacts.rows; i++) {
        if (e->states[i] <= 0)
            continue;
        for (int64_t k = e->contacts.starts[i]; k < e->contacts.starts[i + 1]; k++)
            if (contacts_is_infected_by(&e->network, e->day, e->contacts.first + i,
                                        e->contacts.columns[k], o->rate * e->contacts.values[k],
                                        o->encounters))
                append_infected(&e->infections, e->contacts.columns[k]);
    }
}

/* Ranks in the order of the distribution, so that persons of one rank are contiguous. */
static int find_owner(const struct solver_layout *layout, int64_t person)
{
    for (int rank = 0; rank < layout->size; rank++)
        if (person >= layout->firsts[rank] && person < layout->firsts[rank] + layout->counts[rank])
            return rank;
    return 0; /* unreachable: the ranges cover all persons */
}

/* Sort the infected by the rank that owns them.
 * @param[out] sent    number of each owner
 * @param[out] starts  index of the first one of each owner, and the number of all
 * @return to be freed */
static int64_t *sort_by_owner(const struct epidemic *e, int *sent, int *starts)
{
    const struct solver_layout *layout = &e->layout;
    int64_t *sorted = solver_memory(e->infections.count, sizeof *sorted);
    int *owners = solver_memory(e->infections.count, sizeof *owners);
    memset(sent, 0, (size_t)layout->size * sizeof *sent);
    for (int64_t i = 0; i < e->infections.count; i++) {
        owners[i] = find_owner(layout, e->infections.persons[i]);
        sent[owners[i]]++;
    }
    starts[0] = 0;
    for (int rank = 0; rank < layout->size; rank++)
        starts[rank + 1] = starts[rank] + sent[rank];
    int *next = solver_memory(layout->size, sizeof *next);
    for (int64_t i = 0; i < e->infections.count; i++)
        sorted[starts[owners[i]] + next[owners[i]]++] = e->infections.persons[i];
    free(next);
    free(owners);
    return sorted;
}

/* Tell the owners who was infected, and receive the same about own persons.
 * @param[out] count  number of own persons that were infected
 * @return to be freed */
static int64_t *exchange_infected(const struct epidemic *e, int64_t *count)
{
    const struct solver_layout *layout = &e->layout;
    int *numbers = solver_memory(4 * layout->size + 2, sizeof *numbers);
    int *sent = numbers, *received = sent + layout->size, *from = received + layout->size,
        *to = from + layout->size + 1;
    int64_t *sorted = sort_by_owner(e, sent, from);
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, layout->comm);
    to[0] = 0;
    for (int rank = 0; rank < layout->size; rank++)
        to[rank + 1] = to[rank] + received[rank];
    *count = to[layout->size];
    int64_t *own_infected = solver_memory(*count, sizeof *own_infected);
    MPI_Alltoallv(sorted, sent, from, MPI_INT64_T, own_infected, received, to, MPI_INT64_T,
                  layout->comm);
    free(sorted);
    free(numbers);
    return own_infected;
}

static void count_states(struct epidemic *e)
{
    int64_t own[COUNTS] = {0};
    for (int64_t i = 0; i < e->contacts.rows; i++)
        own[e->states[i] > 0          ? COUNT_INFECTIOUS
            : e->states[i] == REMOVED ? COUNT_REMOVED
                                      : COUNT_SUSCEPTIBLE]++;
    MPI_Allreduce(own, &e->history[COUNTS * e->day], COUNTS, MPI_INT64_T, MPI_SUM, e->layout.comm);
}

static void simulate_day(struct epidemic *e)
{
    int64_t count;
    infect_contacts(e);
    int64_t *infected = exchange_infected(e, &count);
    for (int64_t i = 0; i < e->contacts.rows; i++)
        if (e->states[i] > 0)
            e->states[i] = e->states[i] > 1 ? e->states[i] - 1 : REMOVED;
    for (int64_t i = 0; i < count; i++) {
        int64_t *state = &e->states[infected[i] - e->contacts.first];
        *state = *state == SUSCEPTIBLE ? e->options->infectious_days : *state;
    }
    free(infected);
    e->day++;
    count_states(e);
}

/* ---- start and end --------------------------------------------------------------------------- */

/* Make the network and the first infections.
 * @return false: a process has no memory, and has printed that */
static bool set_up_epidemic(struct epidemic *e)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct sparse matrix = {.starts = NULL};
    int64_t first, rows;
    solver_block(nereus_comm(e->job), e->options->persons, &first, &rows);
    const enum nereus_status status = contacts_make_rows(&e->network, first, rows, &matrix, &err);
    if (solver_any_failed(nereus_comm(e->job), status == NEREUS_OK ? NULL : err.text))
        return false;
    register_all(e, &matrix);
    get_parts(e);
    sparse_free(&matrix);
    for (int64_t i = 0; i < e->contacts.rows; i++)
        e->states[i] = contacts_is_infected_at_start(&e->network, first + i, e->options->start)
                           ? e->options->infectious_days
                           : SUSCEPTIBLE;
    count_states(e);
    return true;
}

static bool pass_point(struct epidemic *e)
{
    enum nereus_action action;
    must_succeed(e, malleable_state_power(&e->options->malleable, e->job));
    must_succeed(e, nereus_point(e->job, &action));
    if (action == NEREUS_RESIZED)
        get_parts(e);
    return action != NEREUS_LEAVE;
}

/* @return false: this process is no longer needed */
static bool iterate_to_end(struct epidemic *e)
{
    while (e->day < e->options->days) {
        simulate_day(e);
        if (!pass_point(e))
            return false;
    }
    while (malleable_pause_if_pending(&e->options->malleable, e->job))
        if (!pass_point(e))
            return false;
    return true;
}

static void print_result(const struct epidemic *e, const struct solver_time *time)
{
    const int64_t *h = e->history;
    int64_t max = 0;
    for (int64_t day = 0; day <= e->day; day++, h += COUNTS) {
        max = h[COUNT_INFECTIOUS] > e->history[COUNTS * max + COUNT_INFECTIOUS] ? day : max;
        if (e->options->print)
            printf("day %lld susceptible %lld infectious %lld removed %lld\n", (long long)day,
                   (long long)h[COUNT_SUSCEPTIBLE], (long long)h[COUNT_INFECTIOUS],
                   (long long)h[COUNT_REMOVED]);
    }
    h -= COUNTS;
    printf("%lld day%s, %lld person%s infected, most infectious on day %lld, %d process%s, %lld "
           "reconfiguration%s, from day %lld on %.6f s, %.6f s CPU\n",
           (long long)e->day, nereus_plural_s(e->day),
           (long long)(e->options->persons - h[COUNT_SUSCEPTIBLE]),
           nereus_plural_s(e->options->persons - h[COUNT_SUSCEPTIBLE]), (long long)max,
           e->layout.size, nereus_plural_es(e->layout.size),
           (long long)nereus_reconfigurations(e->job),
           nereus_plural_s(nereus_reconfigurations(e->job)), (long long)time->iteration,
           time->clock_s, time->cpu_s);
    fflush(stdout);
}

static void simulate(struct epidemic *e)
{
    const struct solver_time start = solver_now(e->day);
    if (!iterate_to_end(e))
        return;
    const struct solver_time time = solver_since(&start);
    if (e->layout.rank == 0)
        print_result(e, &time);
}

int main(int argc, char **argv)
{
    static struct options options = {.persons = 10000,
                                     .days = 90,
                                     .encounters = 1,
                                     .infectious_days = 7,
                                     .seed = 1,
                                     .rate = 0.03,
                                     .start = 0.001};
    struct epidemic e = {.options = &options};
    struct nereus_options job_options = NEREUS_OPTIONS_INIT;
    nereus_output_begin(NULL);
    read_options(&options, argc, argv);
    e.network = (struct contacts){options.persons, options.seed};
    job_options.iterations = options.malleable.tell_end ? options.days : 0;
    if (nereus_init(&argc, &argv, &job_options, &e.job) != NEREUS_OK)
        return EXIT_FAILURE;
    e.history = solver_memory(COUNTS * (options.days + 1), sizeof *e.history);
    bool ready = true;
    if (nereus_is_joined(e.job)) {
        register_all(&e, &e.contacts);
        get_parts(&e);
    } else {
        ready = set_up_epidemic(&e);
    }
    if (ready)
        simulate(&e);
    solver_layout_fini(&e.layout);
    free(e.infections.persons);
    const bool ended = nereus_finalize(&e.job) == NEREUS_OK;
    free(e.history);
    return ready && ended ? EXIT_SUCCESS : EXIT_FAILURE;
}
