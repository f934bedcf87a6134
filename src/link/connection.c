/** @file connection.c  Implements lines over TCP: sockets, buffers, and the encoding of words. */
#include "connection.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/util/clock.h"

/* ---- addresses ------------------------------------------------------------------------------- */

static bool make_token(char *token)
{
    unsigned char random[16];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    return true;
}

int nereus_connection_listen(struct nereus_connection_address *address)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t length = sizeof any;
    memset(address, 0, sizeof *address);
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return -1;
    if (bind(listener, (struct sockaddr *)&any, sizeof any) != 0 || listen(listener, 1024) != 0 ||
        getsockname(listener, (struct sockaddr *)&any, &length) != 0 ||
        !make_token(address->token)) {
        const int code = errno;
        close(listener);
        errno = code;
        return -1;
    }
    if (gethostname(address->host, sizeof address->host - 1) != 0)
        snprintf(address->host, sizeof address->host, "localhost");
    address->port = ntohs(any.sin_port);
    return listener;
}

/* Resolve a host's name. For the own host use the loopback address, as its name may resolve to an
 * address that does not work. */
static bool resolve_host(const char *host, struct sockaddr_in *where)
{
    char own_host[NEREUS_CONNECTION_HOST_MAX] = "";
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    gethostname(own_host, sizeof own_host - 1);
    memset(where, 0, sizeof *where);
    where->sin_family = AF_INET;
    where->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (strcmp(own_host, host) == 0)
        return true;
    if (getaddrinfo(host, NULL, &hints, &found) != 0)
        return false;
    memcpy(where, found->ai_addr, sizeof *where);
    freeaddrinfo(found);
    return true;
}

/* Wait until the socket is ready.
 * @return false: timeout */
static bool wait_for_socket(int fd, short events, double deadline_s)
{
    for (;;) {
        struct pollfd line = {fd, events, 0};
        const double left_s = deadline_s - nereus_monotonic_s();
        const int ready = poll(&line, 1, left_s > 0 ? (int)(left_s * 1e3) + 1 : 0);
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
    }
}

int nereus_connection_connect(const char *host, int port, double limit_s)
{
    struct sockaddr_in where;
    const int on = 1;
    int code = 0;
    socklen_t length = sizeof code;
    if (!resolve_host(host, &where))
        return -1;
    where.sin_port = htons((unsigned short)port);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, (struct sockaddr *)&where, sizeof where) == 0 ||
        (errno == EINPROGRESS && wait_for_socket(fd, POLLOUT, nereus_monotonic_s() + limit_s) &&
         getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length) == 0 && code == 0))
        return fd;
    close(fd);
    return -1;
}

