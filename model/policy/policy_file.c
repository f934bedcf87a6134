/** @file policy_file.c  Reads a policy file (INI): policy, goal and node classes. */

#include "keys.h"
#include "model/layout/host_list.h"
#include "nereus/policy.h"

struct class_read {
    struct nereus_node_class node;
    struct nereus_class_nodes class_nodes;
    int64_t nodes, start; /* number of nodes (0: not given) and of the first one */
    int lines[NEREUS_INI_KEYS_MAX];
};

struct reading {
    struct nereus_policy_settings *settings;
    struct class_read classes[NEREUS_NODE_CLASSES_MAX];
    char shape[NEREUS_POLICY_PATH_MAX];
    int lines[NEREUS_INI_KEYS_MAX];
};

static enum nereus_status write_host(void *user, const char *name, struct nereus_error *err)
{
    if (strlen(name) >= NEREUS_NODE_NAME_MAX)
        return nereus_fail(err, NEREUS_ERR_PARSE, "the name '%.160s' is longer than %d characters",
                           name, NEREUS_NODE_NAME_MAX - 1);
    fprintf(user, "%s,", name);
    return NEREUS_OK;
}

/* Read lists with ranges, separated by blanks; each may end with a comma. */
static enum nereus_status parse_hosts(const char *what, const char *value, void *hosts,
                                      struct nereus_error *err)
{
    static const char between[] = " ,";
    char *text = NULL;
    size_t size;
    FILE *names = open_memstream(&text, &size);
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_MEMORY(names, err, "for the names of hosts");
    for (const char *position = value + strspn(value, between);
         *position != '\0' && status == NEREUS_OK; position += strspn(position, between)) {
        const size_t length = strcspn(position, " ");
        size_t end = length;
        while (end > 0 && position[end - 1] == ',')
            end--;
        char *one = strndup(position, end);
        status = one != NULL
                     ? nereus_host_list_visit(one, what, write_host, names, err)
                     : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the names of hosts");
        free(one);
        position += length;
    }
    if (fclose(names) != 0 && status == NEREUS_OK)
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the names of hosts");
    if (status == NEREUS_OK)
        *(char **)hosts = text;
    else
        free(text);
    return status;
}

#define NEREUS_WORD(e, word, help) {word, e},
static const struct nereus_ini_choice policies[] = {NEREUS_POLICY_LIST(NEREUS_WORD){NULL, 0}};
#undef NEREUS_WORD

enum { POLICY, COSTS, SHAPE, CLASS };

static const struct nereus_ini_section sections[] = {
    [POLICY] = {"policy", NULL, 0},
    [COSTS] = {"costs", NULL, 0},
    [SHAPE] = {"shape", NULL, 0},
    [CLASS] = {"class", NULL, NEREUS_INI_NAMED},
};

#define IN_POLICY(member) POLICY, offsetof(struct nereus_policy_settings, member)
#define IN_COSTS(member)  COSTS, offsetof(struct nereus_stated_costs, member)
#define IN_CLASS(member)  CLASS, offsetof(struct class_read, member)
#define IN_SHAPE          SHAPE, 0
#define TEXT              NEREUS_INI_TEXT(0, NEREUS_POLICY_PATH_MAX)

