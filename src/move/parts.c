/* Memory of parts: see parts.h. */
#include "parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kept_parts.h"
#include "src/util/check.h"
#include "src/util/huge_setting.h"

/* The last ones that were retired are remembered; they have no memory, but addresses. */
enum { RETIRED_MAX = 1024 };

struct retired {
    char *start;
    size_t bytes; /* 0: none */
    char sentence[176];
};

/* Written by the main thread in a commit, read by the handler of a thread that faults. */
static struct retired retired[RETIRED_MAX];
static size_t retired_count;
static struct sigaction before;

/* ---- memory ---------------------------------------------------------------------------------- */

/* A page in front of a part holds its length. */
static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static char *start_of(void *part)
{
    return (char *)part - page_bytes();
}

static size_t length_of(void *part)
{
    return *(const size_t *)(const void *)start_of(part);
}

/* malloc's memory, which may have been touched before. Where huge pages pay the kernel is advised to
 * use them, for whole ones only: the part takes no more memory than without. */
static void *fresh_new(size_t bytes)
{
    const uintptr_t huge_page = 2 << 20;
    void *part = malloc(bytes);
    if (part == NULL || bytes < NEREUS_HUGE_LEAST_BYTES || (int64_t)bytes > nereus_huge_bytes())
        return part;
    const uintptr_t past = (uintptr_t)part % huge_page, skipped = past > 0 ? huge_page - past : 0;
    /* Refused: pages as ever */
    madvise((char *)part + skipped, (bytes - skipped) / huge_page * huge_page, MADV_HUGEPAGE);
    return part;
}

/* A kept part first; where malloc has no memory, without those that are kept. */
static void *plain_new(size_t bytes, bool zeroed)
{
    void *part = zeroed ? calloc(1, bytes) : nereus_kept_parts_take(bytes);
    if (part == NULL && !zeroed)
        part = fresh_new(bytes);
    if (part != NULL || nereus_kept_parts_bytes() == 0)
        return part;
    nereus_kept_parts_drop();
    return zeroed ? calloc(1, bytes) : fresh_new(bytes);
}

void *nereus_part_new(size_t bytes, bool zeroed)
{
    if (!nereus_checks())
        return plain_new(bytes, zeroed);
    const size_t page = page_bytes();
    if (bytes > SIZE_MAX - 2 * page)
        return NULL;
    const size_t length = page + (bytes + page - 1) / page * page;
    char *start = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    *(size_t *)(void *)start = length;
    return start + page;
}

void nereus_part_free(void *part)
{
    if (!nereus_checks())
        nereus_kept_parts_add(part);
    else if (part != NULL)
        munmap(start_of(part), length_of(part));
}

/* ---- who uses an old part -------------------------------------------------------------------- */

/* Only what a handler may call. After it returns the access faults again: by the signal's default,
 * or as the handler before would have it. */
static void explain_fault(int signal_number, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;
    (void)context;
    for (size_t i = 0; i < RETIRED_MAX; i++) {
        const struct retired *old = &retired[i];
        if (old->bytes == 0 || at < old->start || at >= old->start + old->bytes)
            continue;
        if (write(STDERR_FILENO, old->sentence, strlen(old->sentence)) < 0)
            break;
        signal(signal_number, SIG_DFL);
        return;
    }
    sigaction(signal_number, &before, NULL);
}

static void install_handler(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = explain_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
}

void nereus_part_retire(void *part, const char *name, int rank, int64_t point)
{
    if (part == NULL || !nereus_checks()) {
        nereus_part_free(part);
        return;
    }
    if (retired_count == 0)
        install_handler();
    struct retired *old = &retired[retired_count++ % RETIRED_MAX];
    if (old->bytes > 0)
        munmap(old->start, old->bytes);
    old->bytes = length_of(part);
    old->start = start_of(part);
    snprintf(
        old->sentence, sizeof old->sentence,
        "nereus: rank %d: part of '%s' used after the resize at point %lld: ask nereus_local again\n",
        rank, name, (long long)point);
    madvise(old->start, old->bytes, MADV_DONTNEED);
    mprotect(old->start, old->bytes, PROT_NONE);
}
