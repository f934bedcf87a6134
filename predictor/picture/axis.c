/** @file axis.c  Places values on an axis, and chooses its ticks. */
#include "axis.h"

static const struct {
    const char *name;
    double seconds;
} units[] = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}};
enum { UNITS = NEREUS_COUNT_OF(units) };

/* Find the largest unit in which a time is at least 1; 0 is 0 s. */
static int choose_unit(double seconds)
{
    int unit = 0;
    while (unit < UNITS - 1 && seconds > 0 && seconds < units[unit].seconds * (1 - 1e-9))
        unit++;
    return unit;
}

/* Format a number without an exponent: "250", "0.05", "2 M". */
static char *format_number(double value, char text[32])
{
    const bool millions = fabs(value) >= 1e6;
    snprintf(text, 32, "%.6g%s", millions ? value / 1e6 : value, millions ? " M" : "");
    return text;
}

char *nereus_axis_seconds_text(double seconds, char text[32])
{
    const int unit = choose_unit(fabs(seconds));
    const double value = seconds / units[unit].seconds;
    snprintf(text, 32,
             seconds == 0           ? "0"
             : fabs(value) >= 999.5 ? "%.0f %s"
                                    : "%.3g %s",
             value, units[unit].name);
    return text;
}

void nereus_axis_init(struct nereus_axis *axis, enum nereus_scale scale, const char *title)
{
    *axis = (struct nereus_axis){.scale = scale, .min = INFINITY, .max = -INFINITY};
    snprintf(axis->title, sizeof axis->title, "%s", title);
}

void nereus_axis_fini(struct nereus_axis *axis)
{
    for (int64_t i = 0; i < axis->name_count; i++) {
        free(axis->names[i]);
        free(axis->notes[i]);
    }
    free(axis->names);
    free(axis->notes);
    axis->names = axis->notes = NULL;
    axis->name_count = 0;
}

void nereus_axis_set_name(struct nereus_axis *axis, const char *name, const char *note)
{
    char **names = nereus_grow(axis->names, axis->name_count, sizeof *names);
    axis->names = names != NULL ? names : axis->names;
    char **notes = nereus_grow(axis->notes, axis->name_count, sizeof *notes);
    axis->notes = notes != NULL ? notes : axis->notes;
    char *copy = strdup(name), *note_copy = strdup(note != NULL ? note : "");
    if (names == NULL || notes == NULL || copy == NULL || note_copy == NULL) {
        free(copy);
        free(note_copy);
        axis->no_memory = true;
        return;
    }
    axis->names[axis->name_count] = copy;
    axis->notes[axis->name_count++] = note_copy;
    nereus_axis_include(axis, 0);
    nereus_axis_include(axis, (double)axis->name_count);
}

void nereus_axis_include(struct nereus_axis *axis, double value)
{
    if (isfinite(value) && (axis->scale != NEREUS_SCALE_LOG || value > 0)) {
        axis->min = fmin(axis->min, value);
        axis->max = fmax(axis->max, value);
    }
}

/* Share of a linear axis that may be without data. */
static const double empty_share_max = 0.1;

double nereus_axis_round_up_step(double rough)
{
    static const double tolerance = 1.0001, digits[] = {1, 2, 5};
    const double power = pow(10, floor(log10(rough)));
    for (size_t i = 0; i < NEREUS_COUNT_OF(digits); i++)
        if (rough <= tolerance * digits[i] * power)
            return digits[i] * power;
    return 10 * power;
}

static double compute_linear_step(const struct nereus_axis *axis)
{
    return fmax(nereus_axis_round_up_step((axis->max - axis->min) / 5), axis->integers ? 1 : 0);
}

/* A linear axis of times shows one unit for all of its ticks: that of the largest one. */
static int choose_axis_unit(const struct nereus_axis *axis)
{
    return choose_unit(fmax(fabs(axis->min), fabs(axis->max)));
}

