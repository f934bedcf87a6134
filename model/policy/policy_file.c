/** @file policy_file.c  Reads a policy file (INI): policy, goal and node classes. */

#include "keys.h"

struct class_read {
    struct nereus_node_class node;
    struct nereus_class_nodes class_nodes;
    int64_t nodes, start; /* number of nodes (0: not given) and of the first one */
};

struct reading {
    struct nereus_policy_settings *settings;
    struct class_read classes[NEREUS_NODE_CLASSES_MAX];
    char shape[NEREUS_POLICY_PATH_MAX];
};

#define NEREUS_WORD(e, word, help) word,
static const char *const policies[] = {NEREUS_POLICY_LIST(NEREUS_WORD)};
#undef NEREUS_WORD

#define IN_POLICY(member) offsetof(struct nereus_policy_settings, member)
#define IN_COSTS(member)  offsetof(struct nereus_stated_costs, member)
#define IN_CLASS(member)  offsetof(struct class_read, member)

const struct nereus_key nereus_policy_file_keys[] = {
    {"policy", "policy", "word", "none, flex-efficiency, flex-cost, follow or user (none)",
     NEREUS_KEY_WORD, IN_POLICY(kind), 0, 0, policies, NEREUS_POLICY_COUNT},
    {"policy", "finish", "time", "goal: end so long after the start (no goal)", NEREUS_KEY_SECONDS,
     IN_POLICY(finish_s), 0, 0, NULL, 0},
    {"policy", "sooner", "percent", "goal: end so much sooner than without changes (no goal)",
     NEREUS_KEY_PERCENT_BELOW, IN_POLICY(time_goal), 0, 100, NULL, 0},
    {"policy", "tolerance", "percent",
     "give processes back only if the job would end earlier than its goal by this share of it (2)",
     NEREUS_KEY_PERCENT, IN_POLICY(tolerance), 0, 100, NULL, 0},
    {"policy", "interval", "iterations", "length of a sampling interval (100)", NEREUS_KEY_INTEGER,
     IN_POLICY(interval_iterations), 1, 1e9, NULL, 0},
    {"policy", "cool_down", "intervals", "after a change, change nothing for so many intervals (1)",
     NEREUS_KEY_INTEGER, IN_POLICY(cool_down_intervals), 0, 1000, NULL, 0},
    {"policy", "follow", "file", "file with the wanted processes, as 12 or C1:4,C8:2",
     NEREUS_KEY_TEXT, IN_POLICY(follow), 0, 0, NULL, 0},
    {"policy", "log", "file", "file for all decisions, as JSON Lines", NEREUS_KEY_TEXT,
     IN_POLICY(log), 0, 0, NULL, 0},
    {"costs", "spawn", "time", "start of one process (0)", NEREUS_KEY_SECONDS, IN_COSTS(spawn_s), 0,
     0, NULL, 0},
    {"costs", "remove", "time", "end of one process (0)", NEREUS_KEY_SECONDS, IN_COSTS(remove_s), 0,
     0, NULL, 0},
    {"costs", "latency", "time", "latency of a message, alpha of Hockney's model (0)",
     NEREUS_KEY_SECONDS, IN_COSTS(latency_s), 0, 0, NULL, 0},
    {"costs", "byte", "time", "transfer of one byte, beta (0)", NEREUS_KEY_SECONDS,
     IN_COSTS(seconds_per_byte), 0, 0, NULL, 0},
    {"costs", "reduction", "time", "reduction of one byte, gamma (0)", NEREUS_KEY_SECONDS,
     IN_COSTS(reduction_s_per_byte), 0, 0, NULL, 0},
    {"shape", "work", "numbers",
     "work of equal parts of the run, relative to each other, in a running job (1)",
     NEREUS_KEY_TEXT, 0, 0, 0, NULL, 0},
    {"class NAME", "nodes", "nodes", "number of nodes (as many as hosts, else 1)",
     NEREUS_KEY_INTEGER, IN_CLASS(nodes), 1, 1e6, NULL, 0},
    {"class NAME", "hosts", "names",
     "names of the nodes in the host file, as n[1-32,40]; a running job with several classes "
     "needs them",
     NEREUS_KEY_HOSTS, IN_CLASS(class_nodes.hosts), 0, 0, NULL, 0},
    {"class NAME", "cores_per_node", "cores", "cores of a node, for one process each (1)",
     NEREUS_KEY_INTEGER, IN_CLASS(class_nodes.cores_per_node), 1, 1e6, NULL, 0},
    {"class NAME", "power", "work per second",
     "power of one process, in the same unit for all classes; a running job measures it if no "
     "class of several has it (1)",
     NEREUS_KEY_NUMBER, IN_CLASS(node.power), 1e-30, 0, NULL, 0},
    {"class NAME", "price", "per hour", "price of one core (0)", NEREUS_KEY_NUMBER,
     IN_CLASS(node.price_per_core_hour), 0, 0, NULL, 0},
    {"class NAME", "start", "processes", "processes of the job at its start (0)",
     NEREUS_KEY_INTEGER, IN_CLASS(start), 0, 1e6, NULL, 0},
    {NULL, NULL, NULL, NULL, NEREUS_KEY_TEXT, 0, 0, 0, NULL, 0}};

static void *begin_class(struct reading *r, const char *name, struct nereus_error *err)
{
    struct nereus_policy_settings *settings = r->settings;
    if (name[0] == '\0' || strlen(name) >= NEREUS_CLASS_NAME_MAX || strpbrk(name, ",: ") != NULL) {
        nereus_fail(err, NEREUS_ERR_PARSE,
                    "a class has a name of 1 to %d characters without blanks, commas and colons",
                    NEREUS_CLASS_NAME_MAX - 1);
        return NULL;
    }
    if (settings->class_count == NEREUS_NODE_CLASSES_MAX) {
        nereus_fail(err, NEREUS_ERR_ARGUMENT, "more than %d classes", NEREUS_NODE_CLASSES_MAX);
        return NULL;
    }
    struct class_read *one = &r->classes[settings->class_count++];
    *one = (struct class_read){.class_nodes = {.cores_per_node = 1}};
    strcpy(one->node.name, name);
    return one;
}

static void *begin_section(void *user, const char *section, const char *name,
                           struct nereus_error *err)
{
    struct reading *r = user;
    if (strcmp(section, "class") == 0)
        return begin_class(r, name, err);
    if (strcmp(section, "costs") == 0) {
        r->settings->has_costs = true;
        return &r->settings->costs;
    }
    return strcmp(section, "shape") == 0 ? (void *)r->shape : (void *)r->settings;
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
    if (s->finish_s > 0 && s->time_goal > 0)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%.200s: finish and sooner are two goals: give one of them", path);
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
    struct nereus_policy_settings read = {
        .tolerance = 0.02, .interval_iterations = 100, .cool_down_intervals = 1};
    struct reading r = {.settings = &read};
    const struct nereus_key_file file = {"policy file", nereus_policy_file_keys,
                                         "[policy], [costs], [shape] or [class NAME]",
                                         begin_section, &r};
    enum nereus_status status = nereus_keys_read(path, &file, err);
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
