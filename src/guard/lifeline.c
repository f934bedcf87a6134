/*
 * A launched world has no launcher in common with the job, and would wait for ever inside MPI when the job is
 * gone. So each of its guards holds a line to nereus-supervise, and ends its program when that breaks.
 */
#include "lifeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../launch_line.h"
#include "guard_events.h"

static const double limit_s = 10;

bool lifeline_wanted(void)
{
    return getenv(NEREUS_LAUNCH_NAME) != NULL;
}

int lifeline_open(void)
{
    struct nereus_line_address launcher, session;
    struct nereus_words hello = {0};
    const char *group;
    char host[64] = "?";
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCHER_NAME), &launcher, NULL) ||
        !nereus_line_parse_address(getenv(NEREUS_LAUNCH_NAME), &session, &group))
        return -1;
    gethostname(host, sizeof host - 1);
    const int line = nereus_line_connect(launcher.host, launcher.port, limit_s);
    nereus_words_add(&hello, launcher.token);
    nereus_words_add(&hello, "G");
    nereus_words_add(&hello, session.token);
    nereus_words_add(&hello, group);
    nereus_words_add_int(&hello, getpid());
    nereus_words_add(&hello, host);
    if (nereus_words_send(&hello, line, limit_s))
        return line;
    if (line >= 0)
        close(line);
    return -1;
}

void lifeline_bye(int line)
{
    nereus_line_say(line, "B");
}

void lifeline_report(int line, char kind, int status)
{
    nereus_line_say(line, "R %c %d", kind, status);
}

void lifeline_fail(int line, const char *sentence)
{
    struct nereus_words words = {0};
    nereus_words_add(&words, "F");
    nereus_words_add(&words, sentence);
    nereus_words_send(&words, line, limit_s);
}
