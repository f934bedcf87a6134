/** @file completion.c  Writes completion scripts for bash, zsh and fish: see manual.h. */

#include "manual.h"

/* Words and files by which the shell completes an option or an argument. */
struct expected {
    enum { ANYTHING, WORDS, FILES } kind;
    const char *const *words; /* also in front of FILES; NULL: none */
    char suffix[16];
};

static struct expected get_expected_values(const char *metavar, const char *const *choices)
{
    struct expected expected = {.words = choices};
    const bool files = metavar != NULL && nereus_metavar_suffix(metavar, expected.suffix) != NULL;
    expected.kind = files ? FILES : choices != NULL ? WORDS : ANYTHING;
    return expected;
}

static void write_words(FILE *script, const char *const *words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        fprintf(script, "%s%s", i == 0 ? "" : " ", words[i]);
}

/* Print text within single quotes. `quote` is the shell's escape of a single quote. */
static void write_quoted(FILE *script, const char *text, const char *quote, const char *special)
{
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '\'')
            fputs(quote, script);
        else
            fprintf(script, strchr(special, *c) != NULL ? "\\%c" : "%c", *c);
}

static void write_level(FILE *script, const char *group)
{
    const char *names[NEREUS_COMMANDS_MAX];
    nereus_command_names(group, names);
    write_words(script, names);
}

