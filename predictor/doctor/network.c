/** @file network.c Compares the calibrated rates with the speeds of the network interfaces, and
 * describes restarts. */
#include <dirent.h>

#include "doctor.h"
#include "nereus/price.h"
#include "nereus/profile_place.h"

static const double bits = 8, megabit = 1e6;
static const long unknown = UINT32_MAX; /* -1, as old kernels print it */
/* A node that moves less than this part of its fastest interface's speed uses another one, or
 * shares it. */
static const double little = 0.5;

/* Speed of an interface in bytes per second; 0: it is down, or does not tell its speed, as virtual
 * ones (-1, or the file cannot be read). */
static double read_interface_speed(const char *folder, const char *name)
{
    char path[512], state[32] = "";
    long speed = 0;
    snprintf(path, sizeof path, "%.200s/%.100s/operstate", folder, name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%31s", state) != 1)
            state[0] = '\0';
        fclose(file);
    }
    snprintf(path, sizeof path, "%.200s/%.100s/speed", folder, name);
    file = strcmp(state, "down") != 0 ? fopen(path, "r") : NULL;
    if (file == NULL)
        return 0;
    if (fscanf(file, "%ld", &speed) != 1)
        speed = 0;
    fclose(file);
    return speed > 0 && speed < unknown ? (double)speed * megabit / bits : 0;
}

double nereus_doctor_interfaces(const char *folder, char *text, size_t size)
{
    struct dirent **entries;
    double fastest = 0;
    size_t length = 0;
    text[0] = '\0';
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const double speed = read_interface_speed(folder, entries[i]->d_name);
        if (speed > 0 && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%.40s %.0f MB/s",
                                       length > 0 ? ", " : "", entries[i]->d_name, speed / megabit);
        fastest = speed > fastest ? speed : fastest;
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return fastest;
}

/* Bytes per second of long messages; 0: not measured. */
static double compute_rate(const struct nereus_hockney *measured_link)
{
    const double beta_s =
        measured_link->pieces > 0 ? measured_link->beta_s_per_byte[measured_link->pieces - 1] : 0;
    return measured_link->basis == NEREUS_BASIS_FITTED && beta_s > 0 ? 1 / beta_s : 0;
}

/* Rates and costs in the profile of this machine. */
struct calibrated {
    double process, node; /* bytes per second between nodes; 0: not measured */
    struct nereus_restart_costs restart;
    bool has_restart;
    char where[128]; /* " (CLUSTER)"; "": no profile */
};

static struct calibrated read_profile(void)
{
    struct nereus_profile_search search;
    struct nereus_profile_place place;
    struct nereus_profile profile;
    struct calibrated known = {.where = ""};
    nereus_profile_search_init(&search);
    if (nereus_profile_read_default(&search, NULL, &place, &profile, NULL) != NEREUS_OK)
        return known;
    known.process = compute_rate(&profile.pairs[NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES]);
    known.node = compute_rate(&profile.operations[NEREUS_OPERATION_NODE]);
    known.has_restart = nereus_restart_costs_find(&profile, &known.restart);
    snprintf(known.where, sizeof known.where, " (%.100s)", profile.cluster);
    nereus_profile_fini(&profile);
    return known;
}

/* Format a rate: "125 MB/s", or that it was not measured. */
static const char *format_rate(double rate, char text[32])
{
    snprintf(text, 32, "not measured");
    if (rate > 0)
        snprintf(text, 32, "%.4g MB/s", rate / megabit);
    return text;
}

static void report_restart_costs(struct nereus_doctor *doctor, const struct calibrated *known)
{
    char text[NEREUS_RESTART_COSTS_TEXT];
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){
            known->has_restart, "restart", "restart",
            "nereus calibrate measures what a restart from a checkpoint costs (--checkpoint DIR)"},
        "%s%s",
        known->has_restart ? nereus_restart_costs_text(&known->restart, text) : "not measured",
        known->where);
}

void nereus_doctor_check_network(struct nereus_doctor *doctor)
{
    char interfaces[160], texts[2][32];
    const double speed = nereus_doctor_interfaces("/sys/class/net", interfaces, sizeof interfaces);
    const struct calibrated known = read_profile();
    const bool measured = known.process > 0 && known.node > 0;
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){
            measured && (speed <= 0 || known.node >= little * speed), "between_nodes",
            "rate between nodes",
            measured
                ? "MPI uses another network, or others use it too: see the network module, and "
                  "calibrate when the nodes are yours alone"
                : "nereus calibrate on two nodes or more measures it (--hostfile, or in an "
                  "allocation); one node needs none"},
        "of a process %s, of a node %s%s; interfaces: %s", format_rate(known.process, texts[0]),
        format_rate(known.node, texts[1]), known.where,
        speed > 0 ? interfaces : "none tells its speed");
    report_restart_costs(doctor, &known);
}
