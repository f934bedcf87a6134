/**
 * @file doctor.h
 * Collects the findings of `nereus doctor`, each with advice, and the probes that make them.
 * machine.c and network.c need no MPI; spawning.c has the required abilities, start_methods.c the
 * ways to start processes, failures.c the effects of failures.
 */
#pragma once

#include "predictor/run/child.h"

enum nereus_finding_state {
    NEREUS_FINDING_OK,
    NEREUS_FINDING_NOTE,   /**< worth knowing */
    NEREUS_FINDING_FAILED, /**< a required ability is missing */
    NEREUS_FINDING_SKIPPED /**< not tested */
};

enum { NEREUS_FINDINGS_MAX = 64, NEREUS_PROBE_VALUES_MAX = 24, NEREUS_SURVIVALS_MAX = 8 };

/** Ways to start new processes. */
enum nereus_start_way {
    NEREUS_START_PLAIN,
    NEREUS_START_SPAWN,
    NEREUS_START_LAUNCH,
    NEREUS_START_WAYS
};

/** Outcome of a failure for the job, by the way to start processes. */
struct nereus_survival {
    const char *key, *what;                  /**< literals */
    const char *verdicts[NEREUS_START_WAYS]; /**< "goes on", "ends", "hangs"; "not tried" */
};

struct nereus_finding {
    const char *section, *key, *title; /**< literals */
    enum nereus_finding_state state;
    char result[320];
    char advice[400]; /**< "": none */
};

/** Largest number of nodes of an allocation that are tried. */
enum { NEREUS_DOCTOR_NODES = 8 };

struct nereus_doctor {
    struct nereus_finding findings[NEREUS_FINDINGS_MAX];
    int count;
    struct nereus_survival survivals[NEREUS_SURVIVALS_MAX];
    int survival_count;
    const char *section; /**< section of the next findings */
    bool quick;          /**< skip probes that are expected to hang */
    bool no_launch;      /**< the runtime refuses launch on this MPI */
    bool broken;         /**< spawning does not work: skip what needs it */
    bool restarts;       /**< if broken: a job can continue from its files as other processes */
    char mpiexec[PATH_MAX], probe[PATH_MAX], job[PATH_MAX];
    char launcher[PATH_MAX]; /**< the MPI's own mpiexec */
    /** nodes of the Slurm allocation, NEREUS_DOCTOR_NODES at most; 0: not several */
    int64_t nodes;
    char first_node[300]; /**< "name:cores" of its first node, on which probes run */
    char node_list[2400]; /**< "name:1,name:1,..." of these nodes */
    void (*on_progress)(struct nereus_doctor *doctor, const char *what); /**< before each probe */
    void *user;
};

/** Add a finding.
 * @return false (and nothing added) when there is no room */
bool nereus_doctor_add(struct nereus_doctor *doctor, enum nereus_finding_state state,
                       const char *key, const char *title, const char *result, ...)
    __attribute__((format(printf, 5, 6)));

/** Set the advice of the last finding. */
void nereus_doctor_advise(struct nereus_doctor *doctor, const char *advice, ...)
    __attribute__((format(printf, 2, 3)));

/** What was examined, and the advice if it failed. */
struct nereus_check {
    bool good;
    const char *key, *title, *advice;
};

/** Add a check as a finding: ok, or a note with the advice. */
void nereus_doctor_add_check(struct nereus_doctor *doctor, struct nereus_check check,
                             const char *result, ...) __attribute__((format(printf, 3, 4)));

/* The parts of the examination, in order. */
/** machine.c: cores, memory, limits */
void nereus_doctor_check_machine(struct nereus_doctor *doctor);
/** libraries.c: libraries that this build lacks */
void nereus_doctor_check_libraries(struct nereus_doctor *doctor);
/** network.c: what is calibrated */
void nereus_doctor_check_network(struct nereus_doctor *doctor);
/** spawning.c: the MPI, its launcher and network */
void nereus_doctor_check_mpi_library(struct nereus_doctor *doctor);
/** spawning.c: what must work */
void nereus_doctor_check_spawning(struct nereus_doctor *doctor);
/** start_methods.c: launch, threads, connections, binding, measured */
void nereus_doctor_check_start_methods(struct nereus_doctor *doctor);
/** failures.c: effect of each fault on a job */
void nereus_doctor_check_failures(struct nereus_doctor *doctor);

/** List the interfaces whose speed is known, as "eth0 1250 MB/s, ib0 25000 MB/s"; "": none.
 * @param folder  /sys/class/net, but for tests
 * @return bytes per second of the fastest; 0: none */
double nereus_doctor_interfaces(const char *folder, char *text, size_t size);

/** Make an empty temporary file, which the caller removes.
 * @param path  PATH_MAX characters
 * @return false: none can be made */
bool nereus_doctor_make_file(char *path);

/** Output and outcome of a probe's job. */
struct nereus_probe_output {
    char keys[NEREUS_PROBE_VALUES_MAX][32], values[NEREUS_PROBE_VALUES_MAX][256];
    int count;
    char complaint[256]; /**< first line on stderr */
    char netmod[16];     /**< from MPICH's summary, lower case; "": unknown */
    double killing_s;    /**< time at which the probe announced a kill; 0: never */
    double ended_s;
    struct nereus_child_result result;
    bool ran; /**< the launcher could be started */
};

/** How a probe is run. */
struct nereus_probe_run {
    const char *launcher;       /**< NULL: nereus-mpiexec */
    const char *option, *value; /**< option of mpiexec; NULL: none */
    int processes;
    const char *program;      /**< NULL: the probe program */
    const char *arguments[8]; /**< ended by NULL */
    const char *environment[8];
    double limit_s;
};

/** Run a job and collect its "key=value" lines. */
void nereus_doctor_run(struct nereus_doctor *doctor, const char *what,
                       const struct nereus_probe_run *run, struct nereus_probe_output *output);

/** @return value of a key, "" without it; as a number, NAN without it */
const char *nereus_probe_value(const struct nereus_probe_output *output, const char *key);
double nereus_probe_number(const struct nereus_probe_output *output, const char *key);

/** Did the runtime refuse the method, as this MPI cannot carry it out? The complaint says why. */
bool nereus_probe_is_refused(const struct nereus_probe_output *output);

/** Print how a job ended, as a part of a message: "ended with status 0 after 0.2 s".
 * @param text  160 characters, returned */
char *nereus_probe_format_end(const struct nereus_probe_run *run,
                              const struct nereus_probe_output *output, char *text);
