/** @file decisions.c  Reads the log of a policy's decisions, and prints them in words. */
#include "decisions.h"

#include "model/trace/event_line.h"
#include "model/util/json_reader.h"
#include "predictor/cli/command.h"

/* Format {"C1": 2, "C8": 4} as "C1:2,C8:4". */
static void format_allocation(const json_t *allocation, char text[256])
{
    const char *name;
    json_t *count;
    size_t used = 0;
    text[0] = '\0';
    json_object_foreach((json_t *)allocation, name, count)
    {
        if (used < 256) {
            used += (size_t)snprintf(text + used, 256 - used, "%s%s:%lld", used > 0 ? "," : "",
                                     name, (long long)json_integer_value(count));
        }
    }
}

#define COLUMNS(X)                                                                                 \
    X("chosen", "", NULL, nereus_cell_text(chosen ? "->" : " "))                                   \
    X("processes", "processes", NULL,                                                              \
      nereus_cell_integer(json_integer_value(json_object_get(candidate, "count"))))                \
    X("allocation", "by class", NULL, nereus_cell_text(allocation))                                \
    X("needed_power", "power needed", NULL,                                                        \
      nereus_cell_real(nereus_json_get_real(candidate, "needed_power")))                           \
    X("change_s", "change", "s",                                                                   \
      nereus_cell_real(                                                                            \
          json_number_value(json_array_get(json_object_get(candidate, "change_s"), 1))))           \
    X("end_s", "end", "s", nereus_cell_real(nereus_json_get_real(candidate, "end_s")))             \
    X("cost", "cost", NULL, nereus_cell_real(nereus_json_get_real(candidate, "cost")))             \
    X("simplex", "simplex", NULL, nereus_cell_real(nereus_json_get_real(mix, "simplex")))          \
    X("taken", "integer", NULL, nereus_cell_real(nereus_json_get_real(mix, "taken")))              \
    X("verdict", "verdict", NULL, nereus_cell_text(nereus_json_get_text(candidate, "verdict")))

static void add_candidate(const json_t *candidate, bool chosen, struct nereus_table *rows)
{
    const json_t *mix = json_object_get(candidate, "mix");
    char allocation[256];
    format_allocation(json_object_get(candidate, "processes"), allocation);
    NEREUS_TABLE_ADD(rows, COLUMNS);
}

enum { CANDIDATES_SHOWN = 8 };

/* Print the candidates around the chosen one; without one the last, which have the most power. */
static bool print_candidates(const json_t *decision, FILE *stream)
{
    const json_t *candidates = json_object_get(decision, "candidates");
    const int64_t count = (int64_t)json_array_size(candidates),
                  chosen = json_integer_value(json_object_get(decision, "chosen"));
    const int64_t middle = chosen >= 0 && chosen < count ? chosen : count;
    const int64_t first =
        nereus_max(nereus_min(middle - CANDIDATES_SHOWN / 2, count - CANDIDATES_SHOWN), 0);
    struct nereus_table rows;
    if (count == 0)
        return true;
    NEREUS_TABLE_INIT(&rows, COLUMNS);
    for (int64_t i = first; i < count && i < first + CANDIDATES_SHOWN; i++)
        add_candidate(json_array_get(candidates, (size_t)i), i == chosen, &rows);
    const bool printed = nereus_table_print(&rows, NEREUS_FORMAT_TEXT, stream);
    if (count > CANDIDATES_SHOWN)
        fprintf(stream, "  %d of %lld candidates are shown\n", CANDIDATES_SHOWN, (long long)count);
    return printed;
}

