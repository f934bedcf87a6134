/**
 * @file monitor_setting.c
 * Parses the settings separately from monitoring, so that an invalid value is refused before the
 * job begins.
 */
#include "monitor_setting.h"

#include "model/util/suggest.h"
#include "model/util/values.h"

static const double default_every_s = 1; /* default interval, by which a live view lags behind */

/* In the order of enum nereus_work. */
enum { WORK_COUNT = 3 };
static const char *const work_names[WORK_COUNT] = {"flop", "instructions", "cpu-time"};

const char *nereus_work_name(int work)
{
    return work_names[work];
}

static bool is_given(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* Parse "10" as iterations, "0.5s" as a time; a time needs its unit here. */
static enum nereus_status parse_every(const char *text, struct nereus_monitor_setting *setting,
                                      struct nereus_error *err)
{
    const size_t length = strlen(text);
    setting->iterations = 0;
    if (nereus_value_parse_integer("iterations", text, 1, &setting->iterations, NULL) == NEREUS_OK)
        return NEREUS_OK;
    if (length > 0 && nereus_is_letter(text[length - 1]) &&
        nereus_value_parse_seconds("", text, &setting->seconds, NULL) == NEREUS_OK &&
        setting->seconds >= 1e-6 && setting->seconds <= 1e6)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "NEREUS_MONITOR_EVERY is '%.160s' and must be a number of iterations, as "
                       "10, or a time, as 0.5s or 2min",
                       text);
}

static enum nereus_status parse_work(const char *text, struct nereus_monitor_setting *setting,
                                     struct nereus_error *err)
{
    setting->work = (int)nereus_word_index(text, work_names, WORK_COUNT);
    if (setting->work < WORK_COUNT)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "NEREUS_MONITOR_WORK is '%.160s' and must be flop, instructions or cpu-time",
                       text);
}

enum nereus_status nereus_monitor_setting_parse(const char *path, const char *every,
                                                const char *work,
                                                struct nereus_monitor_setting *setting,
                                                struct nereus_error *err)
{
    *setting = (struct nereus_monitor_setting){.on = is_given(path) || is_given(every),
                                               .seconds = default_every_s};
    if (is_given(every))
        NEREUS_TRY(parse_every(every, setting, err));
    return is_given(work) ? parse_work(work, setting, err) : NEREUS_OK;
}
