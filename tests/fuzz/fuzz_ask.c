/**
 * @file fuzz_ask.c
 * Reads messages between a job and its clients, and checks that what is written is read as the
 * same.
 */
#include <string.h>

#include "fuzz.h"
#include "model/job_client/message.h"

static void use_request(const struct nereus_job_request *request)
{
    static char text[NEREUS_JOB_REQUEST_BYTES];
    static struct nereus_job_request again;
    const size_t length = nereus_job_request_write(request, text, sizeof text);
    if (length == 0)
        return; /* names full of quotes may be too long for a message */
    FUZZ_CHECK(nereus_job_request_read(text, length - 1, &again, NULL) == NEREUS_OK);
    FUZZ_CHECK(again.kind == request->kind && again.size == request->size);
    FUZZ_CHECK(again.node_count == request->node_count && again.request == request->request);
    FUZZ_CHECK(strcmp(again.method, request->method) == 0);
}

static void use_reply(const struct nereus_job_reply *reply)
{
    static char text[NEREUS_JOB_REPLY_BYTES];
    static struct nereus_job_reply again;
    char sentence[NEREUS_JOB_TEXT_MAX];
    const size_t length = nereus_job_reply_write(reply, text, sizeof text);
    FUZZ_CHECK(strlen(nereus_job_end_format(reply, sentence)) < sizeof sentence);
    if (length == 0)
        return;
    FUZZ_CHECK(nereus_job_reply_read(text, length - 1, &again, NULL) == NEREUS_OK);
    FUZZ_CHECK(again.answer == reply->answer && again.request == reply->request);
    FUZZ_CHECK(again.near_count == reply->near_count && again.end == reply->end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct nereus_job_request request;
    static struct nereus_job_reply reply;
    struct nereus_error err = {NEREUS_OK, ""};
    const char *text = (const char *)data;
    if (fuzz_accepted(nereus_job_request_read(text, size, &request, &err), &err))
        use_request(&request);
    if (fuzz_accepted(nereus_job_reply_read(text, size, &reply, &err), &err))
        use_reply(&reply);
    return 0;
}
