/** @file walk.c  See walk.h. */
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 6 };

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Any method of the grammar's process part, by a number; not restart, which ends the program. */
static struct nereus_method any_method(uint64_t number)
{
    struct nereus_method method = {.has_data = true};
    method.process = (enum nereus_process)(number % NEREUS_RESTART);
    number /= NEREUS_RESTART;
    method.strategy = (enum nereus_strategy)(number % NEREUS_STRATEGY_COUNT);
    number /= NEREUS_STRATEGY_COUNT;
    method.shrink = (enum nereus_shrink)(number % NEREUS_SHRINK_COUNT);
    number /= NEREUS_SHRINK_COUNT;
    method.async = number % 2 != 0;
    method.data = (enum nereus_data)(number / 2 % NEREUS_FILE);
    return method;
}

static bool can_be(const struct nereus_method *method, int64_t size, int64_t next, bool merges_only)
{
    struct nereus_error err;
    if (merges_only && (method->process != NEREUS_MERGE || method->shrink == NEREUS_SS))
        return false;
    return nereus_method_check(method, &err) == NEREUS_OK &&
           nereus_method_check_direction(method, size, next, &err) == NEREUS_OK;
}

int walk_rests(int64_t reconfigurations, int64_t length)
{
    return reconfigurations == 1 || reconfigurations == length / 2 || reconfigurations == length;
}

int64_t walk_next(uint64_t seed, int64_t refused_requests, int64_t size, int64_t reconfigurations,
                  int64_t length, char text[NEREUS_METHOD_TEXT_MAX])
{
    uint64_t random = mix(seed ^ mix((uint64_t)(1000 * reconfigurations + refused_requests)));
    if (walk_rests(reconfigurations + 1, length)) {
        snprintf(text, NEREUS_METHOD_TEXT_MAX, "baseline/coll");
        return 2;
    }
    for (;;) {
        random = mix(random);
        const int64_t next = 1 + (int64_t)(random % LARGEST);
        const struct nereus_method method = any_method(random >> 8);
        if (next == size || !can_be(&method, size, next, reconfigurations < length / 2))
            continue;
        nereus_method_format(&method, text);
        return next;
    }
}

/* Does the method change anything if the size stays? */
static bool changes_in_place(const struct nereus_method *method, int64_t size)
{
    return method->process != NEREUS_MERGE || method->shrink == NEREUS_SS ||
           nereus_method_rebalances(method, size, size);
}

int64_t walk_any(uint64_t seed, int64_t refused_requests, int64_t size, int64_t reconfigurations,
                 int64_t largest, char text[NEREUS_METHOD_TEXT_MAX])
{
    uint64_t random = mix(seed ^ mix((uint64_t)(1000 * reconfigurations + refused_requests)));
    for (;;) {
        random = mix(random);
        const int64_t next = 1 + (int64_t)(random % (uint64_t)largest);
        const uint64_t second_random = mix(random + 1);
        struct nereus_method method = any_method(random >> 8);
        method.overlap = (enum nereus_overlap)(second_random % NEREUS_OVERLAP_COUNT);
        method.distribution =
            (enum nereus_distribution)((second_random >> 8) % NEREUS_DISTRIBUTION_COUNT);
        if ((next == size && !changes_in_place(&method, size)) ||
            !can_be(&method, size, next, false))
            continue;
        if (next != size && (second_random >> 16) % 12 == 0)
            snprintf(text, NEREUS_METHOD_TEXT_MAX, "auto");
        else
            nereus_method_format(&method, text);
        return next;
    }
}

enum { NODES_MAX = 8 };

/* Lines "name:cores".
 * @return how many nodes */
static int read_nodes(char names[NODES_MAX][64], int64_t cores[NODES_MAX])
{
    const char *path = getenv("NEREUS_HOSTFILE");
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    int count = 0;
    while (file != NULL && count < NODES_MAX &&
           fscanf(file, " %63[^:]:%" SCNd64, names[count], &cores[count]) == 2)
        count++;
    if (file != NULL)
        fclose(file);
    return count;
}

/* Random numbers of processes on the nodes, `largest` in all at most. */
static enum nereus_status request_layout(nereus_job *job, uint64_t random, int64_t largest,
                                         const char *method)
{
    char names[NODES_MAX][64];
    const char *nodes[NODES_MAX];
    int64_t processes[NODES_MAX], sum = 0;
    const int count = read_nodes(names, processes);
    for (int i = 0; i < count; i++) {
        processes[i] = (int64_t)(random >> (4 * i)) % (processes[i] + 1);
        if (sum + processes[i] > largest || (sum == 0 && i == count - 1))
            processes[i] = sum == 0;
        sum += processes[i];
        nodes[i] = names[i];
    }
    return nereus_request_layout(job, nodes, processes, count, method);
}

void walk_ask(nereus_job *job, const struct walk *walk)
{
    static int64_t last_done = -1, refused_requests;
    char text[NEREUS_METHOD_TEXT_MAX];
    const int64_t size = nereus_size(job), done = nereus_reconfigurations(job);
    if (nereus_rank(job) != 0 || nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING)
        return;
    refused_requests = done == last_done ? refused_requests + 1 : 0;
    last_done = done;
    const int64_t next = walk->draw(walk->seed, refused_requests, size, done, walk->number, text);
    const uint64_t random = mix(walk->seed + (uint64_t)(1000 * done + refused_requests));
    const bool layout = walk->layouts && random % 3 == 0 && getenv("NEREUS_HOSTFILE") != NULL;
    const char *const method = layout && random % 2 ? "auto" : text;
    if ((layout ? request_layout(job, random >> 8, walk->number, method)
                : nereus_request_size(job, next, method)) == NEREUS_OK)
        printf("point %" PRId64 ", after %" PRId64 ": %" PRId64 " -> %" PRId64 "%s %s\n",
               nereus_points(job), done, size, next, layout ? " or a layout" : "", method);
    else
        fprintf(stderr, "request refused: %s\n", nereus_last_error(job));
    fflush(stdout);
}