static const struct nereus_ini_key keys[] = {
    NEREUS_INI_KEY(IN_POLICY(kind), NEREUS_INI_WORD(policies), "none", NULL,
                   "who decides on the number of processes", "policy"),
    NEREUS_INI_KEY(IN_POLICY(finish_s), NEREUS_INI_SECONDS, NULL, "no goal",
                   "goal: end so long after the start", "finish"),
    NEREUS_INI_KEY(IN_POLICY(time_goal), NEREUS_INI_PERCENT(0, 99.99), NULL, "no goal",
                   "goal: end so much sooner than without changes", "sooner"),
    NEREUS_INI_KEY(
        IN_POLICY(tolerance), NEREUS_INI_PERCENT(0, 100), "2", NULL,
        "give processes back only if the job would end earlier than its goal by this share of it",
        "tolerance"),
    NEREUS_INI_KEY(IN_POLICY(interval_iterations), NEREUS_INI_INTEGER(1, 1e9), "100", NULL,
                   "iterations of a sampling interval", "interval"),
    NEREUS_INI_KEY(IN_POLICY(cool_down_intervals), NEREUS_INI_INTEGER(0, 1000), "1", NULL,
                   "after a change, change nothing for so many intervals", "cool_down"),
    NEREUS_INI_KEY(IN_POLICY(follow), TEXT, NULL, NULL,
                   "file with the wanted processes, as 12 or C1:4,C8:2", "follow"),
    NEREUS_INI_KEY(IN_POLICY(log), TEXT, NULL, NULL, "file for all decisions, as JSON Lines",
                   "log"),
    NEREUS_INI_KEY(IN_COSTS(spawn_s), NEREUS_INI_SECONDS, NULL, "0", "start of one process",
                   "spawn"),
    NEREUS_INI_KEY(IN_COSTS(remove_s), NEREUS_INI_SECONDS, NULL, "0", "end of one process",
                   "remove"),
    NEREUS_INI_KEY(IN_COSTS(latency_s), NEREUS_INI_SECONDS, NULL, "0",
                   "latency of a message, alpha of Hockney's model", "latency"),
    NEREUS_INI_KEY(IN_COSTS(seconds_per_byte), NEREUS_INI_SECONDS, NULL, "0",
                   "transfer of one byte, beta", "byte"),
    NEREUS_INI_KEY(IN_COSTS(reduction_s_per_byte), NEREUS_INI_SECONDS, NULL, "0",
                   "reduction of one byte, gamma", "reduction"),
    NEREUS_INI_KEY(
        IN_SHAPE, TEXT, NULL, "1",
        "work of equal parts of the run, numbers relative to each other, in a running job", "work"),
    NEREUS_INI_KEY(IN_CLASS(nodes), NEREUS_INI_INTEGER(1, 1e6), NULL, "as many as hosts, else 1",
                   "number of nodes", "nodes"),
    NEREUS_INI_KEY(
        IN_CLASS(class_nodes.hosts), NEREUS_INI_OWN(parse_hosts), NULL, NULL,
        "names of the nodes in the host file, as n[1-32,40]; a running job with several classes "
        "needs them",
        "hosts"),
    NEREUS_INI_KEY(IN_CLASS(class_nodes.cores_per_node), NEREUS_INI_INTEGER(1, 1e6), "1", NULL,
                   "cores of a node, for one process each", "cores_per_node"),
    NEREUS_INI_KEY(
        IN_CLASS(node.power), NEREUS_INI_NUMBER(1e-30, INFINITY), NULL, "1",
        "work per second of one process, in the same unit for all classes; a running job measures "
        "it if no class of several has it",
        "power"),
    NEREUS_INI_KEY(IN_CLASS(node.price_per_core_hour), NEREUS_INI_NUMBER(0, INFINITY), NULL, "0",
                   "price of one core per hour", "price"),
    NEREUS_INI_KEY(IN_CLASS(start), NEREUS_INI_INTEGER(0, 1e6), NULL, "0",
                   "processes of the job at its start", "start"),
};

NEREUS_INI_CHECK_LIMITS(NEREUS_COUNT_OF(sections), NEREUS_COUNT_OF(keys));
const struct nereus_ini_table nereus_policy_file_keys = {sections, NEREUS_COUNT_OF(sections), keys,
                                                         NEREUS_COUNT_OF(keys)};

static enum nereus_status begin_class(struct reading *r, const char *name,
                                      struct nereus_ini_storage *storage, struct nereus_error *err)
{
    struct nereus_policy_settings *settings = r->settings;
    if (name[0] == '\0' || strlen(name) >= NEREUS_CLASS_NAME_MAX || strpbrk(name, ",: ") != NULL)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "a class has a name of 1 to %d characters without blanks, commas and colons",
            NEREUS_CLASS_NAME_MAX - 1);
    if (settings->class_count == NEREUS_NODE_CLASSES_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "more than %d classes",
                           NEREUS_NODE_CLASSES_MAX);
    struct class_read *one = &r->classes[settings->class_count++];
    nereus_ini_keys_set_defaults(&nereus_policy_file_keys, CLASS, one);
    strcpy(one->node.name, name);
    *storage = (struct nereus_ini_storage){one, one->lines};
    return NEREUS_OK;
}

static enum nereus_status begin_section(void *user, const struct nereus_ini_header *header,
                                        struct nereus_ini_storage *storage,
                                        struct nereus_error *err)
{
    struct reading *r = user;
    if (header->section == CLASS)
        return begin_class(r, header->name, storage, err);
    r->settings->has_costs = r->settings->has_costs || header->section == COSTS;
    void *const values[] = {
        [POLICY] = r->settings, [COSTS] = &r->settings->costs, [SHAPE] = r->shape};
    *storage = (struct nereus_ini_storage){values[header->section], r->lines};
    return NEREUS_OK;
}

const char *nereus_class_next_host(const char *position, char name[NEREUS_NODE_NAME_MAX])
{
    const size_t length = position != NULL ? strcspn(position, ",") : 0;
    if (length == 0)
        return NULL;
    snprintf(name, NEREUS_NODE_NAME_MAX, "%.*s", (int)length, position);
    return position + length + 1;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* List the hosts; names NULL: only count them. */
static size_t list_hosts(const struct reading *r, char (*names)[NEREUS_NODE_NAME_MAX])
{
    char host[NEREUS_NODE_NAME_MAX];
    size_t count = 0;
    for (int k = 0; k < r->settings->class_count; k++)
        for (const char *position = r->classes[k].class_nodes.hosts;
             (position = nereus_class_next_host(position, host)) != NULL; count++)
            if (names != NULL)
                memcpy(names[count], host, sizeof host);
    return count;
}

static enum nereus_status check_hosts(const char *path, const struct reading *r,
                                      struct nereus_error *err)
{
    const size_t count = list_hosts(r, NULL);
    char(*names)[NEREUS_NODE_NAME_MAX] = malloc((count + 1) * sizeof *names);
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_MEMORY(names, err, "for the names of hosts");
    list_hosts(r, names);
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count && status == NEREUS_OK; i++)
        if (strcmp(names[i], names[i - 1]) == 0)
            status = nereus_fail(err, NEREUS_ERR_PARSE, "%.200s: the host '%s' is named twice",
                                 path, names[i]);
    free(names);
    return status;
}

