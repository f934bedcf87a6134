/**
 * @file job_line.c
 * Parses mpiexec's command line with the process manager's table of options (src/mpi).
 */
#include "job_line.h"

#include <unistd.h>

#include "model/util/strings.h"
#include "model/util/values.h"

static bool is_named(const char *option, const char *name)
{
    const size_t length = strcspn(option, "=");
    return strlen(name) == length && strncmp(option, name, length) == 0;
}

bool job_option_is(const struct job_option *option, const char *const *names)
{
    while (*names != NULL && !is_named(option->name, *names))
        names++;
    return *names != NULL;
}

const char *job_option_value(const struct job_option *option, char *const *argument)
{
    const char *value = strchr(option->name, '=');
    return value != NULL ? value + 1 : option->words > 1 ? argument[1] : NULL;
}

/* "-genv NAME=VALUE" has one value. */
static int count_values(const char *name, int values, const char *first)
{
    return values == 2 && first != NULL && strchr(first, '=') != NULL && *name != '\0' ? 1 : values;
}

struct job_option job_line_option(char *const *argument)
{
    const char *word = argument[0];
    struct job_option option = {.words = 0};
    if (word == NULL || word[0] != '-' || word[1] == '\0')
        return option;
    option.name = word + strspn(word, "-");
    int values = 1;
    for (const struct nereus_manager_option *o = nereus_process_manager()->options; o->name != NULL;
         o++) {
        if (!is_named(option.name, o->name))
            continue;
        values = count_values(option.name, o->values, argument[1]);
        option.use = o->use;
    }
    if (strchr(option.name, '=') != NULL)
        values = 0;
    for (option.words = 1; option.words <= values && argument[option.words] != NULL; option.words++)
        ;
    return option;
}

char *const *job_line_begin(char *const *mpiexec)
{
    return mpiexec[0] != NULL ? mpiexec + 1 : mpiexec;
}

struct job_option job_line_next(char *const **argument)
{
    struct job_option option = job_line_option(*argument);
    /* Skip a program and its arguments. */
    while (option.words == 0 && **argument != NULL) {
        while (**argument != NULL && strcmp(**argument, ":") != 0)
            ++*argument;
        *argument += **argument != NULL;
        option = job_line_option(*argument);
    }
    return option;
}

/* The word after the options of the first section. */
static char *const *find_program(char *const *mpiexec)
{
    char *const *argument = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_option(argument)).words > 0;)
        argument += option.words;
    return argument;
}

bool job_line_names_programs(char *const *mpiexec)
{
    char *const *argument = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_next(&argument)).words > 0;
         argument += option.words)
        if (option.use == JOB_OPTION_PATH || option.use == JOB_OPTION_PARTS)
            return false;
    return *find_program(mpiexec) != NULL;
}

char **job_line_program(char *const *mpiexec)
{
    char *const *program = find_program(mpiexec);
    size_t count = 0;
    if (!job_line_names_programs(mpiexec))
        return calloc(1, sizeof(char *));
    while (program[count] != NULL && strcmp(program[count], ":") != 0)
        count++;
    char **words = calloc(count + 1, sizeof *words);
    if (words != NULL)
        memcpy(words, program, count * sizeof *words);
    return words;
}

static const char *const numbers[] = {"n", "np", NULL}; /* options: the number of processes */

static bool refuses_number(const struct job_option *option, char *const *argument, char *sentence,
                           size_t size)
{
    const char *value = job_option_value(option, argument);
    struct nereus_error error;
    int64_t processes;
    if (!job_option_is(option, numbers) ||
        nereus_value_parse_integer("-n", value != NULL ? value : "", 1, &processes, &error) ==
            NEREUS_OK)
        return false;
    snprintf(sentence, size, "%s", error.text);
    return true;
}

/* Check that the program exists: mpiexec loses its own message about a missing program in some
 * runs. */
static bool refuses_program(const struct job_option *option, char *const *argument, char *sentence,
                            size_t size)
{
    const char *const *programs = nereus_process_manager()->programs;
    const char *value = job_option_is(option, programs) ? job_option_value(option, argument) : NULL;
    if (value == NULL || strchr(value, '/') == NULL || access(value, X_OK) == 0)
        return false;
    const char *reason = strerror(errno);
    snprintf(sentence, size, "-%.*s '%s' cannot be started: %s", (int)strcspn(option->name, "="),
             option->name, value, reason);
    return true;
}

