/**
 * @file layout_parse.c
 * Reads machines from text: "name[:cores][@allocation]", separated by commas, or one per line in a
 * host file, which may also have "name slots=4" as for Open MPI, and "cores_per_process 4". A name
 * with a "/" is a virtual node: "host/a:2,host/b:2" are two nodes on one host.
 */
#include <ctype.h>

#include "host_list.h"
#include "model/util/file.h"
#include "nereus/layout.h"

struct builder {
    struct nereus_node *nodes;
    int64_t count, capacity;
    const char *source; /* path, or the text */
    int64_t entry;      /* line, or number of the entry, from 1 */
    int64_t *entries;   /* line or entry number of each node */
    bool is_file;
    int64_t per_process, per_process_entry; /* 0: not given */
    struct nereus_error *err;
};

static enum nereus_status fail_at_entry(const struct builder *builder, int64_t entry,
                                        const char *sentence)
{
    if (builder->is_file) {
        return nereus_fail(builder->err, NEREUS_ERR_PARSE, "%.200s:%lld: %s", builder->source,
                           (long long)entry, sentence);
    }
    return nereus_fail(builder->err, NEREUS_ERR_PARSE, "entry %lld of the hosts '%.160s': %s",
                       (long long)entry, builder->source, sentence);
}

static enum nereus_status reserve_node(struct builder *builder)
{
    struct nereus_node *nodes = nereus_grow(builder->nodes, builder->count, sizeof *nodes);
    builder->nodes = nodes != NULL ? nodes : builder->nodes;
    int64_t *entries = nereus_grow(builder->entries, builder->count, sizeof *entries);
    builder->entries = entries != NULL ? entries : builder->entries;
    NEREUS_TRY_MEMORY(nodes && entries, builder->err, "for %lld nodes",
                      (long long)builder->count + 1);
    return NEREUS_OK;
}

/* Parse a number of cores.
 * @return 1 to INT_MAX; 0: no such number */
static int64_t parse_cores(const char *text, size_t length)
{
    int64_t cores = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]) || cores > INT_MAX)
            return 0;
        cores = 10 * cores + (text[i] - '0');
    }
    return cores <= INT_MAX ? cores : 0;
}

/* Is the text the name of an allocation, "slurm:1234" or "slurm:1234_5"? */
static bool is_allocation(const char *text, size_t length)
{
    static const char kind[] = "slurm:";
    const size_t begun = sizeof kind - 1;
    bool good = length > begun && length < NEREUS_ALLOCATION_MAX && memcmp(text, kind, begun) == 0;
    for (size_t i = begun; good && i < length; i++)
        good = isdigit((unsigned char)text[i]) || (text[i] == '_' && i > begun);
    return good;
}

/* Cut "@allocation" off, and store it in the node. */
static enum nereus_status parse_allocation(const struct builder *builder, const char *text,
                                           size_t *length, struct nereus_node *node)
{
    char sentence[256];
    const char *position = memchr(text, '@', *length);
    if (position == NULL)
        return NEREUS_OK;
    const size_t bytes = *length - (size_t)(position + 1 - text);
    if (!is_allocation(position + 1, bytes)) {
        snprintf(
            sentence, sizeof sentence,
            "'%.*s' is no allocation: write name:cores@slurm:NUMBER, with the number of a job of "
            "Slurm",
            (int)(bytes < 60 ? bytes : 60), position + 1);
        return fail_at_entry(builder, builder->entry, sentence);
    }
    memcpy(node->allocation, position + 1, bytes);
    *length = (size_t)(position - text);
    return NEREUS_OK;
}

