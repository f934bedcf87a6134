/**
 * @file trace_record.c
 * Reads the request record of a reconfiguration from its trace, so that the plan can be made again.
 * Steps depend on the bytes of each kind of data, not on the number of entries: constant, variable
 * and replicated data become one entry each.
 */
#include "trace_record.h"

enum { KINDS = 3 };

static bool read_integer(const json_t *object, const char *key, int64_t *value)
{
    const json_t *found = json_object_get(object, key);
    *value = json_integer_value(found);
    return json_is_integer(found) && *value >= 0;
}

/* Read an array of arrays of `width` numbers; NULL: the key has another value. */
static int64_t *read_rows(const json_t *object, const char *key, size_t width, int64_t *count)
{
    const json_t *rows = json_object_get(object, key);
    int64_t *numbers = calloc(json_array_size(rows) * width + 1, sizeof *numbers);
    bool good = numbers != NULL && json_is_array(rows);
    *count = (int64_t)json_array_size(rows);
    for (size_t i = 0; good && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        good = json_array_size(row) == width;
        for (size_t k = 0; good && k < width; k++) {
            numbers[i * width + k] = json_integer_value(json_array_get(row, k));
            good = json_is_integer(json_array_get(row, k)) && numbers[i * width + k] >= 0;
        }
    }
    if (!good) {
        free(numbers);
        numbers = NULL;
    }
    return numbers;
}

static bool read_groups(const json_t *record, struct nereus_request *request)
{
    int64_t *numbers = read_rows(record, "groups", 2, &request->group_count);
    if (numbers != NULL && request->group_count > 0)
        request->groups = calloc((size_t)request->group_count, sizeof *request->groups);
    for (int64_t i = 0; request->groups != NULL && i < request->group_count; i++)
        request->groups[i] = (struct nereus_group){numbers[2 * i], numbers[2 * i + 1]};
    free(numbers);
    return numbers != NULL && (request->group_count == 0 || request->groups != NULL);
}

static bool read_leavers(const json_t *record, struct nereus_request *request)
{
    int64_t *numbers = read_rows(record, "leavers", 3, &request->leaver_count);
    if (numbers != NULL && request->leaver_count > 0)
        request->leavers = calloc((size_t)request->leaver_count, sizeof *request->leavers);
    for (int64_t i = 0; request->leavers != NULL && i < request->leaver_count; i++) {
        request->leavers[i] =
            (struct nereus_leavers){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    }
    free(numbers);
    return numbers != NULL && (request->leaver_count == 0 || request->leavers != NULL);
}

static bool read_data(const json_t *event, const json_t *record, struct nereus_request *request)
{
    int64_t pieces, constant_bytes, variable_bytes, replicated_bytes;
    if (!read_integer(record, "data", &pieces) ||
        !read_integer(event, "constant_bytes", &constant_bytes) ||
        !read_integer(event, "variable_bytes", &variable_bytes) ||
        !read_integer(event, "replicated_bytes", &replicated_bytes))
        return false;
    request->data = calloc(KINDS, sizeof *request->data);
    if (request->data == NULL)
        return false;
    request->data[0] = (struct nereus_data_entry){
        .element_bytes = 1, .count = constant_bytes, .kind = NEREUS_CONSTANT};
    request->data[1] = (struct nereus_data_entry){
        .element_bytes = 1, .count = variable_bytes, .kind = NEREUS_VARIABLE};
    request->data[2] = (struct nereus_data_entry){.element_bytes = 1,
                                                  .count = replicated_bytes,
                                                  .kind = NEREUS_VARIABLE,
                                                  .placement = NEREUS_REPLICATED};
    request->data_count = pieces > 0 ? KINDS : 0;
    return true;
}

bool nereus_trace_record_read(const json_t *event, const json_t *record,
                              const struct nereus_trace_event *parsed,
                              struct nereus_request *request)
{
    *request = (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                       .number = parsed->reconfiguration,
                                       .ns = parsed->ns,
                                       .nt = parsed->nt,
                                       .method = parsed->method};
    const char *method = json_string_value(json_object_get(record, "carried_out"));
    const bool good = (method == NULL || /* absent in older traces */
                       nereus_method_parse(method, &request->method, NULL) == NEREUS_OK) &&
                      read_integer(record, "zombies", &request->zombies) &&
                      read_integer(record, "bridge", &request->bridge) &&
                      read_integer(record, "batch", &request->batch) &&
                      read_groups(record, request) && read_leavers(record, request) &&
                      read_data(event, record, request);
    if (!good)
        nereus_request_fini(request);
    return good;
}
