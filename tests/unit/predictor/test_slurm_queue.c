/**
 * @file test_slurm_queue.c
 * What squeue and sinfo print, by several versions of Slurm, and what others can put in there.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/slurm/added_allocation.h"
#include "predictor/slurm/slurm_queue.h"

/* A list as it is printed, with the mark before each line where the row has none. */
static enum nereus_status take(enum nereus_slurm_list list, const char *text,
                               struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    static const char *const columns[] = {NEREUS_SQUEUE_OWN, NEREUS_SQUEUE_QUEUE,
                                          NEREUS_SINFO_NODES};
    char *marked = calloc(1, 6 * strlen(text) + 8), *end = marked;
    struct nereus_slurm_rows rows;
    cr_assert_not_null(marked);
    for (const char *position = text; *position != '\0'; position++) {
        if (list != NEREUS_SLURM_OWN && (position == text || position[-1] == '\n'))
            end = stpcpy(end, "MARK|");
        *end++ = *position;
    }
    nereus_slurm_rows_init(list == NEREUS_SLURM_NODES ? "sinfo" : "squeue", columns[list], "MARK|",
                           marked, &rows);
    const enum nereus_status status = nereus_slurm_queue_add_rows(queue, list, &rows, err);
    nereus_slurm_rows_fini(&rows);
    return status;
}

static struct nereus_slurm_queue read_texts(const char *own, const char *waiting, const char *nodes)
{
    const char *const texts[] = {own, waiting, nodes};
    struct nereus_slurm_queue queue = {.count = 0};
    struct nereus_error err = {.text = ""};
    for (int i = 0; i < 3; i++)
        cr_assert(texts[i] == NULL || take(i, texts[i], &queue, &err) == NEREUS_OK, "%s", err.text);
    return queue;
}

/* ---- a job of one's own ---------------------------------------------------------------------- */

#define SEEN "seen, 22.05.8, tests/hosts/slurm"
#define MAN  "squeue(1) of 20.11, 23.02 and 24.05"

struct own_row {
    const char *text, *id;
    enum nereus_slurm_state state;
    bool is_plain;
    int64_t nodes, cpus;
    const char *host, *name, *added_to, *source;
};

