/**
 * @file test_job_line.c
 * mpiexec's command line (src/supervise/job_line.h), and what is kept for guards (records.h).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/strings.h"
#include "src/supervise/job_line.h"
#include "src/supervise/launcher.h"
#include "src/supervise/records.h"

enum { WORDS_MAX = 30 };

static char **split(const char *text, char *copy, char **words)
{
    size_t count = 0;
    strcpy(copy, text);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return words;
}

static void join(char *const *words, char *text)
{
    *text = '\0';
    for (; words != NULL && *words != NULL; words++)
        sprintf(text + strlen(text), "%s%s", *text == '\0' ? "" : " ", *words);
}

/* The line behind mpiexec; the program; -wdir; the line with the variables that have to arrive. */
static const struct {
    const char *line, *program, *folder, *settings;
} rows[] = {
    {"./job a", "./job a", NULL, NULL},
    {"-n 2 ./job -n 3 : -n 1 ./other", "./job -n 3", NULL, NULL},
    {"-genv A B -env C=D -l -np 2 ./job", "./job", NULL, NULL},
    {"--wdir=/tmp -n 2 ./job", "./job", "/tmp", NULL},
    {"-n 2 -wdir sub -ppn 1 ./job", "./job", "sub", NULL},
    {"-wdir one -n 2 -wdir two ./job", "./job", "two", NULL},
    {"-path /opt -n 2 job", "", NULL, NULL},
    {"-n 2", "", NULL, NULL},
    {"", "", NULL, NULL},
    {"-genvall -n 2 ./job", "./job", NULL, "-n 2 ./job"},
    {"-genvnone -n 2 ./job -genvnone", "./job -genvnone", NULL,
     "-n 2 -envlist NEREUS_LAUNCHER,UCX_TLS ./job -genvnone"},
    {"-genvlist A,B -n 2 ./job : ./other -envnone", "./job", NULL,
     "-n 2 -envlist A,B,NEREUS_LAUNCHER,UCX_TLS ./job : -envlist A,B,NEREUS_LAUNCHER,UCX_TLS "
     "./other -envnone"},
    {"-n 2 -envlist=A ./job : -n 1 ./other", "./job", NULL,
     "-n 2 -envlist A,NEREUS_LAUNCHER,UCX_TLS ./job : -n 1 ./other"},
    {"-genvnone -envall -n 2 ./job : ./other", "./job", NULL,
     "-n 2 ./job : -envlist NEREUS_LAUNCHER,UCX_TLS ./other"},
    {"-n 1 ./job : -envnone ./other", "./job", NULL,
     "-n 1 ./job : -envlist NEREUS_LAUNCHER,UCX_TLS ./other"},
};

/* Options of another process manager have other numbers of values, and other names for hosts. */
Test(job_line, is_read_as_prrte_reads_it)
{
    char copy[200], joined[200];
    char *words[WORDS_MAX];
    setenv("NEREUS_PROCESS_MANAGER", "prrte", 1);
    char **line =
             split("mpiexec --mca btl self --nolocal -x A --host h:4 --pernode -np 2 ./job -n 3",
                   copy, words),
         **program = job_line_program(line), **resized = job_line_resized(line, 3, "i:1,h:2");
    join(program, joined);
    cr_assert_str_eq(joined, "./job -n 3");
    join(resized, joined);
    cr_assert_str_eq(joined, "mpiexec --mca btl self --nolocal -x A --pernode --host i:1,h:2 -n 3 "
                             "./job -n 3");
    free(program);
    nereus_strings_free(resized);
    unsetenv("NEREUS_PROCESS_MANAGER");
}

/* nereus-mpiexec's own options: Hydra has them, PRRTE has others in their place. */
Test(job_line, own_options_are_translated)
{
    static const char given[] = "mpiexec -hosts a:2,b -genv A B -genv C=D -f %s -np 2 ./job -f x";
    char file[] = "/tmp/nereus-hosts-XXXXXX", line[200], copy[200], joined[200], *words[WORDS_MAX];
    const int descriptor = mkstemp(file);
    cr_assert(write(descriptor, "c:3\nlocalhost/d:1\n", 18) == 18);
    close(descriptor);
    snprintf(line, sizeof line, given, file);
    for (int prrte = 0; prrte <= 1; prrte++) {
        setenv("NEREUS_PROCESS_MANAGER", prrte ? "prrte" : "hydra", 1);
        char **translated = own_options_translate(split(line, copy, words));
        join(translated, joined);
        cr_assert_str_eq(joined, prrte ? "mpiexec --host a:2,b -x A=B -x C=D --host "
                                         "c:3,localhost:1 -np 2 ./job -f x"
                                       : line);
        nereus_strings_free(translated);
    }
    unlink(file);
    unsetenv("NEREUS_PROCESS_MANAGER");
}

