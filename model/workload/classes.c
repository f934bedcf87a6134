/** @file classes.c  Reads classes of jobs, each with its share and its own distributions (INI). */
#include "classes.h"

#include "model/util/file.h"
#include "model/util/ini.h"
#include "model/util/suggest.h"
#include "model/util/values.h"

struct reading {
    const struct nereus_draw_jobs *defaults;
    struct nereus_sim_classes *classes;
    unsigned seen; /* bits: keys of the last class */
};

static enum nereus_status begin_class(void *user, const char *name, int line,
                                      struct nereus_error *err)
{
    struct reading *r = user;
    struct nereus_sim_classes *classes = r->classes;
    (void)line;
    if (classes->count == NEREUS_SIM_CLASSES_MAX || strlen(name) >= sizeof classes->items[0].name) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "[%s]: at most %d classes, with names of at most %zu letters", name,
                           NEREUS_SIM_CLASSES_MAX, sizeof classes->items[0].name - 1);
    }
    for (int32_t c = 0; c < classes->count; c++)
        if (strcmp(classes->items[c].name, name) == 0)
            return nereus_fail(err, NEREUS_ERR_PARSE, "class [%s] is there twice", name);
    r->seen = 0;
    struct nereus_draw_class *one = &classes->items[classes->count++];
    one->jobs = *r->defaults;
    one->share = 0;
    snprintf(one->name, sizeof one->name, "%s", name);
    return NEREUS_OK;
}

static enum nereus_status check_range(const char *key, double value, double min, double max,
                                      struct nereus_error *err)
{
    return value >= min && value <= max
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%s must be %g to %g, not %g", key, min, max,
                             value);
}

static const struct {
    const char *key;
    size_t offset; /* in a class */
    double min, max;
    enum nereus_status (*parse)(const char *, const char *, struct nereus_draw_distribution *,
                                struct nereus_error *); /* NULL: a number */
} keys[] = {
    {"share", offsetof(struct nereus_draw_class, share), 0, 1, NULL},
    {"malleable", offsetof(struct nereus_draw_class, jobs.share), 0, 1, NULL},
    {"shrink-to", offsetof(struct nereus_draw_class, jobs.shrink), 0, 1, NULL},
    {"grow-to", offsetof(struct nereus_draw_class, jobs.grow), 1, 1e9, NULL},
    {"iteration-time", offsetof(struct nereus_draw_class, jobs.t_iter_s), 0, 0, nereus_draw_parse},
    {"serial-share", offsetof(struct nereus_draw_class, jobs.serial), 0, 0, nereus_draw_parse},
    {"bytes-per-process", offsetof(struct nereus_draw_class, jobs.bytes_per_process), 0, 0,
     nereus_draw_parse_bytes},
};

static enum nereus_status parse_key(void *user, const char *key, const char *value, int line,
                                    struct nereus_error *err)
{
    struct reading *r = user;
    const char *names[NEREUS_COUNT_OF(keys)];
    char meant[NEREUS_SUGGEST_TEXT];
    (void)line;
    if (r->classes->count == 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "'%s' stands before the first [CLASS]", key);
    char *storage = (char *)&r->classes->items[r->classes->count - 1];
    for (size_t k = 0; k < NEREUS_COUNT_OF(keys); k++) {
        names[k] = keys[k].key;
        if (strcmp(key, keys[k].key) != 0)
            continue;
        if ((r->seen & 1u << k) != 0)
            return nereus_fail(err, NEREUS_ERR_PARSE, "'%s' is there twice in its class", key);
        r->seen |= 1u << k;
        if (keys[k].parse != NULL)
            return keys[k].parse(key, value, (void *)(storage + keys[k].offset), err);
        double *number = (void *)(storage + keys[k].offset);
        NEREUS_TRY(nereus_value_parse_number(key, value, number, err));
        return check_range(key, *number, keys[k].min, keys[k].max, err);
    }
    return nereus_fail(err, NEREUS_ERR_PARSE, "a class has no key '%s'%s", key,
                       nereus_suggest_text(key, names, NEREUS_COUNT_OF(keys), meant));
}

enum nereus_status nereus_sim_classes_read(const char *path,
                                           const struct nereus_draw_jobs *defaults,
                                           struct nereus_sim_classes *classes,
                                           struct nereus_error *err)
{
    static const struct nereus_ini_handler handler = {
        .sections = "[CLASS]", .section = begin_class, .value = parse_key};
    struct reading reading = {.defaults = defaults, .classes = classes};
    char *text;
    double shares = 0;
    classes->count = 0;
    NEREUS_TRY(nereus_file_read(path, "file of classes", &text, NULL, err));
    const enum nereus_status status = nereus_ini_read(path, text, &handler, &reading, err);
    free(text);
    NEREUS_TRY(status);
    for (int32_t c = 0; c < classes->count; c++)
        shares += classes->items[c].share;
    return shares <= 1 + 1e-9
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: the shares of all classes add up to %g; at most 1 is possible",
                             path, shares);
}
