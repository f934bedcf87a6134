/* What is left to do after a shrink, while those that stay compute already. Private to src/. */
#ifndef NEREUS_SRC_PARTING_H
#define NEREUS_SRC_PARTING_H

#include "reconfiguration.h"

/* A process that stays: what it and the leaving ones tell the root is on its way from now on. The
 * first call counts. Collective over those that stay, does not block. */
enum nereus_status nereus_parting_begin(struct reconfiguration *rc, struct nereus_error *err);
/* All of it has arrived. */
enum nereus_status nereus_parting_wait(struct nereus_parting *parting,
                                       struct nereus_waiting waiting, struct nereus_error *err);
/* The leaving process: its times, to the root of those that stay. The first call counts. */
enum nereus_status nereus_parting_report(struct reconfiguration *rc, struct nereus_error *err);
/* The leaving process, without a core of its own, until the root says that all have arrived. */
enum nereus_status nereus_parting_await_sleep(struct reconfiguration *rc, struct nereus_error *err);
/* At a later point, or before the next change (wait): when all has arrived, the root sends the
 * leaving processes to sleep, and job->parting is NULL. */
enum nereus_status nereus_parting_finish(nereus_job *job, bool wait, struct nereus_error *err);

#endif