Test(job_line, is_read_as_hydra_reads_it)
{
    static char *const environment[] = {"NEREUS_LAUNCHER=h:1:a", "UCX_TLS=^sysv", "HOME=/root",
                                        "LD_PRELOAD=/other.so", NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[300], copy[300], text[400], expected[300], *list[WORDS_MAX];
        snprintf(line, sizeof line, "mpiexec %s", rows[i].line);
        char **words = split(line, copy, list), **program = job_line_program(words);
        join(program, text);
        cr_assert_str_eq(text, rows[i].program, "row %zu: '%s'", i, text);
        const char *folder = job_line_folder(words);
        cr_assert_str_eq(folder != NULL ? folder : "-",
                         rows[i].folder != NULL ? rows[i].folder : "-", "row %zu", i);
        char **changed = job_line_to_start(words, environment, NULL, NULL);
        join(changed, text);
        snprintf(expected, sizeof expected, "mpiexec %s",
                 rows[i].settings != NULL ? rows[i].settings : rows[i].line);
        cr_assert_str_eq(text, rows[i].settings == NULL && rows[i].line[0] == '\0' ? "mpiexec"
                                                                                   : expected);
        nereus_strings_free(changed);
        free(program);
    }
}

Test(job_line, options_of_later_launches)
{
    static const struct {
        const char *words;
        int count;
        enum job_option_use use;
    } options[] = {
        {"-launcher ssh", 2, JOB_OPTION_ALLOCATION},
        {"-iface=lo x", 1, JOB_OPTION_ALL},
        {"-prepend-rank x", 1, JOB_OPTION_ALL},
        {"--outfile-pattern o.%r", 2, JOB_OPTION_FILES},
        {"-genv A B", 3, JOB_OPTION_FIRST},
        {"-genv A=B C", 2, JOB_OPTION_FIRST},
        {"-hosts a,b x", 2, JOB_OPTION_FIRST},
        {"-unheard-of value", 2, JOB_OPTION_FIRST},
        {"-genv A", 2, JOB_OPTION_FIRST}, /* the line ends too soon */
        {"program -l", 0, JOB_OPTION_FIRST},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char copy[100], *list[WORDS_MAX];
        const struct job_option option = job_line_option(split(options[i].words, copy, list));
        cr_assert_eq(option.words, options[i].count, "row %zu: %d", i, option.words);
        cr_assert(option.words == 0 || option.use == options[i].use, "row %zu", i);
    }
}

