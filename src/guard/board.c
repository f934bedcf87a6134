/* Notes of processes on several hosts: see board.h. */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/link/line.h"

static struct board_note *find(const struct board *board, const char *host, long pid)
{
    for (size_t i = 0; i < board->count; i++)
        if (board->notes[i].pid == pid && strcmp(board->notes[i].host, host) == 0)
            return &board->notes[i];
    return NULL;
}

static struct board_note *add(struct board *board, const char *host, long pid)
{
    struct board_note *grown = realloc(board->notes, (board->count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    board->notes = grown;
    grown[board->count] = (struct board_note){.pid = pid};
    snprintf(grown[board->count].host, sizeof grown->host, "%s", host);
    return &grown[board->count++];
}

void board_put(struct board *board, const char *host, long pid, const char *text)
{
    char name[sizeof((struct board_note *)NULL)->host];
    snprintf(name, sizeof name, "%s", host);
    struct board_note *note = find(board, name, pid);
    if (text == NULL) {
        if (note != NULL) {
            free(note->text);
            *note = board->notes[--board->count];
        }
        return;
    }
    if (note == NULL)
        note = add(board, name, pid);
    if (note == NULL)
        return;
    free(note->text);
    note->text = strdup(text);
    note->at_s = nereus_line_now_s();
}

void board_answer(const struct board *board, const char *host, int fd)
{
    struct nereus_words words = {0};
    char age[32];
    for (size_t i = 0; i < board->count; i++) {
        const struct board_note *note = &board->notes[i];
        if (note->text == NULL || strncmp(note->host, host, sizeof note->host - 1) == 0)
            continue;
        snprintf(age, sizeof age, "%.3f", nereus_line_now_s() - note->at_s);
        nereus_words_add(&words, age);
        nereus_words_add(&words, note->text);
    }
    nereus_words_send(&words, fd, 1);
}

void board_fini(struct board *board)
{
    for (size_t i = 0; i < board->count; i++)
        free(board->notes[i].text);
    free(board->notes);
    *board = (struct board){0};
}
