/* C side of the module nereus (nereus.f90): options, arguments, communicators as integers, types of
 * elements. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/job/job.h"

/* Called from Fortran only. */
void nereus_fortran_add_argument(const char *text);
void nereus_fortran_set_text(const char *option, const char *text);
void nereus_fortran_set_numbers(int64_t slots, int64_t batch, int64_t test_every,
                                int64_t cores_per_process, int64_t iterations,
                                double spawn_timeout_s);
void nereus_fortran_set_checkpoint_every(double seconds);
void nereus_fortran_set_callbacks(void (*before)(nereus_job *, void *),
                                  void (*after)(nereus_job *, void *));
void nereus_fortran_add_resize(int64_t point, int64_t nt, const char *method);
int nereus_fortran_init(nereus_job **job);
MPI_Fint nereus_fortran_comm(const nereus_job *job);
int nereus_fortran_register_array(nereus_job *job, const char *name, int element, int64_t width,
                                  int64_t count, int partition, int kind, int *id);
int nereus_fortran_register_matrix(nereus_job *job, const char *name, int element, int64_t rows,
                                   int64_t columns, int shape, int partition, int kind, int *id);
int nereus_fortran_register_sparse(nereus_job *job, const char *name, bool by_columns, int64_t rows,
                                   int64_t columns, int partition, int64_t pointer_count,
                                   const int64_t *pointers, const int64_t *indices,
                                   const double *values, int kind, int *id);
int nereus_fortran_local_sparse(nereus_job *job, int id, int64_t *first, int64_t *count,
                                int64_t *nonzeros, const int64_t **pointers, int64_t **indices,
                                void **values);
int nereus_fortran_part_of(nereus_job *job, int id, int rank, int64_t *first, int64_t *count);
int nereus_fortran_owner_of(nereus_job *job, int id, int64_t element, int *rank);
int nereus_fortran_register_replicated(nereus_job *job, const char *name, int element,
                                       int64_t count, int kind, void *values, int *id);
int nereus_fortran_local(nereus_job *job, int id, int element, int64_t width, void **part,
                         int64_t *first, int64_t *count);
int nereus_fortran_swap(nereus_job *job, int a, int b);
void nereus_fortran_give_up(const char *sentence);

/* nereus.f90 repeats these numbers. */
_Static_assert(NEREUS_OK == 0 && NEREUS_ERR_BUSY == 8 && NEREUS_ERR_CANCELLED == 10,
               "status in nereus.f90");
_Static_assert(NEREUS_CONSTANT == 0 && NEREUS_VARIABLE == 1, "kinds in nereus.f90");
_Static_assert(NEREUS_BY_ROWS == 1 && NEREUS_BY_COLUMNS == 2 && NEREUS_BY_LENGTH == -1,
               "shapes in nereus.f90");
_Static_assert(NEREUS_CONTINUE == 0 && NEREUS_RESIZED == 1 && NEREUS_LEAVE == 2,
               "actions in nereus.f90");
_Static_assert(NEREUS_OUTCOME_NONE == 0 && NEREUS_OUTCOME_PENDING == 1 &&
                   NEREUS_OUTCOME_RESIZED == 2 && NEREUS_OUTCOME_UNCHANGED == 3 &&
                   NEREUS_OUTCOME_FAILED == 4 && NEREUS_OUTCOME_TOO_LATE == 5,
               "outcomes in nereus.f90");
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "communicators are default integers in nereus.f90");
_Static_assert(sizeof(enum nereus_action) == sizeof(int),
               "actions are default integers in nereus.f90");

/* ---- what is collected until nereus_init ----------------------------------------------------- */

enum { TEXTS_MAX = 12 };

/* No lock: there is one job per process, begun by its main thread. */
static struct {
    struct nereus_options options;
    struct nereus_resize *schedule;
    char **arguments;
    int argument_count, text_count;
    char *texts[TEXTS_MAX];
} wanted = {.options = NEREUS_OPTIONS_INIT};

