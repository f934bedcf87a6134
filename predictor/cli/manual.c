/** @file manual.c  Writes manual pages in man(7) (manual.h). */
#include "manual.h"

#include <time.h>

#include "nereus_commit.h"

void nereus_manual_print_options(FILE *stream, const struct nereus_command_line *line,
                                 nereus_option_visit *visit)
{
    for (size_t g = 0; g < line->group_count; g++)
        for (size_t i = 0; i < line->groups[g].count; i++)
            visit(stream, &line->groups[g].options[i]);
    for (int i = 0; i < NEREUS_COMMON_OPTIONS; i++)
        visit(stream, &nereus_common_options[i]);
}

/* Print one word; text between backquotes is bold, also across words (*bold). */
static void write_word(FILE *page, const char *word, size_t length, bool *bold)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '`') {
            *bold = !*bold;
            fputs(*bold ? "\\fB" : "\\fR", page);
        } else if (word[i] == '\\') {
            fputs("\\e", page);
        } else if (word[i] == '-' && (i == 0 || word[i - 1] == '-' || *bold)) {
            fputs("\\-", page); /* a minus that can be copied, not a hyphen */
        } else {
            fputc(word[i], page);
        }
    }
}

/* Print text in lines of less than 80 characters; each sentence begins a line. */
static void write_text(FILE *page, const char *text)
{
    size_t column = 0;
    bool bold = false;
    for (const char *position = text + strspn(text, " \n"); *position != '\0';
         position += strspn(position, " \n")) {
        const size_t length = strcspn(position, " \n");
        if (column > 0 && column + length > 70) {
            fputc('\n', page);
            column = 0;
        }
        if (column > 0)
            fputc(' ', page);
        else if (*position == '.' || *position == '\'')
            fputs("\\&", page); /* not a request of man(7) */
        write_word(page, position, length, &bold);
        column += length + 1;
        position += length;
        if (position[-1] == '.' && *position != '\0') {
            fputc('\n', page);
            column = 0;
        }
    }
    fputs("\n", page);
}

/* Print a name in bold, with minus signs that can be copied. */
static void write_bold(FILE *page, const char *name)
{
    bool bold = true;
    fputs("\\fB", page);
    write_word(page, name, strlen(name), &bold);
    fputs("\\fR", page);
}

/* The date of the source: $SOURCE_DATE_EPOCH, else that of the commit, else today. */
static void format_date(char text[16])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const time_t when = epoch != NULL ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm day;
    if (epoch == NULL && NEREUS_COMMIT_DATE[0] != '\0')
        snprintf(text, 16, "%.10s", NEREUS_COMMIT_DATE);
    else if (gmtime_r(&when, &day) != NULL)
        strftime(text, 16, "%Y-%m-%d", &day);
    else
        snprintf(text, 16, "1970-01-01");
}

void nereus_manual_begin(FILE *page, const char *name, const char *summary)
{
    char date[16];
    format_date(date);
    fputs(".TH ", page);
    for (const char *c = name; *c != '\0'; c++)
        fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, page);
    fprintf(page, " 1 \"%s\" \"Nereus %s\" \"Nereus\"\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n", date,
            NEREUS_VERSION, name, summary);
}

static void write_option(FILE *page, const struct nereus_option *option)
{
    char name[80];
    fputs(".TP\n", page);
    if (option->letter != 0) {
        snprintf(name, sizeof name, "-%c", option->letter);
        write_bold(page, name);
        fputs(", ", page);
    }
    snprintf(name, sizeof name, "--%s", option->name);
    write_bold(page, name);
    if (option->metavar != NULL)
        fprintf(page, "=\\fI%s\\fR", option->metavar);
    fputc('\n', page);
    write_text(page, option->help);
    if (option->choices == NULL)
        return;
    fputs(option->kind == NEREUS_OPTION_CHOICE ? ".br\nOne of" : ".br\nWords:", page);
    for (const char *const *word = option->choices; *word != NULL; word++) {
        fputs(word == option->choices ? " " : ",\n", page);
        write_bold(page, *word);
    }
    fputs(".\n", page);
}

static void write_exit_status(FILE *page)
{
    static const char *const statuses[][2] = {
        {"0", "The work was done, and the output could be written."},
        {"1", "The work could not be done, because of a file, a profile, a machine or a size. One "
              "sentence on standard error says why, and what would be right."},
        {"2", "The command line is not understood. It is checked before any file is read."},
    };
    fputs(".SH EXIT STATUS\n", page);
    for (size_t i = 0; i < NEREUS_COUNT_OF(statuses); i++) {
        fprintf(page, ".TP\n%s\n", statuses[i][0]);
        write_text(page, statuses[i][1]);
    }
}

