#include "life.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/strings.h"

/* The words between LIFE_OPTION and the command line. */
enum {
    WORD_NUMBER,
    WORD_PROCESSES,
    WORD_HOSTS,
    WORD_LOSSES,
    WORD_ATTEMPTS,
    WORD_CHECKPOINTS,
    WORD_FELL_BACK,
    WORDS
};

bool life_read(char **argv, struct life *life)
{
    *life = (struct life){.mpiexec = argv + 1, .first = true, .hosts = ""};
    if (argv[0] == NULL || argv[1] == NULL || strcmp(argv[1], LIFE_OPTION) != 0)
        return argv[0] != NULL && argv[1] != NULL;
    char **words = argv + 2;
    for (int i = 0; i <= WORDS; i++)
        if (words[i] == NULL)
            return false;
    *life = (struct life){.mpiexec = words + WORDS,
                          .number = atoll(words[WORD_NUMBER]),
                          .processes = atoll(words[WORD_PROCESSES]),
                          .hosts = words[WORD_HOSTS],
                          .losses = atoll(words[WORD_LOSSES]),
                          .attempts = atoll(words[WORD_ATTEMPTS]),
                          .checkpoints = atoll(words[WORD_CHECKPOINTS]),
                          .fell_back = atoi(words[WORD_FELL_BACK]) != 0};
    return true;
}

static void add_number(struct nereus_strings *list, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    nereus_strings_add(list, text);
}

void life_begin(const struct life *life, const char *checkpoint)
{
    struct nereus_strings list = {0};
    char number[32], self[PATH_MAX]; /* by its path, which gives the process its name */
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    snprintf(number, sizeof number, "%" PRId64, life->number);
    nereus_strings_add(&list, "nereus-supervise");
    nereus_strings_add(&list, LIFE_OPTION);
    nereus_strings_add(&list, number);
    add_number(&list, life->processes);
    nereus_strings_add(&list, life->hosts);
    add_number(&list, life->losses);
    add_number(&list, life->attempts);
    add_number(&list, life->checkpoints);
    add_number(&list, life->fell_back);
    for (char **word = life->mpiexec; *word != NULL; word++)
        nereus_strings_add(&list, *word);
    if (!list.broken && setenv("NEREUS_RESTART", checkpoint, 1) == 0 &&
        setenv("NEREUS_RESTARTS", number, 1) == 0)
        execv(self, list.words);
    nereus_strings_free(list.words);
}
