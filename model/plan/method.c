/**
 * @file method.c
 * Parses and prints methods by a table of slots, which is made from the lists in method.h. Each
 * part of a method (before and after the "/") is a sequence of slots; each slot has one of its
 * words or is left out. method_check.c decides which methods are legal.
 */
#include "nereus/method.h"

#include "method_slots.h"
#include "model/util/suggest.h"

#define NEREUS_TOKEN(e, token)                token,
#define NEREUS_STRATEGY_TOKEN(e, name, token) token,
static const char *const process_words[] = {NEREUS_PROCESS_LIST(NEREUS_TOKEN)};
static const char *const strategy_words[] = {NEREUS_STRATEGY_LIST(NEREUS_STRATEGY_TOKEN)};
static const char *const async_words[] = {"", "async"};
static const char *const shrink_words[] = {NEREUS_SHRINK_LIST(NEREUS_TOKEN)};
static const char *const data_words[] = {NEREUS_DATA_LIST(NEREUS_TOKEN)};
static const char *const overlap_words[] = {NEREUS_OVERLAP_LIST(NEREUS_TOKEN)};
static const char *const distribution_words[] = {NEREUS_DISTRIBUTION_LIST(NEREUS_TOKEN)};
#undef NEREUS_TOKEN
#undef NEREUS_STRATEGY_TOKEN

#define NEREUS_WORDS(list) list, (int)NEREUS_COUNT_OF(list)
const struct nereus_method_slot nereus_method_slots[NEREUS_SLOT_COUNT] = {
    [NEREUS_SLOT_PROCESS] = {"a process method", NEREUS_WORDS(process_words)},
    [NEREUS_SLOT_STRATEGY] = {"a spawn strategy", NEREUS_WORDS(strategy_words)},
    [NEREUS_SLOT_ASYNC] = {"a mark", NEREUS_WORDS(async_words)},
    [NEREUS_SLOT_SHRINK] = {"a shrink kind", NEREUS_WORDS(shrink_words)},
    [NEREUS_SLOT_DATA] = {"a redistribution", NEREUS_WORDS(data_words)},
    [NEREUS_SLOT_OVERLAP] = {"an overlap", NEREUS_WORDS(overlap_words)},
    [NEREUS_SLOT_DISTRIBUTION] = {"a distribution", NEREUS_WORDS(distribution_words)},
};
#undef NEREUS_WORDS

enum { ALL_WORDS_MAX = 32, LIST_TEXT_MAX = 160 };

/* Reads one part of a method: slots first .. last - 1, up to `end`. */
struct reader {
    const char *text;
    const char *at;
    const char *end;
    int first, last;
    int slot;
    int *values;
    struct nereus_error *err;
};

void nereus_method_to_values(const struct nereus_method *method, int values[NEREUS_SLOT_COUNT])
{
    values[NEREUS_SLOT_PROCESS] = (int)method->process;
    values[NEREUS_SLOT_STRATEGY] = (int)method->strategy;
    values[NEREUS_SLOT_ASYNC] = method->async ? 1 : 0;
    values[NEREUS_SLOT_SHRINK] = (int)method->shrink;
    values[NEREUS_SLOT_DATA] = (int)method->data;
    values[NEREUS_SLOT_OVERLAP] = (int)method->overlap;
    values[NEREUS_SLOT_DISTRIBUTION] = (int)method->distribution;
}

static void make_method(const int values[NEREUS_SLOT_COUNT], bool has_data,
                        struct nereus_method *method)
{
    memset(method, 0, sizeof *method);
    method->process = (enum nereus_process)values[NEREUS_SLOT_PROCESS];
    method->strategy = (enum nereus_strategy)values[NEREUS_SLOT_STRATEGY];
    method->async = values[NEREUS_SLOT_ASYNC] != 0;
    method->shrink = (enum nereus_shrink)values[NEREUS_SLOT_SHRINK];
    method->has_data = has_data;
    method->data = (enum nereus_data)values[NEREUS_SLOT_DATA];
    method->overlap = (enum nereus_overlap)values[NEREUS_SLOT_OVERLAP];
    method->distribution = (enum nereus_distribution)values[NEREUS_SLOT_DISTRIBUTION];
}

