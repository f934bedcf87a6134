/**
 * @file test_status_page.c
 * Status texts of processes, read on other hosts (src/supervise/status_page.h).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "src/link/connection.h"
#include "src/supervise/status_page.h"

/* The texts that a host gets, each with a comma behind it; ages must be those of a moment ago. */
static void answer(const struct status_page *status_page, const char *host, char *texts,
                   size_t size)
{
    int ends[2];
    struct nereus_connection connection;
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    status_page_answer(status_page, host, ends[0]);
    nereus_connection_init(&connection, ends[1], 1 << 16);
    char *rest = nereus_connection_wait_line(&connection, 5);
    texts[0] = '\0';
    for (const char *age;
         rest != NULL && (age = nereus_word_next(&rest)) != NULL && *age != '\0';) {
        const char *text = nereus_word_next(&rest);
        cr_assert_not_null(text);
        cr_expect(atof(age) >= 0 && atof(age) < 60, "age %s", age);
        strncat(texts, text, size - strlen(texts) - 2);
        strcat(texts, ",");
    }
    nereus_connection_fini(&connection);
    shutdown(ends[0], SHUT_RDWR);
}

Test(status_page, each_host_hears_of_the_others)
{
    static const struct {
        const char *host;
        long pid;
        const char *text; /* NULL: forgotten */
    } puts[] = {{"alpha", 7, "rank 0"}, {"beta", 7, "rank 1"},   {"beta", 9, "rank 2 early"},
                {"beta", 9, "rank 2"},  {"gamma", 11, "rank 3"}, {"gamma", 12, "rank 4"},
                {"gamma", 11, NULL},    {"gamma", 99, NULL},     {"delta", 1, ""}};
    static const struct {
        const char *host, *texts;
    } rows[] = {{"alpha", "rank 1,rank 2,rank 4,,"},
                {"beta", "rank 0,rank 4,,"},
                {"gamma", "rank 0,rank 1,rank 2,,"},
                {"elsewhere", "rank 0,rank 1,rank 2,rank 4,,"}};
    struct status_page status_page = {0};
    char texts[256];
    answer(&status_page, "alpha", texts, sizeof texts);
    cr_expect_str_eq(texts, "", "an empty status_page: '%s'", texts);
    for (size_t i = 0; i < sizeof puts / sizeof *puts; i++)
        status_page_store(&status_page, puts[i].host, puts[i].pid, puts[i].text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        answer(&status_page, rows[i].host, texts, sizeof texts);
        cr_expect_str_eq(texts, rows[i].texts, "%s hears '%s'", rows[i].host, texts);
    }
    status_page_fini(&status_page);
}
