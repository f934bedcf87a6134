/** @file batch_script.c  Writes the batch script of a malleable job (batch_script.h). */
#include "batch_script.h"

#include "model/job_client/folder.h"

bool nereus_batch_make_name(const char *name, const char *number, char *text, size_t capacity)
{
    const char *place = strstr(name, "%j");
    const int before = place != NULL ? (int)(place - name) : (int)strlen(name);
    const int length = snprintf(text, capacity, "%.*s%s%s", before, name,
                                place != NULL ? number : "", place != NULL ? place + 2 : "");
    return length >= 0 && (size_t)length < capacity;
}

/* Check that the name is valid with any number for %j, up to Slurm's largest one. */
static enum nereus_status check_name(const char *name, struct nereus_error *err)
{
    char text[NEREUS_JOB_NAME_MAX];
    return nereus_batch_make_name(name, "4294967294", text, sizeof text) &&
                   nereus_job_name_check(text, NULL) == NEREUS_OK
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "'%.160s' is no name of a job: up to %d letters, digits, '.', '_' or "
                             "'-', of which the first is a letter or a digit, and one %%j, for "
                             "which the number of the Slurm job stands",
                             name, NEREUS_JOB_NAME_MAX - 1);
}

struct refused {
    const char *name; /* sbatch also takes its first letters */
    char letter;
    bool in_script; /* also refused in a script's #SBATCH lines, which come before ours */
    const char *reason;
};
static const struct refused refused_options[] = {
    {"--comment", '\0', false, "nereus finds the job by its comment"},
    {"--ntasks", 'n', false, "it starts with as many processes as --min says"},
    {"--test-only", '\0', true, "sbatch would submit nothing; --print shows the script"},
    {"--wait", 'W', true, "sbatch would not come back before the job has ended"},
    {"--wrap", '\0', true, "what is started is PROGRAM"}};

/* Is the word, which ends at a blank, this option? */
static bool is_option(const char *word, const struct refused *option)
{
    const size_t length = strcspn(word, "= \t\n");
    const bool is_short = word[0] == '-' && word[1] == option->letter && option->letter != '\0';
    return is_short || (length > 4 && length <= strlen(option->name) &&
                        strncmp(word, option->name, length) == 0);
}

/* Find the blank after a word, which may be in quotes, or the end of the line. */
static const char *find_word_end(const char *at)
{
    char quote = '\0';
    for (; *at != '\0' && *at != '\n' && (quote != '\0' || strchr(" \t", *at) == NULL); at++)
        quote = quote == *at ? '\0' : quote == '\0' && strchr("'\"", *at) != NULL ? *at : quote;
    return at;
}

/* Check a line of options.
 * @param where  "--slurm", or "#SBATCH" for a line of a script */
static enum nereus_status check_options(const char *at, const char *where, bool in_script,
                                        struct nereus_error *err)
{
    for (at += strspn(at, " \t"); *at != '\0' && *at != '\n' && *at != '#';) {
        for (size_t i = 0; i < NEREUS_COUNT_OF(refused_options); i++) {
            if ((refused_options[i].in_script || !in_script) &&
                is_option(at, &refused_options[i])) {
                return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must not have %.*s: %s", where,
                                   (int)strcspn(at, "= \t\n"), at, refused_options[i].reason);
            }
        }
        at = find_word_end(at);
        at += strspn(at, " \t");
    }
    return NEREUS_OK;
}

static enum nereus_status check_script(const char *script, size_t header, struct nereus_error *err)
{
    static const char begin[] = "#SBATCH";
    for (size_t at = 0; at < header; at += strcspn(script + at, "\n") + 1) {
        if (nereus_text_begins_with(script + at, begin)) {
            NEREUS_TRY(check_options(script + at + strlen(begin), "the script's #SBATCH lines",
                                     true, err));
        }
    }
    return NEREUS_OK;
}

/* Is the line a comment, or empty? */
static bool is_comment(const char *line)
{
    const char first = line[strspn(line, " \t\r")];
    return first == '#' || first == '\n';
}

/* Does the line begin another part of a heterogeneous job? */
static bool is_part_begin(const char *line)
{
    return strncmp(line, "#SBATCH hetjob", 14) == 0 || strncmp(line, "#SBATCH packjob", 15) == 0;
}

/*
 * @param first  only up to another part of a heterogeneous job
 * @return length of the leading comments, in which Slurm reads #SBATCH lines
 */
static size_t measure_header(const char *script, bool first)
{
    size_t at = 0;
    while (is_comment(script + at) && !(first && is_part_begin(script + at))) {
        at += strcspn(script + at, "\n");
        at += script[at] == '\n';
    }
    return at;
}

