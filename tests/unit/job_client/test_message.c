/**
 * @file test_message.c
 * Messages between a job and who asks it: what is written is read as the same, and what is none is
 * refused with a sentence.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/job_client/message.h"
#include "model/util/arith.h"

static enum nereus_status read_request(const char *text, struct nereus_job_request *request,
                                       struct nereus_error *err)
{
    return nereus_job_request_read(text, strlen(text), request, err);
}

Test(message, request_survives)
{
    struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_RELEASE,
                                         .method = "merge-ts/coll",
                                         .deadline_s = 30.5,
                                         .node_count = 2,
                                         .nodes = {"node3", "rack \"1\"/b"}},
                              read;
    char text[NEREUS_JOB_REQUEST_BYTES];
    const size_t length = nereus_job_request_write(&request, text, sizeof text);
    cr_assert(length > 1 && text[length - 1] == '\n');
    cr_assert_eq(memchr(text, '\n', length), text + length - 1, "more than one line");
    cr_assert_eq(nereus_job_request_read(text, length - 1, &read, NULL), NEREUS_OK);
    cr_expect_eq(read.kind, NEREUS_JOB_REQUEST_RELEASE);
    cr_expect_str_eq(read.method, "merge-ts/coll");
    cr_expect_float_eq(read.deadline_s, 30.5, 1e-9);
    cr_assert_eq(read.node_count, 2);
    cr_expect_str_eq(read.nodes[1], "rack \"1\"/b");
}

Test(message, offer_survives)
{
    struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_OFFER,
                                         .size = 7,
                                         .node_count = 2,
                                         .nodes = {"node5:20", "node6:12@slurm:1234"}},
                              read;
    char text[NEREUS_JOB_REQUEST_BYTES];
    const size_t length = nereus_job_request_write(&request, text, sizeof text);
    cr_assert_eq(nereus_job_request_read(text, length - 1, &read, NULL), NEREUS_OK);
    cr_expect(read.kind == NEREUS_JOB_REQUEST_OFFER && read.size == 7 && read.node_count == 2);
    cr_expect_str_eq(read.nodes[1], "node6:12@slurm:1234");
    request = (struct nereus_job_request){
        .kind = NEREUS_JOB_REQUEST_RELEASE, .keep = true, .node_count = 1, .nodes = {"node5"}};
    const size_t again = nereus_job_request_write(&request, text, sizeof text);
    cr_assert_eq(nereus_job_request_read(text, again - 1, &read, NULL), NEREUS_OK);
    cr_expect(read.kind == NEREUS_JOB_REQUEST_RELEASE && read.keep && read.size == 0);
}

/* The largest messages fit. */
Test(message, largest_fit)
{
    static struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_RELEASE,
                                                .node_count = NEREUS_JOB_NODES_MAX};
    static struct nereus_job_reply reply = {.answer = NEREUS_JOB_STATE, .rt_s = -1}, read;
    static char text[NEREUS_JOB_REPLY_BYTES];
    reply.state.size = 123456;
    reply.state.node_count = 1000;
    reply.state.nodes_used = 900;
    reply.state.freed_count = NEREUS_JOB_NODES_MAX;
    for (int i = 0; i < NEREUS_JOB_NODES_MAX; i++) {
        memset(request.nodes[i], 'n', NEREUS_JOB_NODE_MAX - 1);
        struct nereus_job_node *node = &reply.state.nodes[i];
        memset(node->name, 'n', NEREUS_JOB_NODE_MAX - 1);
        memset(node->allocation, 'a', NEREUS_JOB_NODE_MAX - 1);
        node->processes = node->asleep = node->cores = 1 << 30;
        reply.state.freed_nodes[i] = *node;
        reply.state.freed_nodes[i].processes = 0;
    }
    memset(reply.state.last_outcome, 'l', NEREUS_JOB_TEXT_MAX - 1);
    cr_expect_gt(nereus_job_request_write(&request, text, NEREUS_JOB_REQUEST_BYTES), 0);
    const size_t length = nereus_job_reply_write(&reply, text, sizeof text);
    cr_assert_gt(length, 0);
    cr_assert_eq(nereus_job_reply_read(text, length - 1, &read, NULL), NEREUS_OK);
    cr_expect_eq(read.state.node_count, 1000);
    cr_expect_eq(read.state.nodes_used, 900);
    cr_expect_eq(read.state.nodes[63].processes, 1 << 30);
    cr_expect_eq(read.state.nodes[63].asleep, 1 << 30);
    cr_expect_eq(read.state.freed_count, NEREUS_JOB_NODES_MAX);
    cr_expect_eq(read.state.freed_nodes[63].cores, 1 << 30);
    cr_expect_eq(strlen(read.state.freed_nodes[63].allocation), NEREUS_JOB_NODE_MAX - 1);
}

