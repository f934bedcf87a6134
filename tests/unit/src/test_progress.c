/** @file test_progress.c  A process reads the record of another one, which is gone with it. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/util/progress.h"

enum { JOB = 4711 };

/* How many records of that job there are, by processes other than this one. */
static int64_t count_records(uint64_t job, struct nereus_progress *last)
{
    struct nereus_progress *records;
    int64_t found = 0;
    const int64_t count = nereus_progress_read_all(&records);
    for (int64_t i = 0; i < count; i++)
        if (records[i].job == job) {
            *last = records[i];
            found++;
        }
    free(records);
    return found;
}

/* Writes its record, says so, and waits to be killed. */
static void be_a_rank(uint64_t job, int ready)
{
    struct nereus_progress_page *page = nereus_progress_open();
    struct nereus_progress record = {.job = job, .pid = getpid(), .rank = 5, .points = 30};
    strcpy(record.call, "nereus_point");
    nereus_progress_write(page, &record);
    record.points++;
    nereus_progress_write(page, &record);
    nereus_progress_count(page, 33);
    if (fork() == 0) { /* has the descriptor, and is no rank */
        if (write(ready, "", 1) == 1)
            sleep(60);
        _exit(0);
    }
    for (;;)
        pause();
}

Test(progress, is_read_without_a_word_from_the_process_and_gone_with_it, .timeout = 60)
{
    const uint64_t job = JOB + ((uint64_t)getpid() << 20);
    struct nereus_progress record;
    int ready[2];
    char byte;
    cr_assert(pipe(ready) == 0);
    cr_assert(count_records(job, &record) == 0);
    const pid_t rank = fork();
    if (rank == 0) {
        setpgid(0, 0);
        be_a_rank(job, ready[1]);
    }
    cr_assert(read(ready[0], &byte, 1) == 1);
    cr_assert(count_records(job, &record) == 1, "one rank, and a child that it has forked");
    cr_expect(record.pid == rank && record.rank == 5 && record.points == 31);
    cr_expect(strcmp(record.call, "nereus_point") == 0, "%s", record.call);
    struct nereus_progress_page *held = nereus_progress_open_other(rank);
    kill(-rank, SIGKILL);
    waitpid(rank, NULL, 0);
    cr_expect(count_records(job, &record) == 0);
    cr_expect(nereus_progress_points(held) == 33, "its points are known after its end");
    nereus_progress_close(held);
    cr_expect_null(nereus_progress_open_other(rank));
}

Test(progress, points_are_not_known_of_a_process_that_has_left)
{
    struct nereus_progress record = {.pid = getpid()};
    struct nereus_progress_page *page = nereus_progress_open();
    cr_assert_not_null(page);
    nereus_progress_write(page, &record);
    struct nereus_progress_page *held = nereus_progress_open_other(getpid());
    nereus_progress_count(page, 7);
    cr_expect(nereus_progress_points(held) == 7);
    record.left = true;
    nereus_progress_write(page, &record);
    cr_expect(nereus_progress_points(held) == -1);
    cr_expect(nereus_progress_points(NULL) == -1);
    nereus_progress_close(held);
    nereus_progress_close(page);
}

Test(progress, a_page_that_was_never_written_tells_nothing)
{
    struct nereus_progress_page *page = nereus_progress_open();
    struct nereus_progress *records;
    cr_assert_not_null(page);
    const int64_t count = nereus_progress_read_all(&records);
    for (int64_t i = 0; i < count; i++)
        cr_expect(records[i].pid != getpid(), "a process does not read its own");
    free(records);
    nereus_progress_close(page);
    nereus_progress_close(NULL);
    nereus_progress_write(NULL, NULL);
    nereus_progress_count(NULL, 1);
}
