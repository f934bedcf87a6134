/** @file status_page.c  Stores one entry per process, replaced when the process reports again. */
#include "status_page.h"

#include "model/util/clock.h"
#include "src/link/connection.h"

static struct status_entry *find_entry(const struct status_page *page, const char *host, long pid)
{
    for (size_t i = 0; i < page->count; i++)
        if (page->entries[i].pid == pid && strcmp(page->entries[i].host, host) == 0)
            return &page->entries[i];
    return NULL;
}

static struct status_entry *add_entry(struct status_page *page, const char *host, long pid)
{
    struct status_entry *grown = nereus_grow(page->entries, (int64_t)page->count, sizeof *grown);
    if (grown == NULL)
        return NULL;
    page->entries = grown;
    grown[page->count] = (struct status_entry){.pid = pid};
    snprintf(grown[page->count].host, sizeof grown->host, "%s", host);
    return &grown[page->count++];
}

void status_page_store(struct status_page *page, const char *host, long pid, const char *text)
{
    char name[sizeof((struct status_entry *)NULL)->host];
    snprintf(name, sizeof name, "%s", host);
    struct status_entry *entry = find_entry(page, name, pid);
    if (text == NULL) {
        if (entry != NULL) {
            free(entry->text);
            *entry = page->entries[--page->count];
        }
        return;
    }
    if (entry == NULL)
        entry = add_entry(page, name, pid);
    if (entry == NULL)
        return;
    free(entry->text);
    entry->text = strdup(text);
    entry->at_s = nereus_monotonic_s();
}

void status_page_answer(const struct status_page *page, const char *host, int fd)
{
    struct nereus_words words = {0};
    char age[32];
    for (size_t i = 0; i < page->count; i++) {
        const struct status_entry *entry = &page->entries[i];
        if (entry->text == NULL || strncmp(entry->host, host, sizeof entry->host - 1) == 0)
            continue;
        snprintf(age, sizeof age, "%.3f", nereus_monotonic_s() - entry->at_s);
        nereus_words_add(&words, age);
        nereus_words_add(&words, entry->text);
    }
    nereus_words_send(&words, fd, 1);
}

void status_page_fini(struct status_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        free(page->entries[i].text);
    free(page->entries);
    *page = (struct status_page){0};
}
