/**
 * @file attempt.c
 * Passes the numbers of an attempt to the next one through environment variables.
 */
#include "attempt.h"

#include <unistd.h>

#include "model/util/strings.h"

/* Arguments between ATTEMPT_OPTION and the command line, in this order. */
enum {
    WORD_NUMBER,
    WORD_PROCESSES,
    WORD_HOSTS,
    WORD_LOSSES,
    WORD_FAILED_READS,
    WORD_CHECKPOINTS,
    WORD_IS_OLDER,
    WORDS
};

bool attempt_read(char **argv, struct attempt *attempt)
{
    *attempt = (struct attempt){.mpiexec = argv + 1, .first = true, .hosts = ""};
    if (argv[0] == NULL || argv[1] == NULL || strcmp(argv[1], ATTEMPT_OPTION) != 0)
        return argv[0] != NULL && argv[1] != NULL;
    char **words = argv + 2;
    for (int i = 0; i <= WORDS; i++)
        if (words[i] == NULL)
            return false;
    *attempt = (struct attempt){.mpiexec = words + WORDS,
                                .number = atoll(words[WORD_NUMBER]),
                                .processes = atoll(words[WORD_PROCESSES]),
                                .hosts = words[WORD_HOSTS],
                                .losses = atoll(words[WORD_LOSSES]),
                                .failed_reads = atoll(words[WORD_FAILED_READS]),
                                .checkpoints = atoll(words[WORD_CHECKPOINTS]),
                                .is_older = atoi(words[WORD_IS_OLDER]) != 0};
    return true;
}

static void add_number(struct nereus_strings *list, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    nereus_strings_add(list, text);
}

void attempt_begin(const struct attempt *attempt, const char *checkpoint)
{
    struct nereus_strings list = {0};
    /* executed by its path, from which the process gets its name */
    char number[32], self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    snprintf(number, sizeof number, "%lld", (long long)attempt->number);
    nereus_strings_add(&list, "nereus-supervise");
    nereus_strings_add(&list, ATTEMPT_OPTION);
    nereus_strings_add(&list, number);
    add_number(&list, attempt->processes);
    nereus_strings_add(&list, attempt->hosts);
    add_number(&list, attempt->losses);
    add_number(&list, attempt->failed_reads);
    add_number(&list, attempt->checkpoints);
    add_number(&list, attempt->is_older);
    nereus_strings_add_words(&list, attempt->mpiexec, SIZE_MAX);
    if (!list.broken && setenv("NEREUS_RESTART", checkpoint, 1) == 0 &&
        setenv("NEREUS_RESTARTS", number, 1) == 0)
        execv(self, list.words);
    nereus_strings_free(list.words);
}
