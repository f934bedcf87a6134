/**
 * @file host_list.c
 * Expands lists of nodes with ranges, n[01-03,7], one name after the other to a callback.
 */
#include "host_list.h"

#include <ctype.h>
#include <unistd.h>

enum { NAME_BYTES = 256, NODES_MAX = 100000, DIGITS_MAX = 18 };

struct list {
    const char *text, *what;
    nereus_on_host *on_host;
    void *user;
    int64_t nodes; /* number of names passed so far */
    struct nereus_error *err;
};

static enum nereus_status fail_list(const struct list *list, const char *sentence)
{
    return nereus_fail(list->err, NEREUS_ERR_PARSE, "%s '%.120s': %s", list->what, list->text,
                       sentence);
}

bool nereus_host_name_is_plain(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!nereus_is_letter_or_digit(name[i]) && (i == 0 || strchr("._-", name[i]) == NULL))
            return false;
    return length > 0;
}

bool nereus_node_name_is_plain(const char *name, size_t length)
{
    const char *slash = memchr(name, '/', length);
    const size_t host = slash != NULL ? (size_t)(slash - name) : length;
    return nereus_host_name_is_plain(name, host) &&
           (slash == NULL || nereus_host_name_is_plain(slash + 1, length - host - 1));
}

bool nereus_host_name_is_own(const char *name)
{
    char own[NAME_BYTES] = "";
    if (strcmp(name, "localhost") == 0)
        return true;
    if (gethostname(own, sizeof own - 1) != 0)
        return false;
    const size_t length = strcspn(own, ".");
    return strcspn(name, ".") == length && strncmp(own, name, length) == 0;
}

int64_t nereus_host_list_number(const char **position)
{
    const char *begin = *position;
    int64_t value = 0;
    int digits = 0;
    for (; isdigit((unsigned char)**position); (*position)++) {
        if (digits == DIGITS_MAX)
            return -1;
        value = 10 * value + (**position - '0');
        digits += value > 0;
    }
    return *position > begin ? value : -1;
}

static enum nereus_status emit_name(struct list *list, const char *name)
{
    if (name[0] == '\0')
        return fail_list(list, "a name is missing");
    if (!nereus_node_name_is_plain(name, strlen(name)))
        return fail_list(list, "a name of a node has letters, digits, '.', '-' and '_', and begins "
                               "with a letter or a digit");
    if (++list->nodes > NODES_MAX) {
        char mistake[48];
        snprintf(mistake, sizeof mistake, "names more than %d nodes", NODES_MAX);
        return fail_list(list, mistake);
    }
    return list->on_host(list->user, name, list->err);
}

static enum nereus_status expand_ranges(struct list *list, const char *begun, const char *rest,
                                        const char *end);

/* Pass the name with one number of a bracket, which keeps its leading zeros, and with what follows
 * the bracket. */
static enum nereus_status add_numbered(struct list *list, const char *begun, int64_t number,
                                       int width, const char *rest, const char *end)
{
    char name[NAME_BYTES];
    const int length = snprintf(name, sizeof name, "%s%0*lld", begun, width, (long long)number);
    return length < NAME_BYTES ? expand_ranges(list, name, rest, end)
                               : fail_list(list, "a name is too long");
}

static enum nereus_status expand_brackets(struct list *list, const char *begun,
                                          const char *position, const char *close, const char *end)
{
    enum nereus_status status = NEREUS_OK;
    while (status == NEREUS_OK) {
        const char *first = position;
        const int64_t from = nereus_host_list_number(&position);
        const int width = (int)(position - first);
        int64_t to = from;
        if (*position == '-') {
            position++;
            to = nereus_host_list_number(&position);
        }
        if (from < 0 || to < from || (position != close && *position != ','))
            return fail_list(list,
                             "between brackets there are numbers and ranges, as in [01-03,7]");
        for (int64_t number = from; number <= to && status == NEREUS_OK; number++)
            status = add_numbered(list, begun, number, width, close + 1, end);
        if (position == close)
            break;
        position++;
    }
    return status;
}

/* Pass all names that begin with `begun` and end with the rest of an entry. */
static enum nereus_status expand_ranges(struct list *list, const char *begun, const char *rest,
                                        const char *end)
{
    char name[NAME_BYTES];
    const size_t plain =
        strcspn(rest, "[") < (size_t)(end - rest) ? strcspn(rest, "[") : (size_t)(end - rest);
    if (snprintf(name, sizeof name, "%s%.*s", begun, (int)plain, rest) >= NAME_BYTES)
        return fail_list(list, "a name is too long");
    if (memchr(rest, ']', plain) != NULL)
        return fail_list(list, "a bracket is closed that was not opened");
    if (rest + plain == end)
        return emit_name(list, name);
    const char *open = rest + plain + 1;
    const char *close = memchr(open, ']', (size_t)(end - open));
    return close != NULL ? expand_brackets(list, name, open, close, end)
                         : fail_list(list, "a bracket is not closed");
}

/* @return the next comma outside brackets */
static const char *find_entry_end(const char *position)
{
    bool inside = false;
    while (*position != '\0' && (inside || *position != ',')) {
        inside = *position == '[' || (inside && *position != ']');
        position++;
    }
    return position;
}

enum nereus_status nereus_host_list_visit(const char *text, const char *what,
                                          nereus_on_host *on_host, void *user,
                                          struct nereus_error *err)
{
    struct list list = {.text = text, .what = what, .on_host = on_host, .user = user, .err = err};
    for (const char *position = text;;) {
        const char *end = find_entry_end(position);
        const enum nereus_status status = expand_ranges(&list, "", position, end);
        if (status != NEREUS_OK || *end == '\0')
            return status;
        position = end + 1;
    }
}