/* Find an end of the axis: at a tick, or at a part of a tick if that would leave more than `empty`
 * without data.
 * @param sign  1: at or above the value; -1: at or below it */
static double find_linear_end(double value, double step, double empty, double sign)
{
    static const double parts[] = {1, 2, 5, 10};
    double end = value;
    for (int i = 0; i < 4; i++) {
        const double part = step / parts[i];
        end = sign * part * ceil(sign * value / part - 1e-6);
        if (sign * (end - value) <= empty)
            break;
    }
    return end;
}

static void set_linear_range(struct nereus_axis *axis)
{
    const double step = compute_linear_step(axis), range = axis->max - axis->min,
                 min = find_linear_end(axis->min, step, empty_share_max * range, -1),
                 left = empty_share_max * range - (axis->min - min);
    axis->min = min;
    axis->max = find_linear_end(axis->max, step, left, 1);
}

static void set_log_range(struct nereus_axis *axis)
{
    if (axis->max / axis->min < 100) { /* less than two decades: end where the data do */
        axis->min /= 1.25;
        axis->max *= 1.25;
        return;
    }
    axis->min = pow(10, floor(log10(axis->min) + 1e-9));
    axis->max = pow(10, ceil(log10(axis->max) - 1e-9));
}

void nereus_axis_finish(struct nereus_axis *axis)
{
    if (axis->min > axis->max) { /* no data */
        axis->min = axis->scale == NEREUS_SCALE_LOG ? 0.1 : 0;
        axis->max = 1;
    }
    if (axis->scale == NEREUS_SCALE_LOG)
        set_log_range(axis);
    if (axis->scale == NEREUS_SCALE_LINEAR) {
        axis->max = axis->max > axis->min ? axis->max : axis->min + 1;
        set_linear_range(axis);
        const size_t used = strlen(axis->title);
        if (axis->seconds && used + 8 < sizeof axis->title) {
            snprintf(axis->title + used, sizeof axis->title - used, "%s(%s)", used > 0 ? " " : "",
                     units[choose_axis_unit(axis)].name);
        }
    }
}

double nereus_axis_position(const struct nereus_axis *axis, double value)
{
    const double place = axis->scale == NEREUS_SCALE_LOG
                             ? log(fmax(value, axis->min) / axis->min) / log(axis->max / axis->min)
                             : (value - axis->min) / (axis->max - axis->min);
    return fmin(fmax(place, 0), 1);
}

/* ---- ticks ---- */

static int make_linear_ticks(const struct nereus_axis *axis, struct nereus_tick *ticks)
{
    const double step = compute_linear_step(axis);
    const int64_t first = (int64_t)ceil(axis->min / step - 1e-6);
    int count = 0;
    for (; count < NEREUS_TICKS_MAX; count++) {
        const double value = step * (double)(first + count);
        if (value > axis->max + 1e-6 * step)
            break;
        ticks[count].value = value;
        char text[32];
        format_number(axis->seconds ? value / units[choose_axis_unit(axis)].seconds : value, text);
        snprintf(ticks[count].text, sizeof ticks[count].text, "%s", text);
    }
    return count;
}

/* @param of_each  1: decades; 3: also 2 and 5 times these */
static int make_log_ticks(const struct nereus_axis *axis, int of_each, struct nereus_tick *ticks)
{
    static const double digits[] = {1, 2, 5};
    int count = 0;
    for (int e = (int)floor(log10(axis->min) - 1e-9); e <= 18; e++) {
        for (int d = 0; d < of_each && count < NEREUS_TICKS_MAX; d++) {
            const double value = digits[d] * pow(10, e);
            char text[32];
            if (value < axis->min * (1 - 1e-9) || value > axis->max * (1 + 1e-9))
                continue;
            if (axis->seconds)
                nereus_axis_seconds_text(value, text);
            else
                format_number(value, text);
            ticks[count].value = value;
            snprintf(ticks[count++].text, sizeof ticks->text, "%s", text);
        }
    }
    return count;
}

