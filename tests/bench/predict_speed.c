/**
 * @file predict_speed.c
 * How long one prediction takes: all methods of one pair that a profile knows, ranked for both
 * goals. Prints a row a profile:
 *
 *     predict-speed [--map NEREUS] PROFILE.json...
 *
 * Pairs are drawn up to four nodes; each is asked for once before the clock runs (the profile is in
 * the caches of the processor, as in a scheduler that decides) and then timed. With --map, how long
 * `NEREUS map` takes for 1000 x 1000 pairs. Without MPI.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nereus/goal.h"

enum { METHODS_MAX = 256, PAIRS = 2000 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int64_t draw(uint64_t *chance, int64_t max)
{
    *chance = *chance * 6364136223846793005ULL + 1442695040888963407ULL;
    return 1 + (int64_t)((*chance >> 33) % (uint64_t)max);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *name_of(const char *path)
{
    return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
}

static int measure(const char *path, int pairs)
{
    static const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    static struct nereus_profile profile;
    static struct nereus_prediction predictions[METHODS_MAX];
    struct nereus_error err;
    double *times_us = malloc((size_t)pairs * sizeof *times_us);
    uint64_t chance = 20261121;
    int64_t predicted = 0;
    if (times_us == NULL || nereus_profile_read(path, &profile, &err) != NEREUS_OK) {
        fprintf(stderr, "predict-speed: %s\n", times_us == NULL ? "not enough memory" : err.text);
        free(times_us);
        return 1;
    }
    if (profile.method_count > METHODS_MAX) {
        fprintf(stderr, "predict-speed: %s: more than %d methods\n", path, METHODS_MAX);
        return 1;
    }
    const struct nereus_machine machine = {.cores_per_node = profile.cores_per_node};
    for (int i = 0; i < pairs; i++) {
        struct nereus_scenario s = {.machine = &machine,
                                    .ns = draw(&chance, 4 * profile.cores_per_node),
                                    .nt = draw(&chance, 4 * profile.cores_per_node),
                                    .t_iter_ns_s = 0.1,
                                    .iterations_before = 3,
                                    .iterations_after = 97};
        s.t_iter_nt_s = s.t_iter_ns_s * (double)s.ns / (double)s.nt;
        nereus_predict_all(&(struct nereus_goal_question){&profile, &s, &ranking}, profile.methods,
                           (int)profile.method_count, predictions);
        const double start_us = now_us();
        predicted += nereus_predict_all(&(struct nereus_goal_question){&profile, &s, &ranking},
                                        profile.methods, (int)profile.method_count, predictions);
        times_us[i] = now_us() - start_us;
    }
    qsort(times_us, (size_t)pairs, sizeof *times_us, by_value);
    printf("%-28s %7" PRId64 " %9" PRId64 " %8.1f %10.1f %8.1f %8.1f\n", name_of(path),
           profile.method_count, profile.measured_count, (double)predicted / pairs,
           times_us[pairs / 2], times_us[pairs * 99 / 100], times_us[pairs - 1]);
    nereus_profile_fini(&profile);
    free(times_us);
    return 0;
}

/* The whole command, its output thrown away: wall clock, cores' time and peak memory. */
static int measure_map(const char *nereus, const char *profile)
{
    struct rusage used;
    int status;
    const double start_us = now_us();
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execl(nereus, nereus, "map", "--profile", profile, "--ns", "1:1000", "--nt", "1:1000",
              "--format", "csv", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        fprintf(stderr, "predict-speed: %s map --profile %s failed\n", nereus, profile);
        return 1;
    }
    printf("%-28s map of 1000 x 1000: %.1f s, %.1f s of all cores, %.1f MiB at most\n",
           name_of(profile), (now_us() - start_us) * 1e-6,
           (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec,
           (double)used.ru_maxrss / 1024);
    return 0;
}

int main(int argc, char **argv)
{
    const char *nereus = argc > 2 && strcmp(argv[1], "--map") == 0 ? argv[2] : NULL;
    const int first = nereus != NULL ? 3 : 1;
    int failed = argc <= first;
    printf("%-28s %7s %9s %8s %10s %8s %8s\n", "profile", "methods", "measured", "a pair",
           "median us", "p99 us", "most us");
    for (int i = first; i < argc; i++)
        failed |= measure(argv[i], PAIRS);
    for (int i = first; i < argc && nereus != NULL; i++)
        failed |= measure_map(nereus, argv[i]);
    return failed;
}