Test(message, replies_survive)
{
    const struct nereus_job_reply outcome = {.answer = NEREUS_JOB_OUTCOME,
                                             .request = 7,
                                             .end = NEREUS_JOB_RESIZED,
                                             .ns = 3,
                                             .nt = 11,
                                             .rt_s = 0.1315,
                                             .rt_traced = true,
                                             .freed_count = 2,
                                             .freed_nodes = {{.name = "node3", .cores = 20},
                                                             {.name = "node5",
                                                              .cores = 7,
                                                              .allocation = "slurm:12"}}},
                                  refused = {.answer = NEREUS_JOB_REFUSED,
                                             .reason = "no \"such\" size",
                                             .near_sizes = {6, 12},
                                             .near_count = 2,
                                             .rt_s = -1},
                                  moved = {.answer = NEREUS_JOB_MOVED, .host = "node9", .rt_s = -1};
    struct nereus_job_reply read;
    char text[NEREUS_JOB_REPLY_BYTES], sentence[NEREUS_JOB_TEXT_MAX];
    size_t length = nereus_job_reply_write(&outcome, text, sizeof text);
    cr_assert_eq(nereus_job_reply_read(text, length, &read, NULL), NEREUS_OK);
    cr_expect(read.answer == NEREUS_JOB_OUTCOME && read.request == 7 && read.ns == 3 &&
              read.nt == 11 && read.rt_traced);
    cr_expect_float_eq(read.rt_s, 0.1315, 1e-9);
    cr_expect_str_eq(nereus_job_end_format(&read, sentence),
                     "resized from 3 to 11 processes in 0.132 s; free now: node3, node5");
    cr_expect(read.freed_count == 2 && read.freed_nodes[0].cores == 20);
    cr_expect_str_eq(read.freed_nodes[1].allocation, "slurm:12");
    length = nereus_job_reply_write(&refused, text, sizeof text);
    cr_assert_eq(nereus_job_reply_read(text, length, &read, NULL), NEREUS_OK);
    cr_expect(read.near_count == 2 && read.near_sizes[0] == 6 && read.near_sizes[1] == 12 &&
              read.rt_s < 0);
    cr_expect_str_eq(read.reason, "no \"such\" size");
    length = nereus_job_reply_write(&moved, text, sizeof text);
    cr_assert_eq(nereus_job_reply_read(text, length, &read, NULL), NEREUS_OK);
    cr_expect_str_eq(read.host, "node9");
}

/* Each is refused, and the sentence names what is wrong. */
static const struct row {
    const char *text, *says;
} rows[] = {
    {"", "not JSON"},
    {"hello", "not JSON"},
    {"{\"protocol\":1,\"do\":\"status\"", "not JSON"},
    {"[1]", "is not a JSON object"},
    {"{\"do\":\"status\"}", "protocol: this key is missing"},
    {"{\"protocol\":1}", "do: this key is missing"},
    {"{\"protocol\":2,\"do\":\"status\"}", "protocol: is another version than 1"},
    {"{\"protocol\":1,\"do\":\"stop\"}", "do: is not one of the words"},
    {"{\"protocol\":1,\"do\":3}", "do: is not a text"},
    {"{\"protocol\":1,\"do\":\"status\",\"sise\":3}", "sise: this key is not known"},
    {"{\"protocol\":1,\"do\":\"resize\"}", "size: this key is missing"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":0}", "size: is not a whole number"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":2.5}", "size: is not a whole number"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":99999999999}", "size: is not a whole number"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":2,\"deadline_s\":-1}",
     "deadline_s: is not a number"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":2,\"size\":3}", "not JSON"},
    {"{\"protocol\":1,\"do\":\"status\",\"size\":3}", "size: only a resize and an offer"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":3,\"nodes\":[\"n\"]}", "nodes: only a release"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":3,\"cores\":2}", "cores: this key is not known"},
    {"{\"protocol\":1,\"do\":\"resize\",\"size\":3,\"keep\":true}", "keep: only a release"},
    {"{\"protocol\":1,\"do\":\"release\"}", "nodes: this key is missing"},
    {"{\"protocol\":1,\"do\":\"release\",\"nodes\":[]}", "nodes: this key is missing"},
    {"{\"protocol\":1,\"do\":\"release\",\"nodes\":[3]}", "nodes: is not a list of names"},
    {"{\"protocol\":1,\"do\":\"release\",\"nodes\":\"node3\"}", "nodes: is not a list"},
    {"{\"protocol\":1,\"do\":\"offer\",\"size\":3}", "an offer has 1 to 16 nodes"},
};

Test(message, others_are_refused)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_END};
        struct nereus_error err = {0};
        cr_expect_eq(read_request(rows[i].text, &request, &err), NEREUS_ERR_PARSE, "%s",
                     rows[i].text);
        cr_expect(strstr(err.text, rows[i].says) != NULL, "%s: %s", rows[i].text, err.text);
        cr_expect_eq(request.kind, NEREUS_JOB_REQUEST_END, "written although refused");
    }
}

/* Whoever answers at the socket: no terminal obeys it, and no name is a path or an option. */
Test(message, replies_of_others)
{
    static const char status[] = "{\"protocol\":1,\"answer\":\"status\",\"job\":\"%s\",\"size\":2,"
                                 "\"host\":\"a\\u001b[2J\\nb\",\"last\":\"\\u009b2J\"}";
    static const struct {
        const char *job;
        enum nereus_status status;
    } replies[] = {{"app-7", NEREUS_OK},         {"../app", NEREUS_ERR_PARSE},
                   {"--help", NEREUS_ERR_PARSE}, {"a b", NEREUS_ERR_PARSE},
                   {"a\\nb", NEREUS_ERR_PARSE},  {"/tmp/x", NEREUS_ERR_PARSE}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(replies); i++) {
        char text[256];
        struct nereus_job_reply reply;
        snprintf(text, sizeof text, status, replies[i].job);
        cr_assert_eq(nereus_job_reply_read(text, strlen(text), &reply, NULL), replies[i].status,
                     "%s", text);
        if (replies[i].status == NEREUS_OK) {
            cr_expect_str_eq(reply.state.host, "a?[2J?b");
            cr_expect_str_eq(reply.state.last_outcome, "??2J");
        }
    }
}

/* A later version may say more. */
Test(message, unknown_keys_of_a_reply_are_ignored)
{
    static const char text[] = "{\"protocol\":1,\"answer\":\"ended\",\"later\":[1,2]}";
    struct nereus_job_reply reply;
    cr_assert_eq(nereus_job_reply_read(text, strlen(text), &reply, NULL), NEREUS_OK);
    cr_expect_eq(reply.answer, NEREUS_JOB_ENDED);
}
