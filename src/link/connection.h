/**
 * @file connection.h
 * Sends and receives lines of text over TCP, for all communication around MPI: reports and
 * lifelines of guards, orders to nereus-supervise, messages to and from launched worlds. No MPI and
 * nothing else of libnereus, as the guards are built from it.
 *
 * A line ends with a newline; its words are separated by blanks, and all but plain characters of a
 * word are sent as %XX.
 */
#pragma once

#include "model/util/base.h"

enum { NEREUS_CONNECTION_HOST_MAX = 256, NEREUS_CONNECTION_TOKEN_MAX = 40 };

/** Address of a listening socket, "host:port:token" in environment variables. */
struct nereus_connection_address {
    char host[NEREUS_CONNECTION_HOST_MAX];
    int port;
    char token[NEREUS_CONNECTION_TOKEN_MAX];
};

/** One end of a connection, with its read buffer. */
struct nereus_connection {
    int fd; /* -1: none */
    char *text;
    size_t begin, length, capacity; /* text[begin .. length) is unread */
    /* longest line in bytes; a longer one ends the connection, as any process can connect and send
     * data */
    size_t limit;
    bool ended;  /* closed by the other side, or failed */
    bool silent; /* ended: the other host does not answer */
};

/** Listen on a port chosen by the system, with a new token.
 * @return the socket; -1 and errno */
int nereus_connection_listen(struct nereus_connection_address *address);
/** @return the socket; -1: no connection within limit_s */
int nereus_connection_connect(const char *host, int port, double limit_s);
/** @return false: not an address. `rest` (may be NULL): the text after a further ':' */
bool nereus_connection_parse_address(const char *text, struct nereus_connection_address *address,
                                     const char **rest);

/** Begin to read from a socket, which the connection owns; `limit` as in the struct. */
void nereus_connection_init(struct nereus_connection *connection, int fd, size_t limit);
/** Close the socket, and free the buffer. */
void nereus_connection_fini(struct nereus_connection *connection);

/** Read available data; never waits. */
void nereus_connection_fill(struct nereus_connection *connection);
/** The next complete line, without newline; NULL: none yet. Valid until the next call with this
 * connection. */
char *nereus_connection_next_line(struct nereus_connection *connection);
/** The next complete line; waits at most limit_s; negative: without limit. NULL: timeout, or
 * connection closed. */
char *nereus_connection_wait_line(struct nereus_connection *connection, double limit_s);
/** Read raw bytes that follow a line. */
bool nereus_connection_read(struct nereus_connection *connection, void *data, size_t bytes,
                            double limit_s);

/** Send all bytes within limit_s. A closed connection raises no signal. */
bool nereus_connection_send(int fd, const void *data, size_t bytes, double limit_s);
/** Send one line (format without newline, at most 4095 characters) within 5 s. */
bool nereus_connection_send_line(int fd, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A growing line. */
struct nereus_words {
    char *text;
    size_t length;
    bool broken; /* no memory */
};
/** Append an encoded word; empty or NULL becomes "%". */
void nereus_words_add(struct nereus_words *words, const char *word);
/** Append a number. */
void nereus_words_add_int(struct nereus_words *words, long long value);
/** Send as one line within limit_s, and free. */
bool nereus_words_send(struct nereus_words *words, int fd, double limit_s);

/** A letter and an encoded value, as on the guard's command line; owned. NULL: no memory. */
char *nereus_word_encode(char letter, const char *value);
/** Connect to an address ("host:port:token"; may be NULL), and send its token and these words as
 * the first line.
 * @return false: not connected */
bool nereus_connection_open(struct nereus_connection *connection, const char *where,
                            const char *const *words, double limit_s);

/** The next word of a line, decoded in place; NULL: none left. *at is the line before the first
 * call. */
char *nereus_word_next(char **position);
/** Parse a word as a whole number.
 * @return false: NULL, or not a number; *number is unchanged */
bool nereus_word_integer(const char *word, int64_t *number);
/** All remaining words of a line, decoded in place, as an owned NULL-terminated list. */
char **nereus_words_split(char *line);
/** Decode in place. */
char *nereus_word_decode(char *word);
