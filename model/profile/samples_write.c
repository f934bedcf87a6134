/** @file samples_write.c  Writes samples as CSV. */
#include <unistd.h>

#include "model/util/csv.h"
#include "model/util/values.h"
#include "nereus/samples.h"
#include "profile_words.h"
#include "samples_columns.h"

const char *nereus_samples_header(bool per_process)
{
#define COMMA(e, name, needed) "," name
    static const char names[] = NEREUS_WRITTEN_COLUMN_LIST(COMMA);
    static const char more[] = NEREUS_WRITTEN_COLUMN_LIST(COMMA) NEREUS_PER_PROCESS_COLUMN(COMMA);
#undef COMMA
    return (per_process ? more : names) + 1;
}

bool nereus_samples_header_fits(const char *line, bool *per_process)
{
    if (!*per_process && strcmp(line, nereus_samples_header(false)) == 0)
        return true;
    if (strcmp(line, nereus_samples_header(true)) != 0)
        return false;
    *per_process = true;
    return true;
}

/* Write a number; nothing for NAN. */
static void print_number(FILE *stream, double value, char separator)
{
    char text[32];
    fprintf(stream, "%s%c", isnan(value) ? "" : nereus_format_real(value, text), separator);
}

static const char *get_kind_name(const struct nereus_sample *s)
{
    switch (s->kind) {
    case NEREUS_SAMPLE_STEP:
        return nereus_step_name(s->step);
    case NEREUS_SAMPLE_OPERATION:
        return nereus_operation_name(s->operation);
    case NEREUS_SAMPLE_COLLECTIVE:
        return nereus_collective_name(s->collective);
    default:
        return nereus_sample_kind_names[s->kind];
    }
}

static const char *get_pair_name(const struct nereus_sample *s)
{
    return s->kind == NEREUS_SAMPLE_PINGPONG     ? nereus_pair_class_name(s->pair)
           : s->kind == NEREUS_SAMPLE_CONTENTION ? nereus_contention_name(s->contention)
                                                 : s->program;
}

/* Read the unfinished last line backwards, from the end of the file to the newline before it; then
 * cut it off, and write it again as a comment, unless it is a part of the header. */
bool nereus_samples_repair_last_line(int file)
{
    static const char comment[] = "# cut off: ";
    char line[1024], last = '\n';
    off_t begin = lseek(file, 0, SEEK_END);
    size_t text_begin = sizeof line; /* the text is filled from the end */
    for (; begin > 0 && pread(file, &last, 1, begin - 1) == 1 && last != '\n'; begin--)
        if (last != '\0' && text_begin > 0)
            line[--text_begin] = last;
    if (begin == lseek(file, 0, SEEK_END))
        return true; /* the last line is complete, or the file is empty */
    const char *text = line + text_begin;
    const int length = (int)(sizeof line - text_begin);
    const bool is_header =
        begin == 0 && strncmp(nereus_samples_header(true), text, (size_t)length) == 0;
    return ftruncate(file, begin) == 0 && lseek(file, 0, SEEK_END) == begin &&
           (length == 0 || is_header || dprintf(file, "%s%.*s\n", comment, length, text) > 0);
}

enum nereus_status nereus_samples_write_row(void *stream_file, const struct nereus_sample *sample,
                                            bool per_process, struct nereus_error *err)
{
    FILE *stream = stream_file;
    char method[NEREUS_METHOD_TEXT_MAX] = "";
    const bool has_method = sample->kind == NEREUS_SAMPLE_RECONFIGURATION ||
                            sample->kind == NEREUS_SAMPLE_REDISTRIBUTION,
               step = sample->kind == NEREUS_SAMPLE_STEP;
    /* a step names its method only if that moves data (fit_steps.c) */
    if (has_method || (step && sample->method.has_data))
        nereus_method_format(&sample->method, method);
    nereus_csv_print(stream, sample->cluster);
    fprintf(stream, ",%lld,%lld,%lld,%s,", (long long)sample->cores_per_node, (long long)sample->ns,
            (long long)sample->nt, method);
    print_number(stream, sample->t_iter_ns_s, ',');
    print_number(stream, sample->t_iter_nt_s, ',');
    print_number(stream, sample->bytes, ',');
    print_number(stream, sample->rt_s, ',');
    print_number(stream, sample->ct_s, ',');
    print_number(stream, sample->iterations, ',');
    fprintf(stream, "%s,%lld,", sample->n > 1 ? "median" : "single",
            (long long)(sample->n > 0 ? sample->n : 1));
    fprintf(stream, "%s,", get_kind_name(sample));
    nereus_csv_print(stream, get_pair_name(sample));
    fprintf(stream, ",%d,%lld,%lld,", sample->oversubscribed ? 1 : 0,
            (long long)sample->old_processes, (long long)sample->new_processes);
    print_number(stream, sample->time_s, per_process ? ',' : '\n');
    if (per_process)
        fprintf(stream, "%lld\n", (long long)nereus_max(1, sample->cores_per_process));
    return ferror(stream) ? nereus_fail(err, NEREUS_ERR_IO, "a sample could not be written: %s",
                                        strerror(errno))
                          : NEREUS_OK;
}
