/**
 * @file external_answers.h
 * Answers external requests at rank 0, as two threads share them: the server's thread answers
 * clients and queues a request (external_answers.c), the main thread takes it and records its end
 * (external.c).
 */
#pragma once

#include <pthread.h>

#include "src/job/job.h"
#include "src/link/job_server.h"

/** A node freed by a change of the machine, as reported to clients. */
struct freed_shown {
    int64_t change;
    struct nereus_job_node node;
};

/** State of the requests. */
struct nereus_external_requests {
    nereus_job *job;
    struct job_server *server;
    /* Protects all members below, and the job's size, state and settings while `changing` is false:
     * the main thread modifies these only while it is true. */
    pthread_mutex_t lock;
    bool changing;
    bool is_waiting; /* `request` waits for a point */
    struct resize_request request;
    struct external_records records;
    char reasons[EXTERNAL_KEPT][NEREUS_JOB_TEXT_MAX];
    struct nereus_job_state state;   /* after the latest change of size */
    struct freed_shown *freed_nodes; /* nodes freed by that change; owned */
    int64_t freed_count;
    double since_s; /* time from which the iterations of this size are counted */
    int64_t since_points;
};

/** Callback of the server (job_server.h): answer one message. user: the requests. */
bool nereus_external_answer(void *user, const struct nereus_job_request *request,
                            struct nereus_job_reply *reply);
/** Callback of the server: end a request whose deadline passes between two points, which may be
 * rare.
 * @return seconds until the deadline */
double nereus_external_end_overdue(void *user);

/* ---- for both threads, with the lock --------------------------------------------------------- */

/** The record of a request; NULL: none, or too long ago. */
struct external_record *nereus_external_find(struct nereus_external_requests *external,
                                             int64_t number);
/** End a request, and wake the clients that wait for its outcome. */
void nereus_external_close(struct nereus_external_requests *external,
                           struct external_record *record, enum nereus_job_end end,
                           const char *reason);
/** Clear the request that waits for a point. */
void nereus_external_clear(struct nereus_external_requests *external);
/** Copy a sentence for a client; a longer one is cut off. */
void nereus_external_copy_sentence(char text[NEREUS_JOB_TEXT_MAX], const char *sentence);
/** List the nodes that a change of the machine has freed; none for change 0.
 * @return their number */
int64_t nereus_external_freed_nodes(const struct nereus_external_requests *external, int64_t change,
                                    struct nereus_job_node nodes[NEREUS_JOB_NODES_MAX]);
/** Describe the outcome of a request; number 0: of the latest one.
 * @return false: it has not ended */
bool nereus_external_answer_wait(struct nereus_external_requests *external, int64_t number,
                                 struct nereus_job_reply *reply);
