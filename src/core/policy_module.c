/**
 * @file policy_module.c
 * The policy library is loaded when a policy is set: it links GLPK, whose licence is GPL-3, and
 * programs without a policy need not link it.
 */
#include "policy_module.h"

#include <dlfcn.h>

#include "src/util/callback.h"

static const struct policy_module *module; /* NULL: not loaded. No lock: only nereus_init sets it */

static enum nereus_status load_module(struct nereus_error *err)
{
    static const char name[] = "libnereus-runtime-policy.so." NEREUS_SOVERSION;
    char path[PATH_MAX];
    Dl_info own;
    if (module != NULL)
        return NEREUS_OK;
    const char *const file =
        dladdr(&module, &own) != 0 && own.dli_fname != NULL ? own.dli_fname : "";
    const char *const slash = strrchr(file, '/');
    snprintf(path, sizeof path, "%.*s%s", slash != NULL ? (int)(slash + 1 - file) : 0, file, name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* in the folder of libnereus */
    if (library != NULL)
        module = dlsym(library, "nereus_policy_module");
    if (module == NULL)
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "a policy needs %s, which belongs beside libnereus: %.300s", name,
                           dlerror());
    return NEREUS_OK;
}

enum nereus_status nereus_policy_module_check(const char *path, bool has_function,
                                              int64_t *interval, struct nereus_error *err)
{
    NEREUS_TRY(load_module(err));
    return module->check(path, has_function, interval, err);
}

void nereus_policy_module_begin(nereus_job *job)
{
    struct nereus_error err;
    if (job->settings.policy_path == NULL || job->rank != 0 || job->leaving)
        return;
    if (load_module(&err) == NEREUS_OK)
        module->begin(job);
    else
        nereus_policy_module_disable(job, err.text);
}

int64_t nereus_policy_module_query(nereus_job *job, struct policy_layout *layout)
{
    layout->count = 0;
    layout->weighted = false;
    if (job->policy_context == NULL || job->rank != 0)
        return 0;
    nereus_callback_enter("options.decide"); /* the module may call this function */
    const int64_t processes = module->query_if_due(job, layout);
    nereus_callback_leave();
    return processes;
}

double nereus_policy_module_power(const nereus_job *job, int64_t node)
{
    return job->policy_context != NULL ? module->power_of_node(job, node) : 0;
}

void nereus_policy_module_disable(nereus_job *job, const char *why)
{
    nereus_log("the policy %s is not asked any more: %s", job->settings.policy_path, why);
    nereus_policy_module_fini(job);
    job->asks_policy = false;
    free(job->settings.policy_path);
    job->settings.policy_path = NULL;
}

void nereus_policy_module_fini(nereus_job *job)
{
    if (job->policy_context != NULL)
        module->fini(job);
}
