/**
 * @file clock_step.c
 * Preloaded into a program: its wall-clock time is later than the machine's by the seconds in the
 * file $NEREUS_TEST_CLOCK, which a test changes while the program runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long read_step(void)
{
    const int kept_count = errno;
    const char *path = getenv("NEREUS_TEST_CLOCK");
    char text[32] = "";
    const int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        const ssize_t got = read(file, text, sizeof text - 1);
        text[got > 0 ? got : 0] = '\0';
        close(file);
    }
    errno = kept_count;
    return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int status = (int)syscall(SYS_clock_gettime, clock, time);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += read_step();
    return status;
}

time_t time(time_t *also)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (also != NULL)
        *also = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
