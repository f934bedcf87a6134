/**
 * @file port_list.c
 * Packs and unpacks a list by the same code, so that both directions agree on the layout.
 */
#include "port_list.h"

enum nereus_status nereus_port_list_add(struct port_list *list, int64_t group, int64_t round,
                                        const char *port, struct nereus_error *err)
{
    struct port_entry *longer = nereus_grow(list->entries, list->count, sizeof *longer);
    char *copy = strdup(port);
    list->entries = longer != NULL ? longer : list->entries;
    if (longer == NULL || copy == NULL) {
        free(copy);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a list of ports");
    }
    list->entries[list->count++] = (struct port_entry){group, round, copy};
    return NEREUS_OK;
}

void nereus_port_list_pack(struct pack_buffer *pack, struct port_list *list)
{
    NEREUS_PACK_ITEMS(pack, list->entries, list->count);
    for (int64_t i = 0; i < list->count; i++) {
        if (pack->reading)
            list->entries[i].port = NULL; /* the sender's pointer */
        nereus_pack_text(pack, &list->entries[i].port);
    }
}

void nereus_port_list_extract(struct port_list *list, int64_t group, char **ports, int64_t rounds)
{
    for (int64_t i = 0; i < list->count; i++) {
        struct port_entry *entry = &list->entries[i];
        if (entry->group != group || entry->round < 1 || entry->round >= rounds ||
            ports[entry->round] != NULL)
            continue;
        ports[entry->round] = entry->port;
        entry->port = NULL;
    }
}

void nereus_port_list_fini(struct port_list *list)
{
    for (int64_t i = 0; i < list->count; i++)
        free(list->entries[i].port);
    free(list->entries);
    memset(list, 0, sizeof *list);
}
