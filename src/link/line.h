/*
 * Lines of text over TCP, for everything that happens around MPI: reports and lifelines of guards,
 * orders to nereus-supervise, messages to and from launched worlds. Without MPI and without the
 * rest of libnereus: the guards are built from it too. Private to src/.
 *
 * A line ends with a newline; its words are separated by blanks, and all but plain characters of a
 * word are sent as %XX.
 */
#ifndef NEREUS_LINE_H
#define NEREUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { NEREUS_LINE_HOST_MAX = 256, NEREUS_LINE_TOKEN_MAX = 40 };

/* A listening socket, as written in an environment variable: "host:port:token". */
struct nereus_line_address {
    char host[NEREUS_LINE_HOST_MAX];
    int port;
    char token[NEREUS_LINE_TOKEN_MAX];
};

/* One end of a line, and what has been read from it and not yet been taken. */
struct nereus_line {
    int fd; /* -1: none */
    char *text;
    size_t begin, length, capacity; /* text[begin .. length) is not yet taken */
    /* One line of more bytes than this ends it all (a stranger); lines that come together count one
     * by one, and bytes that follow a line do not count */
    size_t limit;
    bool ended; /* the other side closed it, or it broke */
};

double nereus_line_now_s(void);

/* A listening socket on a port that the system chooses, with a new token.
 * @return the socket, -1 and errno */
int nereus_line_listen(struct nereus_line_address *address);
/* @return the socket, -1 if there is no answer within limit_s */
int nereus_line_connect(const char *host, int port, double limit_s);
/* @return false if it is none; `rest` (may be NULL) is what follows after a further ':' */
bool nereus_line_parse_address(const char *text, struct nereus_line_address *address,
                               const char **rest);

void nereus_line_init(struct nereus_line *line, int fd, size_t limit);
void nereus_line_fini(struct nereus_line *line); /* closes the socket */

/* Read what is there; never waits. */
void nereus_line_fill(struct nereus_line *line);
/* The next whole line, without its newline; NULL: none yet. Valid until the next call with this
 * line. */
char *nereus_line_next(struct nereus_line *line);
/* The same, waiting for it. Negative: for ever. NULL: the limit is over, or the line has ended. */
char *nereus_line_wait(struct nereus_line *line, double limit_s);
/* Bytes as they are, that follow a line. */
bool nereus_line_read(struct nereus_line *line, void *data, size_t bytes, double limit_s);

/* All of it within limit_s, or false. A closed line is no signal. */
bool nereus_line_send(int fd, const void *data, size_t bytes, double limit_s);
/* One line, without its newline in the format; at most 4095 characters. Waits at most 5 s. */
bool nereus_line_say(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A growing line, for long ones. */
struct nereus_words {
    char *text;
    size_t length, capacity;
    bool broken; /* no memory */
};
/* Append a word, encoded; an empty or missing one becomes "%". */
void nereus_words_add(struct nereus_words *words, const char *word);
void nereus_words_add_int(struct nereus_words *words, long long value);
/* Send as one line, and free. */
bool nereus_words_send(struct nereus_words *words, int fd, double limit_s);

/* A letter and an encoded value, as on the guard's command line; owned. NULL: no memory. */
char *nereus_word_encode(char letter, const char *value);
/* Connect to an address ("host:port:token", may be NULL), and send its token and these words as the
 * first line. @return false: the line is closed */
bool nereus_line_call(struct nereus_line *line, const char *where, const char *const *words,
                      double limit_s);

/* The next word of a line, decoded in place; NULL: no more. *at is set to the line before the first
 * call. */
char *nereus_word_next(char **at);
/* All words of the rest of a line, decoded in place, as a NULL-terminated list; the list is owned. */
char **nereus_words_split(char *line);
/* In place: the text only gets shorter. */
char *nereus_word_decode(char *word);

#endif