/* run: number of the run in the log, from 1 */
static bool print_decision(const json_t *decision, int64_t run, FILE *stream)
{
    char from[256], to[256];
    format_allocation(json_object_get(decision, "now"), from);
    format_allocation(json_object_get(decision, "to"), to);
    const bool changes = json_is_true(json_object_get(decision, "changes"));
    if (run > 1)
        fprintf(stream, "Run %lld, before", (long long)run);
    else
        fputs("Before", stream);
    fprintf(stream, " interval %lld, %.4g s after the start: ",
            (long long)json_integer_value(json_object_get(decision, "interval")),
            nereus_json_get_real(decision, "elapsed_s"));
    fprintf(stream, changes ? "%s becomes %s\n" : "%s stays\n", from, to);
    fprintf(stream, "  %s: %s.\n", nereus_json_get_text(decision, "policy"),
            nereus_json_get_text(decision, "why"));
    fprintf(stream, "  held to the end it would end after %.5g s",
            nereus_json_get_real(decision, "stay_end_s"));
    if (!isnan(nereus_json_get_real(decision, "goal_s")))
        fprintf(stream, "; the goal is %.5g s", nereus_json_get_real(decision, "goal_s"));
    if (!isnan(nereus_json_get_real(decision, "fastest_end_s"))) {
        fprintf(stream, "; the fastest sequence of changes ends after %.5g s",
                nereus_json_get_real(decision, "fastest_end_s"));
    }
    fputc('\n', stream);
    return print_candidates(decision, stream);
}

static bool is_wanted(const struct nereus_decisions_shown *shown, const json_t *decision)
{
    if (shown->interval >= 0)
        return json_integer_value(json_object_get(decision, "interval")) == shown->interval;
    return shown->all || json_is_true(json_object_get(decision, "changes"));
}

/* State of the reader. */
struct reading {
    const struct nereus_decisions_shown *shown;
    FILE *stream;
    int64_t decisions, printed;
    int64_t runs, last_interval; /* runs so far: intervals increase within a run */
    int64_t max_interval;
};

static enum nereus_status read_decision(void *user, const struct nereus_event_line *line)
{
    struct reading *reading = user;
    reading->decisions++;
    if (!json_is_string(json_object_get(line->event, "why")) ||
        !json_is_object(json_object_get(line->event, "now"))) {
        return nereus_fail(
            line->err, NEREUS_ERR_PARSE,
            "%s, line %lld: no decision of a policy: keys 'why' and 'now' are missing", line->path,
            (long long)line->line);
    }
    const int64_t interval = json_integer_value(json_object_get(line->event, "interval"));
    reading->runs += reading->runs == 0 || interval <= reading->last_interval;
    reading->last_interval = interval;
    reading->max_interval = nereus_max(reading->max_interval, interval);
    if (!is_wanted(reading->shown, line->event))
        return NEREUS_OK;
    reading->printed++;
    return print_decision(line->event, reading->runs, reading->stream)
               ? NEREUS_OK
               : nereus_fail(line->err, NEREUS_ERR_IO, "the answer could not be written");
}

enum nereus_status nereus_decisions_print(const char *path,
                                          const struct nereus_decisions_shown *shown, FILE *stream,
                                          struct nereus_error *err)
{
    struct reading reading = {.shown = shown, .stream = stream};
    struct nereus_left_out left_out;
    NEREUS_TRY(
        nereus_event_lines_read(path, "log of decisions", read_decision, &reading, &left_out, err));
    nereus_cli_note_left_out(path, left_out.lines, left_out.first, left_out.why);
    if (shown->interval >= 0 && reading.decisions > 0 && reading.printed == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s has no decision before interval %lld: the last one is before "
                           "interval %lld",
                           path, (long long)shown->interval, (long long)reading.max_interval);
    }
    fprintf(stream, "%lld decision%s", (long long)reading.decisions,
            nereus_plural_s(reading.decisions));
    if (reading.runs > 1)
        fprintf(stream, " of %lld runs", (long long)reading.runs);
    fprintf(stream, ", %lld shown%s\n", (long long)reading.printed,
            reading.printed < reading.decisions && shown->interval < 0
                ? "; --all shows those that change nothing"
                : "");
    return NEREUS_OK;
}
