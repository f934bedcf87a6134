/**
 * @file fuzz_words.c
 * Reads lines between guards, launchers and processes: words, addresses, hosts of a spawn.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "src/link/connection.h"
#include "src/supervise/pending_spawns.h"

/* Check that encoded words are decoded as the same. */
static void check_round_trip(const char *text)
{
    struct nereus_words words = {0};
    nereus_words_add(&words, text);
    nereus_words_add_int(&words, 7);
    FUZZ_CHECK(!words.broken);
    char *line = malloc(words.length + 1);
    FUZZ_CHECK(line != NULL);
    memcpy(line, words.text, words.length);
    line[words.length] = '\0';
    char *position = line;
    FUZZ_CHECK(strcmp(nereus_word_next(&position), text) == 0);
    FUZZ_CHECK(strcmp(nereus_word_next(&position), "7") == 0);
    FUZZ_CHECK(nereus_word_next(&position) == NULL);
    free(line);
    free(words.text);
}

static void spawn(const char *hosts)
{
    char sentence[200];
    struct pending_spawn *spawn = pending_spawn_new("id", 4, 1, hosts);
    FUZZ_CHECK(spawn != NULL);
    pending_spawn_count_guard(spawn, "a.b");
    pending_spawn_has_expired(spawn, 1e300, sentence, sizeof sentence);
    pending_spawn_free(spawn);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_connection_address address;
    const char *rest;
    char *text = fuzz_text(data, size), *position = text;
    check_round_trip(text);
    spawn(text);
    if (nereus_connection_parse_address(text, &address, &rest))
        FUZZ_CHECK(rest >= text && rest <= text + size && address.host[0] != '\0');
    while (nereus_word_next(&position) != NULL)
        FUZZ_CHECK(position <= text + size);
    free(text);
    return 0;
}
