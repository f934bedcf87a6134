/**
 * @file cmd_profile.c
 * The commands nereus profile list, show, use and diff: show the installed profiles, and choose the
 * one that is used.
 */
#include <dirent.h>

#include "model/util/file.h"
#include "nereus/profile_place.h"
#include "predictor/cli/command.h"
#include "predictor/profile/profile_print.h"

struct settings {
    int format;
};

static const struct nereus_option format_table[] = {
    NEREUS_FORMAT_OPTION(offsetof(struct settings, format))};

/* The command line, and the search path of profiles. */
struct command {
    struct settings settings;
    struct nereus_profile_search search;
    struct nereus_arguments names;
};

/* @return false: help or a message was printed, exit with *exit_status */
static bool parse_command(struct nereus_command_line line, bool has_format, int argc, char **argv,
                          struct command *command, int *exit_status)
{
    const struct nereus_option_group group = {NULL, format_table, NEREUS_COUNT_OF(format_table),
                                              &command->settings};
    *command = (struct command){.settings = {.format = NEREUS_FORMAT_TEXT}};
    line.groups = &group;
    line.group_count = has_format ? 1 : 0;
    if (!nereus_options_parse(&line, argc, argv, &command->names, exit_status))
        return false;
    nereus_profile_search_init(&command->search);
    return true;
}

/* State of a listing. */
struct listing {
    struct nereus_table rows;
    const char *used_path; /* path of the profile that is used on this machine; "": none */
};

#define COLUMNS(X)                                                                                 \
    X("taken", "taken", NULL, nereus_cell_text(is_taken ? "here" : ""))                            \
    X("name", "name", NULL, nereus_cell_text(name))                                                \
    X("cluster", "cluster", NULL, nereus_cell_if(known, nereus_cell_text(p->cluster)))             \
    X("nodes", "nodes", NULL,                                                                      \
      nereus_cell_if(known && p->nodes > 0, nereus_cell_integer(p->nodes)))                        \
    X("cores_per_node", "cores", NULL,                                                             \
      nereus_cell_if(known, nereus_cell_integer(p->cores_per_node)))                               \
    X("mpi", "MPI", NULL, nereus_cell_if(known && p->mpi[0] != '\0', nereus_cell_text(p->mpi)))    \
    X("date", "measured", NULL,                                                                    \
      nereus_cell_if(known && p->date[0] != '\0', nereus_cell_text(p->date)))                      \
    X("path", "file", NULL, nereus_cell_text(path))

static void list_one(struct listing *listing, const char *name, const char *path)
{
    struct nereus_profile profile = {.cluster = ""}, *p = &profile;
    struct nereus_error err;
    const bool known = nereus_profile_read(path, p, &err) == NEREUS_OK;
    if (!known)
        nereus_cli_note("%s", err.text);
    const bool is_taken =
        listing->used_path[0] != '\0' && nereus_file_is_same(path, listing->used_path);
    NEREUS_TABLE_ADD(&listing->rows, COLUMNS);
    nereus_profile_fini(p);
}

static int is_profile(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && nereus_text_has_ending(entry->d_name, ".json");
}

static void list_folder(struct listing *listing, const char *folder)
{
    struct dirent **entries = NULL;
    const int count = folder[0] != '\0' ? scandir(folder, &entries, is_profile, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        char path[NEREUS_PROFILE_PATH_MAX + 300], name[300];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        snprintf(name, sizeof name, "%.*s", (int)(strlen(entries[i]->d_name) - strlen(".json")),
                 entries[i]->d_name);
        list_one(listing, name, path);
        free(entries[i]);
    }
    free(entries);
}

static int list_profiles(const struct nereus_profile_search *search, enum nereus_format format)
{
    struct nereus_profile_place used_path = {.path = ""};
    struct nereus_error err;
    const bool found = nereus_profile_find(search, NULL, &used_path, &err) == NEREUS_OK;
    struct listing listing = {.used_path = used_path.path};
    NEREUS_TABLE_INIT(&listing.rows, COLUMNS);
    list_folder(&listing, search->folder);
    list_folder(&listing, search->site);
    if (found) {
        nereus_cli_note("taken here: %s (%s)", used_path.path,
                        nereus_profile_selection_text(used_path.selection));
    } else {
        nereus_cli_note("%s", err.text);
    }
    if (listing.rows.row_count == 0 && format == NEREUS_FORMAT_TEXT) {
        nereus_table_fini(&listing.rows);
        return NEREUS_EXIT_OK;
    }
    return nereus_table_print(&listing.rows, format, stdout)
               ? NEREUS_EXIT_OK
               : nereus_cli_fail("the list could not be printed");
}

static const char *get_text_or_unknown(const char *text)
{
    return text[0] != '\0' ? text : "unknown";
}

