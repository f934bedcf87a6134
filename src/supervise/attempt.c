/**
 * @file attempt.c
 * Passes the numbers of an attempt to the next one through environment variables.
 */
#include "attempt.h"

#include <unistd.h>

#include "model/util/strings.h"

/* Words between ATTEMPT_OPTION and the command line: these numbers, in this order, the hosts, and
 * is_older. */
static const size_t numbers[] = {
    offsetof(struct attempt, number),      offsetof(struct attempt, processes),
    offsetof(struct attempt, losses),      offsetof(struct attempt, failed_reads),
    offsetof(struct attempt, checkpoints),
};
enum { WORD_HOSTS = NEREUS_COUNT_OF(numbers), WORD_IS_OLDER, WORDS };

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
                                .hosts = words[WORD_HOSTS],
                                .is_older = atoi(words[WORD_IS_OLDER]) != 0};
    for (int i = 0; i < WORD_HOSTS; i++)
        *(int64_t *)((char *)attempt + numbers[i]) = atoll(words[i]);
    return true;
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
    for (int i = 0; i < WORD_HOSTS; i++)
        nereus_strings_add_format(
            &list, "%lld", (long long)*(const int64_t *)((const char *)attempt + numbers[i]));
    nereus_strings_add(&list, attempt->hosts);
    nereus_strings_add_format(&list, "%d", attempt->is_older);
    nereus_strings_add_words(&list, attempt->mpiexec, SIZE_MAX);
    if (!list.broken && setenv("NEREUS_RESTART", checkpoint, 1) == 0 &&
        setenv("NEREUS_RESTARTS", number, 1) == 0)
        execv(self, list.words);
    nereus_strings_free(list.words);
}
