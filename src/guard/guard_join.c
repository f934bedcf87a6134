/* nereus-guard-join: joins the job in the place of a program that could not be started, and says why. */
#include <stdio.h>

/* From libnereus; declared here because job.h is the library's own. */
int nereus_join_in_place(const char *reason);

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "nereus-guard-join: it is started by nereus-guard, not by hand\n");
        return 2;
    }
    return nereus_join_in_place(argv[1]);
}
