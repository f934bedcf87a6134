/** @file platform.c  Reads a <cluster>, or hosts, of a SimGrid platform, version 4.1. */
#include "platform.h"

#include "model/util/file.h"
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

/* Find the value of an attribute of the tag that begins at `tag`.
 * @return false: it has none */
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

/* Read the attribute core of a <cluster> or <host>, which is 1 by default. */
static enum nereus_status read_core(const char *tag, int64_t *cores, struct nereus_error *err)
{
    char value[VALUE_MAX];
    *cores = 1;
    return find_attribute(tag, "core", value)
               ? nereus_value_parse_integer("platform: core", value, 1, cores, err)
               : NEREUS_OK;
}

/* Read <prop id="cores_per_node" value="..."/> of the cluster, else its attribute core. */
static enum nereus_status read_cores(const char *cluster, int64_t *cores, struct nereus_error *err)
{
    const char *end = strstr(cluster, "</cluster>");
    char value[VALUE_MAX];
    NEREUS_TRY(read_core(cluster, cores, err));
    for (const char *prop = find_tag(cluster, "<prop"); prop != NULL && end != NULL && prop < end;
         prop = find_tag(prop + 1, "<prop"))
        if (find_attribute(prop, "id", value) && strcmp(value, "cores_per_node") == 0 &&
            find_attribute(prop, "value", value))
            NEREUS_TRY(
                nereus_value_parse_integer("<cluster>: cores_per_node", value, 1, cores, err));
    return NEREUS_OK;
}

/* Read a bandwidth such as "100Gbps" (bits) or "80GBps" (bytes); a prefix of 1000s, or of 1024s
 * with an i.
 * @return 0: not understood */
static double read_bandwidth(const char *text)
{
    static const char prefixes[] = "kMGTP";
    char *end;
    double bytes_per_s = nereus_strtod(text, &end);
    const char *prefix = *end != '\0' ? strchr(prefixes, *end == 'K' ? 'k' : *end) : NULL;
    end += prefix != NULL;
    const double factor = *end == 'i' ? 1024 : 1000;
    end += *end == 'i';
    for (long i = 0; prefix != NULL && i <= prefix - prefixes; i++)
        bytes_per_s *= factor;
    if (strcmp(end, "bps") == 0)
        bytes_per_s /= 8;
    return bytes_per_s > 0 && isfinite(bytes_per_s) &&
                   (strcmp(end, "bps") == 0 || strcmp(end, "Bps") == 0)
               ? bytes_per_s
               : 0;
}

/* Find the bandwidth of the first link whose id contains a word, in small or capital letters; 0:
 * none. */
static double find_link(const char *text, const char *word)
{
    char value[VALUE_MAX];
    for (const char *link = find_tag(text, "<link"); link != NULL;
         link = find_tag(link + 1, "<link")) {
        bool has_word = false;
        if (!find_attribute(link, "id", value))
            continue;
        for (const char *at = value; *at != '\0' && !has_word; at++) {
            size_t i = 0;
            while (word[i] != '\0' && nereus_lower(at[i]) == word[i])
                i++;
            has_word = word[i] == '\0';
        }
        if (has_word && find_attribute(link, "bandwidth", value))
            return read_bandwidth(value);
    }
    return 0;
}

enum { NAMES_MAX = 200 };

/* Find the cluster of that name, or the only one.
 * @param[out] names  of all clusters
 * @return NULL: none */
static const char *find_cluster(const char *text, const char *name, int *count,
                                char names[NAMES_MAX])
{
    const char *found = NULL;
    char id[VALUE_MAX];
    size_t used = 0;
    *count = 0;
    names[0] = '\0';
    for (const char *cluster = find_tag(text, "<cluster"); cluster != NULL;
         cluster = find_tag(cluster + 1, "<cluster")) {
        const bool named = find_attribute(cluster, "id", id);
        ++*count;
        if (named && used < NAMES_MAX)
            used +=
                (size_t)snprintf(names + used, NAMES_MAX - used, "%s%s", used > 0 ? ", " : "", id);
        if (name == NULL ? *count == 1 : named && strcmp(id, name) == 0)
            found = cluster;
    }
    return name == NULL && *count > 1 ? NULL : found;
}