static void write_arguments(FILE *page, const struct nereus_command_line *line)
{
    if (line->arguments_help != NULL) {
        fprintf(page, line->min_arguments > 0 ? " \\fI%s\\fR" : " [\\fI%s\\fR]",
                line->arguments_help);
    }
}

void nereus_manual_print_command(FILE *page, const struct nereus_command *command,
                                 const struct nereus_command_line *line)
{
    char name[NEREUS_COMMAND_TITLE_MAX + sizeof "nereus-"], title[NEREUS_COMMAND_TITLE_MAX];
    snprintf(name, sizeof name, "nereus-%s", nereus_command_title(command, '-', title));
    nereus_manual_begin(page, name, command->summary);
    fprintf(page, ".SH SYNOPSIS\n\\fBnereus %s\\fR [\\fIOPTION\\fR...]",
            nereus_command_title(command, ' ', title));
    write_arguments(page, line);
    fputs("\n.SH DESCRIPTION\n", page);
    write_text(page, line->help);
    fputs(".SH OPTIONS\n", page);
    nereus_manual_print_options(page, line, write_option);
    if (strcmp(title, "run") != 0) /* the exit status of run is that of the job */
        write_exit_status(page);
    fputs(".SH SEE ALSO\n.BR nereus (1)\n", page);
}

/* List the commands of a group, or with NULL all commands, each with its page. */
static void write_commands(FILE *page, const struct nereus_command *group)
{
    char title[NEREUS_COMMAND_TITLE_MAX];
    fputs(".SH COMMANDS\n", page);
    for (size_t i = 0; i < nereus_command_count; i++) {
        const struct nereus_command *command = &nereus_commands[i];
        if (group == NULL || strcmp(command->group, group->name) == 0) {
            fputs(".TP\n.BR nereus", page);
            nereus_command_title(command, '-', title);
            for (const char *word = strtok(title, "-"); word != NULL; word = strtok(NULL, "-"))
                fprintf(page, "\\-%s", word);
            fputs(" (1)\n", page);
            write_text(page, command->summary);
        }
    }
}

void nereus_manual_print_group(FILE *page, const struct nereus_command *group)
{
    char name[NEREUS_COMMAND_TITLE_MAX + sizeof "nereus-"];
    snprintf(name, sizeof name, "nereus-%s", group->name);
    nereus_manual_begin(page, name, group->summary);
    fprintf(page,
            ".SH SYNOPSIS\n\\fBnereus %s\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] "
            "[\\fIARGUMENT\\fR...]\n",
            group->name);
    write_commands(page, group);
    fputs(".SH SEE ALSO\n.BR nereus (1)\n", page);
}

void nereus_manual_print_nereus(FILE *page)
{
    nereus_manual_begin(page, "nereus", "make MPI programs malleable, and say what a resize costs");
    fputs(".SH SYNOPSIS\n\\fBnereus\\fR [\\fIGROUP\\fR] \\fICOMMAND\\fR [\\fIOPTION\\fR...] "
          "[\\fIARGUMENT\\fR...]\n.br\n\\fBnereus help\\fR [[\\fIGROUP\\fR] \\fICOMMAND\\fR]\n.br\n"
          "\\fBnereus \\-\\-version\\fR\n.SH DESCRIPTION\n",
          page);
    write_text(page,
               "Nereus changes the number of MPI processes of a running job, and says beforehand "
               "what that change will cost. Only `doctor`, `calibrate`, `run`, `validate`, `study "
               "run` and `twin` start MPI jobs; the other commands need no MPI.");
    write_commands(page, NULL);
    fputs(".SH OPTIONS\n", page);
    write_option(page,
                 &(struct nereus_option){.name = "help", .help = "print the list of commands"});
    write_option(page,
                 &(struct nereus_option){
                     .name = "version",
                     .help = "print the version and the commit, the MPI that new processes are "
                             "started with, and the profile that is used where none is given"});
    fputs(".SH ENVIRONMENT\n.TP\n.B NEREUS_PROFILE\n", page);
    write_text(page, "The profile of the machine, where none is given.");
    fputs(".TP\n.B NEREUS_HOSTFILE\n", page);
    write_text(page,
               "Hosts and slots for `calibrate` and `validate`, where no host file is given.");
    write_exit_status(page);
    fputs(".SH SEE ALSO\n.BR nereus\\-mpiexec (1),\n.BR nereus.h (3)\n", page);
}