/* Find the name of a script's interpreter, without its folder.
 * @param[out] length  0: it is no script */
static const char *find_interpreter(const char *script, int *length)
{
    static const char ends[] = " \t\r\n";
    *length = 0;
    if (strncmp(script, "#!", 2) != 0)
        return script;
    const char *name = script + 2;
    do { /* options and variables may stand between env and the name */
        name += strspn(name, " \t");
        const char *end = name + strcspn(name, ends);
        for (const char *at = name; at < end; at++)
            name = *at == '/' ? at + 1 : name;
        *length = (int)(end - name);
        const bool is_env = *length == 3 && strncmp(name, "env", 3) == 0;
        if (!is_env && name[0] != '-' && memchr(name, '=', (size_t)*length) == NULL)
            return name;
        name = end;
    } while (*name == ' ' || *name == '\t');
    *length = 0;
    return name;
}

static bool is_shell(const char *script)
{
    int length;
    const char *name = find_interpreter(script, &length);
    return length >= 2 && strncmp(name + length - 2, "sh", 2) == 0;
}

/* Can its script contain Nereus' lines, which are written for sh? */
static bool is_bourne_shell(const char *script)
{
    static const char *const names[] = {"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash"};
    int length;
    const char *name = find_interpreter(script, &length);
    bool is_one = false;
    for (size_t i = 0; i < NEREUS_COUNT_OF(names) && !is_one; i++)
        is_one = (int)strlen(names[i]) == length && strncmp(name, names[i], (size_t)length) == 0;
    return is_one;
}

bool nereus_batch_is_script(const char *text)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* written by Windows' editors; it is dropped */
    text += nereus_text_begins_with(text, mark) ? strlen(mark) : 0;
    const size_t header = measure_header(text, false);
    bool has_options = false;
    for (size_t at = 0; at < header && !has_options; at += strcspn(text + at, "\n") + 1)
        has_options = strncmp(text + at, "#SBATCH", 7) == 0;
    return strncmp(text, "#!", 2) == 0 && (has_options || is_shell(text));
}

/* Write the options of a job that should continue after Slurm's time limit, and after the loss of a
 * node. They stand before the user's options, which may override them. The signal reaches the batch
 * shell, which the job's own program replaces, or in a user's script the processes of the job's
 * steps. */
static void write_survival_options(const struct nereus_batch *batch, FILE *to)
{
    const size_t length = batch->script != NULL ? measure_header(batch->script, false) : 0;
    const char *own = batch->script != NULL ? strstr(batch->script, "--signal") : NULL;
    const char *action = batch->survival.on_failure;
    const bool has_folder = batch->survival.folder != NULL || batch->survival.restart != NULL;
    if (!has_folder || action == NULL || strcmp(action, "restart") != 0)
        return;
    fputs("#SBATCH --requeue --open-mode=append\n", to);
    if (own == NULL || own >= batch->script + length)
        fprintf(to, "#SBATCH --signal=%sUSR1@60\n", batch->script == NULL ? "B:" : "");
}

static void write_options(const struct nereus_batch *batch, FILE *to)
{
    const char *number = strstr(batch->name, "%j");
    const int before = number != NULL ? (int)(number - batch->name) : (int)strlen(batch->name);
    if (before > 0) {
        fprintf(to, "#SBATCH --job-name=%.*s\n",
                before - (number != NULL && before > 1 && number[-1] == '-'), batch->name);
    }
    write_survival_options(batch, to);
    if (batch->slurm_options != NULL)
        fprintf(to, "#SBATCH %s\n", batch->slurm_options);
    fprintf(to, "#SBATCH --comment=\"" NEREUS_SLURM_COMMENT "%s\"\n", batch->name);
    fprintf(to, "#SBATCH --ntasks=%lld\n", (long long)batch->sizes.minimum);
}

static void write_quoted_part(const char *word, size_t length, FILE *to)
{
    putc('\'', to);
    for (; length > 0; word++, length--)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            putc(*word, to);
    putc('\'', to);
}

static void write_quoted(const char *word, FILE *to)
{
    write_quoted_part(word, strlen(word), to);
}

static void write_variable(const char *name, const char *value, FILE *to)
{
    if (value == NULL)
        return;
    fprintf(to, "export %s=", name);
    write_quoted(value, to);
    putc('\n', to);
}