static bool is_master(const char *host)
{
    const char *end = strchr(host, '>'), *close;
    char value[VALUE_MAX];
    if (end == NULL || end[-1] == '/')
        return false;
    close = strstr(host, "</host>");
    for (const char *prop = find_tag(host, "<prop"); prop != NULL && close != NULL && prop < close;
         prop = find_tag(prop + 1, "<prop"))
        if (find_attribute(prop, "value", value) &&
            (strcmp(value, "master") == 0 ||
             (strcmp(value, "true") == 0 && find_attribute(prop, "id", value) &&
              (strcmp(value, "batch_system") == 0 || strcmp(value, "pfs_host") == 0))))
            return true;
    return false;
}

/* Count the hosts that are no part of a cluster; the first speed of a list is the speed at full
 * power. */
static enum nereus_status read_hosts(const char *path, const char *text,
                                     struct nereus_platform *platform, struct nereus_error *err)
{
    char speed[VALUE_MAX];
    for (const char *host = find_tag(text, "<host"); host != NULL;
         host = find_tag(host + 1, "<host")) {
        double flops;
        int64_t cores;
        if (is_master(host))
            continue;
        if (!find_attribute(host, "speed", speed))
            speed[0] = '\0';
        speed[strcspn(speed, ",")] = '\0';
        if (!read_flops(speed, &flops) || (platform->nodes > 0 && flops != platform->flop_per_s)) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s: <host>: speed must be that of all hosts, as \"100Gf\", not "
                               "\"%.40s\"",
                               path, speed);
        }
        NEREUS_TRY(read_core(host, &cores, err));
        platform->flop_per_s = flops;
        if (platform->nodes++ == 0)
            platform->cores_per_node = cores;
        else if (cores != platform->cores_per_node)
            platform->cores_per_node = -1;
    }
    return platform->nodes > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: a platform must have a <cluster>, or a <host>, and this one has "
                             "none",
                             path);
}

static enum nereus_status read_cluster(const char *path, const char *cluster,
                                       struct nereus_platform *platform, struct nereus_error *err)
{
    char radical[VALUE_MAX], speed[VALUE_MAX], bandwidth[VALUE_MAX];
    if (!find_attribute(cluster, "radical", radical) || !count_radical(radical, &platform->nodes)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: <cluster>: radical must number the nodes, as \"0-15\"", path);
    }
    if (!find_attribute(cluster, "speed", speed) || !read_flops(speed, &platform->flop_per_s)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: <cluster>: speed must be that of all nodes, as \"100Gf\"", path);
    }
    if (find_attribute(cluster, "bw", bandwidth))
        platform->link_bytes_per_s = read_bandwidth(bandwidth);
    return read_cores(cluster, &platform->cores_per_node, err);
}

static enum nereus_status read_text(const char *path, const char *text, const char *name,
                                    struct nereus_platform *platform, struct nereus_error *err)
{
    char names[NAMES_MAX];
    int count;
    const char *begin = strstr(text, "<platform");
    if (begin != NULL && strstr(begin, "/platform>") == NULL &&
        strstr(begin, "<platform/>") != begin)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: </platform> is missing: the file is cut off",
                           path);
    const char *cluster = find_cluster(text, name, &count, names);
    platform->storage_read_bytes_per_s = find_link(text, "read");
    platform->storage_write_bytes_per_s = find_link(text, "write");
    if (cluster != NULL)
        return read_cluster(path, cluster, platform, err);
    if (count == 0 && name == NULL)
        return read_hosts(path, text, platform, err);
    return name == NULL ? nereus_fail(err, NEREUS_ERR_PARSE,
                                      "%s: the platform has several clusters: choose one with "
                                      "--cluster, of %s",
                                      path, names)
                        : nereus_fail(err, NEREUS_ERR_PARSE,
                                      "%s: the platform has no cluster '%.80s': choose one with "
                                      "--cluster, of %s",
                                      path, name, names);
}

enum nereus_status nereus_platform_read(const char *path, const char *cluster,
                                        struct nereus_platform *platform, struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_file_read(path, "platform", &text, NULL, err));
    erase_comments(text);
    const enum nereus_status status = read_text(path, text, cluster, platform, err);
    free(text);
    return status;
}

void nereus_platform_write(const struct nereus_platform *platform, FILE *stream)
{
    nereus_fprintf(stream,
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
                   (long long)(platform->nodes - 1), platform->flop_per_s,
                   (long long)platform->cores_per_node);
}