static const struct own_row own_rows[] = {
    {"7|7|RUNNING|1|2|host0|None|nereus app-%j", "7", NEREUS_SLURM_RUNNING, true, 1, 2, "host0",
     "app-7", "", SEEN},
    {"9|9|RUNNING|1|2|host1|None|nereus-added app-7 7", "9", NEREUS_SLURM_RUNNING, true, 1, 2,
     "host1", "", "7", SEEN},
    {"6|5_1|RUNNING|1|2|host0|None|nereus app-%j", "6", NEREUS_SLURM_RUNNING, false, 1, 2, "host0",
     "app-6", "", SEEN ": a task of an array has a number of its own, which is SLURM_JOB_ID"},
    {"5|5_3|PENDING|1|1|n/a|JobArrayTaskLimit|nereus app-%j", "5", NEREUS_SLURM_LATER, false, 1, 1,
     "", "app-5", "", SEEN ": the last task has the array's number"},
    {"3|3_[3-4]|PENDING|1|1|n/a|Resources|(null)", "3", NEREUS_SLURM_WAITING, false, 1, 1, "", "",
     "", SEEN},
    {"1|1+0|RUNNING|1|1|host0|None|nereus het-%j", "1", NEREUS_SLURM_RUNNING, false, 1, 1, "host0",
     "het-1", "", SEEN ": the first part runs the script"},
    {"2|1+1|RUNNING|1|1|host1|None|nereus het-%j", "2", NEREUS_SLURM_RUNNING, false, 1, 1, "host1",
     "", "", SEEN ": a further part of the same job"},
    {"7|7|RUNNING|1024|65536|cn0001|None|nereus big", "7", NEREUS_SLURM_RUNNING, true, 1024, 65536,
     "cn0001", "big", "", MAN ": with --noconvert no 1K and 64K"},
    {"4294967294|4294967294|CONFIGURING|1|2|nid0000000001|None|nereus a", "4294967294",
     NEREUS_SLURM_LATER, true, 1, 2, "nid0000000001", "a", "", MAN ": the largest number"},
    {"8|8|PENDING|1|1|n/a|(JobHeldUser)|", "8", NEREUS_SLURM_LATER, true, 1, 1, "", "", "", MAN},
    {"8|8|PENDING|1|1||Priority|nereus w", "8", NEREUS_SLURM_WAITING, true, 1, 1, "", "w", "",
     MAN ": no host is an empty text in 24.05"},
    {"8|8|COMPLETING|1|1|host3|None|nereus app", "8", NEREUS_SLURM_ENDED, true, 1, 1, "host3",
     "app", "", MAN},
    {"8|8|RUNNING|1|1|--all|None|nereus app", "8", NEREUS_SLURM_RUNNING, true, 1, 1, "", "app", "",
     "constructed: no option is a host"},
    {"8|8|RUNNING|1|1|host0|None|nereus --all", "8", NEREUS_SLURM_RUNNING, true, 1, 1, "host0", "",
     "", "constructed: no option is a name"},
    {"8|8|RUNNING|1|1|host0|None|nereus ../x%j", "8", NEREUS_SLURM_RUNNING, true, 1, 1, "host0", "",
     "", "constructed: no path is a name"},
    {"8|8|RUNNING|1|1|host0|None|nereus-added app --user=root", "8", NEREUS_SLURM_RUNNING, true, 1,
     1, "host0", "", "", "constructed: no option is the number of a job"},
    {"8|8|RUNNING|1|1|host0|None|nereus \"app\" %j %j", "8", NEREUS_SLURM_RUNNING, true, 1, 1,
     "host0", "", "", SEEN ": quotes, and two numbers"},
    {"8|8|RUNNING|1|1|host0|None|nereus \u00fcber %s%n 'x'", "8", NEREUS_SLURM_RUNNING, true, 1, 1,
     "host0", "", "", SEEN ": letters that no name has"},
    {"8|8|RUNNING|1|1|host0|None|nereus x\nnereus:0|9|9|RUNNING", "8", NEREUS_SLURM_RUNNING, true,
     1, 1, "host0", "", "", SEEN ": what looks like a mark"},
    {"8|8|RUNNING|1|1|host0|None|nereus-added app 9 9", "8", NEREUS_SLURM_RUNNING, true, 1, 1,
     "host0", "", "", SEEN ": a word too many"},
    {"8|8|RUNNING|1|1|host0|None|nereus-added app 7\n9", "8", NEREUS_SLURM_RUNNING, true, 1, 1,
     "host0", "", "", "constructed: a comment of two lines is none of ours"},
    {"8|8|RUNNING|1|1|host0|None|x\n7|7|RUNNING|1|2|host0|None|nereus y", "8", NEREUS_SLURM_RUNNING,
     true, 1, 1, "host0", "", "", "constructed: a line of a comment is no job"},
};

Test(slurm_queue, own_jobs)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(own_rows); i++) {
        const struct own_row *row = &own_rows[i];
        char text[256];
        snprintf(text, sizeof text, "MARK|%s\n", row->text);
        struct nereus_slurm_queue queue = read_texts(text, NULL, NULL);
        cr_assert_eq(queue.count, 1, "row %zu: %s", i, queue.left_out.first);
        cr_expect_eq(queue.left_out.count, 0);
        const struct nereus_slurm_job *job = &queue.jobs[0];
        cr_expect_str_eq(job->id, row->id);
        cr_expect_eq(job->state, row->state, "row %zu", i);
        cr_expect_eq(job->is_plain, row->is_plain, "row %zu", i);
        cr_expect_eq(job->is_part, strstr(row->text, "+0|") != NULL, "row %zu", i);
        cr_expect(job->nodes == row->nodes && job->cpus == row->cpus, "row %zu", i);
        cr_expect_str_eq(job->host, row->host);
        cr_expect_str_eq(job->name, row->name, "row %zu: %s", i, job->name);
        cr_expect_str_eq(job->added_to, row->added_to, "row %zu: %s", i, job->added_to);
        nereus_slurm_queue_fini(&queue);
    }
}

