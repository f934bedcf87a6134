/**
 * @file test_connection.c
 * Lines of text over TCP (src/link/connection.h): words survive, strangers are shut out, limits
 * hold.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/link/connection.h"

/* A line's two ends, over TCP as in earnest. */
struct pair {
    struct nereus_connection ours;
    int theirs;
};

static struct pair make_pair(size_t limit)
{
    struct pair pair;
    struct nereus_connection_address address;
    const int door = nereus_connection_listen(&address);
    cr_assert(door >= 0);
    pair.theirs = nereus_connection_connect(address.host, address.port, 5);
    cr_assert(pair.theirs >= 0);
    const int fd = accept(door, NULL, NULL);
    cr_assert(fd >= 0);
    nereus_connection_init(&pair.ours, fd, limit);
    close(door);
    return pair;
}

static void end_pair(struct pair *pair)
{
    nereus_connection_fini(&pair->ours);
    if (pair->theirs >= 0)
        close(pair->theirs);
}

Test(launch_line, words_survive)
{
    static const char *const words[] = {
        "plain",     "two words", "",  "new\nline", "100%",      "%41", "t\303\251t\303\251",
        "a=b c$d#e", "\\'\"`",    "%", " ",         "tag#0$x[2]"};
    const size_t count = sizeof words / sizeof *words;
    struct pair pair = make_pair(1 << 16);
    struct nereus_words line = {0};
    for (size_t i = 0; i < count; i++)
        nereus_words_add(&line, words[i]);
    nereus_words_add_int(&line, -9007199254740993);
    cr_assert(nereus_words_send(&line, pair.theirs, 5));
    char *position = nereus_connection_wait_line(&pair.ours, 5);
    cr_assert_not_null(position);
    for (size_t i = 0; i < count; i++) {
        const char *word = nereus_word_next(&position);
        cr_assert_not_null(word);
        cr_assert_str_eq(word, words[i], "word %zu: '%s'", i, word);
    }
    cr_assert_str_eq(nereus_word_next(&position), "-9007199254740993");
    cr_assert_null(nereus_word_next(&position));
    cr_assert_null(nereus_word_next(&position));
    end_pair(&pair);
}

Test(launch_line, lines_come_in_pieces_and_together)
{
    struct pair pair = make_pair(1 << 16);
    cr_assert_null(nereus_connection_next_line(&pair.ours));
    cr_assert(nereus_connection_send(pair.theirs, "fir", 3, 5));
    cr_assert_null(nereus_connection_wait_line(&pair.ours, 0.05));
    cr_assert(nereus_connection_send(pair.theirs, "st\nsecond\nthi", 13, 5));
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "first");
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "second");
    cr_assert_null(nereus_connection_wait_line(&pair.ours, 0.05));
    cr_assert(!pair.ours.ended);
    end_pair(&pair);
}

Test(launch_line, bytes_follow_a_line)
{
    enum {
        BYTES = 300001
    }; /* more than a socket holds at once is not needed: both ends are in one thread */
    static char sent[BYTES], received[BYTES];
    struct pair pair = make_pair(1 << 20);
    const char more[] = "\nafter\n";
    for (int i = 0; i < BYTES; i++)
        sent[i] = (char)(i * 31 + i / 257);
    cr_assert(nereus_connection_send_line(pair.theirs, "W %d", (int)BYTES));
    size_t given = 0, taken = 0;
    char *head = nereus_connection_wait_line(&pair.ours, 5);
    cr_assert_str_eq(head, "W 300001");
    while (taken < BYTES) {
        const size_t piece = BYTES - given < 7001 ? BYTES - given : 7001;
        cr_assert(nereus_connection_send(pair.theirs, sent + given, piece, 5));
        given += piece;
        cr_assert(nereus_connection_read(&pair.ours, received + taken, piece, 5));
        taken += piece;
    }
    cr_assert(memcmp(sent, received, BYTES) == 0);
    cr_assert(nereus_connection_send(pair.theirs, more, sizeof more - 1, 5));
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "");
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "after");
    cr_assert(!nereus_connection_read(&pair.ours, received, 1, 0.05));
    end_pair(&pair);
}

Test(launch_line, what_was_said_before_the_end_is_heard)
{
    struct pair pair = make_pair(1 << 16);
    cr_assert(nereus_connection_send_line(pair.theirs, "last words"));
    close(pair.theirs);
    pair.theirs = -1;
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "last words");
    cr_assert_null(nereus_connection_wait_line(&pair.ours, 5));
    cr_assert(pair.ours.ended);
    cr_assert(!nereus_connection_send_line(-1, "nobody"));
    end_pair(&pair);
}

