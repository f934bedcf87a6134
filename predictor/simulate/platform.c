/** @file platform.c  Reads the <cluster> of a SimGrid platform, version 4.1. */
#include "platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/c_locale.h"
#include "model/util/file.h"
#include "model/util/try.h"
#include "model/util/values.h"

/* Replace comments by blanks, so that no tag is found in them. */
static void erase_comments(char *text)
{
    for (char *begin = strstr(text, "<!--"); begin != NULL; begin = strstr(begin, "<!--")) {
        char *end = strstr(begin, "-->");
        const size_t length = end != NULL ? (size_t)(end - begin) + 3 : strlen(begin);
        memset(begin, ' ', length);
    }
}

/* Find the next tag of a name from `text` on; NULL: none. A blank or a newline follows the name. */
static const char *find_tag(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    while (at != NULL && (at[strlen(name)] == '\0' || strchr(" \t\r\n", at[strlen(name)]) == NULL))
        at = strstr(at + 1, name);
    return at;
}

/* Longest value of an attribute, which may list thousands of nodes. */
enum { VALUE_MAX = 8192 };

/* Find the value of an attribute of the tag that begins at `tag`. @return false: it has none */
static bool find_attribute(const char *tag, const char *name, char value[VALUE_MAX])
{
    const char *end = strchr(tag, '>'), *at = tag;
    const size_t length = strlen(name);
    while (end != NULL && (at = strstr(at, name)) != NULL && at < end) {
        const char *equals = at + length + strspn(at + length, " \t\r\n");
        const char *quote = *equals == '=' ? equals + 1 + strspn(equals + 1, " \t\r\n") : NULL;
        if (strchr(" \t\r\n", at[-1]) != NULL && quote != NULL &&
            (*quote == '"' || *quote == '\'')) {
            const size_t size = strcspn(quote + 1, *quote == '"' ? "\"" : "'");
            snprintf(value, VALUE_MAX, "%.*s", (int)(size < VALUE_MAX ? size : 0), quote + 1);
            return size < VALUE_MAX;
        }
        at += length;
    }
    return false;
}

/* Read a speed such as "100Gf": a number, a prefix of 1000s, f. */
static bool read_flops(const char *text, double *flops)
{
    static const char prefixes[] = "kMGTPE";
    char *end;
    *flops = nereus_strtod(text, &end);
    const char *prefix = *end != '\0' ? strchr(prefixes, *end) : NULL;
    for (long i = 0; prefix != NULL && i <= prefix - prefixes; i++)
        *flops *= 1000;
    end += prefix != NULL;
    return end != text && *flops > 0 && isfinite(*flops) && (strcmp(end, "f") == 0 || *end == '\0');
}

/* Count the numbers of a list such as "100-227,300". */
static bool count_radical(const char *text, int64_t *nodes)
{
    for (*nodes = 0;; text++) {
        char *end;
        const long long first = strtoll(text, &end, 10);
        long long last = first;
        if (end != text && *end == '-') {
            text = end + 1;
            last = strtoll(text, &end, 10);
        }
        if (end == text || first < 0 || last < first || last > 1 << 30)
            return false;
        *nodes += last - first + 1;
        text = end;
        if (*text != ',')
            return *text == '\0';
    }
}

/* Read <prop id="cores_per_node" value="..."/> of the cluster. */
static enum nereus_status read_cores(const char *cluster, int64_t *cores, struct nereus_error *err)
{
    const char *end = strstr(cluster, "</cluster>");
    char value[VALUE_MAX];
    *cores = 0;
    for (const char *prop = find_tag(cluster, "<prop"); prop != NULL && end != NULL && prop < end;
         prop = find_tag(prop + 1, "<prop"))
        if (find_attribute(prop, "id", value) && strcmp(value, "cores_per_node") == 0 &&
            find_attribute(prop, "value", value))
            NEREUS_TRY(nereus_value_integer("<cluster>: cores_per_node", value, 1, cores, err));
    return NEREUS_OK;
}

static enum nereus_status read_cluster(const char *path, const char *text,
                                       struct nereus_platform *platform, struct nereus_error *err)
{
    const char *cluster = find_tag(text, "<cluster");
    char radical[VALUE_MAX], speed[VALUE_MAX];
    if (cluster == NULL || find_tag(cluster + 1, "<cluster") != NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: a platform must have one <cluster>, and this one has %s", path,
                           cluster == NULL ? "none" : "several");
    }
    if (!find_attribute(cluster, "radical", radical) || !count_radical(radical, &platform->nodes)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: <cluster>: radical must number the nodes, as \"0-15\"", path);
    }
    if (!find_attribute(cluster, "speed", speed) || !read_flops(speed, &platform->flops)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: <cluster>: speed must be that of all nodes, as \"100Gf\"", path);
    }
    return read_cores(cluster, &platform->cores_per_node, err);
}

enum nereus_status nereus_platform_read(const char *path, struct nereus_platform *platform,
                                        struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_file_read(path, "platform", &text, NULL, err));
    erase_comments(text);
    const enum nereus_status status = read_cluster(path, text, platform, err);
    free(text);
    return status;
}

void nereus_platform_write(const struct nereus_platform *platform, FILE *stream)
{
    fprintf(stream,
            "<?xml version='1.0'?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n"
            "    <zone id=\"world\" routing=\"Full\">\n"
            "        <zone id=\"batch_system_zone\" routing=\"Full\">\n"
            "            <host id=\"batch_system\" speed=\"0Gf\">\n"
            "                <prop id=\"batch_system\" value=\"true\"/>\n"
            "            </host>\n"
            "        </zone>\n"
            "        <cluster id=\"nodes\" prefix=\"node\" radical=\"0-%lld\" suffix=\"\" "
            "speed=\"%.17gf\" bw=\"100Gbps\" lat=\"1us\">\n"
            "            <prop id=\"cores_per_node\" value=\"%lld\"/>\n"
            "        </cluster>\n"
            "    </zone>\n"
            "</platform>\n",
            (long long)(platform->nodes - 1), platform->flops, (long long)platform->cores_per_node);
}