/* ---- jobs that wait -------------------------------------------------------------------------- */

struct waiting_row {
    const char *text, *id;
    int64_t nodes, cpus, count; /* count 0: does not wait for nodes */
    const char *source;
};

static const struct waiting_row waiting_rows[] = {
    {"6|N/A|1|1|Resources", "6", 1, 1, 1, SEEN},
    {"11|N/A|3|5|Priority", "11", 3, 5, 1, SEEN},
    {"12|N/A|1|1|None", "12", 1, 1, 1, SEEN ": just submitted"},
    {"2|5-59:2|1|1|BeginTime", "2", 1, 1, 0, SEEN},
    {"3|3-4|1|1|Resources", "3", 1, 1, 2, SEEN},
    {"4|1-3%2|1|1|Resources", "4", 1, 1, 2, MAN ": two at a time"},
    {"4|1,3,5-7|2|8|Priority", "4", 2, 8, 5, MAN},
    {"4|0-10:5|1|1|Priority", "4", 1, 1, 3, MAN},
    {"8|1,3,5,7,12,14,20-33,50,60,70,80,90,100,120,130,140,150,160,1...%7|1|1|Resources", "8", 1, 1,
     7, SEEN ": cut off"},
    {"8|1,3,5,7,12,14,20-33,50,60,70,80,90,100,120,130,140,150,160,1...|1|1|Resources", "8", 1, 1,
     1 << 20, SEEN ": cut off"},
    {"5|N/A|1|1|JobHeldUser|a|b", "5", 1, 1, 0, "constructed: a reason may be any text"},
    {"5|N/A|2048|131072|Resources", "5", 2048, 131072, 1, MAN ": with --noconvert no 2K"},
};

