/**
 * @file job_client.h
 * Talks to a running job: queries its state, requests another size or a release of nodes, or offers
 * nodes. For resource managers and scripts; no MPI. The job answers on a UNIX socket of its user
 * (protocol: model/job_client/README.md).
 *
 *     struct nereus_job_client *client;
 *     struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_RESIZE, .size = 8};
 *     struct nereus_job_reply reply;
 *     status = nereus_job_connect("solver", 5, &client, &err);
 *     status = nereus_job_call(client, &request, 5, &reply, &err);
 *     if (reply.answer == NEREUS_JOB_ACCEPTED)
 *         status = nereus_job_wait(client, reply.request, 600, &reply, &err);
 *     nereus_job_disconnect(client);
 *
 * A client belongs to one thread at a time; several clients are independent.
 */
#ifndef NEREUS_JOB_CLIENT_H
#define NEREUS_JOB_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"
#include "status.h"

NEREUS_BEGIN_C

enum {
    NEREUS_JOB_PROTOCOL = 1,
    NEREUS_JOB_NAME_MAX = 48, /**< with the terminating zero */
    NEREUS_JOB_METHOD_MAX = 96,
    NEREUS_JOB_TEXT_MAX = 256,
    NEREUS_JOB_NODE_MAX = 64,
    NEREUS_JOB_ENTRY_MAX = 128, /**< "node5:20@slurm:1234" */
    NEREUS_JOB_NODES_MAX = 64,  /**< nodes of a release, and of a state */
    NEREUS_JOB_OFFER_MAX = 16   /**< nodes of an offer */
};

enum nereus_job_request_kind {
    NEREUS_JOB_REQUEST_STATUS,
    NEREUS_JOB_REQUEST_RESIZE,
    NEREUS_JOB_REQUEST_RELEASE,
    NEREUS_JOB_REQUEST_OFFER,
    NEREUS_JOB_REQUEST_WAIT, /**< answered when the request has ended */
    NEREUS_JOB_REQUEST_END,  /**< answered when the job has ended */
    NEREUS_JOB_REQUEST_KIND_COUNT
};

struct nereus_job_request {
    enum nereus_job_request_kind kind;
    int64_t size;                       /**< resize, offer (0: not given): processes */
    char method[NEREUS_JOB_METHOD_MAX]; /**< "": the job's default */
    /** cancelled if not begun within this time, which is also for processes to be launched; 0: no
     * limit */
    double deadline_s;
    int64_t request;    /**< wait: number of the request; 0: the latest */
    bool keep;          /**< release: nodes stay in the job's machine */
    int64_t node_count; /**< release, offer: 1 or more */
    /** names; offer: NODE:CORES, or NODE:CORES@slurm:NUMBER for another Slurm allocation */
    char nodes[NEREUS_JOB_NODES_MAX][NEREUS_JOB_ENTRY_MAX];
};

enum nereus_job_answer {
    NEREUS_JOB_STATE,    /**< `state` */
    NEREUS_JOB_ACCEPTED, /**< `request` is its number; it begins at a later malleability point */
    NEREUS_JOB_REFUSED,  /**< `reason`, and the nearest allowed sizes `near_sizes` */
    NEREUS_JOB_DEFERRED, /**< not now: repeat it after `after_s` */
    NEREUS_JOB_OUTCOME,  /**< a request has ended: `end` */
    NEREUS_JOB_MOVED,    /**< rank 0 is another process now; `host`, if on another host */
    NEREUS_JOB_ENDED,    /**< the job has ended */
    NEREUS_JOB_INVALID,  /**< the message does not follow the protocol: `reason` */
    NEREUS_JOB_ANSWER_COUNT
};

/** How a request ended. */
enum nereus_job_end {
    NEREUS_JOB_RESIZED,
    NEREUS_JOB_UNCHANGED, /**< the job has that size already */
    NEREUS_JOB_FAILED,    /**< rolled back, or impossible; the job is unchanged */
    NEREUS_JOB_CANCELLED, /**< cancelled: not begun by its deadline */
    NEREUS_JOB_TOO_LATE,  /**< the application ended first */
    NEREUS_JOB_END_COUNT
};

struct nereus_job_node {
    char name[NEREUS_JOB_NODE_MAX];
    int64_t processes, asleep, cores;
    char allocation[NEREUS_JOB_NODE_MAX]; /**< "slurm:1234"; "": the job's own */
};

