/** @file test_policy_file.c  Policy files: what they set, and a sentence for what is wrong. */
#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/policy/keys.h"
#include "model/util/arith.h"
#include "nereus/policy.h"

static enum nereus_status read_text(const char *text, struct nereus_policy_settings *settings,
                                    struct nereus_error *err)
{
    char path[] = "/tmp/nereus-policy-XXXXXX";
    const int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    const enum nereus_status status = nereus_policy_read(path, settings, err);
    unlink(path);
    return status;
}

Test(policy_file, of_the_paper)
{
    struct nereus_policy_settings read;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(nereus_policy_read(NEREUS_SOURCE_DIR "/docs/policy/arcos.ini", &read, &err),
                 NEREUS_OK, "%s", err.text);
    cr_assert_eq(read.kind, NEREUS_POLICY_FLEX_EFFICIENCY);
    cr_assert_float_eq(read.time_goal, 0.35, 1e-12);
    cr_assert(read.has_costs && read.has_powers && read.class_count == 4);
    cr_assert_float_eq(read.costs.spawn_s, 0.5201, 1e-12);
    cr_assert_float_eq(read.costs.seconds_per_byte, 8.483e-9, 1e-15);
    cr_assert_str_eq(read.classes[0].name, "C1");
    cr_assert_eq(read.classes[0].max, 80);
    cr_assert_float_eq(read.classes[3].price_per_core_hour, 0.462, 1e-12);
    cr_assert_eq(read.start.processes[2], 2);
    cr_assert_float_eq(nereus_policy_goal_s(&read, 923), 599.95, 1e-9);
    read.time_goal = 0;
    cr_assert(isinf(nereus_policy_goal_s(&read, 923)));
}

/* Each default by itself: a default that its key refuses would silently be 0. */
Test(policy_file, defaults_are_allowed_values)
{
    static const struct nereus_ini_table *const tables[] = {&nereus_policy_file_keys,
                                                            &nereus_application_keys};
    static _Alignas(max_align_t) char values[1 << 20]; /* larger than each struct of a section */
    for (size_t t = 0; t < NEREUS_COUNT_OF(tables); t++) {
        for (int k = 0; k < tables[t]->key_count; k++) {
            struct nereus_ini_table one = *tables[t];
            one.keys = &tables[t]->keys[k];
            one.key_count = 1;
            cr_expect_eq(nereus_ini_keys_set_defaults(&one, one.keys->section, values), NEREUS_OK,
                         "%s = %s", one.keys->names[0], one.keys->default_value);
        }
    }
}

/* {file, sentence behind "FILE" } */
/* More than 255 characters without a blank. */
#define TEN(t)                                                                                     \
    "node" t "0,node" t "1,node" t "2,node" t "3,node" t "4,node" t "5,node" t "6,node" t          \
    "7,node" t "8,node" t "9"