/* Find the longest word of a slot that matches ("baseline-intra" before "baseline"); -1: none. */
static int match_word(const struct nereus_method_slot *slot, const char *position, const char *end)
{
    int best = -1;
    size_t best_length = 0;
    for (int i = 0; i < slot->count; i++) {
        size_t length = strlen(slot->words[i]);
        if (length > best_length && length <= (size_t)(end - position) &&
            memcmp(slot->words[i], position, length) == 0 &&
            (position + length == end || position[length] == '-')) {
            best = i;
            best_length = length;
        }
    }
    return best;
}

/* Collect the words of slots; the value "left out" has no word. */
static size_t collect_words(int first, int last, const char **words, size_t count)
{
    for (int s = first; s < last; s++) {
        for (int i = 0; i < nereus_method_slots[s].count; i++)
            if (nereus_method_slots[s].words[i][0] != '\0')
                words[count++] = nereus_method_slots[s].words[i];
    }
    return count;
}

static const char *list_text(int first, int last, char text[LIST_TEXT_MAX])
{
    const char *words[ALL_WORDS_MAX];
    size_t count = collect_words(first, last, words, 0);
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && length < LIST_TEXT_MAX; i++) {
        const char *separator = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        length +=
            (size_t)snprintf(text + length, LIST_TEXT_MAX - length, "%s%s", separator, words[i]);
    }
    return text;
}

/* Explain why a word of slot `s` is not allowed at this place. */
static void explain_misplaced(const struct reader *r, const char *word, int s, int value,
                              char *text, size_t size)
{
    const struct nereus_method_slot *slot = &nereus_method_slots[s];
    if (s < r->first || s >= r->last)
        snprintf(text, size, "; '%s' belongs %s the '/'", word, s < r->first ? "before" : "behind");
    else if (s >= r->slot)
        snprintf(text, size, "; '%s' may only follow %s", word, nereus_method_slots[r->first].what);
    else if (s != r->first && r->values[s] == 0)
        snprintf(text, size, "; '%s' has to stand further to the left", word);
    else if (r->values[s] == value)
        snprintf(text, size, "; '%s' stands there already", word);
    else
        snprintf(text, size, "; there is %s already: '%s'", slot->what, slot->words[r->values[s]]);
}

/* Say where a wrong word belongs, or name the nearest allowed word. */
static void explain_word(const struct reader *r, const char *word, char *text, size_t size)
{
    static const char *const left_out[] = {"sync", "block", "plain"};
    text[0] = '\0';
    for (size_t i = 0; i < NEREUS_COUNT_OF(left_out); i++) {
        if (strcmp(word, left_out[i]) == 0) {
            snprintf(text, size, "; leave it out: '%s' is what no word there means", word);
            return;
        }
    }
    for (int s = 0; s < NEREUS_SLOT_COUNT; s++) {
        int value = match_word(&nereus_method_slots[s], word, word + strlen(word));
        if (value >= 0) {
            explain_misplaced(r, word, s, value, text, size);
            return;
        }
    }
    /* allowed words come first, because the first of equally near words is suggested */
    const char *words[2 * ALL_WORDS_MAX];
    size_t count = collect_words(r->slot, r->last, words, 0);
    count = collect_words(0, NEREUS_SLOT_COUNT, words, count);
    const char *nearest = nereus_suggest(word, words, count);
    if (nearest != NULL)
        snprintf(text, size, "; did you mean '%s'?", nearest);
}

/* Find the end of the slots whose words may come next: a part begins with its first slot. */
static int find_candidates_end(const struct reader *r)
{
    return r->slot == r->first ? r->first + 1 : r->last;
}

static enum nereus_status fail_at_word(const struct reader *r)
{
    char word[48], hint[128], list[LIST_TEXT_MAX];
    size_t length = strcspn(r->at, "-/");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), r->at);
    list_text(r->slot, find_candidates_end(r), list);
    if (word[0] == '\0') {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "method '%.160s': %s at character %d%s%s",
                           r->text, list[0] != '\0' ? "a word is missing" : "nothing may follow",
                           (int)(r->at - r->text) + 1, list[0] != '\0' ? ": " : "", list);
    }
    explain_word(r, word, hint, sizeof hint);
    if (list[0] == '\0') {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "method '%.160s': '%s' is one word too many%s",
                           r->text, word, hint);
    }
    return nereus_fail(r->err, NEREUS_ERR_PARSE, "method '%.160s': '%s' is not one of %s%s",
                       r->text, word, list, hint);
}