static void *must_have(void *memory)
{
    if (memory == NULL) {
        fputs("nereus: no memory for the options of nereus_init\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

void nereus_fortran_add_argument(const char *text)
{
    const size_t capacity = (size_t)wanted.argument_count + 2;
    wanted.arguments = must_have(realloc(wanted.arguments, capacity * sizeof *wanted.arguments));
    wanted.arguments[wanted.argument_count++] = must_have(strdup(text));
    wanted.arguments[wanted.argument_count] = NULL;
}

void nereus_fortran_set_text(const char *option, const char *text)
{
    struct nereus_options *options = &wanted.options;
    const struct {
        const char *name, **place;
    } places[TEXTS_MAX] = {{"method", &options->method},     {"program", &options->program},
                           {"hostfile", &options->hostfile}, {"trace", &options->trace},
                           {"state", &options->state},       {"bind", &options->bind},
                           {"connect", &options->connect},   {"profile", &options->profile},
                           {"goal", &options->goal},         {"scaling", &options->scaling},
                           {"policy", &options->policy},     {"checkpoint", &options->checkpoint}};
    if (text[0] == '\0' || wanted.text_count == TEXTS_MAX)
        return;
    for (int i = 0; i < TEXTS_MAX && places[i].name != NULL; i++)
        if (strcmp(option, places[i].name) == 0)
            *places[i].place = wanted.texts[wanted.text_count++] = must_have(strdup(text));
}

void nereus_fortran_set_numbers(int64_t slots, int64_t batch, int64_t test_every,
                                int64_t cores_per_process, int64_t iterations,
                                double spawn_timeout_s)
{
    wanted.options.slots = slots;
    wanted.options.batch = batch;
    wanted.options.test_every = test_every;
    wanted.options.cores_per_process = cores_per_process;
    wanted.options.iterations = iterations;
    wanted.options.spawn_timeout_s = spawn_timeout_s;
}

void nereus_fortran_set_checkpoint_every(double seconds)
{
    wanted.options.checkpoint_every_s = seconds;
}

void nereus_fortran_set_callbacks(void (*before)(nereus_job *, void *),
                                  void (*after)(nereus_job *, void *))
{
    wanted.options.before = before;
    wanted.options.after = after;
}

void nereus_fortran_add_resize(int64_t point, int64_t nt, const char *method)
{
    const size_t capacity = (size_t)wanted.options.schedule_count + 1;
    wanted.schedule = must_have(realloc(wanted.schedule, capacity * sizeof *wanted.schedule));
    wanted.schedule[capacity - 1] = (struct nereus_resize){
        .point = point, .nt = nt, .method = method[0] == '\0' ? NULL : must_have(strdup(method))};
    wanted.options.schedule = wanted.schedule;
    wanted.options.schedule_count++;
}

/* nereus_init has copied the options; arguments stay, as those of main would. */
static void forget_options(void)
{
    for (int64_t i = 0; i < wanted.options.schedule_count; i++)
        free((char *)(uintptr_t)wanted.schedule[i].method);
    free(wanted.schedule);
    for (int i = 0; i < wanted.text_count; i++)
        free(wanted.texts[i]);
    wanted.schedule = NULL;
    wanted.text_count = 0;
    wanted.options = (struct nereus_options)NEREUS_OPTIONS_INIT;
}

int nereus_fortran_init(nereus_job **job)
{
    char **arguments = wanted.arguments;
    *job = NULL;
    const enum nereus_status status =
        nereus_init(&wanted.argument_count, &arguments, &wanted.options, job);
    forget_options();
    return (int)status;
}

/* ---- the rest -------------------------------------------------------------------------------- */

MPI_Fint nereus_fortran_comm(const nereus_job *job)
{
    return MPI_Comm_c2f(nereus_comm(job));
}

static MPI_Datatype element_type(int element)
{
    switch (element) {
    case 1:
        return MPI_INT32_T;
    case 2:
        return MPI_INT64_T;
    case 3:
        return MPI_FLOAT;
    case 4:
        return MPI_DOUBLE;
    default:
        return MPI_DATATYPE_NULL;
    }
}

static const char *name_of(int element)
{
    static const char *const names[] = {"another type", "nereus_int32", "nereus_int64",
                                        "nereus_real32", "nereus_real64"};
    return element > 0 && element < 5 ? names[element] : names[0];
}

/* Types of elements by id; width 0: not registered by the module; SPARSE: a sparse matrix. A
 * process has one job. */
enum { REAL64 = 4, SPARSE = -1 };
static struct made {
    int element;
    int64_t width;
} * made;
static int made_count;

static void remember_array(int id, int element, int64_t width)
{
    if (id >= made_count) {
        made = must_have(realloc(made, ((size_t)id + 1) * sizeof *made));
        memset(made + made_count, 0, (size_t)(id + 1 - made_count) * sizeof *made);
        made_count = id + 1;
    }
    made[id] = (struct made){element, width};
}

static int fail_argument(nereus_job *job, const char *sentence)
{
    job->error.status = NEREUS_ERR_ARGUMENT;
    snprintf(job->error.text, sizeof job->error.text, "%s", sentence);
    return NEREUS_ERR_ARGUMENT;
}

int nereus_fortran_register_array(nereus_job *job, const char *name, int element, int64_t width,
                                  int64_t count, int partition, int kind, int *id)
{
    const MPI_Datatype one = element_type(element);
    MPI_Datatype type;
    if (one == MPI_DATATYPE_NULL || width < 1 || width > INT32_MAX)
        return fail_argument(
            job, "an array needs a type of elements, nereus_int32 to nereus_real64, and "
                 "a width from 1 on");
    if (MPI_Type_contiguous((int)width, one, &type) != MPI_SUCCESS)
        return NEREUS_ERR_MPI;
    const enum nereus_status status = nereus_register_array_in(job, name, type, count, partition,
                                                               (enum nereus_data_kind)kind, id);
    MPI_Type_free(&type);
    if (status == NEREUS_OK)
        remember_array(*id, element, width);
    return (int)status;
}

int nereus_fortran_register_matrix(nereus_job *job, const char *name, int element, int64_t rows,
                                   int64_t columns, int shape, int partition, int kind, int *id)
{
    const MPI_Datatype type = element_type(element);
    if (type == MPI_DATATYPE_NULL)
        return fail_argument(job,
                             "a matrix needs a type of elements, nereus_int32 to nereus_real64");
    const enum nereus_status status =
        nereus_register_matrix(job, name, type, rows, columns, (enum nereus_data_shape)shape,
                               partition, (enum nereus_data_kind)kind, id);
    if (status == NEREUS_OK)
        remember_array(*id, element, shape == NEREUS_BY_ROWS ? columns : rows);
    return (int)status;
}

/* Convert pointers to count from 0; NULL if they do not begin with 1, or an index is below 1. */
static int64_t *from_zero(int64_t count, const int64_t *pointers, const int64_t *indices)
{
    if (count < 1 || pointers[0] != 1)
        return NULL;
    for (int64_t k = 0; k < pointers[count - 1] - 1; k++)
        if (indices[k] < 1)
            return NULL;
    int64_t *copy = must_have(malloc((size_t)count * sizeof *copy));
    for (int64_t i = 0; i < count; i++)
        copy[i] = pointers[i] - 1;
    return copy;
}

/* Indices still count from 1: C sees one more column (row), the first, which is empty. If this part
 * is invalid C gets an invalid one, so that the collective call fails in all processes. */
int nereus_fortran_register_sparse(nereus_job *job, const char *name, bool by_columns, int64_t rows,
                                   int64_t columns, int partition, int64_t pointer_count,
                                   const int64_t *pointers, const int64_t *indices,
                                   const double *values, int kind, int *id)
{
    int64_t *own = from_zero(pointer_count, pointers, indices);
    const enum nereus_data_kind constancy = (enum nereus_data_kind)kind;
    const enum nereus_status status =
        by_columns ? nereus_register_csc(job, name, MPI_DOUBLE, rows + 1, columns, partition, own,
                                         indices, values, constancy, id)
                   : nereus_register_csr(job, name, MPI_DOUBLE, rows, columns + 1, partition, own,
                                         indices, values, constancy, id);
    if (status == NEREUS_OK)
        remember_array(*id, REAL64, SPARSE);
    else if (own == NULL && status == NEREUS_ERR_ARGUMENT)
        snprintf(job->error.text, sizeof job->error.text,
                 "'%s': the pointers of a process' own rows have to begin with 1, and indices are "
                 "from 1 on",
                 name);
    free(own);
    return (int)status;
}

int nereus_fortran_local_sparse(nereus_job *job, int id, int64_t *first, int64_t *count,
                                int64_t *nonzeros, const int64_t **pointers, int64_t **indices,
                                void **values)
{
    struct nereus_sparse local = {0};
    const bool known = id >= 0 && id < made_count && made[id].width == SPARSE &&
                       nereus_local_sparse(job, id, &local) == NEREUS_OK;
    *first = local.first;
    *count = local.count;
    *nonzeros = local.nonzeros;
    *pointers = local.pointers;
    *indices = local.indices;
    *values = local.values;
    return known
               ? NEREUS_OK
               : fail_argument(job, "nereus_local_sparse: this id is not that of a sparse matrix");
}

int nereus_fortran_part_of(nereus_job *job, int id, int rank, int64_t *first, int64_t *count)
{
    if (nereus_part_of(job, id, rank, first, count) == NEREUS_OK)
        return NEREUS_OK;
    return fail_argument(
        job, "nereus_part_of: this id is not that of distributed data, or there is no such "
             "rank");
}

int nereus_fortran_owner_of(nereus_job *job, int id, int64_t element, int *rank)
{
    if (nereus_owner_of(job, id, element, rank) == NEREUS_OK)
        return NEREUS_OK;
    return fail_argument(
        job, "nereus_owner_of: this id is not that of distributed data, or there is no such "
             "element (they count from 1)");
}

int nereus_fortran_local(nereus_job *job, int id, int element, int64_t width, void **part,
                         int64_t *first, int64_t *count)
{
    char sentence[256];
    if (id < 0 || id >= made_count || made[id].width < 1)
        return fail_argument(job, "nereus_local: this id is not that of a registered array");
    if (made[id].element != element || made[id].width != width) {
        snprintf(sentence, sizeof sentence,
                 "nereus_local: '%s' was registered with elements of %lld values of %s; the "
                 "pointer is for %lld "
                 "of %s",
                 job->registry.data[id].entry.name, (long long)made[id].width,
                 name_of(made[id].element), (long long)width, name_of(element));
        return fail_argument(job, sentence);
    }
    return (int)nereus_local(job, id, part, first, count);
}

int nereus_fortran_swap(nereus_job *job, int a, int b)
{
    char sentence[256];
    const bool known = a >= 0 && a < made_count && b >= 0 && b < made_count;
    if (known && (made[a].element != made[b].element || made[a].width != made[b].width)) {
        snprintf(
            sentence, sizeof sentence,
            "nereus_swap: elements of %lld values of %s cannot be swapped with elements of %lld "
            "of %s",
            (long long)made[a].width, name_of(made[a].element), (long long)made[b].width,
            name_of(made[b].element));
        return fail_argument(job, sentence);
    }
    return (int)nereus_swap(job, a, b);
}

int nereus_fortran_register_replicated(nereus_job *job, const char *name, int element,
                                       int64_t count, int kind, void *values, int *id)
{
    const MPI_Datatype type = element_type(element);
    if (type == MPI_DATATYPE_NULL)
        return fail_argument(job, "replicated values need a type, nereus_int32 to nereus_real64");
    return (int)nereus_register_replicated(job, name, type, count, (enum nereus_data_kind)kind,
                                           values, id);
}

void nereus_fortran_give_up(const char *sentence)
{
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (sentence != NULL)
        fprintf(stderr, "nereus: %s\n", sentence);
    if (initialised && !finalised)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}