Test(launch_line, who_says_too_much_is_shut_out)
{
    struct pair pair = make_pair(100);
    char flood[9000];
    memset(flood, 'x', sizeof flood);
    cr_assert(nereus_connection_send(pair.theirs, flood, sizeof flood, 5));
    for (int i = 0; i < 100 && !pair.ours.ended; i++) {
        usleep(1000);
        nereus_connection_fill(&pair.ours);
        cr_assert_null(nereus_connection_next_line(&pair.ours));
    }
    cr_assert(pair.ours.ended);
    end_pair(&pair);
}

/* A short line, then one that the limit, raised by whoever read the first one, allows: all of it
 * may come in one packet. */
Test(launch_line, lines_count_one_by_one)
{
    enum { FIRST_LIMIT = 100, BYTES = 60000 };
    static const char ends[] = "\nlast\n";
    static char text[BYTES];
    struct pair pair = make_pair(FIRST_LIMIT);
    memset(text, 'x', sizeof text);
    memcpy(text, "first\n", 6);
    cr_assert(nereus_connection_send(pair.theirs, text, sizeof text, 5));
    cr_assert(nereus_connection_send(pair.theirs, ends, sizeof ends - 1, 5));
    usleep(10000); /* most of it is there at the first look */
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "first");
    cr_assert(!pair.ours.ended);
    pair.ours.limit = 2 * BYTES;
    const char *second = nereus_connection_wait_line(&pair.ours, 5);
    cr_assert_not_null(second);
    cr_assert_eq(strlen(second), BYTES - 6);
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "last");
    end_pair(&pair);
}

/* Bytes that follow a line are no line: a limit of lines does not concern them. */
Test(launch_line, bytes_have_no_limit)
{
    enum { LIMIT = 100, BYTES = 60000 };
    static char text[BYTES], received[BYTES - 2];
    struct pair pair = make_pair(LIMIT);
    memset(text, 'x', sizeof text);
    memcpy(text, "W\n", 2);
    cr_assert(nereus_connection_send(pair.theirs, text, sizeof text, 5));
    usleep(10000);
    cr_assert_str_eq(nereus_connection_wait_line(&pair.ours, 5), "W");
    cr_assert(nereus_connection_read(&pair.ours, received, sizeof received, 5));
    cr_assert(memcmp(received, text + 2, sizeof received) == 0);
    end_pair(&pair);
}

Test(launch_line, a_closed_line_is_no_signal)
{
    struct pair pair = make_pair(100);
    close(pair.ours.fd);
    pair.ours.fd = -1;
    bool sent = true;
    for (int i = 0; i < 1000 && sent; i++)
        sent = nereus_connection_send_line(pair.theirs, "is anybody there");
    cr_assert(!sent);
    end_pair(&pair);
}

Test(launch_line, addresses)
{
    static const struct {
        const char *text, *host, *rest;
        int port;
        bool good;
    } rows[] = {
        {"node7.cluster:40123:00ff:3", "node7.cluster", "3", 40123, true},
        {"h:1:a", "h", "", 1, true},
        {"h:1:a:4:5", "h", "4:5", 1, true},
        {"h:1", NULL, NULL, 0, false},
        {":1:a", NULL, NULL, 0, false},
        {"h:x:a", NULL, NULL, 0, false},
        {"", NULL, NULL, 0, false},
        {NULL, NULL, NULL, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct nereus_connection_address address;
        const char *rest = NULL;
        const bool good = nereus_connection_parse_address(rows[i].text, &address, &rest);
        cr_assert_eq(good, rows[i].good, "row %zu", i);
        if (!good)
            continue;
        cr_assert_str_eq(address.host, rows[i].host);
        cr_assert_eq(address.port, rows[i].port);
        cr_assert_str_eq(rest, rows[i].rest);
    }
}

Test(launch_line, tokens_differ)
{
    struct nereus_connection_address a, b;
    const int first = nereus_connection_listen(&a), second = nereus_connection_listen(&b);
    cr_assert(first >= 0 && second >= 0);
    cr_assert_eq(strlen(a.token), 32);
    cr_assert_str_neq(a.token, b.token);
    close(first);
    close(second);
}

Test(launch_line, a_word_is_a_number_or_refused)
{
    static const struct {
        const char *word;
        bool good;
        int64_t number;
    } rows[] = {{"37", true, 37},
                {"-3", true, -3},
                {"0", true, 0},
                {NULL, false, 0},
                {"", false, 0},
                {"3x", false, 0},
                {"x", false, 0},
                {"9223372036854775807", true, INT64_MAX},
                {"9223372036854775808", false, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t number = 0;
        cr_expect(nereus_word_integer(rows[i].word, &number) == rows[i].good, "row %zu", i);
        cr_expect(number == rows[i].number, "row %zu: %lld", i, (long long)number);
    }
}