bool nereus_connection_parse_address(const char *text, struct nereus_connection_address *address,
                                     const char **rest)
{
    int taken = 0;
    if (text == NULL || sscanf(text, "%255[^:]:%d:%39[0-9a-f]%n", address->host, &address->port,
                               address->token, &taken) != 3)
        return false;
    if (rest != NULL)
        *rest = text[taken] == ':' ? text + taken + 1 : text + taken;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

void nereus_connection_init(struct nereus_connection *connection, int fd, size_t limit)
{
    *connection = (struct nereus_connection){.fd = fd, .limit = limit};
}

void nereus_connection_fini(struct nereus_connection *connection)
{
    if (connection->fd >= 0)
        close(connection->fd);
    free(connection->text);
    *connection = (struct nereus_connection){.fd = -1, .ended = true};
}

/* Is a complete line buffered? Then no more is read before the caller takes it, as the limit is for
 * one line. */
static bool has_complete_line(const struct nereus_connection *connection)
{
    const size_t count = connection->length - connection->begin;
    return count > 0 && memchr(connection->text + connection->begin, '\n', count) != NULL;
}

/* Reserve buffer space after the unread text. */
static bool reserve_text(struct nereus_connection *connection)
{
    enum { CHUNK = 4096 };
    if (connection->begin > 0) {
        memmove(connection->text, connection->text + connection->begin,
                connection->length - connection->begin);
        connection->length -= connection->begin;
        connection->begin = 0;
    }
    if (connection->length > connection->limit)
        return false;
    if (connection->capacity - connection->length >= CHUNK)
        return true;
    char *text = realloc(connection->text, 2 * connection->capacity + CHUNK);
    if (text == NULL)
        return false;
    connection->text = text;
    connection->capacity = 2 * connection->capacity + CHUNK;
    return true;
}

void nereus_connection_fill(struct nereus_connection *connection)
{
    while (connection->fd >= 0 && !connection->ended) {
        if (connection->length - connection->begin > connection->limit &&
            has_complete_line(connection))
            return;
        if (!reserve_text(connection)) {
            connection->ended = true;
            return;
        }
        const size_t left = connection->capacity - connection->length;
        const ssize_t n =
            recv(connection->fd, connection->text + connection->length, left, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        connection->silent =
            n < 0 && (errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH);
        if (n <= 0)
            connection->ended = true;
        else
            connection->length += (size_t)n;
        if (n < (ssize_t)left)
            return; /* all available data was read; the next call finds an end of file */
    }
}

char *nereus_connection_next_line(struct nereus_connection *connection)
{
    if (connection->length == connection->begin)
        return NULL;
    char *start = connection->text + connection->begin;
    char *newline = memchr(start, '\n', connection->length - connection->begin);
    if (newline == NULL)
        return NULL;
    *newline = '\0';
    connection->begin += (size_t)(newline - start) + 1;
    return start;
}

char *nereus_connection_wait_line(struct nereus_connection *connection, double limit_s)
{
    const double deadline_s = nereus_monotonic_s() + limit_s;
    for (;;) {
        char *text = nereus_connection_next_line(connection);
        if (text != NULL || connection->ended || connection->fd < 0)
            return text;
        const double next_s = limit_s < 0 ? nereus_monotonic_s() + 3600 : deadline_s;
        if (!wait_for_socket(connection->fd, POLLIN, next_s) && limit_s >= 0)
            return NULL;
        nereus_connection_fill(connection);
    }
}

bool nereus_connection_read(struct nereus_connection *connection, void *data, size_t bytes,
                            double limit_s)
{
    const double deadline_s = nereus_monotonic_s() + limit_s;
    const size_t buffered = connection->length - connection->begin;
    const size_t take = buffered < bytes ? buffered : bytes;
    char *position = data;
    if (take > 0)
        memcpy(position, connection->text + connection->begin, take);
    connection->begin += take;
    for (size_t done = take; done < bytes;) {
        if (connection->ended || !wait_for_socket(connection->fd, POLLIN, deadline_s))
            return false;
        const ssize_t n = recv(connection->fd, position + done, bytes - done, MSG_DONTWAIT);
        connection->ended = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool nereus_connection_send(int fd, const void *data, size_t bytes, double limit_s)
{
    const double deadline_s = nereus_monotonic_s() + limit_s;
    const char *position = data;
    while (bytes > 0) {
        const ssize_t n = send(fd, position, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            position += n;
            bytes -= (size_t)n;
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK) ||
            !wait_for_socket(fd, POLLOUT, deadline_s))
            return false;
    }
    return true;
}

bool nereus_connection_send_line(int fd, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = nereus_vsnprintf(text, sizeof text - 1, format, arguments);
    va_end(arguments);
    if (fd < 0 || length < 0 || (size_t)length >= sizeof text - 1)
        return false;
    text[length] = '\n';
    return nereus_connection_send(fd, text, (size_t)length + 1, 5);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("/._-+:@,", c) != NULL);
}

static void append_char(struct nereus_words *words, char c)
{
    char *text = words->broken ? NULL : nereus_grow(words->text, (int64_t)words->length, 1);
    words->broken = text == NULL;
    if (words->broken)
        return;
    words->text = text;
    words->text[words->length++] = c;
}

static void append_encoded(struct nereus_words *words, const char *value)
{
    static const char digits[] = "0123456789ABCDEF";
    for (; *value != '\0'; value++) {
        if (is_plain(*value)) {
            append_char(words, *value);
            continue;
        }
        append_char(words, '%');
        append_char(words, digits[(unsigned char)*value >> 4]);
        append_char(words, digits[(unsigned char)*value & 15]);
    }
}

void nereus_words_add(struct nereus_words *words, const char *word)
{
    if (words->length > 0)
        append_char(words, ' ');
    if (word == NULL || *word == '\0')
        append_char(words, '%'); /* "%" without digits: the empty word */
    else
        append_encoded(words, word);
}

void nereus_words_add_int(struct nereus_words *words, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    nereus_words_add(words, text);
}

bool nereus_words_send(struct nereus_words *words, int fd, double limit_s)
{
    append_char(words, '\n');
    const bool sent = !words->broken && fd >= 0 &&
                      nereus_connection_send(fd, words->text, words->length, limit_s);
    free(words->text);
    *words = (struct nereus_words){0};
    return sent;
}

char *nereus_word_encode(char letter, const char *value)
{
    struct nereus_words words = {0};
    append_char(&words, letter);
    append_encoded(&words, value);
    append_char(&words, '\0');
    if (words.broken)
        free(words.text);
    return words.broken ? NULL : words.text;
}

bool nereus_connection_open(struct nereus_connection *connection, const char *where,
                            const char *const *words, double limit_s)
{
    enum { ANSWER_BYTES = 64 };
    struct nereus_connection_address address;
    struct nereus_words first = {0};
    nereus_connection_init(connection, -1, ANSWER_BYTES);
    if (!nereus_connection_parse_address(where, &address, NULL))
        return false;
    connection->fd = nereus_connection_connect(address.host, address.port, limit_s);
    nereus_words_add(&first, address.token);
    for (; *words != NULL; words++)
        nereus_words_add(&first, *words);
    if (nereus_words_send(&first, connection->fd, limit_s))
        return true;
    nereus_connection_fini(connection);
    return false;
}

static int parse_hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'A' + 10;
}

char *nereus_word_decode(char *word)
{
    char *to = word;
    for (const char *from = word; *from != '\0';) {
        if (from[0] != '%')
            *to++ = *from++;
        else if (from[1] == '\0' || from[2] == '\0')
            break;
        else {
            *to++ = (char)(parse_hex_digit(from[1]) * 16 + parse_hex_digit(from[2]));
            from += 3;
        }
    }
    *to = '\0';
    return word;
}

char *nereus_word_next(char **position)
{
    char *word = *position;
    if (word == NULL || *word == '\0')
        return NULL;
    char *blank = strchr(word, ' ');
    if (blank != NULL)
        *blank = '\0';
    *position = blank != NULL ? blank + 1 : word + strlen(word);
    return nereus_word_decode(word);
}

bool nereus_word_integer(const char *word, int64_t *number)
{
    char *end;
    errno = 0;
    const long long value = word != NULL ? strtoll(word, &end, 10) : 0;
    if (word == NULL || errno != 0 || end == word || *end != '\0')
        return false;
    *number = value;
    return true;
}

char **nereus_words_split(char *line)
{
    size_t count = 0;
    for (const char *c = line; c != NULL && *c != '\0'; c++)
        count += *c == ' ';
    char **words = calloc(count + 2, sizeof *words);
    char *position = line;
    for (size_t i = 0; words != NULL && (words[i] = nereus_word_next(&position)) != NULL; i++)
        ;
    return words;
}
