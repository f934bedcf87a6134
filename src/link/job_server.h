/**
 * @file job_server.h
 * Serves a job's socket (docs/jobs.md): a thread that sleeps in poll, reads messages, calls a
 * function for the answers, and keeps the connections of clients that wait. It depends on no job
 * and calls no MPI. It uses at most 1 % of this process' CPU time: further messages wait, or are
 * refused.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/job_client.h"

enum { NEREUS_JOB_CLIENTS_MAX = 16 };

/** Callbacks in the server's thread. */
struct job_server_handler {
    /* @return false: no answer yet; called again after nereus_job_server_wake */
    bool (*answer)(void *user, const struct nereus_job_request *request,
                   struct nereus_job_reply *reply);
    /* Periodic work between messages.
     * @return seconds until the next call; INFINITY: none */
    double (*tick)(void *user);
    void *user;
};

struct job_server;

/** Start listening.
 * @param takes_over  true: replace the socket of another process of the same job; false: refuse a
 *     name that another process serves
 * @param[out] server  to be ended with nereus_job_server_end */
enum nereus_status nereus_job_server_begin(const char *folder, const char *name, bool takes_over,
                                           const struct job_server_handler *handler,
                                           struct job_server **server, struct nereus_error *err);
/** Retry the answers of waiting clients, as a request may have ended. Thread-safe. */
void nereus_job_server_wake(struct job_server *server);
/** End the server. Waiting clients get the outcome of their request or, without one, the last
 * reply; new clients get the last reply. NULL: no server. After NEREUS_JOB_MOVED to a process of
 * this host the socket's file stays: it is that process' own. */
void nereus_job_server_end(struct job_server *server, const struct nereus_job_reply *last_reply);
/** CPU seconds used by its thread. Thread-safe. */
double nereus_job_server_cpu_s(const struct job_server *server);
