/** @file study_order.c  Lists the runs of a study in their order, and makes their names and
 * configurations. */

#include "model/util/file.h"
#include "study.h"

/* Shuffle by Fisher and Yates. */
static void shuffle_runs(struct nereus_study_run *runs, int count, int64_t seed)
{
    unsigned short state[3] = {(unsigned short)seed, (unsigned short)(seed >> 16),
                               (unsigned short)(seed >> 32)};
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)(erand48(state) * (i + 1));
        const struct nereus_study_run run = runs[i];
        runs[i] = runs[other];
        runs[other] = run;
    }
}

enum nereus_status nereus_study_list_runs(const struct nereus_study *study,
                                          struct nereus_study_run **runs, int *count,
                                          struct nereus_error *err)
{
    const double all = (double)study->pair_count * study->method_count * study->bytes_count *
                       (double)study->repeats;
    if (all > 1e6) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%.300s: %.0f run%s; at most 1000000",
                           study->file, all, nereus_plural_s((int64_t)all));
    }
    struct nereus_study_run *new_runs = calloc((size_t)all, sizeof *new_runs);
    NEREUS_TRY_MEMORY(new_runs, err, "for %.0f runs", all);
    int made_count = 0;
    for (int64_t repeat = 1; repeat <= study->repeats; repeat++) {
        for (int p = 0; p < study->pair_count; p++) {
            for (int m = 0; m < study->method_count; m++) {
                for (int b = 0; b < study->bytes_count; b++) {
                    new_runs[made_count++] = (struct nereus_study_run){.pair = study->pairs[p],
                                                                       .method = m,
                                                                       .bytes = study->bytes[b],
                                                                       .repeat = repeat};
                }
            }
        }
    }
    shuffle_runs(new_runs, made_count, study->seed);
    *runs = new_runs;
    *count = made_count;
    return NEREUS_OK;
}

char *nereus_study_name(const struct nereus_study *study, const struct nereus_study_run *run,
                        char text[NAME_MAX])
{
    char method[NEREUS_METHOD_TEXT_MAX], data[32] = "";
    nereus_method_format(&study->methods[run->method], method);
    for (char *c = method; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
    if (run->bytes >= 0)
        snprintf(data, sizeof data, "-%lld", (long long)run->bytes);
    snprintf(text, NAME_MAX, "ns%lld-nt%lld-%s%s-r%lld", (long long)run->pair.ns,
             (long long)run->pair.nt, method, data, (long long)run->repeat);
    return text;
}

char *nereus_study_label(const struct nereus_study *study, const struct nereus_study_run *run,
                         char text[160])
{
    char method[NEREUS_METHOD_TEXT_MAX], data[48] = "";
    if (run->bytes >= 0)
        snprintf(data, sizeof data, ", %lld bytes", (long long)run->bytes);
    snprintf(text, 160, "%lld to %lld by %s%s, run %lld", (long long)run->pair.ns,
             (long long)run->pair.nt, nereus_method_format(&study->methods[run->method], method),
             data, (long long)run->repeat);
    return text;
}

int nereus_study_general_lines(const struct nereus_study *study, const struct nereus_study_run *run)
{
    return (run->bytes >= 0) + (study->hostfile[0] != '\0');
}

enum nereus_status nereus_study_write_run(const struct nereus_study *study,
                                          const struct nereus_study_run *run, const char *path,
                                          struct nereus_error *err)
{
    struct nereus_file_replace file;
    char method[NEREUS_METHOD_TEXT_MAX];
    NEREUS_TRY(nereus_file_replace_begin(path, &file, err));
    file.transient = true;
    const char *rest = study->text + study->general_end;
    fprintf(file.stream, "%.*s%s%s", (int)study->general_end, study->text,
            rest[0] == '\0' ? "\n" : "", study->has_general ? "" : "[general]\n");
    if (run->bytes >= 0)
        fprintf(file.stream, "bytes = %lld\n", (long long)run->bytes);
    if (study->hostfile[0] != '\0')
        fprintf(file.stream, "hostfile = %s\n", study->hostfile);
    fprintf(file.stream,
            "%s\n[group0]\niterations = %lld\nprocesses = %lld\n"
            "[group1]\niterations = %lld\nprocesses = %lld\nmethod = %s\n",
            rest, (long long)study->iterations_before, (long long)run->pair.ns,
            (long long)study->iterations_after, (long long)run->pair.nt,
            nereus_method_format(&study->methods[run->method], method));
    return nereus_file_replace_commit(&file, err);
}
