/**
 * @file error.c
 * Converts MPI's error codes to sentences; ends a job through nereus-supervise where it is there.
 */
#include "error.h"

#include "call_names.h"
#include "guard_link.h"
#include "loss.h"

enum nereus_status nereus_mpi_failed(int code, const char *call, struct nereus_error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    nereus_loss_note(code);
    char *newline = strchr(text, '\n');
    if (newline != NULL)
        *newline = '\0';
    return nereus_fail(err, NEREUS_ERR_MPI, "%.120s failed: %.300s", call, text);
}

void nereus_log(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    nereus_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nereus_text_replace_controls(text, ' ');
    nereus_replace_call_names(text, sizeof text);
    fprintf(stderr, "nereus: %s\n", text); /* one write: lines of several processes do not mix */
}

static void print_sentence(const char *sentence)
{
    nereus_log("%s", sentence);
}

static void (*end_through)(const char *sentence) = print_sentence;

void nereus_abort_job_through(void (*end_job)(const char *sentence))
{
    end_through = end_job != NULL ? end_job : print_sentence;
}

/* Exit through nereus-supervise, not by MPI_Abort alone: the launcher's status would be that of any
 * process that it kills. */
void nereus_abort_job(const struct nereus_error *err)
{
    char sentence[sizeof err->text + 64];
    snprintf(sentence, sizeof sentence, "the job cannot go on and is ended: %s", err->text);
    end_through(sentence);
    nereus_end_world();
}

void nereus_end_world(void)
{
    nereus_notify_guard(GUARD_GIVES_UP);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}