/* Are the names evenly spaced whole numbers? Then round ones are shown. */
static bool is_evenly_numbered(const struct nereus_axis *axis)
{
    if (axis->name_count < 3)
        return false;
    const long step = strtol(axis->names[1], NULL, 10) - strtol(axis->names[0], NULL, 10);
    for (int64_t i = 0; i < axis->name_count; i++) {
        char *end;
        const long value = strtol(axis->names[i], &end, 10);
        if (end == axis->names[i] || *end != '\0' ||
            (i > 0 && value - strtol(axis->names[i - 1], NULL, 10) != step))
            return false;
    }
    return true;
}

/* Pick every name whose number (or position) is a multiple of `every`.
 * @return their number, which may exceed the room */
static int64_t choose_names(const struct nereus_axis *axis, bool numbers, int64_t every,
                            struct nereus_tick *ticks)
{
    int64_t count = 0;
    for (int64_t i = 0; i < axis->name_count; i++) {
        if ((numbers ? strtoll(axis->names[i], NULL, 10) : i) % every != 0)
            continue;
        if (count < NEREUS_TICKS_MAX) {
            ticks[count].value = (double)i + 0.5;
            snprintf(ticks[count].text, sizeof ticks->text, "%s", axis->names[i]);
        }
        count++;
    }
    return count;
}

/* An axis in a drawing, with its length in points. */
struct drawn_axis {
    const struct nereus_axis *axis;
    struct nereus_drawing *drawing;
    struct nereus_font font;
    double length;
    bool upright;
};

static bool do_ticks_fit(const struct drawn_axis *d, const struct nereus_tick *ticks, int64_t count)
{
    const double gap = d->upright ? 1 : 6;
    double end = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        const double size =
            d->upright ? d->font.size : nereus_text_width(d->drawing, d->font, ticks[i].text);
        const double value = d->length * nereus_axis_position(d->axis, ticks[i].value);
        if (value - size / 2 < end)
            return false;
        end = value + size / 2 + gap;
    }
    return true;
}

/* Leave out every other tick until the rest fit. */
static int remove_alternate_ticks(const struct drawn_axis *d, struct nereus_tick *ticks, int count)
{
    while (count > 2 && !do_ticks_fit(d, ticks, count)) {
        int kept_count = 0;
        for (int i = 0; i < count; i += 2)
            ticks[kept_count++] = ticks[i];
        count = kept_count;
    }
    return do_ticks_fit(d, ticks, count) ? count : 1;
}

static int make_name_ticks(const struct drawn_axis *d, struct nereus_tick *ticks)
{
    static const int64_t factors[] = {1, 2, 5};
    const bool numbers = is_evenly_numbered(d->axis);
    for (int64_t power = 1; power <= INT64_C(1000000000); power *= 10) {
        for (int f = 0; f < 3; f++) {
            const int64_t count = choose_names(d->axis, numbers, factors[f] * power, ticks);
            if (count <= NEREUS_TICKS_MAX && count > 0 && do_ticks_fit(d, ticks, count))
                return (int)count;
        }
    }
    return (int)choose_names(d->axis, false, d->axis->name_count, ticks);
}

int nereus_axis_choose_ticks(const struct nereus_axis *axis, struct nereus_drawing *drawing,
                             struct nereus_font font, double length, bool upright,
                             struct nereus_tick ticks[NEREUS_TICKS_MAX])
{
    const struct drawn_axis d = {axis, drawing, font, length, upright};
    if (axis->scale == NEREUS_SCALE_NAMES)
        return axis->name_count > 0 ? make_name_ticks(&d, ticks) : 0;
    int count = axis->scale == NEREUS_SCALE_LOG ? make_log_ticks(axis, 3, ticks)
                                                : make_linear_ticks(axis, ticks);
    if (axis->scale == NEREUS_SCALE_LOG && !do_ticks_fit(&d, ticks, count))
        count = make_log_ticks(axis, 1, ticks);
    return remove_alternate_ticks(&d, ticks, count);
}
