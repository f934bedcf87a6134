/** @file command.c  Prints the messages of a command to stderr, as one sentence each. */
#include "command.h"

#include "model/util/standard_output.h"

static const char *current = "";

void nereus_cli_set_command(const char *name)
{
    current = name;
}

/* Flush standard output first, so that both streams keep their order in a log. */
static void print_message(const char *kind, const char *format, va_list arguments)
{
    char *sentence = NULL;
    fflush(stdout);
    if (vasprintf(&sentence, format, arguments) >= 0) {
        fprintf(stderr, "nereus%s%s: %s%s\n", current[0] == '\0' ? "" : " ", current, kind,
                nereus_text_replace_controls(sentence, ' '));
        free(sentence);
    }
}

int nereus_cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
    return NEREUS_EXIT_FAILED;
}

int nereus_cli_fail_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
    return NEREUS_EXIT_USAGE;
}

void nereus_cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("note: ", format, arguments);
    va_end(arguments);
}

void nereus_cli_note_left_out(const char *path, int64_t lines, int64_t first, const char *why)
{
    char others[40] = "";
    if (lines > 1)
        snprintf(others, sizeof others, ", and %lld more", (long long)lines - 1);
    if (lines > 0) {
        nereus_cli_note("%s: line %lld is left out%s: %s", path, (long long)first, others,
                        why != NULL && why[0] != '\0'
                            ? why
                            : "it was not written to its end (a full disk, a kill, a "
                              "power failure)");
    }
}

bool nereus_cli_is_same_but_numbers(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    while (*a != '\0' && *b != '\0') {
        const size_t m = strspn(a, digits), n = strspn(b, digits);
        if ((m > 0) != (n > 0) || (m == 0 && *a != *b))
            return false;
        a += m > 0 ? m : 1;
        b += n > 0 ? n : 1;
    }
    return *a == *b;
}

static void print_output_failure(const char *sentence)
{
    fprintf(stderr, "nereus%s%s: %s\n", current[0] == '\0' ? "" : " ", current, sentence);
}

void nereus_cli_init(void)
{
    nereus_output_begin(print_output_failure);
}
