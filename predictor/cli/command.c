/** @file command.c  Messages of a command on stderr. */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *current = "";

void nereus_cli_set_command(const char *name)
{
    current = name;
}

/* Flush standard output first: the two streams keep their order in a log. */
static void say(const char *kind, const char *format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "nereus%s%s: %s", current[0] == '\0' ? "" : " ", current, kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int nereus_cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return NEREUS_EXIT_FAILED;
}

int nereus_cli_fail_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return NEREUS_EXIT_USAGE;
}

void nereus_cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("note: ", format, arguments);
    va_end(arguments);
}

void nereus_cli_note_left_out(const char *path, int64_t lines, int64_t first)
{
    char more[40] = "";
    if (lines > 1) {
        snprintf(more, sizeof more, ", and %lld more", (long long)lines - 1);
    }
    if (lines > 0) {
        nereus_cli_note(
            "%s: line %lld is left out%s: it was not written to its end (a full disk, a "
            "kill, a power failure)",
            path, (long long)first, more);
    }
}

bool nereus_cli_same_but_numbers(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    while (*a != '\0' && *b != '\0') {
        const size_t m = strspn(a, digits), n = strspn(b, digits);
        if ((m > 0) != (n > 0) || (m == 0 && *a != *b)) {
            return false;
        }
        a += m > 0 ? m : 1;
        b += n > 0 ? n : 1;
    }
    return *a == *b;
}

bool nereus_cli_flush(void)
{
    bool failed_before = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) != 0 || failed_before) {
        const char *reason = errno != 0 ? strerror(errno) : "an earlier write failed";
        clearerr(stdout);
        nereus_cli_fail("standard output could not be written: %s", reason);
        return false;
    }
    return true;
}
