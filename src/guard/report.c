/* Sending a report: see report.h. Best effort: without an answer the guard goes on. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/link/line.h"
#include "src/util/guard_events.h"

static void send(const char *kind, int status, const char *sentence)
{
    static const double limit_s = 2;
    struct nereus_line line;
    char text[16];
    snprintf(text, sizeof text, "%d", status);
    if (!nereus_line_call(&line, getenv(NEREUS_LAUNCHER_NAME),
                          (const char *const[]){kind, text, sentence, NULL}, limit_s))
        return;
    /* The launcher closes when it has read: only then may the launcher's world fall apart. */
    nereus_line_wait(&line, limit_s);
    if (!line.ended)
        fprintf(stderr, "nereus-guard: nobody took the report of status %d\n", status);
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