/* Set the number of nodes, from the key or from the names. */
static enum nereus_status count_nodes(const char *path, const struct reading *r, int k,
                                      int64_t *nodes, struct nereus_error *err)
{
    const struct class_read *one = &r->classes[k];
    char host[NEREUS_NODE_NAME_MAX];
    int64_t hosts = 0;
    for (const char *position = one->class_nodes.hosts;
         (position = nereus_class_next_host(position, host)) != NULL; hosts++)
        ;
    if ((hosts > 0) != (r->classes[0].class_nodes.hosts != NULL))
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%.200s: either all classes have the key hosts, or none: [class %s]",
                           path, one->node.name);
    if (hosts > 0 && one->nodes > 0 && hosts != one->nodes)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%.200s: [class %s] has %lld node%s and names %lld host%s", path,
                           one->node.name, (long long)one->nodes, nereus_plural_s(one->nodes),
                           (long long)hosts, nereus_plural_s(hosts));
    *nodes = hosts > 0 ? hosts : one->nodes > 0 ? one->nodes : 1;
    return NEREUS_OK;
}

static enum nereus_status complete_class(const char *path, const struct reading *r, int k,
                                         struct nereus_error *err)
{
    struct nereus_policy_settings *s = r->settings;
    const struct class_read *one = &r->classes[k];
    int64_t nodes = 0;
    NEREUS_TRY(count_nodes(path, r, k, &nodes, err));
    s->classes[k] = one->node;
    s->has_powers = s->has_powers || one->node.power > 0 || s->class_count == 1;
    if (!(one->node.power > 0))
        s->classes[k].power = 1;
    s->classes[k].max = nodes * one->class_nodes.cores_per_node;
    if (one->start > s->classes[k].max)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%.200s: [class %s] starts with %lld process%s and has %lld core%s",
                           path, one->node.name, (long long)one->start,
                           nereus_plural_es(one->start), (long long)s->classes[k].max,
                           nereus_plural_s(s->classes[k].max));
    s->nodes[k] = one->class_nodes;
    s->start.processes[k] = one->start;
    return NEREUS_OK;
}

static enum nereus_status complete_settings(const char *path, struct reading *r,
                                            struct nereus_error *err)
{
    struct nereus_policy_settings *s = r->settings;
    if (s->class_count == 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%.200s: it needs a [class NAME] of nodes", path);
    if (s->finish_s > 0 && s->time_goal > 0) {
        const int sooner = nereus_ini_keys_find(&nereus_policy_file_keys, POLICY, "sooner");
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%.200s:%d: finish and sooner are two goals: give one of them", path,
                           r->lines[sooner]);
    }
    if (s->kind == NEREUS_POLICY_FOLLOW && s->follow[0] == '\0')
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%.200s: the policy follow needs the key follow, a file", path);
    char what[300];
    snprintf(what, sizeof what, "%.200s: work in [shape]", path);
    NEREUS_TRY(nereus_work_shape_parse(what, r->shape, &s->shape, err));
    NEREUS_TRY(check_hosts(path, r, err));
    for (int k = 0; k < s->class_count; k++)
        NEREUS_TRY(complete_class(path, r, k, err));
    return NEREUS_OK;
}

enum nereus_status nereus_policy_read(const char *path, struct nereus_policy_settings *settings,
                                      struct nereus_error *err)
{
    struct nereus_policy_settings read = {0};
    struct reading r = {.settings = &read};
    nereus_ini_keys_set_defaults(&nereus_policy_file_keys, POLICY, &read);
    enum nereus_status status = nereus_ini_keys_read_file(
        path, "policy file", &nereus_policy_file_keys, begin_section, &r, err);
    if (status == NEREUS_OK)
        status = complete_settings(path, &r, err);
    if (status == NEREUS_OK)
        *settings = read;
    else
        for (int k = 0; k < read.class_count; k++)
            free(r.classes[k].class_nodes.hosts);
    return status;
}

void nereus_policy_settings_fini(struct nereus_policy_settings *settings)
{
    for (int k = 0; k < settings->class_count; k++) {
        free(settings->nodes[k].hosts);
        settings->nodes[k].hosts = NULL;
    }
}

double nereus_policy_goal_s(const struct nereus_policy_settings *settings, double without_s)
{
    if (settings->finish_s > 0)
        return settings->finish_s;
    return settings->time_goal > 0 ? without_s * (1 - settings->time_goal) : INFINITY;
}
