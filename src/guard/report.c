/* Sending a report: see report.h. Best effort: without an answer the guard goes on. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/link/line.h"
#include "src/util/guard_events.h"

static void send(const char *kind, int status, const char *sentence)
{
    struct nereus_line_address launcher;
    struct nereus_line line;
    struct nereus_words words = {0};
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCHER_NAME), &launcher, NULL))
        return;
    nereus_line_init(&line, nereus_line_connect(launcher.host, launcher.port, 2), 16);
    nereus_words_add(&words, launcher.token);
    nereus_words_add(&words, kind);
    nereus_words_add_int(&words, status);
    if (sentence != NULL)
        nereus_words_add(&words, sentence);
    if (nereus_words_send(&words, line.fd, 2)) {
        /* The launcher closes when it has read: only then may the launcher's world fall apart. */
        nereus_line_wait(&line, 2);
        if (!line.ended)
            fprintf(stderr, "nereus-guard: nobody took the report of status %d\n", status);
    }
    nereus_line_fini(&line);
}

void nereus_report_send(char kind, int status)
{
    send((const char[]){kind, '\0'}, status, NULL);
}

void nereus_report_loss(int status, const char *sentence)
{
    send("Z", status, sentence);
}