/* Options of nereus-mpiexec, which must stand before those of mpiexec. */
static const char *find_own_option(const struct job_option *option)
{
    static const char *const own[] = {"job NAME", "checkpoint DIR[,EVERY]", "on-failure ACTION",
                                      "restarts N", "restart DIR"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const size_t length = strcspn(own[i], " ");
        if (strcspn(option->name, "=") == length && strncmp(option->name, own[i], length) == 0)
            return own[i];
    }
    return NULL;
}

/* @param checked  false: also accept options that this MPI cannot handle (to test the MPI) */
static bool refuses_option(const struct job_option *option, char *const *argument, bool checked,
                           char *sentence, size_t size)
{
    if (refuses_number(option, argument, sentence, size) ||
        refuses_program(option, argument, sentence, size))
        return true;
    const char *own = find_own_option(option);
    if (own != NULL)
        snprintf(sentence, size, "--%s comes before all options of mpiexec, with a value", own);
    else if (option->use == JOB_OPTION_PARTS)
        snprintf(sentence, size,
                 "-%.*s is refused, as what it holds would not be known when processes are "
                 "started later: give its lines on the command line, with : between them",
                 (int)strcspn(option->name, "="), option->name);
    else if (checked && option->use == JOB_OPTION_BINDS)
        snprintf(sentence, size,
                 "-%.*s is refused, as this MPI ends a job that was started with it when its first "
                 "new process starts: leave it out, Nereus binds each process to a core "
                 "(NEREUS_BIND=none: it does not)",
                 (int)strcspn(option->name, "="), option->name);
    else
        return false;
    return true;
}

enum job_line_kind job_line_kind(char *const *mpiexec, bool checked, char *sentence, size_t size)
{
    char *const *argument = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_next(&argument)).words > 0;
         argument += option.words) {
        if (option.use == JOB_OPTION_HELP)
            return JOB_LINE_HELP;
        if (refuses_option(&option, argument, checked, sentence, size))
            return JOB_LINE_REFUSED;
    }
    return JOB_LINE_JOB;
}

const char *job_line_folder(char *const *mpiexec)
{
    const char *folder = NULL, *value;
    char *const *argument = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_option(argument)).words > 0;
         argument += option.words)
        if (is_named(option.name, "wdir") && (value = job_option_value(&option, argument)) != NULL)
            folder = value;
    return folder;
}

/* ---- another number of processes ------------------------------------------------------------- */

bool job_line_can_resize(char *const *mpiexec)
{
    char *const *argument = find_program(mpiexec);
    while (*argument != NULL && strcmp(*argument, ":") != 0)
        argument++;
    return *argument == NULL;
}

int64_t job_line_processes(char *const *mpiexec)
{
    int64_t processes = 0;
    char *const *argument = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_option(argument)).words > 0;
         argument += option.words) {
        const char *value = job_option_value(&option, argument);
        if (value != NULL && job_option_is(&option, numbers))
            processes = atoll(value);
    }
    return processes;
}

static bool is_replaced(const struct job_option *option, bool size, bool hosts)
{
    return (size && job_option_is(option, numbers)) ||
           (hosts && job_option_is(option, nereus_process_manager()->host_options));
}

char **job_line_resized(char *const *mpiexec, int64_t processes, const char *hosts)
{
    struct nereus_strings list = {0};
    char *const *argument = job_line_begin(mpiexec);
    nereus_strings_add(&list, mpiexec[0]);
    for (struct job_option option; (option = job_line_option(argument)).words > 0;
         argument += option.words)
        if (!is_replaced(&option, processes > 0, *hosts != '\0'))
            nereus_strings_add_words(&list, argument, (size_t)option.words);
    if (*hosts != '\0') {
        nereus_strings_add(&list, nereus_process_manager()->hosts_option);
        nereus_strings_add(&list, hosts);
    }
    if (processes > 0) {
        nereus_strings_add(&list, "-n");
        nereus_strings_add_format(&list, "%lld", (long long)processes);
    }
    nereus_strings_add_words(&list, argument, SIZE_MAX);
    return nereus_strings_take(&list);
}

