/** @file interrupt.c  Polls for signals, which are blocked and read from a signalfd. */
#include "interrupt.h"

#include <sys/signalfd.h>
#include <unistd.h>

static int depth, fd = -1, seen;
static sigset_t old_mask;

int nereus_interrupt_watch(void)
{
    if (depth > 0) {
        depth++;
        return 0;
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, &old_mask) != 0)
        return -1;
    fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0) {
        int reason = errno;
        sigprocmask(SIG_SETMASK, &old_mask, NULL);
        errno = reason;
        return -1;
    }
    depth = 1;
    return 0;
}

int nereus_interrupted(void)
{
    struct signalfd_siginfo info;
    while (fd >= 0 && read(fd, &info, sizeof info) == (ssize_t)sizeof info)
        if (seen == 0)
            seen = (int)info.ssi_signo;
    return seen;
}

int nereus_interrupt_clear(void)
{
    const int signal_number = nereus_interrupted();
    seen = 0;
    return signal_number;
}

void nereus_interrupt_restore(int signal_number)
{
    seen = signal_number != 0 ? signal_number : seen;
}

void nereus_interrupt_end(void)
{
    if (depth == 0 || --depth > 0)
        return;
    /* a last signal is recorded here, and not delivered when the mask is restored */
    nereus_interrupted();
    close(fd);
    fd = -1;
    sigprocmask(SIG_SETMASK, &old_mask, NULL);
}

int nereus_interrupt_fd(void)
{
    return fd;
}

const sigset_t *nereus_interrupt_old_mask(void)
{
    return &old_mask;
}
