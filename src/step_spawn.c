/*
 * Starting new processes, by the method's strategy, and telling them what they have to know: the steps "spawn" and "join" of
 * those who start.
 *
 * plain: all parents spawn together. single: the root alone. multiple: all parents, world after world.
 * hypercube, diffusive: in every level of the tree each process that has a group to start spawns it by itself; it needs
 * what only the root has prepared, so that is passed on first.
 */
#include <stdlib.h>

#include "fault.h"
#include "job.h"

static bool is_tree(const struct nereus_plan *plan)
{
    return plan->method.strategy == NEREUS_HYPERCUBE || plan->method.strategy == NEREUS_DIFFUSIVE;
}

/* What the root has prepared, to all parents. */
static enum nereus_status share_kit(struct move *move)
{
    struct nereus_error *err = &move->error;
    const bool sends = move->group_rank == 0;
    int64_t no_group = -1;
    NEREUS_TRY(nereus_meet(move->parents, move->naps, err));
    NEREUS_TRY(nereus_welcome_broadcast(move->parents, 0, sends, &move->kit.welcome, &move->kit.welcome_bytes,
                                        &no_group, err));
    if (sends)
        return NEREUS_OK;
    move->owns_kit = true;
    return nereus_welcome_kit(move->kit.welcome, move->kit.welcome_bytes, &move->kit, err);
}

static enum nereus_status remember_child(struct move *move, int64_t group, MPI_Comm inter)
{
    struct child *longer = realloc(move->children, ((size_t)move->child_count + 1) * sizeof *longer);
    if (longer == NULL)
        return nereus_fail(&move->error, NEREUS_ERR_MEMORY, "no memory to remember a new process");
    move->children = longer;
    move->children[move->child_count++] = (struct child){group, inter};
    return NEREUS_OK;
}

/* One group, on its node. */
static enum nereus_status start_group(struct move *move, MPI_Comm comm, int64_t group)
{
    const struct nereus_request *request = move->request;
    char host[NEREUS_NODE_NAME_MAX] = "", place[NEREUS_NODE_NAME_MAX + 24] = "";
    MPI_Comm inter;
    if (request->group_count > 0)
        nereus_host_of_node(&move->job->machine, request->groups[group].node, host, sizeof host);
    if (host[0] != '\0')
        snprintf(place, sizeof place, "%s:%lld", host, (long long)request->groups[group].processes);
    if (nereus_spawn(&move->kit, move->job, comm, move->plan.tree.groups[group].processes, place, &inter,
                     &move->failure) != NEREUS_OK)
        return NEREUS_OK; /* the others hear of it when groups wait for each other */
    return remember_child(move, group, inter);
}

static enum nereus_status start_alone(struct move *move, const struct nereus_step *step, bool *taken)
{
    MPI_Comm inter;
    *taken = move->group_rank == 0;
    if (!*taken || move->failure.status != NEREUS_OK)
        return NEREUS_OK;
    if (nereus_spawn(&move->kit, move->job, move->job->self, step->new_processes, move->kit.hosts, &inter,
                     &move->failure) != NEREUS_OK)
        return NEREUS_OK; /* the others hear of it before they connect */
    return remember_child(move, 0, inter);
}

static enum nereus_status start_in_tree(struct move *move, const struct nereus_step *step, bool *taken)
{
    if (step->level == 1)
        NEREUS_TRY(share_kit(move));
    const int64_t group = nereus_tree_child(&move->plan.tree, step->level, move->group, move->group_rank);
    *taken = group >= 0;
    /* Who knows already that it will be called off starts nobody: the others hear of it when groups wait for each other. */
    return group < 0 || move->failure.status != NEREUS_OK ? NEREUS_OK
                                                          : start_group(move, move->job->self, group);
}

enum nereus_status nereus_run_spawn(struct move *move, const struct nereus_step *step, bool *taken)
{
    if (is_tree(&move->plan))
        return start_in_tree(move, step, taken);
    if (move->plan.method.strategy == NEREUS_SINGLE)
        return start_alone(move, step, taken);
    if (move->plan.method.strategy == NEREUS_PLAIN) /* an error is one of all parents: the verdict */
        return nereus_spawn(&move->kit, move->job, move->parents, step->new_processes, move->kit.hosts,
                            &move->inter, &move->verdict);
    for (int64_t group = 0; group < step->times && move->child_count == group; group++)
        NEREUS_TRY(start_group(move, move->parents, group));
    return NEREUS_OK;
}

/* Over a line to new processes; `leads`: this process is the one that speaks. */
static enum nereus_status greet(struct move *move, MPI_Comm inter, int64_t group, bool leads)
{
    return nereus_welcome_broadcast(inter, leads ? MPI_ROOT : MPI_PROC_NULL, leads, &move->kit.welcome,
                                    &move->kit.welcome_bytes, &group, &move->error);
}

/* The new processes' side of this step is nereus_join. What comes of it is agreed on before any data moves. */
enum nereus_status nereus_run_join(struct move *move, const struct nereus_step *step, bool *taken)
{
    const bool root = move->group_rank == 0;
    if (move->plan.method.strategy == NEREUS_PLAIN)
        return greet(move, move->inter, 0, root);
    if (move->plan.method.strategy == NEREUS_LAUNCH)
        return nereus_launch_join(move);
    *taken = false;
    for (int i = 0; i < move->child_count; i++) {
        const struct child *child = &move->children[i];
        const bool tree = is_tree(&move->plan);
        if (tree && move->plan.tree.groups[child->group].level != step->level)
            continue;
        *taken = true;
        NEREUS_TRY(greet(move, child->inter, child->group, tree || root));
    }
    return NEREUS_OK;
}
