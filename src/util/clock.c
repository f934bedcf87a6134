/** @file clock.c  Converts this host's clock to the job's time, which is the clock of the host on
 * which the job began. */
#include "clock.h"

#include <unistd.h>

#include "error.h"
#include "nereus/timeline.h"
#include "tags.h"

enum { ROUNDS = 8 };

/* local clock + offset = the job's time; main thread only */
static double offset_s;

/* monotonic clock + offset = steady time; 0: not yet called */
static double steady_offset_s;

double nereus_steady_clock_s(void)
{
    if (steady_offset_s == 0)
        nereus_steady_set_shift(0);
    return nereus_monotonic_s() + steady_offset_s;
}

double nereus_steady_shift_s(void)
{
    return nereus_steady_clock_s() - nereus_wall_clock_s();
}

void nereus_steady_set_shift(double shift_s)
{
    steady_offset_s = nereus_wall_clock_s() + shift_s - nereus_monotonic_s();
}

/* Seconds by which a test shifts this host's clock: NEREUS_CLOCK_SKEW=host1=5,host2=-3. */
static double read_test_skew(void)
{
    char host[256] = "";
    const char *position = getenv("NEREUS_CLOCK_SKEW");
    gethostname(host, sizeof host - 1);
    const size_t length = strlen(host);
    while (position != NULL && *position != '\0') {
        if (strncmp(position, host, length) == 0 && position[length] == '=')
            return nereus_strtod(position + length + 1, NULL);
        position = strchr(position, ',');
        position = position != NULL ? position + 1 : NULL;
    }
    return 0;
}

double nereus_skewed_monotonic_s(void)
{
    static double skew_s;
    static bool read;
    /* first called by the main thread in nereus_init, before other threads exist */
    if (!read) {
        skew_s = read_test_skew();
        read = true;
    }
    return nereus_monotonic_s() + skew_s;
}

double nereus_clock_correction_s(void)
{
    return offset_s;
}

void nereus_clock_set_correction(double correction_s)
{
    offset_s = correction_s;
}

enum nereus_status nereus_clock_request(MPI_Comm comm, int peer, struct nereus_error *err)
{
    double sent_s[ROUNDS], remote_s[ROUNDS], received_s[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        sent_s[i] = nereus_skewed_monotonic_s();
        NEREUS_MPI(MPI_Send(&sent_s[i], 1, MPI_DOUBLE, peer, CLOCK_TAG, comm), err);
        NEREUS_MPI(MPI_Recv(&remote_s[i], 1, MPI_DOUBLE, peer, CLOCK_TAG, comm, MPI_STATUS_IGNORE),
                   err);
        received_s[i] = nereus_skewed_monotonic_s();
    }
    offset_s = nereus_clock_offset(sent_s, remote_s, received_s, ROUNDS);
    return NEREUS_OK;
}

enum nereus_status nereus_clock_answer(MPI_Comm comm, int peer, struct nereus_error *err)
{
    double time_s;
    for (int i = 0; i < ROUNDS; i++) {
        NEREUS_MPI(MPI_Recv(&time_s, 1, MPI_DOUBLE, peer, CLOCK_TAG, comm, MPI_STATUS_IGNORE), err);
        time_s = nereus_skewed_monotonic_s() + offset_s;
        NEREUS_MPI(MPI_Send(&time_s, 1, MPI_DOUBLE, peer, CLOCK_TAG, comm), err);
    }
    return NEREUS_OK;
}
