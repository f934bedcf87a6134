/** @file probes.c  Runs the doctor's probes and keeps its findings. */
#include <ctype.h>
#include <unistd.h>

#include "doctor.h"
#include "model/util/clock.h"
#include "model/util/home.h"

/* ---- findings ---- */

bool nereus_doctor_add(struct nereus_doctor *doctor, enum nereus_finding_state state,
                       const char *key, const char *title, const char *result, ...)
{
    if (doctor->count == NEREUS_FINDINGS_MAX)
        return false;
    struct nereus_finding *finding = &doctor->findings[doctor->count++];
    *finding = (struct nereus_finding){
        .section = doctor->section, .key = key, .title = title, .state = state};
    va_list arguments;
    va_start(arguments, result);
    vsnprintf(finding->result, sizeof finding->result, result, arguments);
    va_end(arguments);
    return true;
}

void nereus_doctor_advise(struct nereus_doctor *doctor, const char *advice, ...)
{
    if (doctor->count == 0)
        return;
    struct nereus_finding *finding = &doctor->findings[doctor->count - 1];
    va_list arguments;
    va_start(arguments, advice);
    vsnprintf(finding->advice, sizeof finding->advice, advice, arguments);
    va_end(arguments);
}

void nereus_doctor_add_check(struct nereus_doctor *doctor, struct nereus_check check,
                             const char *result, ...)
{
    char text[sizeof doctor->findings[0].result];
    va_list arguments;
    va_start(arguments, result);
    vsnprintf(text, sizeof text, result, arguments);
    va_end(arguments);
    nereus_doctor_add(doctor, check.good ? NEREUS_FINDING_OK : NEREUS_FINDING_NOTE, check.key,
                      check.title, "%s", text);
    if (!check.good)
        nereus_doctor_advise(doctor, "%s", check.advice);
}

/* ---- probes ---- */

/* Read the netmod of a line: "==== UCX netmod Capability ====" gives "ucx". */
static void read_netmod(struct nereus_probe_output *output, const char *line)
{
    char name[16];
    if (sscanf(line, "==== %15s netmod", name) == 1 && strstr(line, " netmod ") != NULL) {
        for (char *c = name; *c != '\0'; c++)
            *c = (char)tolower((unsigned char)*c);
        snprintf(output->netmod, sizeof output->netmod, "%s", name);
    }
}

static void read_line(void *user, const char *line, bool is_stderr)
{
    struct nereus_probe_output *output = user;
    size_t key = strspn(line, "abcdefghijklmnopqrstuvwxyz_");
    if (is_stderr) {
        if (output->complaint[0] == '\0' && nereus_child_line_has_text(line))
            snprintf(output->complaint, sizeof output->complaint, "%s", line);
        return;
    }
    read_netmod(output, line);
    if (key == 0 || line[key] != '=' || key >= sizeof output->keys[0] ||
        output->count == NEREUS_PROBE_VALUES_MAX)
        return;
    snprintf(output->keys[output->count], sizeof output->keys[0], "%.*s", (int)key, line);
    snprintf(output->values[output->count], sizeof output->values[0], "%s", line + key + 1);
    output->count++;
    if (strncmp(line, "killing=", 8) == 0)
        output->killing_s = nereus_monotonic_s();
}

void nereus_doctor_run(struct nereus_doctor *doctor, const char *what,
                       const struct nereus_probe_run *run, struct nereus_probe_output *output)
{
    const char *argv[24], *plain_environment[] = {NULL};
    char processes[16];
    int count = 0;
    if (doctor->on_progress != NULL)
        doctor->on_progress(doctor, what);
    argv[count++] = run->launcher != NULL ? run->launcher : doctor->mpiexec;
    if (run->option != NULL) {
        argv[count++] = run->option;
        argv[count++] = run->value;
    }
    /* A spawn without a host ends mpiexec (MPICH 5.0.2) if it has several nodes from Slurm and
     * not from -hosts. */
    if (doctor->nodes > 0 && (run->option == NULL || strcmp(run->option, "-hosts") != 0)) {
        argv[count++] = "-hosts";
        argv[count++] = doctor->first_node;
    }
    snprintf(processes, sizeof processes, "%d", run->processes);
    argv[count++] = "-n";
    argv[count++] = processes;
    argv[count++] = run->program != NULL ? run->program : doctor->probe;
    for (int i = 0; run->arguments[i] != NULL; i++)
        argv[count++] = run->arguments[i];
    argv[count] = NULL;
    memset(output, 0, sizeof *output);
    struct nereus_child child = {.argv = argv,
                                 .environment = run->environment[0] != NULL ? run->environment
                                                                            : plain_environment,
                                 .limit_s = run->limit_s,
                                 .on_line = read_line,
                                 .user = output};
    struct nereus_error err;
    output->ran = nereus_child_run(&child, &output->result, &err) == NEREUS_OK;
    output->ended_s = nereus_monotonic_s();
    if (!output->ran)
        snprintf(output->complaint, sizeof output->complaint, "%.255s", err.text);
}

bool nereus_doctor_make_file(char *path)
{
    const int fd = mkstemp(nereus_temporary_path("nereus-doctor", path, PATH_MAX));
    return fd >= 0 && close(fd) == 0;
}

const char *nereus_probe_value(const struct nereus_probe_output *output, const char *key)
{
    for (int i = 0; i < output->count; i++)
        if (strcmp(output->keys[i], key) == 0)
            return output->values[i];
    return "";
}

double nereus_probe_number(const struct nereus_probe_output *output, const char *key)
{
    const char *text = nereus_probe_value(output, key);
    char *end;
    double value = nereus_strtod(text, &end);
    return *text != '\0' && *end == '\0' ? value : NAN;
}

bool nereus_probe_is_refused(const struct nereus_probe_output *output)
{
    return strstr(output->complaint, "is not carried out on this MPI") != NULL;
}

char *nereus_probe_format_end(const struct nereus_probe_run *run,
                              const struct nereus_probe_output *output, char *text)
{
    const struct nereus_child_result *result = &output->result;
    if (!output->ran) {
        snprintf(text, 160, "could not be started");
    } else if (result->timed_out) {
        snprintf(text, 160, "still hung after %.0f s", run->limit_s);
    } else {
        const struct nereus_child child = {.limit_s = run->limit_s};
        char outcome[96];
        /* A launcher may report a failure as 255; only statuses up to 128 + 64 are signals. */
        if (result->exit_status > 128 + 64)
            snprintf(outcome, sizeof outcome, "ended with status %d", result->exit_status);
        else
            nereus_child_format_outcome(&child, result, outcome);
        snprintf(text, 160, "%s after %.1f s", outcome, result->wall_s);
    }
    return text;
}
