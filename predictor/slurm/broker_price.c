/** @file broker_price.c  See broker_price.h. */
#include "broker_price.h"
#include "model/util/text.h"

#include <inttypes.h>

#include "model/util/try.h"
#include "predictor/cli/command.h"
#include "slurm_resize.h"

enum nereus_status nereus_broker_prices_init(const struct nereus_profile *profile,
                                             struct nereus_broker_prices *prices,
                                             struct nereus_error *err)
{
    *prices = (struct nereus_broker_prices){.bytes_per_process = 0};
    NEREUS_TRY(nereus_resize_prices_init(profile, NEREUS_SLURM_GROWTH, 1, &prices->growing, err));
    const enum nereus_status status =
        nereus_resize_prices_init(profile, "best", 1, &prices->shrinking, err);
    if (status != NEREUS_OK) {
        nereus_resize_prices_fini(&prices->growing);
    }
    return status;
}

void nereus_broker_prices_fini(struct nereus_broker_prices *prices)
{
    nereus_resize_prices_fini(&prices->growing);
    nereus_resize_prices_fini(&prices->shrinking);
}

static double without_price(const struct nereus_resize_prices *prices, int64_t ns, int64_t nt)
{
    if (prices->without_price == 1) {
        nereus_cli_note("resizes that have no price are taken to cost nothing, as that from "
                        "%" PRId64 " to %" PRId64 " process%s: %s",
                        ns, nt, nereus_plural_es(nt), prices->refusal.text);
    }
    return 0;
}

double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt)
{
    struct nereus_broker_prices *prices = user;
    struct nereus_resize_prices *direction = nt > ns ? &prices->growing : &prices->shrinking;
    const struct nereus_broker_job *asked = &prices->view->jobs[job];
    const double t_iter_s = prices->view->peers[job].t_iter_s;
    const struct nereus_resize_question question = {
        .ns = ns,
        .nt = nt,
        .bytes = prices->bytes_per_process * (double)(asked->kept_nodes * asked->cores_per_node),
        .t_iter_ns_s = t_iter_s * (double)asked->processes / (double)ns,
        .t_iter_nt_s = t_iter_s * (double)asked->processes / (double)nt};
    struct nereus_resize_price price;
    direction->machine.cores_per_node = asked->cores_per_node; /* nodes are those of the cluster */
    return nereus_resize_prices_ask(direction, &question, &price)
               ? price.rt_s
               : without_price(direction, ns, nt);
}
