/**
 * @file manager.c
 * A resource manager for tests: a PMIx server that prints each allocation request. It grants what
 * the file `answer` says: nodes, and in a second line cores, either may be empty; without the file
 * it refuses, and with a file `mute` it does not answer.
 */
#include <pmix.h>
#include <pmix_server.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void connect_tool(pmix_info_t *info, size_t count, pmix_tool_connection_cbfunc_t answer,
                         void *data)
{
    pmix_proc_t tool;
    (void)info, (void)count;
    PMIX_LOAD_PROCID(&tool, "tool", 0);
    answer(PMIX_SUCCESS, &tool, data);
}

static void print_request(pmix_alloc_directive_t directive, const pmix_info_t *info, size_t count)
{
    printf("%s", PMIx_Alloc_directive_string(directive));
    for (size_t i = 0; i < count; i++)
        if (info[i].value.type == PMIX_STRING)
            printf(" %s=%s", info[i].key, info[i].value.data.string);
        else if (info[i].value.type == PMIX_UINT64)
            printf(" %s=%llu", info[i].key, (unsigned long long)info[i].value.data.uint64);
    putchar('\n');
    fflush(stdout);
}

static pmix_status_t allocate(const pmix_proc_t *client, pmix_alloc_directive_t directive,
                              const pmix_info_t *info, size_t count, pmix_info_cbfunc_t answer,
                              void *data)
{
    static const char *const keys[] = {PMIX_ALLOC_NODE_LIST, PMIX_ALLOC_NUM_CPU_LIST};
    char line[128];
    pmix_info_t results[3];
    size_t n = 1;
    FILE *file = fopen("answer", "r");
    (void)client;
    print_request(directive, info, count);
    if (access("mute", F_OK) == 0)
        return PMIX_SUCCESS;
    if (file == NULL)
        return PMIX_ERR_OUT_OF_RESOURCE;
    PMIX_INFO_LOAD(&results[0], PMIX_ALLOC_ID, "7", PMIX_STRING);
    for (int i = 0; i < 2 && fgets(line, sizeof line, file) != NULL; i++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0')
            continue;
        PMIX_INFO_LOAD(&results[n], keys[i], line, PMIX_STRING);
        n++; /* apart: the macro repeats its argument */
    }
    fclose(file);
    answer(PMIX_SUCCESS, results, n, data, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        PMIX_INFO_DESTRUCT(&results[i]);
    return PMIX_SUCCESS;
}

int main(void)
{
    static pmix_server_module_t module = {.tool_connected = connect_tool, .allocate = allocate};
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_SERVER_TOOL_SUPPORT, NULL, PMIX_BOOL);
    if (PMIx_server_init(&module, &info, 1) != PMIX_SUCCESS)
        return 1;
    puts("ready");
    fflush(stdout);
    return pause(); /* until it is killed */
}
