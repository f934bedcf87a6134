/**
 * @file fuzz_options.c
 * Reads values of options, of NEREUS_WATCHDOG and of NEREUS_MONITOR_*: the input is a letter that
 * says which, and the value.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/evaluate/held_out.h"
#include "model/util/values.h"
#include "nereus/scaling.h"
#include "predictor/predict/sequence.h"
#include "predictor/scenario/answer.h"
#include "predictor/scenario/lists.h"
#include "src/util/monitor_setting.h"
#include "src/util/watchdog_setting.h"

static void numbers(char kind, const char *text, struct nereus_error *err)
{
    int64_t whole;
    double real;
    if (kind == 'i' && fuzz_accepted(nereus_value_parse_integer("--i", text, 1, &whole, err), err))
        FUZZ_CHECK(whole >= 1);
    if (kind == 'n' && fuzz_accepted(nereus_value_parse_number("--n", text, &real, err), err))
        FUZZ_CHECK(real >= 0);
    if (kind == 'b' && fuzz_accepted(nereus_value_parse_bytes("--b", text, &whole, err), err))
        FUZZ_CHECK(whole >= 0);
    if (kind == 's' && fuzz_accepted(nereus_value_parse_seconds("--s", text, &real, err), err))
        FUZZ_CHECK(real > 0);
}

static void laws(const char *text, struct nereus_error *err)
{
    struct nereus_scaling scaling;
    double t_iter_s;
    if (!fuzz_accepted(nereus_scaling_parse(text, &scaling, err), err))
        return;
    fuzz_accepted(nereus_scaling_apply(&scaling, 2, 0.5, 5, &t_iter_s, err), err);
    fuzz_accepted(nereus_scaling_lookup(&scaling, 3, &t_iter_s, err), err);
    nereus_scaling_fini(&scaling);
}

static void lists(char kind, const char *text, struct nereus_error *err)
{
    struct nereus_sizes sizes;
    struct nereus_methods methods;
    struct nereus_sequence sequence;
    struct nereus_size_pair pairs[8];
    double weights[NEREUS_QUANTITY_COUNT], *powers;
    int64_t powers_count;
    int count;
    if (kind == 'z' && fuzz_accepted(nereus_sizes_parse("--ns", text, &sizes, err), err)) {
        for (int64_t i = 1; i < sizes.count; i++)
            FUZZ_CHECK(sizes.items[i - 1] < sizes.items[i]);
        nereus_sizes_fini(&sizes);
    }
    if (kind == 'm' && fuzz_accepted(nereus_methods_parse(text, &methods, err), err))
        nereus_methods_fini(&methods);
    if (kind == 'q' && fuzz_accepted(nereus_sequence_parse(text, &sequence, err), err))
        nereus_sequence_fini(&sequence);
    if (kind == 'p' && fuzz_accepted(nereus_pairs_parse(text, pairs, 8, &count, err), err))
        FUZZ_CHECK(count >= 1 && count <= 8);
    if (kind == 'w')
        fuzz_accepted(nereus_weights_parse(text, weights, err), err);
    if (kind == 'o' && fuzz_accepted(nereus_powers_parse(text, &powers, &powers_count, err), err)) {
        for (int64_t i = 0; i < powers_count; i++)
            FUZZ_CHECK(powers[i] > 0);
        free(powers);
    }
}

static void environment(char kind, const char *text, struct nereus_error *err)
{
    struct nereus_watchdog_setting watchdog;
    struct nereus_monitor_setting monitor;
    if (kind == 'd')
        fuzz_accepted(nereus_watchdog_setting_parse(text, &watchdog, err), err);
    if ((kind == 'e' || kind == 'k') &&
        fuzz_accepted(nereus_monitor_setting_parse("out", kind == 'e' ? text : NULL,
                                                   kind == 'k' ? text : NULL, &monitor, err),
                      err))
        FUZZ_CHECK(monitor.on && (monitor.iterations > 0 || monitor.seconds > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_error err = {NEREUS_OK, ""};
    if (size == 0)
        return 0;
    const char kind = (char)data[0];
    char *text = fuzz_text(data + 1, size - 1);
    numbers(kind, text, &err);
    lists(kind, text, &err);
    if (kind == 'l' && strchr(text, '/') == NULL) /* a law, and not any file of this machine */
        laws(text, &err);
    if (kind == 't')
        laws(fuzz_file(data + 1, size - 1), &err);
    environment(kind, text, &err);
    free(text);
    return 0;
}
