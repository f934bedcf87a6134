/**
 * @file own_options.c
 * Translates the options that nereus-mpiexec accepts with every MPI (-hosts A,B:2, -f FILE and
 * -genv NAME VALUE, as in its help) into the launcher's own. Hydra's mpiexec has them.
 */

#include "job_line.h"
#include "launcher.h"
#include "model/util/strings.h"
#include "nereus/layout.h"

/* The hosts of a file as a list, as launchers differ in the format of files.
 * @return owned; NULL: no memory, or not a host file */
static char *list_hosts(const char *file)
{
    struct nereus_machine machine;
    char *list = NULL;
    size_t size;
    if (nereus_machine_from_file(file, &machine, NULL) != NEREUS_OK)
        return NULL;
    FILE *text = open_memstream(&list, &size);
    for (int64_t i = 0; text != NULL && i < machine.node_count; i++) {
        const char *name = machine.nodes[i].name; /* without the name of a virtual node */
        fprintf(text, "%s%.*s:%lld", i > 0 ? "," : "", (int)strcspn(name, "/"), name,
                (long long)nereus_machine_cores(&machine, i));
    }
    nereus_machine_fini(&machine);
    if (text != NULL && fclose(text) == 0)
        return list;
    free(list);
    return NULL;
}

static void add_two(struct nereus_strings *list, const char *option, const char *value)
{
    nereus_strings_add(list, option);
    nereus_strings_add(list, value);
}

static void add_variable(struct nereus_strings *list, const char *name, const char *value)
{
    nereus_strings_add(list, nereus_process_manager()->variable_option);
    if (strchr(name, '=') != NULL)
        nereus_strings_add(list, name);
    else
        nereus_strings_add_format(list, "%s=%s", name, value);
}

static void add_option(struct nereus_strings *list, const struct job_option *option,
                       char *const *argument)
{
    static const char *const hosts[] = {"hosts", NULL}, *const files[] = {"f", NULL},
                             *const variables[] = {"genv", NULL};
    const char *value = job_option_value(option, argument);
    char *of_file = NULL;
    if (value != NULL && job_option_is(option, files))
        of_file = list_hosts(value);
    if (of_file != NULL || (value != NULL && job_option_is(option, hosts)))
        add_two(list, nereus_process_manager()->hosts_option, of_file != NULL ? of_file : value);
    else if (value != NULL && job_option_is(option, files))
        add_two(list, "--hostfile", value); /* the launcher reports errors in the file */
    else if (value != NULL && job_option_is(option, variables))
        add_variable(list, value, option->words > 2 ? argument[2] : "");
    else
        nereus_strings_add_words(list, argument, (size_t)option->words);
    free(of_file);
}

char **own_options_translate(char *const *mpiexec)
{
    struct nereus_strings list = {0};
    char *const *argument = job_line_begin(mpiexec);
    nereus_strings_add_words(&list, mpiexec, (size_t)(argument - mpiexec));
    const bool translates = nereus_process_manager()->variable_option != NULL;
    for (struct job_option option; translates && (option = job_line_option(argument)).words > 0;
         argument += option.words)
        add_option(&list, &option, argument);
    nereus_strings_add_words(&list, argument, SIZE_MAX);
    return nereus_strings_take(&list);
}
