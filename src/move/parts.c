/**
 * @file parts.c
 * Allocates parts in two ways: from kept parts and malloc, or, with NEREUS_CHECK=1, as a mapping
 * with protected pages on both sides.
 */
#include "parts.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kept_parts.h"
#include "src/util/call_names.h"
#include "src/util/process_settings.h"

/* Sizes of the tables of parts in use, and of recently replaced parts, whose addresses are kept. */
enum { LIVE_MAX = 4096, RETIRED_MAX = 1024 };

/* Protected bytes after a part with NEREUS_CHECK=1; before the part there is one protected page.
 * Accesses further away are not detected. */
enum { GUARD_BYTES = 1 << 20 };

/* Content of the readable page before a part. */
struct heading {
    size_t bytes; /* size of the mapping */
    char sentence[176];
};

struct retired {
    char *start;
    size_t bytes; /* 0: none */
    char sentence[176];
};

/* Written by the thread that carries out a change and by the main thread, one at a time; read by
 * the signal handler. */
static char *live[LIVE_MAX];
static struct retired retired[RETIRED_MAX];
static size_t retired_count;
static bool has_handler;
static struct sigaction before[2];
static const int caught[] = {SIGSEGV, SIGBUS};

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t get_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Find the start of the mapping: the part begins in its second page. */
static char *find_mapping(void *part)
{
    return (char *)((uintptr_t)part / get_page_bytes() * get_page_bytes()) - get_page_bytes();
}

static const struct heading *get_heading(const char *start)
{
    return (const struct heading *)(const void *)start;
}

static size_t get_part_bytes(void *part)
{
    return get_heading(find_mapping(part))->bytes;
}

static void record_live_part(const char *was, char *is)
{
    for (int i = 0; i < LIVE_MAX; i++)
        if (live[i] == was) {
            live[i] = is;
            return;
        }
}

/* ---- accesses to protected memory ------------------------------------------------------------ */

static const char *describe_address(const char *position)
{
    for (size_t i = 0; i < RETIRED_MAX; i++)
        if (retired[i].bytes > 0 && position >= retired[i].start &&
            position < retired[i].start + retired[i].bytes)
            return retired[i].sentence;
    for (size_t i = 0; i < LIVE_MAX; i++)
        if (live[i] != NULL && position >= live[i] &&
            position < live[i] + get_heading(live[i])->bytes)
            return get_heading(live[i])->sentence;
    return NULL;
}

/* Handler of SIGSEGV; async-signal-safe. After it returns the access faults again, and the default
 * action or the previous handler ends the process. */
static void report_fault(int signal_number, siginfo_t *info, void *context)
{
    const char *sentence = describe_address(info->si_addr);
    (void)context;
    if (sentence != NULL && write(STDERR_FILENO, sentence, strlen(sentence)) >= 0)
        signal(signal_number, SIG_DFL);
    else
        sigaction(signal_number, &before[signal_number == caught[0] ? 0 : 1], NULL);
}

static void install_handler(void)
{
    struct sigaction action;
    if (has_handler)
        return;
    has_handler = true;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = report_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 2; i++)
        sigaction(caught[i], &action, &before[i]);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Memory from malloc, which may have been touched before. If huge pages pay off, the kernel is
 * advised to use them, for whole pages only: the part takes no more memory. */
static void *allocate_untouched(size_t bytes)
{
    const uintptr_t huge_page = 2 << 20;
    void *part = malloc(bytes);
    if (part == NULL || bytes < NEREUS_HUGE_LEAST_BYTES ||
        (int64_t)bytes > nereus_process_settings.huge_bytes)
        return part;
    const uintptr_t past = (uintptr_t)part % huge_page, skipped = past > 0 ? huge_page - past : 0;
    /* a refusal means normal pages */
    madvise((char *)part + skipped, (bytes - skipped) / huge_page * huge_page, MADV_HUGEPAGE);
    return part;
}

/* Prefer a kept part; if malloc fails, drop the kept parts and retry. */
static void *allocate_unchecked(size_t bytes, bool zeroed)
{
    void *part = zeroed ? calloc(1, bytes) : nereus_kept_parts_reuse(bytes);
    if (part == NULL && !zeroed)
        part = allocate_untouched(bytes);
    if (part != NULL || nereus_kept_parts_bytes() == 0)
        return part;
    nereus_kept_parts_free();
    return zeroed ? calloc(1, bytes) : allocate_untouched(bytes);
}

/* The part ends at protected bytes. Its alignment is the largest power of two that divides its
 * size, which suffices for its elements. */
static void *allocate_checked(size_t bytes)
{
    const size_t page = get_page_bytes();
    if (bytes > SIZE_MAX - 2 * page - GUARD_BYTES)
        return NULL;
    const size_t inner = (bytes + page - 1) / page * page, length = page + inner + GUARD_BYTES;
    char *start = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    ((struct heading *)(void *)start)->bytes = length;
    mprotect(start + page + inner, GUARD_BYTES, PROT_NONE);
    mprotect(start, page, PROT_READ);
    install_handler();
    record_live_part(NULL, start);
    return start + page + inner - bytes;
}

void *nereus_part_new(size_t bytes, bool zeroed)
{
    if (!nereus_process_settings.checks)
        return allocate_unchecked(bytes, zeroed);
    return allocate_checked(bytes);
}

void nereus_part_name(void *part, const char *name, int rank)
{
    if (part == NULL || !nereus_process_settings.checks)
        return;
    struct heading *heading = (void *)find_mapping(part);
    mprotect(heading, get_page_bytes(), PROT_READ | PROT_WRITE);
    snprintf(heading->sentence, sizeof heading->sentence,
             "nereus: rank %d: the program goes beyond its part of '%s': nereus_local, of a field "
             "nereus_local_box, tells how many elements that has\n",
             rank, name);
    nereus_replace_call_names(heading->sentence, sizeof heading->sentence);
    mprotect(heading, get_page_bytes(), PROT_READ);
}

void nereus_part_free(void *part)
{
    if (!nereus_process_settings.checks) {
        nereus_kept_parts_add(part);
    } else if (part != NULL) {
        record_live_part(find_mapping(part), NULL);
        munmap(find_mapping(part), get_part_bytes(part));
    }
}

void nereus_part_retire(void *part, const char *name, int rank, int64_t point)
{
    if (part == NULL || !nereus_process_settings.checks) {
        nereus_part_free(part);
        return;
    }
    record_live_part(find_mapping(part), NULL);
    struct retired *old = &retired[retired_count++ % RETIRED_MAX];
    if (old->bytes > 0)
        munmap(old->start, old->bytes);
    old->bytes = get_part_bytes(part);
    old->start = find_mapping(part);
    snprintf(
        old->sentence, sizeof old->sentence,
        "nereus: rank %d: part of '%s' used after the resize at point %lld: ask nereus_local, of a "
        "field nereus_local_box, again\n",
        rank, name, (long long)point);
    nereus_replace_call_names(old->sentence, sizeof old->sentence);
    madvise(old->start, old->bytes, MADV_DONTNEED);
    mprotect(old->start, old->bytes, PROT_NONE);
}