static int show_profile(const struct nereus_profile_search *search, const char *name)
{
    struct nereus_profile_place place;
    struct nereus_profile p;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_profile_read_default(search, name, &place, &p, &err), err);
    printf("%s (%s)\ncluster %s", place.path, nereus_profile_selection_text(place.selection),
           p.cluster);
    nereus_profile_print_nodes(&p);
    printf(
        "\nmeasured on %s, %s, with %s, launcher %s\n%lld whole reconfiguration%s, %lld method%s\n",
        get_text_or_unknown(p.host), get_text_or_unknown(p.date), get_text_or_unknown(p.mpi),
        get_text_or_unknown(p.launcher), (long long)p.measured_count,
        nereus_plural_s(p.measured_count), (long long)p.method_count,
        nereus_plural_s(p.method_count));
    nereus_profile_print_models(&p);
    nereus_profile_fini(&p);
    return NEREUS_EXIT_OK;
}

/* Choose a profile. It is read first, so that no invalid file is chosen. */
static int use_profile(const struct nereus_profile_search *search, const char *name)
{
    struct nereus_profile_place place;
    struct nereus_profile profile;
    struct nereus_error err;
    if (strcmp(name, "-") == 0)
        return nereus_cli_fail_usage("use needs a name or a file that stays");
    NEREUS_CLI_TRY(nereus_profile_read_default(search, name, &place, &profile, &err), err);
    nereus_profile_fini(&profile);
    NEREUS_CLI_TRY(nereus_profile_use(search, place.path, &err), err);
    printf("%s is taken on '%s' from now on%s\n", place.path, search->here_words,
           search->variable[0] != '\0' ? ", where $NEREUS_PROFILE is not set: here it is" : "");
    return NEREUS_EXIT_OK;
}

static int diff_profiles(const struct nereus_profile_search *search, char *const names[2],
                         enum nereus_format format)
{
    struct nereus_profile_place place;
    struct nereus_profile profiles[2];
    struct nereus_error err;
    int read = 0;
    while (read < 2 && nereus_profile_read_default(search, names[read], &place, &profiles[read],
                                                   &err) == NEREUS_OK)
        read++;
    if (read == 2 && format == NEREUS_FORMAT_TEXT)
        printf("first: %s\nsecond: %s\n", names[0], names[1]);
    const int exit_status = read < 2 ? nereus_cli_fail("%s", err.text)
                            : nereus_profile_diff_print(&profiles[0], &profiles[1], format, stdout)
                                ? NEREUS_EXIT_OK
                                : nereus_cli_fail("the differences could not be printed");
    while (read > 0)
        nereus_profile_fini(&profiles[--read]);
    return exit_status;
}

int nereus_cmd_profile_list(int argc, char **argv)
{
    static const struct nereus_command_line line = {
        .help = "Lists the profiles of machines that are installed for this user and for the site, "
                "and which one is taken where none is named."};
    struct command command;
    int exit_status;
    return parse_command(line, true, argc, argv, &command, &exit_status)
               ? list_profiles(&command.search, (enum nereus_format)command.settings.format)
               : exit_status;
}

int nereus_cmd_profile_show(int argc, char **argv)
{
    static const struct nereus_command_line line = {
        .arguments_help = "NAME or PROFILE.json",
        .help =
            "Prints how a profile was measured and what it holds: that of `nereus profile list` "
            "with this name, a file, or the one that is taken here.",
        .max_arguments = 1};
    struct command command;
    int exit_status;
    return parse_command(line, false, argc, argv, &command, &exit_status)
               ? show_profile(&command.search,
                              command.names.count > 0 ? command.names.items[0] : NULL)
               : exit_status;
}

int nereus_cmd_profile_use(int argc, char **argv)
{
    static const struct nereus_command_line line = {
        .arguments_help = "NAME or PROFILE.json",
        .help =
            "Takes this profile on this host or Slurm cluster from now on, where none is named: "
            "one of `nereus profile list`, or a file.",
        .min_arguments = 1,
        .max_arguments = 1};
    struct command command;
    int exit_status;
    return parse_command(line, false, argc, argv, &command, &exit_status)
               ? use_profile(&command.search, command.names.items[0])
               : exit_status;
}

int nereus_cmd_profile_diff(int argc, char **argv)
{
    static const struct nereus_command_line line = {
        .arguments_help = "FIRST.json SECOND.json",
        .help = "Prints the differences between two profiles: all values with --format csv. "
                "Each is one of `nereus profile list`, by its name, or a file.",
        .min_arguments = 2,
        .max_arguments = 2};
    struct command command;
    int exit_status;
    return parse_command(line, true, argc, argv, &command, &exit_status)
               ? diff_profiles(&command.search, command.names.items,
                               (enum nereus_format)command.settings.format)
               : exit_status;
}