Test(slurm_queue, waiting_jobs)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(waiting_rows); i++) {
        const struct waiting_row *row = &waiting_rows[i];
        struct nereus_slurm_queue queue = read_texts(NULL, row->text, NULL);
        cr_expect_eq(queue.left_out.count, 0, "row %zu: %s", i, queue.left_out.first);
        cr_assert_eq(queue.waiting_count, row->count > 0, "row %zu", i);
        if (row->count > 0) {
            const struct nereus_slurm_waiting *job = &queue.waiting[0];
            cr_expect_str_eq(job->id, row->id);
            cr_expect(job->nodes == row->nodes && job->cpus == row->cpus, "row %zu", i);
            cr_expect_eq(job->count, row->count, "row %zu: %lld", i, (long long)job->count);
        }
        nereus_slurm_queue_fini(&queue);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

Test(slurm_queue, nodes)
{
    static const struct {
        const char *text;
        int64_t nodes, idle, cores;
        const char *source;
    } rows[] = {
        {"host0|alloc|1024\nhost1|idle|1024\n", 2, 1, 1024, SEEN ": with --noconvert no 1K"},
        {"host0|idle|2\nhost0|idle|2\nhost1|mix|4\n", 2, 1, 2, MAN ": of two partitions"},
        {"a|idle~|2\nb|idle*|2\nc|plnd|2\nd|resv|2\ne|drain|2\n", 5, 1, 2, MAN},
        {"a|idle|4\nb|down*|1\nc|unk*|1\nd|drain|2\ne|futr|1\n", 5, 1, 4,
         MAN ": what is out of service does not make the others small"},
        {"b|down*|1\na|drng|8\nc|mix|4\nd|alloc|6\n", 4, 0, 4, MAN},
        {"a|down|2\nb|drain~|1\n", 2, 0, 1, MAN ": all are out of service"},
        {"nid0000000001|idle|256\nnid0000000002|idle|256\n", 2, 2, 256, MAN},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_slurm_queue queue = read_texts(NULL, NULL, rows[i].text);
        cr_expect_eq(queue.left_out.count, 0);
        cr_expect(queue.nodes == rows[i].nodes && queue.idle_nodes == rows[i].idle &&
                      queue.cores_per_node == rows[i].cores,
                  "row %zu", i);
        nereus_slurm_queue_fini(&queue);
    }
}

/* Idle is what a job gets at once. */
Test(slurm_queue, states_of_nodes)
{
    static const struct {
        const char *state;
        bool is_idle, is_out;
        const char *source;
    } rows[] = {
        {"idle", true, false, SEEN},
        {"plnd", true, false, MAN ": planned for a job that waits, which comes first in any case"},
        {"idle-", true, false, MAN ": the same, of 21.08"},
        {"idle~", false, false, MAN ": powered down; minutes until it has started"},
        {"idle#", false, false, MAN ": starting"},
        {"idle!", false, false, MAN ": will be powered down"},
        {"idle%", false, false, MAN ": powering down"},
        {"idle*", false, true, MAN ": does not answer"},
        {"idle$", false, false, MAN ": reserved for maintenance"},
        {"idle@", false, false, MAN ": will be started anew"},
        {"idle^", false, false, MAN ": is being started anew"},
        {"idle+", false, false, "constructed: a suffix that is not known"},
        {"mix", false, false, SEEN},
        {"mix-", false, false, MAN},
        {"alloc", false, false, SEEN},
        {"alloc-", false, false, MAN},
        {"alloc*", false, true, MAN},
        {"comp", false, false, SEEN},
        {"resv", false, false, MAN},
        {"maint", false, false, MAN},
        {"npc", false, false, MAN ": performance counters in use"},
        {"pow_dn", false, false, MAN},
        {"drain", false, true, SEEN},
        {"drng", false, true, MAN},
        {"down", false, true, MAN},
        {"down$", false, true, MAN},
        {"fail", false, true, MAN},
        {"failg", false, true, MAN},
        {"unk", false, true, MAN},
        {"futr", false, true, MAN},
        {"inval", false, true, MAN},
        {"", false, false, "constructed"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[64];
        snprintf(text, sizeof text, "host0|%s|2\n", rows[i].state);
        struct nereus_slurm_queue queue = read_texts(NULL, NULL, text);
        cr_expect_eq(queue.idle_nodes, rows[i].is_idle, "'%s'", rows[i].state);
        cr_expect_eq(queue.out_nodes, rows[i].is_out, "'%s'", rows[i].state);
        nereus_slurm_queue_fini(&queue);
    }
}

/* All that Slurm has for a job, of one or another version. */
Test(slurm_queue, states_of_jobs)
{
    static const struct {
        const char *state, *reason;
        enum nereus_slurm_state expected;
    } rows[] = {{"RUNNING", "None", NEREUS_SLURM_RUNNING},
                {"PENDING", "Resources", NEREUS_SLURM_WAITING},
                {"PENDING", "Dependency", NEREUS_SLURM_LATER},
                {"PENDING", "(Nodes required for job are DOWN)", NEREUS_SLURM_LATER},
                {"CONFIGURING", "None", NEREUS_SLURM_LATER},
                {"POWER_UP_NODE", "None", NEREUS_SLURM_LATER},
                {"REQUEUED", "None", NEREUS_SLURM_LATER},
                {"REQUEUE_HOLD", "None", NEREUS_SLURM_LATER},
                {"SPECIAL_EXIT", "None", NEREUS_SLURM_LATER},
                {"SUSPENDED", "None", NEREUS_SLURM_OTHER},
                {"STOPPED", "None", NEREUS_SLURM_OTHER},
                {"RESIZING", "None", NEREUS_SLURM_OTHER},
                {"SIGNALING", "None", NEREUS_SLURM_OTHER},
                {"STAGE_OUT", "None", NEREUS_SLURM_OTHER},
                {"", "", NEREUS_SLURM_OTHER},
                {"COMP", "", NEREUS_SLURM_OTHER},
                {"+", "", NEREUS_SLURM_OTHER},
                {"COMPLETING", "", NEREUS_SLURM_ENDED},
                {"COMPLETED", "", NEREUS_SLURM_ENDED},
                {"CANCELLED", "", NEREUS_SLURM_ENDED},
                {"CANCELLED by 1000", "", NEREUS_SLURM_ENDED},
                {"CANCELLED+", "", NEREUS_SLURM_ENDED},
                {"FAILED", "NonZeroExitCode", NEREUS_SLURM_ENDED},
                {"TIMEOUT", "", NEREUS_SLURM_ENDED},
                {"NODE_FAIL", "", NEREUS_SLURM_ENDED},
                {"OUT_OF_MEMORY", "", NEREUS_SLURM_ENDED},
                {"OUT_OF_ME+", "", NEREUS_SLURM_ENDED},
                {"PREEMPTED", "", NEREUS_SLURM_ENDED},
                {"DEADLINE", "", NEREUS_SLURM_ENDED},
                {"BOOT_FAIL", "", NEREUS_SLURM_ENDED},
                {"REVOKED", "", NEREUS_SLURM_ENDED}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_expect_eq(nereus_slurm_state_parse(rows[i].state, rows[i].reason), rows[i].expected,
                     "'%s'", rows[i].state);
    }
}

/* ---- what cannot be read --------------------------------------------------------------------- */

/* A line that cannot be read is left out, and the lines around it are read. */
Test(slurm_queue, leaves_lines_out)
{
    static const struct {
        const char *own, *waiting, *nodes, *said;
        int64_t left_out;
    } rows[] = {
        {"MARK|--user=root|7|RUNNING|1|2|host0|None|nereus a\n", "", "", "the number of a job", 1},
        {"MARK|7;scancel|7|RUNNING|1|2|host0|None|nereus a\n", "", "", "the number of a job", 1},
        {"MARK|7|7|RUNNING\n", "", "", "has 3 of the 8 columns", 1},
        {"MARK|7|7|RUNNING|x|2|host0|None|\n", "", "", "squeue: the number of nodes must be", 1},
        {"MARK|7|7|RUNNING|9223372036854775807|2|host0|None|\n", "", "",
         "the number of nodes must be at most 1048576", 1},
        {"CLUSTER: one\n", "", "", "squeue printed 'CLUSTER: one' before the first record", 1},
        {"", "--user=root|N/A|1|1|Resources\n", "", "the number of a job", 1},
        {"", "hello\n", "", "has 1 of the 5 columns", 1},
        {"", "3|4-1|1|1|Resources\n", "", "tasks of an array", 1},
        {"", "3|[1|1|1|Resources\n", "", "tasks of an array", 1},
        {"", "3|1%0|1|1|Resources\n", "", "tasks of an array", 1},
        {"", "3|3-4x|1|1|Resources\n", "", "tasks of an array", 1},
        {"", "3|3,|1|1|Resources\n", "", "tasks of an array", 1},
        {"", "3|3%2%1|1|1|Resources\n", "", "tasks of an array", 1},
        {"", "", "-x|idle|2\n", "where the name of a node was to be", 1},
        {"", "3|N/A|1|1|Resources\nx\n3|N/A|1\n", "", "has 1 of the 5 columns", 2},
        {"", "", "host1|idle\n", "has 2 of the 3 columns", 1},
        {"", "", "host1|idle|many\n", "sinfo: the CPUs of a node must be", 1},
        {"", "", "host1|idle|1K\n", "sinfo: the CPUs of a node must be", 1},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char own[256], waiting[256], nodes[256];
        snprintf(own, sizeof own, "%sMARK|41|41|RUNNING|1|2|host0|None|nereus good\n", rows[i].own);
        snprintf(waiting, sizeof waiting, "%s42|N/A|1|1|Resources\n", rows[i].waiting);
        snprintf(nodes, sizeof nodes, "%shost0|idle|2\n", rows[i].nodes);
        struct nereus_slurm_queue queue = read_texts(own, waiting, nodes);
        cr_expect_eq(queue.left_out.count, rows[i].left_out, "row %zu", i);
        cr_expect(strstr(queue.left_out.first, rows[i].said) != NULL, "row %zu: %s", i,
                  queue.left_out.first);
        cr_expect_not_null(nereus_slurm_find_job_by_name(&queue, "good"), "row %zu", i);
        cr_expect_eq(queue.count, 1);
        cr_expect_str_eq(queue.waiting[queue.waiting_count - 1].id, "42");
        cr_expect_eq(queue.nodes, 1);
        nereus_slurm_queue_fini(&queue);
    }
}

/* A comment of several lines is one comment, whatever they look like; the next job is the next. */
Test(slurm_queue, lines_of_comments)
{
    struct nereus_slurm_queue queue =
        read_texts("MARK|7|7|RUNNING|1|2|host0|None|nereus a\n"
                   "MARK|8|8|PENDING|1|2|n/a|None|x\n9|9|RUNNING|1|2|host0|None|nereus-added a 7\n"
                   "--user=root|7|RUNNING|1|2|host0|None|nereus-added a 7\n xMARK|5\n\n"
                   "MARK|10|10|RUNNING|1|2|host1|None|nereus-added a 7\n",
                   NULL, NULL);
    cr_assert_eq(queue.count, 3);
    cr_expect_eq(queue.left_out.count, 0);
    cr_expect_str_eq(queue.jobs[1].id, "8");
    cr_expect_str_eq(queue.jobs[1].added_to, "");
    cr_expect_null(nereus_slurm_find_job_by_id(&queue, "9"));
    cr_expect_str_eq(nereus_slurm_find_job_by_id(&queue, "10")->added_to, "7");
    nereus_slurm_queue_fini(&queue);
}

Test(slurm_queue, no_node_is_an_error)
{
    struct nereus_slurm_queue queue = {.count = 0};
    struct nereus_error err = {.text = ""};
    cr_expect_eq(take(NEREUS_SLURM_NODES, "host0|idle|few\n", &queue, &err), NEREUS_ERR_PARSE);
    cr_expect(strstr(err.text, "sinfo lists no node: sinfo: the CPUs of a node must be") != NULL,
              "%s", err.text);
}

Test(slurm_queue, numbers_of_jobs)
{
    static const struct {
        const char *text;
        bool is_id;
    } rows[] = {{"7", true},
                {"4294967294", true},
                {"", false},
                {"--user=root", false},
                {"-7", false},
                {"7 8", false},
                {"7,8", false},
                {"4_1", false},
                {"5+0", false},
                {"7\n8", false},
                {"7;x", false},
                {"٣", false},
                {"1111111111222222222233333333334", true},
                {"11111111112222222222333333333344", false}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char allocation[64];
        const char *id;
        cr_expect_eq(nereus_slurm_is_id(rows[i].text), rows[i].is_id, "'%s'", rows[i].text);
        snprintf(allocation, sizeof allocation, "slurm:%s", rows[i].text);
        id = nereus_allocation_id(allocation);
        cr_expect_eq(id != NULL, rows[i].is_id, "'%s'", allocation);
    }
    cr_expect_null(nereus_allocation_id("7"));
    cr_expect_null(nereus_allocation_id(""));
}