Test(job_line, is_a_job_or_not)
{
    static const struct {
        const char *line;
        enum job_line_kind kind;
        const char *begins;
    } lines[] = {
        {"-n 1 -configfile f", JOB_LINE_REFUSED, "-configfile is refused"},
        {"-bootstrap-exec=/none/ssh -n 1 ./job", JOB_LINE_REFUSED,
         "-bootstrap-exec '/none/ssh' cannot be started"},
        {"./job -configfile f", JOB_LINE_JOB, NULL},
        {"-n 1 ./job : --map-by=socket ./other", JOB_LINE_REFUSED, "-map-by is refused"},
        {"-genv A -bind-to ./job", JOB_LINE_JOB, NULL},
        {"-n x ./job", JOB_LINE_REFUSED, "-n must be a whole number of at least 1, not 'x'"},
        {"-np=2x ./job", JOB_LINE_REFUSED, "-n must be a whole number of at least 1, not '2x'"},
        {"-n 1 ./job : -n 0 ./other", JOB_LINE_REFUSED, "-n must be at least 1, not 0"},
        {"-n", JOB_LINE_REFUSED, "-n must be a whole number"},
        {"-n 1 ./job -n x", JOB_LINE_JOB, NULL},
        {"-n 1 --job a ./job", JOB_LINE_REFUSED, "--job NAME comes before"},
        {"-n 1 --restarts=2 ./job", JOB_LINE_REFUSED,
         "--restarts N comes before all options of mpiexec, with a value"},
        {"--checkpoint", JOB_LINE_REFUSED, "--checkpoint DIR[,EVERY] comes before"},
        {"-n 1 ./job : -n 1 --help", JOB_LINE_HELP, NULL},
        {"-n 1 ./job --help", JOB_LINE_JOB, NULL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[300], copy[300], sentence[400] = "", *list[WORDS_MAX];
        snprintf(line, sizeof line, "mpiexec %s", lines[i].line);
        char **words = split(line, copy, list);
        cr_assert_eq(job_line_kind(words, true, sentence, sizeof sentence), lines[i].kind, "%s",
                     line);
        const char *begins = lines[i].begins != NULL ? lines[i].begins : "";
        cr_assert_eq(strncmp(sentence, begins, strlen(begins)), 0, "%s: %s", line, sentence);
        if (strstr(line, "-map-by") != NULL)
            cr_assert_eq(job_line_kind(words, false, sentence, sizeof sentence), JOB_LINE_JOB);
    }
}

Test(job_line, each_program_has_a_guard)
{
    static const char *const lines[][2] = {
        {"-n 2 ./job a", "mpiexec -n 2 /g i ./job a"},
        {"-n 1 ./job : -wdir x ./other -n : ./third",
         "mpiexec -n 1 /g i ./job : -wdir x /g i ./other -n : /g i ./third"},
        {"-n 2", "mpiexec -n 2"},
    };
    static char *const none[] = {NULL};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[300], copy[300], text[300], *list[WORDS_MAX];
        snprintf(line, sizeof line, "mpiexec %s", lines[i][0]);
        char **words = split(line, copy, list),
             **start = job_line_to_start(words, none, "/g", NULL);
        join(start, text);
        cr_assert_str_eq(text, lines[i][1]);
        cr_assert_eq(job_line_names_programs(words), i != 2);
        nereus_strings_free(start);
    }
}

Test(job_line, number_of_processes_and_hosts_are_replaced)
{
    static const struct {
        const char *line;
        int64_t processes;
        const char *hosts, *becomes;
    } lines[] = {
        {"-n 2 ./job -n 7", 3, "", "-n 3 ./job -n 7"},
        {"./job a", 12, "", "-n 12 ./job a"},
        {"-np=2 -genv A B ./job", 1, "", "-genv A B -n 1 ./job"},
        {"-hosts a,b:2 -ppn 1 -n 2 ./job", 4, "", "-hosts a,b:2 -ppn 1 -n 4 ./job"},
        {"-hosts a,b:2 -ppn 1 -n 2 ./job", 2, "b:2", "-hosts b:2 -n 2 ./job"},
        {"-f hosts.txt -wdir x -n 2 ./job -f y", 2, "b:2", "-wdir x -hosts b:2 -n 2 ./job -f y"},
        {"-n 2 ./job", 0, "a:2", "-n 2 -hosts a:2 ./job"},
        {"-n 2 ./job : -n 1 ./other", 0, "", "-n 2 ./job : -n 1 ./other"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[300], copy[300], text[300], expected[300], *list[WORDS_MAX];
        snprintf(line, sizeof line, "mpiexec %s", lines[i].line);
        snprintf(expected, sizeof expected, "mpiexec %s", lines[i].becomes);
        char **words = split(line, copy, list),
             **changed = job_line_resized(words, lines[i].processes, lines[i].hosts);
        join(changed, text);
        cr_expect_str_eq(text, expected);
        cr_expect_eq(job_line_processes(words), i == 1 ? 0 : 2, "%s", line);
        cr_expect_eq(job_line_can_resize(words), strstr(line, " : ") == NULL, "%s", line);
        nereus_strings_free(changed);
    }
}

Test(records, keep_the_last_ones)
{
    struct records records = {0};
    char name[16];
    for (int i = 0; i < 2 * RECORDS_KEPT; i++) {
        snprintf(name, sizeof name, "r%d", i);
        cr_assert(records_store(&records, name, i == 7 ? "" : name));
    }
    cr_assert_null(records_find(&records, "r0"));
    cr_assert_str_eq(records_find(&records, "r5"), "r5");
    cr_assert_str_eq(records_find(&records, "r7"), "");
    records_fini(&records);
    cr_assert_null(records_find(&records, "r7"));
}