/* Read one part of a method, whose first slot is required. */
static enum nereus_status parse_part(struct reader *r)
{
    r->slot = r->first;
    for (;;) {
        int value = -1, s = r->slot, end = find_candidates_end(r);
        while (s < end && (value = match_word(&nereus_method_slots[s], r->at, r->end)) < 0)
            s++;
        if (value < 0)
            return fail_at_word(r);
        r->values[s] = value;
        r->slot = s + 1;
        r->at += strlen(nereus_method_slots[s].words[value]);
        if (r->at == r->end)
            return NEREUS_OK;
        r->at++; /* skip the "-", after which a word must follow */
    }
}

enum nereus_status nereus_method_parse(const char *text, struct nereus_method *method,
                                       struct nereus_error *err)
{
    if (text == NULL || text[0] == '\0') {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "a method is missing: write one like 'merge/coll'");
    }
    if (strpbrk(text, " \t\r\n") != NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "method '%.160s': a method is written without spaces", text);
    }
    int values[NEREUS_SLOT_COUNT] = {0};
    const char *slash = strchr(text, '/');
    const char *end = slash != NULL ? slash : text + strlen(text);
    struct reader process = {.text = text,
                             .at = text,
                             .end = end,
                             .last = NEREUS_SLOT_DATA,
                             .values = values,
                             .err = err};
    enum nereus_status status = parse_part(&process);
    if (status == NEREUS_OK && slash != NULL) {
        if (strchr(slash + 1, '/') != NULL) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "method '%.160s': there may be only one '/'",
                               text);
        }
        struct reader data = {.text = text,
                              .at = slash + 1,
                              .end = text + strlen(text),
                              .first = NEREUS_SLOT_DATA,
                              .last = NEREUS_SLOT_COUNT,
                              .values = values,
                              .err = err};
        status = parse_part(&data);
    }
    if (status == NEREUS_OK)
        make_method(values, slash != NULL, method);
    return status;
}

/* Word of a value; "?": out of range. */
static const char *get_word(int slot, int value)
{
    const struct nereus_method_slot *s = &nereus_method_slots[slot];
    return value >= 0 && value < s->count ? s->words[value] : "?";
}

char *nereus_method_format(const struct nereus_method *method, char *text)
{
    int values[NEREUS_SLOT_COUNT];
    nereus_method_to_values(method, values);
    int last = method->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    size_t length = 0;
    text[0] = '\0';
    for (int s = 0; s < last; s++) {
        const char *word = get_word(s, values[s]);
        const size_t count = strlen(word);
        if (count == 0 || length + count + 2 > NEREUS_METHOD_TEXT_MAX)
            continue;
        if (s > 0)
            text[length++] = s == NEREUS_SLOT_DATA ? '/' : '-';
        memcpy(text + length, word, count + 1);
        length += count;
    }
    return text;
}

bool nereus_method_equal(const struct nereus_method *a, const struct nereus_method *b)
{
    int a_values[NEREUS_SLOT_COUNT], b_values[NEREUS_SLOT_COUNT];
    nereus_method_to_values(a, a_values);
    nereus_method_to_values(b, b_values);
    int last = a->has_data || b->has_data ? NEREUS_SLOT_COUNT : NEREUS_SLOT_DATA;
    return a->has_data == b->has_data &&
           memcmp(a_values, b_values, (size_t)last * sizeof(int)) == 0;
}

enum nereus_data nereus_method_data(const struct nereus_method *method)
{
    if (method->has_data)
        return method->data;
    return method->process == NEREUS_RESTART ? NEREUS_FILE : NEREUS_COLL;
}

bool nereus_method_is_overlapped(const struct nereus_method *method)
{
    return method->async || nereus_method_overlaps(method, 1);
}

bool nereus_method_overlaps(const struct nereus_method *method, int64_t constant_bytes)
{
    return method->has_data && method->overlap != NEREUS_SYNC && constant_bytes > 0;
}
