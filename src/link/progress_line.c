/**
 * @file progress_line.c
 * Formats and parses a progress record, a text that nereus-supervise stores unchanged; times are
 * ages, as clocks differ.
 */
#include "progress_line.h"

#include <inttypes.h>
#include <unistd.h>

#include "connection.h"
#include "src/util/guard_events.h"
#include "supervisor_lines.h"

enum { TEXT_MAX = 320, ANSWER_MAX = 1 << 24 };
/* nereus-supervise answers immediately, or has ended. */
static const double limit_s = 2;

bool nereus_progress_needs_other_hosts(const struct nereus_progress *own_record,
                                       const struct nereus_progress *other_records, int64_t count)
{
    int64_t known = 1;
    for (int64_t i = 0; i < count; i++)
        known += other_records[i].job == own_record->job &&
                 other_records[i].changes == own_record->changes &&
                 other_records[i].left == own_record->left && other_records[i].rank >= 0 &&
                 other_records[i].rank < own_record->size;
    return own_record->job != 0 && own_record->rank >= 0 && known < own_record->size;
}

static void format_record(const struct nereus_progress *p, double now_s, char text[TEXT_MAX])
{
    nereus_snprintf(text, TEXT_MAX, "%llx %lld %lld %lld %lld %lld %d %d %.3f %.3f %s %s",
                    (long long)p->job, (long long)p->rank, (long long)p->size,
                    (long long)p->changes, (long long)p->points, (long long)p->joined_at, p->left,
                    (int)p->activity, now_s - p->since_s, p->longest_s,
                    p->call[0] != '\0' ? p->call : "-", p->step[0] != '\0' ? p->step : "-");
}

/* @param age_s  age of the text */
static bool parse_record(const char *text, double age_s, double now_s, struct nereus_progress *p)
{
    int left, activity;
    double lasted_s;
    *p = (struct nereus_progress){0};
    if (nereus_sscanf(text,
                      "%" SCNx64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                      " %d %d %lf %lf %31s %31s",
                      &p->job, &p->rank, &p->size, &p->changes, &p->points, &p->joined_at, &left,
                      &activity, &lasted_s, &p->longest_s, p->call, p->step) != 12)
        return false;
    p->left = left != 0;
    p->activity = (enum nereus_activity)activity;
    p->since_s = now_s - age_s - lasted_s;
    for (char *name = p->call; name != NULL; name = name == p->call ? p->step : NULL)
        if (strcmp(name, "-") == 0)
            name[0] = '\0';
    return true;
}

/* @param text  NULL: none
 * @return false: no answer; the caller closes the line in both cases */
static bool call_supervisor(struct nereus_connection *connection, enum supervisor_request kind,
                            const char *text)
{
    char host[NEREUS_CONNECTION_HOST_MAX] = "", pid[32];
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    return nereus_connection_open(connection, getenv(NEREUS_LAUNCHER_NAME),
                                  (const char *const[]){NEREUS_LETTER(kind), host, pid, text, NULL},
                                  limit_s);
}

static void send_record(const char *text)
{
    struct nereus_connection connection;
    if (call_supervisor(&connection, REQUEST_PUT_PROGRESS, text))
        nereus_connection_wait_line(&connection, limit_s); /* wait until it has been read */
    nereus_connection_fini(&connection);
}

void nereus_progress_publish(const struct nereus_progress *own_record, double now_s)
{
    char text[TEXT_MAX];
    format_record(own_record, now_s, text);
    send_record(text);
}

void nereus_progress_withdraw(void)
{
    send_record(NULL);
}

int64_t nereus_progress_append_remote(double now_s, struct nereus_progress **records, int64_t count)
{
    struct nereus_connection connection;
    char *rest =
        call_supervisor(&connection, REQUEST_GET_PROGRESS, NULL)
            ? (connection.limit = ANSWER_MAX, nereus_connection_wait_line(&connection, limit_s))
            : NULL;
    for (const char *age; rest != NULL && (age = nereus_word_next(&rest)) != NULL;) {
        const double age_s = nereus_strtod(age, NULL);
        const char *text = nereus_word_next(&rest);
        struct nereus_progress *grown =
            text == NULL ? NULL : nereus_grow(*records, count, sizeof *grown);
        if (grown == NULL)
            break;
        *records = grown;
        if (parse_record(text, age_s, now_s, &grown[count])) {
            grown[count].pid = -1 - count;
            count++;
        }
    }
    nereus_connection_fini(&connection);
    return count;
}