static enum nereus_status add_node(struct builder *builder, const char *text, size_t length)
{
    char sentence[256];
    struct nereus_node new_node = {.cores = 0};
    NEREUS_TRY(parse_allocation(builder, text, &length, &new_node));
    const char *colon = memchr(text, ':', length);
    size_t name_length = colon != NULL ? (size_t)(colon - text) : length;
    if (length == 0)
        return fail_at_entry(builder, builder->entry,
                             "a node is missing: write name or name:cores");
    if (!nereus_node_name_is_plain(text, name_length)) {
        snprintf(sentence, sizeof sentence,
                 "'%.*s' is no node: write name, name:cores or host/virtual:cores, with letters, "
                 "digits, '.', '-' and '_' (the first a letter or a digit)",
                 (int)(length < 80 ? length : 80), text);
        return fail_at_entry(builder, builder->entry, sentence);
    }
    if (name_length >= NEREUS_NODE_NAME_MAX) {
        snprintf(sentence, sizeof sentence, "the name '%.24s...' is longer than %d characters",
                 text, NEREUS_NODE_NAME_MAX - 1);
        return fail_at_entry(builder, builder->entry, sentence);
    }
    int64_t cores = colon == NULL ? 1 : parse_cores(colon + 1, length - name_length - 1);
    if (cores == 0) {
        snprintf(sentence, sizeof sentence,
                 "'%.*s' is no number of cores of node '%.*s': write a whole number from 1 to %d",
                 (int)(length - name_length - 1 < 40 ? length - name_length - 1 : 40), colon + 1,
                 (int)name_length, text, INT_MAX);
        return fail_at_entry(builder, builder->entry, sentence);
    }
    enum nereus_status status = reserve_node(builder);
    if (status == NEREUS_OK) {
        memcpy(new_node.name, text, name_length);
        new_node.cores = cores;
        builder->nodes[builder->count] = new_node;
        builder->entries[builder->count++] = builder->entry;
    }
    return status;
}

static const char per_process[] = "cores_per_process";

/* Read a line "cores_per_process N" of a file.
 * @return false: another line */
static bool parse_per_process(struct builder *builder, const char *text, size_t length,
                              enum nereus_status *status)
{
    const size_t name = sizeof per_process - 1;
    if (length <= name || memcmp(text, per_process, name) != 0 ||
        !isspace((unsigned char)text[name]))
        return false;
    size_t offset = name;
    while (offset < length && isspace((unsigned char)text[offset]))
        offset++;
    builder->per_process = parse_cores(text + offset, length - offset);
    if (builder->per_process_entry != 0)
        *status = fail_at_entry(builder, builder->entry,
                                "cores_per_process is there twice: write it once");
    else if (builder->per_process == 0)
        *status = fail_at_entry(
            builder, builder->entry,
            "cores_per_process needs a whole number from 1 on, as in cores_per_process 4");
    builder->per_process_entry = builder->entry;
    return true;
}

struct node_entry {
    const char *name;
    int64_t entry, cores;
};

static int compare_entries(const void *left, const void *right)
{
    const struct node_entry *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->entry > b->entry) - (a->entry < b->entry);
}

/* Refuse a node that is listed twice, which is more probably a mistake than a way to add cores. */
static enum nereus_status check_duplicates(const struct builder *builder)
{
    struct node_entry *entries = malloc((size_t)builder->count * sizeof *entries);
    NEREUS_TRY_MEMORY(entries, builder->err, "for %lld nodes", (long long)builder->count);
    for (int64_t i = 0; i < builder->count; i++)
        entries[i] = (struct node_entry){builder->nodes[i].name, builder->entries[i],
                                         builder->nodes[i].cores};
    qsort(entries, (size_t)builder->count, sizeof *entries, compare_entries);
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 1; i < builder->count && status == NEREUS_OK; i++) {
        if (strcmp(entries[i - 1].name, entries[i].name) == 0) {
            int64_t cores = 0;
            char sentence[512];
            for (int64_t k = i - 1;
                 k < builder->count && strcmp(entries[k].name, entries[i].name) == 0; k++)
                cores += entries[k].cores;
            snprintf(sentence, sizeof sentence,
                     "node '%s' is listed twice (first in %s %lld): write it once, with all its "
                     "cores, as %s:%lld, or a virtual node for each part, as %.*s/a and %.*s/b",
                     entries[i].name, builder->is_file ? "line" : "entry",
                     (long long)entries[i - 1].entry, entries[i].name, (long long)cores,
                     (int)strcspn(entries[i].name, "/"), entries[i].name,
                     (int)strcspn(entries[i].name, "/"), entries[i].name);
            status = fail_at_entry(builder, entries[i].entry, sentence);
        }
    }
    free(entries);
    return status;
}

