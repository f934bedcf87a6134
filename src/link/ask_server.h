/*
 * The socket at which a job answers (docs/jobs.md): a thread that sleeps in poll, reads
 * messages, has them answered by a function, and keeps clients that wait. It knows no job, and
 * calls no MPI. Serving takes at most 1 % of this process' CPU time: what comes faster waits, or is
 * refused.
 * Private to src/.
 */
#ifndef NEREUS_SRC_ASK_SERVER_H
#define NEREUS_SRC_ASK_SERVER_H

#include "nereus/job_client.h"

enum { NEREUS_ASK_CLIENTS_MAX = 16 };

/* Both are called in the server's thread. */
struct ask_handler {
    /* @return false: there is no answer yet. The client waits, and is asked for again after
     * nereus_ask_server_wake */
    bool (*answer)(void *user, const struct nereus_job_request *request,
                   struct nereus_job_reply *reply);
    /* Between messages: what is due is done. @return seconds until the next; INFINITY: nothing */
    double (*tick)(void *user);
    void *user;
};

struct ask_server;

/*
 * Begin to listen. @param takes_over  the name is that of a process of the same job, which leaves
 * it; else a name at which another one listens is refused.
 * @param[out] server  to be ended with nereus_ask_server_end
 */
enum nereus_status nereus_ask_server_begin(const char *folder, const char *name, bool takes_over,
                                           const struct ask_handler *handler,
                                           struct ask_server **server, struct nereus_error *err);
/* A request that clients wait for may have ended. Any thread. */
void nereus_ask_server_wake(struct ask_server *server);
/* Who waits hears its outcome, or else the last word, as do those that ask just now. NULL: nothing.
 * After NEREUS_JOB_MOVED to a process of this host the name stays, for that one to take it over. */
void nereus_ask_server_end(struct ask_server *server, const struct nereus_job_reply *last_word);
/* CPU seconds that its thread has taken. Any thread. */
double nereus_ask_server_cpu_s(const struct ask_server *server);

#endif
