/* Sending a report: see report.h. Best effort: a launcher that does not listen is no reason to fail. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#include "../launch_line.h"
#include "guard_events.h"

void nereus_report_send(char kind, int status)
{
    struct nereus_line_address launcher;
    struct nereus_line line;
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCHER_NAME), &launcher, NULL))
        return;
    nereus_line_init(&line, nereus_line_connect(launcher.host, launcher.port, 2), 16);
    if (nereus_line_say(line.fd, "%s %c %d", launcher.token, kind, status)) {
        /* The launcher closes when it has read: only then may the launcher's world fall apart. */
        nereus_line_wait(&line, 2);
        if (!line.ended)
            fprintf(stderr, "nereus-guard: nobody took the report of status %d\n", status);
    }
    nereus_line_fini(&line);
}