/* Give the nodes to the machine, or free them after an error. */
static enum nereus_status finish_machine(struct builder *builder, enum nereus_status status,
                                         struct nereus_machine *machine)
{
    if (status == NEREUS_OK && builder->count == 0)
        status = nereus_fail(builder->err, NEREUS_ERR_PARSE, "host file '%.200s' lists no node",
                             builder->source);
    if (status == NEREUS_OK)
        status = check_duplicates(builder);
    free(builder->entries);
    if (status != NEREUS_OK) {
        free(builder->nodes);
        return status;
    }
    struct nereus_machine new_machine = {.node_count = builder->count, .nodes = builder->nodes};
    for (int64_t i = 0; i < builder->count; i++) {
        new_machine.slots += builder->nodes[i].cores;
        new_machine.cores_per_node =
            nereus_max(new_machine.cores_per_node, builder->nodes[i].cores);
    }
    if (builder->per_process > 0)
        status = nereus_machine_set_per_process(&new_machine, builder->per_process, builder->err);
    if (status != NEREUS_OK) {
        free(builder->nodes);
        return status;
    }
    *machine = new_machine;
    return NEREUS_OK;
}

static const char *trim_blanks(const char *text, size_t *length)
{
    while (*length > 0 && isspace((unsigned char)*text)) {
        text++;
        --*length;
    }
    while (*length > 0 && isspace((unsigned char)text[*length - 1]))
        --*length;
    return text;
}

enum nereus_status nereus_machine_from_text(const char *text, struct nereus_machine *machine,
                                            struct nereus_error *err)
{
    struct builder builder = {.source = text, .err = err};
    enum nereus_status status = NEREUS_OK;
    for (const char *position = text; position != NULL && status == NEREUS_OK;) {
        size_t length = strcspn(position, ",");
        const char *next = position[length] == ',' ? position + length + 1 : NULL;
        const char *entry = trim_blanks(position, &length);
        builder.entry++;
        status = add_node(&builder, entry, length);
        position = next;
    }
    return finish_machine(&builder, status, machine);
}

/* Remove Open MPI's "slots=4 max_slots=8"; the first number is the cores. */
static enum nereus_status parse_slots(const struct builder *builder, const char *text,
                                      size_t *length, int64_t *slots)
{
    const size_t line = *length;
    char sentence[256];
    size_t offset = 0, word;
    while (offset < line && !isspace((unsigned char)text[offset]))
        offset++;
    *length = offset;
    for (; offset < line; offset += word) {
        for (word = 0; offset + word < line && !isspace((unsigned char)text[offset + word]);)
            word++;
        const bool is_slots = word > 6 && memcmp(text + offset, "slots=", 6) == 0;
        const bool is_max = word > 10 && (memcmp(text + offset, "max_slots=", 10) == 0 ||
                                          memcmp(text + offset, "max-slots=", 10) == 0);
        if (is_slots)
            *slots = parse_cores(text + offset + 6, word - 6);
        if (is_slots ? *slots == 0 || memchr(text, ':', *length) != NULL : word > 0 && !is_max) {
            snprintf(sentence, sizeof sentence,
                     "'%.*s' behind a node is not understood: write name, name:cores or, as for "
                     "Open MPI, name slots=4",
                     (int)(word < 60 ? word : 60), text + offset);
            return fail_at_entry(builder, builder->entry, sentence);
        }
        offset += word == 0;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_machine_from_file(const char *path, struct nereus_machine *machine,
                                            struct nereus_error *err)
{
    char *text = NULL;
    NEREUS_TRY(nereus_file_read(path, "host file", &text, NULL, err));
    enum nereus_status status = NEREUS_OK;
    struct builder builder = {.source = path, .is_file = true, .err = err};
    for (const char *position = text; *position != '\0' && status == NEREUS_OK;) {
        size_t line = strcspn(position, "\n");
        const char *next = position + line + (position[line] == '\n');
        size_t length = strcspn(position, "#\n");
        const char *entry = trim_blanks(position, &length);
        builder.entry++;
        if (length > 0 && !parse_per_process(&builder, entry, length, &status)) {
            int64_t slots = 0;
            status = parse_slots(&builder, entry, &length, &slots);
            if (status == NEREUS_OK)
                status = add_node(&builder, entry, length);
            if (status == NEREUS_OK && slots > 0)
                builder.nodes[builder.count - 1].cores = slots;
        }
        position = next;
    }
    status = finish_machine(&builder, status, machine);
    free(text);
    return status;
}