/* ---- variables that have to arrive ----------------------------------------------------------- */

/* MPICH 5.0.2 ends a job that was started with the options for all sections at its first spawn
 * ("duplicate setting: genv-prop"). The options for one section have the same effect without that
 * error, and are used instead. */

/* Variables of Nereus, and of the MPI that nereus-mpiexec has set up. */
static bool is_needed(const char *setting)
{
    if (strncmp(setting, "NEREUS_", 7) == 0)
        return true;
    for (const char *const *prefix = nereus_process_manager()->settings; *prefix != NULL; prefix++)
        if (nereus_text_begins_with(setting, *prefix))
            return true;
    return strncmp(setting, "LD_PRELOAD=", 11) == 0 && strstr(setting, "libnereus-") != NULL;
}

/* "A,B", extended by the names of needed variables; owned. */
static char *list_names(const char *given, char *const *environment)
{
    char *list = NULL;
    size_t size;
    FILE *text = open_memstream(&list, &size);
    if (text == NULL)
        return NULL;
    const char *separator = *given != '\0' ? "," : "";
    fputs(given, text);
    for (char *const *setting = environment; *setting != NULL; setting++)
        if (is_needed(*setting)) {
            fprintf(text, "%s%.*s", separator, (int)strcspn(*setting, "="), *setting);
            separator = ",";
        }
    if (fclose(text) == 0)
        return list;
    free(list);
    return NULL;
}

/* Variables to pass: "A,B" of -genvlist A,B, "" of -genvnone, NULL: everything. */
struct passing {
    const char *everywhere,
        *section; /* everywhere: options for all sections; here: of this section */
    bool local;   /* the section has an option of its own */
};

/* @return false: the option is another one */
static bool record_names(const struct job_option *option, char *const *argument,
                         const struct nereus_manager_passing *options, const char **names)
{
    const char *value = job_option_value(option, argument);
    if (options->none == NULL)
        return false;
    const bool none = is_named(option->name, options->none),
               list = is_named(option->name, options->list),
               all = is_named(option->name, options->all);
    if (none || list)
        *names = list && value != NULL ? value : "";
    else if (all)
        *names = NULL;
    return none || list || all;
}

/* @return false: the option is another one */
static bool record_passing(const struct job_option *option, char *const *argument,
                           struct passing *passing)
{
    const struct nereus_process_manager *manager = nereus_process_manager();
    const bool local = record_names(option, argument, &manager->pass_here, &passing->section);
    passing->local = passing->local || local;
    return local || record_names(option, argument, &manager->pass, &passing->everywhere);
}

/* Copy the options of one section, followed by the option that lists the variables to pass.
 * @return the word after them */
static char *const *add_options(struct nereus_strings *list, char *const *argument,
                                struct passing *passing, char *const *environment)
{
    passing->local = false;
    for (struct job_option option; (option = job_line_option(argument)).words > 0;
         argument += option.words)
        if (!record_passing(&option, argument, passing))
            nereus_strings_add_words(list, argument, (size_t)option.words);
    const char *names = passing->local ? passing->section : passing->everywhere;
    if (names != NULL) {
        nereus_strings_add_format(list, "-%s", nereus_process_manager()->pass_here.list);
        nereus_strings_add_owned(list, list_names(names, environment));
    }
    return argument;
}

char **job_line_to_start(char *const *mpiexec, char *const *environment, const char *guard,
                         const char *const *options)
{
    struct nereus_strings list = {0};
    struct passing passing = {0};
    char *const *argument = mpiexec;
    if (*argument != NULL)
        nereus_strings_add(&list, *argument++);
    for (; options != NULL && *options != NULL; options++)
        nereus_strings_add(&list, *options);
    while (*argument != NULL) {
        argument = add_options(&list, argument, &passing, environment);
        if (guard != NULL && *argument != NULL) {
            nereus_strings_add(&list, guard);
            nereus_strings_add(&list, "i");
        }
        for (; *argument != NULL && strcmp(*argument, ":") != 0; argument++)
            nereus_strings_add(&list, *argument);
        if (*argument != NULL)
            nereus_strings_add(&list, *argument++);
    }
    return nereus_strings_take(&list);
}