static void write_variables(const struct nereus_batch *batch, FILE *to)
{
    const struct nereus_sizes *sizes = &batch->sizes;
    char name[2 * NEREUS_JOB_NAME_MAX];
    nereus_batch_make_name(batch->name, "${SLURM_JOB_ID}", name, sizeof name);
    fprintf(to, "export NEREUS_JOB=\"%s\"\n", name);
    fprintf(to, "export NEREUS_SIZES=minimum=%lld", (long long)sizes->minimum);
    if (sizes->maximum > 0)
        fprintf(to, ",maximum=%lld", (long long)sizes->maximum);
    if (sizes->multiple_of > 1)
        fprintf(to, ",multiple-of=%lld", (long long)sizes->multiple_of);
    fputs(sizes->powers_of_two ? ",powers-of-two\n" : "\n", to);
    write_variable("NEREUS_CHECKPOINT", batch->survival.folder, to);
    write_variable("NEREUS_CHECKPOINT_EVERY", batch->survival.every, to);
    write_variable("NEREUS_ON_FAILURE", batch->survival.on_failure, to);
    write_variable("NEREUS_RESTARTS_MAX", batch->survival.restarts, to);
    write_variable("NEREUS_RESTART", batch->survival.restart, to);
    fputs("# Slurm hands on the submitting host's folder, which may not be on this one.\n"
          "[ -d \"${XDG_RUNTIME_DIR-}\" ] || unset XDG_RUNTIME_DIR\n",
          to);
}

static void write_program(const struct nereus_batch *batch, FILE *to)
{
    fputs("exec ", to);
    write_quoted(batch->mpiexec, to);
    fprintf(to, " -n %lld", (long long)batch->sizes.minimum);
    for (const char *const *word = batch->program; *word != NULL; word++) {
        putc(' ', to);
        write_quoted(*word, to);
    }
    putc('\n', to);
}

/* Write the interpreter with its argument: Linux passes everything after the name as one argument,
 * without blanks around it. */
static void write_interpreter(const char *line, FILE *to)
{
    static const char blanks[] = " \t";
    const char *name = line + strspn(line, blanks), *end = line + strcspn(line, "\n");
    const size_t length = strcspn(name, " \t\n");
    const char *rest = name + length + strspn(name + length, blanks);
    while (end > rest && strchr(blanks, end[-1]) != NULL)
        end--;
    write_quoted_part(name, length, to);
    putc(' ', to);
    if (end > rest) {
        write_quoted_part(rest, (size_t)(end - rest), to);
        putc(' ', to);
    }
}

/* Write the user's script with Nereus' lines in it; if it is in another language, write a shell
 * script that starts it. */
static void write_script(const struct nereus_batch *batch, FILE *to)
{
    const char *script = batch->script;
    const bool takes_lines = is_bourne_shell(script);
    const size_t skipped = takes_lines ? 0 : strcspn(script, "\n"),
                 first = measure_header(script, true), header = measure_header(script, false);
    fputs(takes_lines ? "" : "#!/bin/sh", to);
    fwrite(script + skipped, 1, first - skipped, to);
    fputs(first > 0 && script[first - 1] != '\n' ? "\n" : "", to);
    write_options(batch, to);
    fwrite(script + first, 1, header - first, to);
    fputs(header > first && script[header - 1] != '\n' ? "\n" : "", to);
    write_variables(batch, to);
    if (takes_lines) {
        fputs(script + header, to);
    } else {
        fputs("exec ", to);
        write_interpreter(script + 2, to);
        write_quoted(batch->place, to);
        fputs(" \"$@\"\n", to);
    }
}

static enum nereus_status check_batch(const struct nereus_batch *batch, struct nereus_error *err)
{
    NEREUS_TRY(check_name(batch->name, err));
    if (batch->slurm_options != NULL)
        NEREUS_TRY(check_options(batch->slurm_options, "--slurm", false, err));
    return batch->script != NULL
               ? check_script(batch->script, measure_header(batch->script, false), err)
               : NEREUS_OK;
}

enum nereus_status nereus_batch_write(const struct nereus_batch *batch, char **text,
                                      struct nereus_error *err)
{
    size_t length;
    NEREUS_TRY(check_batch(batch, err));
    FILE *to = open_memstream(text, &length);
    NEREUS_TRY_MEMORY(to, err, "for a batch script");
    if (batch->script != NULL) {
        write_script(batch, to);
    } else {
        fputs("#!/bin/sh\n", to);
        write_options(batch, to);
        write_variables(batch, to);
        write_program(batch, to);
    }
    const bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed) {
        free(*text);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a batch script");
    }
    return NEREUS_OK;
}