/* Call `visit` with each group's row. */
static void visit_groups(FILE *script,
                         void (*visit)(FILE *script, const struct nereus_command *group))
{
    for (size_t i = 0; i < nereus_command_count; i++)
        if (nereus_commands[i].run == NULL)
            visit(script, &nereus_commands[i]);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_group(FILE *script, const struct nereus_command *group)
{
    fprintf(script, "    %s) words='", group->name);
    write_level(script, group->name);
    fputs("' ;;\n", script);
}

static void bash_begin(FILE *script)
{
    fputs("# bash completion for nereus, made by `nereus help --output` from the commands' own "
          "tables of options.\n"
          "_nereus()\n"
          "{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local options= words= files= value= command=${COMP_WORDS[1]} at=1\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          script);
    write_level(script, "");
    fputs(" --help --usage --version\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    [ \"$command\" != help ] || at=2\n"
          "    case ${COMP_WORDS[at]} in\n",
          script);
    visit_groups(script, bash_group);
    fputs("    esac\n"
          "    if [ -n \"$words\" ] && [ \"$COMP_CWORD\" -gt \"$at\" ]; then\n"
          "        if [ \"$COMP_CWORD\" -eq $((at + 1)) ]; then\n"
          "            COMPREPLY=($(compgen -W \"$words --help --usage --version\" -- \"$word\"))\n"
          "            return\n"
          "        fi\n"
          "        command+=\" ${COMP_WORDS[at + 1]}\"\n"
          "    fi\n"
          "    words=\n"
          "    # bash takes --option=value apart\n"
          "    if [ \"$word\" = = ]; then\n"
          "        word=\n"
          "    elif [ \"$before\" = = ]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    case $command in\n",
          script);
}

static void bash_expected(FILE *script, const struct expected *expected)
{
    if (expected->words != NULL) {
        fputs(" words='", script);
        write_words(script, expected->words);
        fputs("'", script);
    }
    if (expected->kind == FILES)
        fprintf(script, " files='*%s'", expected->suffix);
}

static void bash_name(FILE *script, const struct nereus_option *option)
{
    if (option->letter != 0)
        fprintf(script, "-%c ", option->letter);
    fprintf(script, "--%s ", option->name);
}

static void bash_value(FILE *script, const struct nereus_option *option)
{
    if (option->metavar == NULL)
        return;
    const struct expected expected = get_expected_values(option->metavar, option->choices);
    fputs("        ", script);
    if (option->letter != 0)
        fprintf(script, "-%c | ", option->letter);
    fprintf(script, "--%s) value=1", option->name);
    bash_expected(script, &expected);
    fputs(" ;;\n", script);
}

static void bash_command(FILE *script, const struct nereus_command *command,
                         const struct nereus_command_line *line)
{
    char title[NEREUS_COMMAND_TITLE_MAX];
    fprintf(script, "    '%s')\n        options='", nereus_command_title(command, ' ', title));
    nereus_manual_print_options(script, line, bash_name);
    fputs("'\n        case $before in\n", script);
    nereus_manual_print_options(script, line, bash_value);
    fputs("        *)", script);
    if (line->arguments_help != NULL) {
        const struct expected expected =
            get_expected_values(line->arguments_help, line->argument_choices);
        bash_expected(script, &expected);
    }
    fputs(" ;;\n        esac\n        ;;\n", script);
}

static void bash_end(FILE *script)
{
    fputs("    esac\n"
          "    if [ -z \"$value\" ] && [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    [ -n \"$files\" ] || return\n"
          "    local IFS=$'\\n' # names with blanks\n"
          "    local found=($(compgen -f -X \"!$files\" -- \"$word\"))\n"
          "    [ ${#found[@]} -gt 0 ] || found=($(compgen -f -- \"$word\"))\n"
          "    COMPREPLY+=(\"${found[@]}\" $(compgen -d -- \"$word\"))\n"
          "    compopt -o filenames 2>/dev/null\n"
          "}\n"
          "complete -F _nereus nereus\n",
          script);
}

static const struct nereus_completion bash = {"bash-completion/completions/nereus", bash_begin,
                                              bash_command, bash_end};

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Write the commands of a level, and a return with them where one of them is being completed. */
static void zsh_level(FILE *script, const char *group)
{
    fputs("    commands=(\n", script);
    for (size_t i = 0; i < nereus_command_count; i++) {
        if (strcmp(nereus_commands[i].group, group) == 0) {
            fprintf(script, "        '%s:", nereus_commands[i].name);
            write_quoted(script, nereus_commands[i].summary, "'\\''", "");
            fputs("'\n", script);
        }
    }
    for (int i = 0; i < NEREUS_COMMON_OPTIONS; i++) {
        fprintf(script, "        '--%s:%s'\n", nereus_common_options[i].name,
                nereus_common_options[i].help);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n",
          script);
}

static void zsh_group(FILE *script, const struct nereus_command *group)
{
    fprintf(script, "    %s)\n    shift words\n    (( CURRENT-- ))\n", group->name);
    zsh_level(script, group->name);
    fputs("    command+=\" $words[2]\"\n    ;;\n", script);
}

static void zsh_begin(FILE *script)
{
    fputs("#compdef nereus\n"
          "# Made by `nereus help --output` from the commands' own tables of options.\n"
          "_nereus() {\n"
          "    local -a commands\n",
          script);
    zsh_level(script, "");
    fputs("    if [[ $words[2] = help ]] && (( CURRENT > 3 )); then\n"
          "        shift words\n"
          "        (( CURRENT-- ))\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    case $command in\n",
          script);
    visit_groups(script, zsh_group);
    fputs("    esac\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          script);
}

static void zsh_action(FILE *script, const char *metavar, const struct expected *expected)
{
    write_quoted(script, metavar, "'\\''", ":");
    if (expected->kind == FILES && expected->words != NULL) {
        fputs(":{compadd ", script);
        write_words(script, expected->words);
        fprintf(script, "; _files -g \"*%s\"}", expected->suffix);
    } else if (expected->kind == FILES) {
        fprintf(script, ":_files -g \"*%s\"", expected->suffix);
    } else if (expected->words != NULL) {
        fputs(":(", script);
        write_words(script, expected->words);
        fputs(")", script);
    } else {
        fputs(": ", script);
    }
}

static void zsh_option(FILE *script, const struct nereus_option *option)
{
    const char *equals = option->metavar != NULL ? "=" : "";
    fputs(" \\\n            ", script);
    if (option->letter != 0) {
        fprintf(script, "'(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->name,
                option->letter, option->metavar != NULL ? "+" : "", option->name, equals);
    } else {
        fprintf(script, "'--%s%s[", option->name, equals);
    }
    write_quoted(script, option->help, "'\\''", "[]:\\");
    fputs("]", script);
    if (option->metavar != NULL) {
        const struct expected expected = get_expected_values(option->metavar, option->choices);
        fputs(":", script);
        zsh_action(script, option->metavar, &expected);
    }
    fputs("'", script);
}

static void zsh_command(FILE *script, const struct nereus_command *command,
                        const struct nereus_command_line *line)
{
    char title[NEREUS_COMMAND_TITLE_MAX];
    fprintf(script, "    '%s')\n        _arguments -s", nereus_command_title(command, ' ', title));
    nereus_manual_print_options(script, line, zsh_option);
    if (line->arguments_help != NULL) {
        const struct expected expected =
            get_expected_values(line->arguments_help, line->argument_choices);
        fputs(" \\\n            '*:", script);
        zsh_action(script, line->arguments_help, &expected);
        fputs("'", script);
    }
    fputs("\n        ;;\n", script);
}

static void zsh_end(FILE *script)
{
    fputs("    esac\n"
          "}\n"
          "_nereus \"$@\"\n",
          script);
}

static const struct nereus_completion zsh = {"zsh/site-functions/_nereus", zsh_begin, zsh_command,
                                             zsh_end};

/* ---- fish ------------------------------------------------------------------------------------ */

/* Title of the command that is being written, for fish_option, whose parameter is only the
 * option. */
static char fish_title[NEREUS_COMMAND_TITLE_MAX];

/* Write the commands of a level. */
static void fish_level(FILE *script, const char *group)
{
    for (size_t i = 0; i < nereus_command_count; i++) {
        if (strcmp(nereus_commands[i].group, group) == 0) {
            fprintf(script, "complete -c nereus -n '__nereus_next %s' -a %s -d '", group,
                    nereus_commands[i].name);
            write_quoted(script, nereus_commands[i].summary, "\\'", "\\");
            fputs("'\n", script);
        }
    }
    for (int i = 0; i < NEREUS_COMMON_OPTIONS; i++) {
        fprintf(script, "complete -c nereus -n '__nereus_next %s' -l %s -d '%s'\n", group,
                nereus_common_options[i].name, nereus_common_options[i].help);
    }
}

static void fish_group(FILE *script, const struct nereus_command *group)
{
    fish_level(script, group->name);
}

static void fish_begin(FILE *script)
{
    fputs("# Made by `nereus help --output` from the commands' own tables of options.\n"
          "# The words after nereus begin with these.\n"
          "function __nereus_at\n"
          "    set -l given (commandline -opc)\n"
          "    set -l last (math 1 + (count $argv))\n"
          "    test (count $given) -ge $last; and test \"$given[1..$last]\" = \"$given[1] $argv\"\n"
          "end\n"
          "# They are these, and perhaps `help` in front.\n"
          "function __nereus_next\n"
          "    set -l given (commandline -opc)[2..-1]\n"
          "    test \"$given\" = \"$argv\"; or begin; test -n \"$argv\"\n"
          "        and test \"$given\" = \"help $argv\"; end\n"
          "end\n"
          "complete -c nereus -f\n",
          script);
    fish_level(script, "");
    visit_groups(script, fish_group);
}

static void fish_expected(FILE *script, const struct expected *expected)
{
    if (expected->kind == FILES) {
        fputs(" -a '", script);
        write_words(script, expected->words);
        fprintf(script, "%s(__fish_complete_suffix %s)'", expected->words != NULL ? " " : "",
                expected->suffix[0] != '\0' ? expected->suffix : "\"\"");
    } else if (expected->words != NULL) {
        fputs(" -a '", script);
        write_words(script, expected->words);
        fputs("'", script);
    }
}

static void fish_option(FILE *script, const struct nereus_option *option)
{
    fprintf(script, "complete -c nereus -n '__nereus_at %s' -l %s", fish_title, option->name);
    if (option->letter != 0)
        fprintf(script, " -s %c", option->letter);
    if (option->metavar != NULL) {
        const struct expected expected = get_expected_values(option->metavar, option->choices);
        fputs(" -x", script);
        fish_expected(script, &expected);
    }
    fputs(" -d '", script);
    write_quoted(script, option->help, "\\'", "\\");
    fputs("'\n", script);
}

static void fish_command(FILE *script, const struct nereus_command *command,
                         const struct nereus_command_line *line)
{
    nereus_command_title(command, ' ', fish_title);
    nereus_manual_print_options(script, line, fish_option);
    if (line->arguments_help != NULL) {
        const struct expected expected =
            get_expected_values(line->arguments_help, line->argument_choices);
        fprintf(script, "complete -c nereus -n '__nereus_at %s'", fish_title);
        fish_expected(script, &expected);
        fputs("\n", script);
    }
}

static void fish_end(FILE *script)
{
    (void)script;
}

static const struct nereus_completion fish = {"fish/vendor_completions.d/nereus.fish", fish_begin,
                                              fish_command, fish_end};

const struct nereus_completion *const nereus_completions[NEREUS_SHELLS] = {&bash, &zsh, &fish};
