/** @file broker_price.c  See broker_price.h. */
#include "broker_price.h"

double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt)
{
    const struct nereus_broker_prices *prices = user;
    const struct nereus_broker_job *asked = &prices->view->jobs[job];
    const double t_iter_s = prices->view->peers[job].t_iter_s;
    const struct nereus_resize_question question = {
        .ns = ns,
        .nt = nt,
        .bytes = prices->bytes_per_process * (double)(asked->kept_nodes * asked->cores_per_node),
        .t_iter_ns_s = t_iter_s * (double)asked->processes / (double)ns,
        .t_iter_nt_s = t_iter_s * (double)asked->processes / (double)nt};
    struct nereus_resize_price price;
    return prices->prices != NULL && nereus_resize_prices_ask(prices->prices, &question, &price)
               ? price.rt_s
               : 0;
}
