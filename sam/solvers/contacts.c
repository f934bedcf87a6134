/**
 * @file contacts.c
 * Makes the contact network of the epidemic by hashing: each contact is computed where it is
 * needed, so that no process stores the network.
 */
#include "contacts.h"

#include <stdlib.h>

#include "model/util/mix.h"

/* Neighbours on each side: of the first person and of the last one; between them the number falls
 * quadratically. */
enum { NEAR_MAX = 28, NEAR_MIN = 4, FAR_EACH = 4 };

/* The share of neighbours that meet. */
static const double near_share = 0.75;

/* Streams of random numbers that are derived from one seed. */
enum purpose { PURPOSE_NEAR = 1, PURPOSE_FAR, PURPOSE_INTENSITY, PURPOSE_START, PURPOSE_ENCOUNTER };

static uint64_t hash_pair(uint64_t seed, enum purpose purpose, int64_t a, int64_t b)
{
    const uint64_t of_purpose = nereus_mix(seed + NEREUS_MIX_INCREMENT * (uint64_t)purpose);
    return nereus_mix(nereus_mix(of_purpose + NEREUS_MIX_INCREMENT * (uint64_t)a) +
                      NEREUS_MIX_INCREMENT * (uint64_t)b);
}

/* The largest distance of neighbours of a person. */
static int64_t get_contact_distance(const struct contacts *network, int64_t person)
{
    const double rest = 1 - (double)person / (double)network->persons;
    return NEAR_MIN + (int64_t)((NEAR_MAX - NEAR_MIN) * rest * rest);
}

/* Person b = c - a modulo all: an involution, so that both find the same contact. */
static int64_t find_far_contact(const struct contacts *network, int64_t number, int64_t person)
{
    const int64_t n = network->persons,
                  sum = (int64_t)(hash_pair(network->seed, PURPOSE_FAR, number, 0) % (uint64_t)n);
    return (sum - person + n) % n;
}

bool contacts_meet(const struct contacts *network, int64_t a, int64_t b)
{
    const int64_t low = a < b ? a : b, high = a < b ? b : a;
    if (a == b)
        return false;
    for (int64_t number = 0; number < FAR_EACH; number++)
        if (find_far_contact(network, number, a) == b)
            return true;
    return high - low <= get_contact_distance(network, low) &&
           nereus_mix_share(hash_pair(network->seed, PURPOSE_NEAR, low, high)) < near_share;
}

static int compare_ids(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

enum { CONTACTS_MAX = 2 * NEAR_MAX + FAR_EACH };

/* List the persons that a person meets.
 * @param[out] met  space for CONTACTS_MAX
 * @return their number */
static int64_t list_contacts(const struct contacts *network, int64_t person, int64_t *met)
{
    int64_t count = 0;
    for (int64_t other = person - NEAR_MAX; other <= person + NEAR_MAX; other++)
        if (other >= 0 && other < network->persons && contacts_meet(network, person, other))
            met[count++] = other;
    for (int64_t number = 0; number < FAR_EACH; number++) {
        const int64_t other = find_far_contact(network, number, person);
        bool known = other == person;
        for (int64_t i = 0; i < count; i++)
            known = known || met[i] == other;
        if (!known)
            met[count++] = other;
    }
    qsort(met, (size_t)count, sizeof *met, compare_ids);
    return count;
}

enum nereus_status contacts_make_rows(const struct contacts *network, int64_t first, int64_t rows,
                                      struct sparse *part, struct nereus_error *err)
{
    int64_t met[CONTACTS_MAX];
    int64_t *lengths = calloc((size_t)rows + 1, sizeof *lengths);
    if (lengths == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the contacts of %lld persons",
                           (long long)rows);
    for (int64_t i = 0; i < rows; i++)
        lengths[i] = list_contacts(network, first + i, met);
    const enum nereus_status status = sparse_make(first, rows, lengths, part, err);
    free(lengths);
    for (int64_t i = 0; status == NEREUS_OK && i < rows; i++) {
        const int64_t person = first + i, count = list_contacts(network, person, met);
        for (int64_t k = 0; k < count; k++) {
            const int64_t low = person < met[k] ? person : met[k],
                          high = person < met[k] ? met[k] : person;
            part->columns[part->starts[i] + k] = met[k];
            part->values[part->starts[i] + k] =
                nereus_mix_share(hash_pair(network->seed, PURPOSE_INTENSITY, low, high));
        }
    }
    return status;
}

bool contacts_is_infected_at_start(const struct contacts *network, int64_t person, double share)
{
    return share > 0 && (person == 0 || nereus_mix_share(hash_pair(network->seed, PURPOSE_START,
                                                                   person, 0)) < share);
}

bool contacts_is_infected_by(const struct contacts *network, int64_t day, int64_t from, int64_t to,
                             double probability, int64_t encounters)
{
    const uint64_t pair = hash_pair(network->seed, PURPOSE_ENCOUNTER, from, to);
    bool infected = false;
    /* No early exit: each encounter is a unit of work that the caller requested. */
    for (int64_t number = 0; number < encounters; number++)
        infected |= nereus_mix_share(hash_pair(pair, PURPOSE_ENCOUNTER, day, number)) < probability;
    return infected;
}