struct nereus_job_state {
    char job[NEREUS_JOB_NAME_MAX], host[NEREUS_JOB_NODE_MAX];
    int64_t pid; /**< process id of rank 0 */
    bool changing;
    int64_t size;   /**< processes; during a reconfiguration those before it */
    int64_t points; /**< malleability points passed */
    int64_t reconfigurations;
    int64_t points_left; /**< -1: unknown */
    double t_iter_s;     /**< mean time between points since the last change; 0: unknown */
    double point_age_s;  /**< time since the last point; 0: unknown */
    struct nereus_sizes sizes;
    int64_t request;                        /**< number of the pending request; 0: none */
    char last_outcome[NEREUS_JOB_TEXT_MAX]; /**< outcome of the latest request; "": none */
    int64_t node_count;                     /**< nodes of the machine; `nodes` may have fewer */
    int64_t nodes_used;
    struct nereus_job_node nodes[NEREUS_JOB_NODES_MAX];
    /** nodes released by the latest change, with `processes` and `asleep` 0 */
    int64_t freed_count;
    struct nereus_job_node freed_nodes[NEREUS_JOB_NODES_MAX];
};

struct nereus_job_reply {
    enum nereus_job_answer answer;
    int64_t request;
    char reason[NEREUS_JOB_TEXT_MAX]; /**< one sentence; "": none */
    int64_t near_sizes[2];            /**< nearest allowed sizes */
    int near_count;
    double after_s;
    enum nereus_job_end end;
    int64_t ns, nt;
    double rt_s; /**< below 0: unknown */
    /** rt_s is the trace's, which ends with the last process; otherwise rank 0 measured it */
    bool rt_traced;
    char host[NEREUS_JOB_NODE_MAX]; /**< new host of rank 0 */
    int64_t freed_count;            /**< nodes released by the request */
    struct nereus_job_node freed_nodes[NEREUS_JOB_NODES_MAX];
    struct nereus_job_state state;
};

struct nereus_job_client;

/**
 * Connect to a job of this user on this host; one that is moving to other processes is waited for.
 * @param[in]  limit_s  above 0
 * @param[out] client   to be ended with nereus_job_disconnect
 * @return NEREUS_ERR_ARGUMENT: no name of a job; NEREUS_ERR_STATE: no such job, or it has ended;
 *         NEREUS_ERR_IO
 */
enum nereus_status nereus_job_connect(const char *name, double limit_s,
                                      struct nereus_job_client **client, struct nereus_error *err);
/** Close the connection and free the client; NULL is allowed. The job goes on. */
void nereus_job_disconnect(struct nereus_job_client *client);

/**
 * Send a request, and wait for the reply, not for the end of the request. A deferred request, or
 * one to a job that moves, is sent again within limit_s.
 * @param[in,out] client  connects again if the job has moved
 * @param[out]    reply   the answer
 * @return NEREUS_OK with any answer, also a refusal; NEREUS_ERR_STATE: the job is gone, or does not
 *         answer in time; NEREUS_ERR_IO, NEREUS_ERR_PARSE
 */
enum nereus_status nereus_job_call(struct nereus_job_client *client,
                                   const struct nereus_job_request *request, double limit_s,
                                   struct nereus_job_reply *reply, struct nereus_error *err);

/**
 * Wait for the end of a request (0: the latest), wherever the job moves on this host.
 * @param[in,out] client   connects again if the job has moved
 * @param[in]     limit_s  0: no limit
 * @param[out]    reply    OUTCOME; REFUSED: no such request; MOVED: to another host, where to
 *                         connect; ENDED
 * @return as nereus_job_call
 */
enum nereus_status nereus_job_wait(struct nereus_job_client *client, int64_t request_number,
                                   double limit_s, struct nereus_job_reply *reply,
                                   struct nereus_error *err);
/**
 * As nereus_job_wait, for the end of the job: ENDED, or MOVED to another host.
 * @param[in,out] client  connects again if the job has moved
 * @param[out]    reply   ENDED or MOVED
 * @return as nereus_job_call
 */
enum nereus_status nereus_job_wait_end(struct nereus_job_client *client, double limit_s,
                                       struct nereus_job_reply *reply, struct nereus_error *err);

/**
 * Names of this user's jobs that answer, or have answered, on this host, sorted.
 * @param[out] names  `count` names, to be freed with free()
 * @param[out] count  number of names
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_job_names(char (**names)[NEREUS_JOB_NAME_MAX], int64_t *count,
                                    struct nereus_error *err);

/**
 * Format the end of a request, as "resized from 2 to 8 processes in 0.131 s; free now: node3".
 * @param[out] text  NEREUS_JOB_TEXT_MAX characters
 * @return text
 */
char *nereus_job_end_format(const struct nereus_job_reply *reply, char text[NEREUS_JOB_TEXT_MAX]);
/** Name of an end, such as "resized". Never NULL. */
const char *nereus_job_end_name(enum nereus_job_end end);

NEREUS_END_C
#endif