static const struct {
    const char *text, *sentence;
} rows[] = {
    {"[class A]\npower = 0\n",
     ":2: power in [class A] must be a number of at least 1e-30, not '0'"},
    {"[class A]\nnodes = 1.5\n",
     ":2: nodes in [class A] must be an integer from 1 to 1000000, not '1.5'"},
    {"[class A]\nnodes = 2\nnodes = 2\n", ":3: 'nodes' in [class A] is given already in line 2"},
    {"[class A]\n[class A]\n", ":2: [class A] is given already in line 1"},
    {"[policy]\n[class A]\n[Policy]\n", ":3: [Policy] is given already in line 1"},
    {"[class A]\nnode = 2\n", ":2: unknown key 'node' in [class A]; did you mean 'nodes'?"},
    {"[class]\n",
     ":1: unknown section [class]; a section reads [policy], [costs], [shape] or [class NAME]"},
    {"[class a b]\n", ":1: a class has a name of 1 to 31 characters without blanks"},
    {"[classes A]\n",
     ":1: unknown section [classes A]; a section reads [policy], [costs], [shape] or [class NAME]"},
    {"[class A]\n[shape]\nwork = 1 x\n", ": work in [shape]"},
    {"[class A]\n[shape]\nwork = 0, 0\n", ": work in [shape] is 0 everywhere"},
    {"[policy\n", ":1: '[' without ']'"},
    {"[class A] nodes = 2 # of two\n",
     ":1: 'nodes = 2' stands behind [class A]: it needs a line of its own"},
    {"policy = none\n", ":1: 'policy' stands before any [section]"},
    {"[policy]\nnonsense\n", ":2: neither 'key = value' nor '[section]' nor a comment"},
    {"[policy]\npolicy = flex-costs\n",
     ":2: policy in [policy] must be none, flex-efficiency, flex-cost, follow or user, not "
     "'flex-costs'; did you mean 'flex-cost'?"},
    {"[policy]\nsooner = 101\n",
     ":2: sooner in [policy] must be a percentage from 0 to 99.99, not '101'"},
    {"[policy]\nsooner = 100\n",
     ":2: sooner in [policy] must be a percentage from 0 to 99.99, not '100'"},
    {"[policy]\nfinish = soon\n",
     ":2: finish in [policy] must be a time of at least 0, as 0.1, 100ms or 2h, not 'soon'"},
    {"[policy]\nnodes = 2\n", ":2: 'nodes' is a key of [class NAME], not of [policy]"},
    {"[shape]\nquux = 2\n", ":2: unknown key 'quux' in [shape], which has work"},
    {"[class A]\n[Costs]\nbyte = 1\nByte = 2\n",
     ":4: 'Byte' in [Costs] is given already in line 3"},
    {"[costs]\nspawn = -1\n", ":2: spawn in [costs]"},
    {"[policy]\nfinish = 3\n", ": it needs a [class NAME] of nodes"},
    {"[policy]\nfinish = 3\nsooner = 3\n[class A]\n", ":3: finish and sooner are two goals"},
    {"[policy]\npolicy = follow\n[class A]\n", ": the policy follow needs the key follow, a file"},
    {"[class A]\nstart = 2\n", ": [class A] starts with 2 processes and has 1 core"},
    {"[class A]\nhosts = a, b\n[class B]\nhosts = c b\n", ": the host 'b' is named twice"},
    {"[class A]\nhosts = a a\n", ": the host 'a' is named twice"},
    {"[class A]\nhosts = n[1-9]\n[class B]\nhosts = m n[07,7]\n", ": the host 'n7' is named twice"},
    {"[class A]\nhosts = b, n[1-3\n", ":2: hosts in [class A] 'n[1-3': a bracket is not closed"},
    {"[class A]\nhosts = n[3-1],\n",
     ":2: hosts in [class A] 'n[3-1]': between brackets there are numbers and ranges"},
    {"[class A]\nhosts = n[1-100001]\n", ":2: hosts in [class A] 'n[1-100001]': names more than"},
    {"[class A]\nhosts = 0123456789012345678901234567890123456789012345678901234567890123\n",
     ":2: the name '0123456789012345678901234567890123456789012345678901234567890123' is longer "
     "than 63 characters"},
    {"[class A]\nnodes = 3\nhosts = n[1-4]\n", ": [class A] has 3 nodes and names 4 hosts"},
    {"[class A]\nnodes = 3\nhosts = " TEN("0") "," TEN("1") "," TEN("2") "," TEN("3") "," TEN(
         "4") "\n",
     ": [class A] has 3 nodes and names 50 hosts"},
    {"[class A]\nhosts = a\n[class B]\n",
     ": either all classes have the key hosts, or none: [class B]"},
    {"[class A]\n[class B]\nhosts = a\n",
     ": either all classes have the key hosts, or none: [class B]"},
    {"[class A]\nhosts = ,\n", ": either all classes have the key hosts, or none: [class A]"},
    {"[class A]\nnodes = 3\nhosts = a, b\n", ": [class A] has 3 nodes and names 2 hosts"},
};

/* Nodes are counted by their names. */
Test(policy_file, names_hosts)
{
    struct nereus_policy_settings read;
    struct nereus_error err = {NEREUS_OK, ""};
    char host[NEREUS_NODE_NAME_MAX], all[64] = "";
    cr_assert_eq(read_text("[class A]\nhosts = n1,n2  n3/a\ncores_per_node = 4\n"
                           "[class B]\nnodes = 1\nhosts = n4\n"
                           "[class C]\nhosts = r[1-2]n[08-10], , n[100-999] big\n",
                           &read, &err),
                 NEREUS_OK, "%s", err.text);
    cr_assert(read.classes[0].max == 12 && read.classes[1].max == 1);
    cr_assert(read.nodes[0].cores_per_node == 4 && read.nodes[1].cores_per_node == 1);
    cr_assert(!read.has_powers && read.classes[0].power == 1 && read.classes[2].power == 1);
    for (const char *position = read.nodes[0].hosts;
         (position = nereus_class_next_host(position, host)) != NULL;)
        strcat(strcat(all, host), ";");
    cr_assert_str_eq(all, "n1;n2;n3/a;");
    cr_assert_eq(read.classes[2].max, 6 + 900 + 1);
    const char *position = nereus_class_next_host(read.nodes[2].hosts, host);
    cr_assert_str_eq(host, "r1n08");
    cr_assert(strncmp(position, "r1n09,r1n10,r2n08,r2n09,r2n10,n100,n101,", 40) == 0, "%.60s",
              position);
    nereus_policy_settings_fini(&read);
}

Test(policy_file, a_sentence_for_what_is_wrong)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_policy_settings read = {.class_count = 77};
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert_neq(read_text(rows[i].text, &read, &err), NEREUS_OK, "row %zu", i);
        cr_assert(strstr(err.text, rows[i].sentence) != NULL, "row %zu: %s", i, err.text);
        cr_assert_eq(read.class_count, 77, "settings of an error are written");
    }
}
