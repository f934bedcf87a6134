/* A redistribution, batch by batch, with the method that was asked for. */
#include "exchange.h"

#include "job.h"

static const struct exchange_method *const methods[NEREUS_DATA_COUNT] = {
    [NEREUS_P2P] = &nereus_exchange_p2p,
    [NEREUS_COLL] = &nereus_exchange_coll,
};

static enum nereus_status run_batch(const struct exchange *exchange, const struct exchange_method *method,
                                    const struct registry *registry, const struct batch *batch,
                                    struct nereus_error *err)
{
    struct traffic traffic;
    NEREUS_TRY(nereus_traffic_make(registry, &exchange->parties, batch, &traffic, err));
    const enum nereus_status status = method->move(exchange, &traffic, err);
    if (status == NEREUS_OK)
        nereus_traffic_unpack(registry, &exchange->parties, batch, &traffic);
    nereus_traffic_fini(batch, &traffic);
    return status;
}

enum nereus_status nereus_exchange_run(const struct exchange *exchange, enum nereus_data method,
                                       struct registry *registry, struct nereus_error *err)
{
    const struct exchange_method *operations = (unsigned)method < NEREUS_DATA_COUNT ? methods[method] : NULL;
    if (operations == NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED, "this way to move data is not built yet");
    struct batch batch;
    for (int64_t at = 0; nereus_batch_next(registry, &exchange->parties, at, &batch);
         at = batch.first + batch.count)
        NEREUS_TRY(run_batch(exchange, operations, registry, &batch, err));
    return nereus_exchange_replicated(exchange, registry, err);
}
