/** @file libraries.c  Lists the libraries that this build lacks, as findings of the doctor. */
#include "doctor.h"
#include "nereus_libraries.h"

static const struct {
    const char *name, *package, *lost;
} missing[] = {
#define ROW(name, package, lost) {name, package, lost},
    NEREUS_LIBRARIES_MISSING(ROW){NULL, NULL, NULL} /* there may be no other row */
};

void nereus_doctor_check_libraries(struct nereus_doctor *doctor)
{
    doctor->section = "libraries";
    if (missing[0].name == NULL)
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "all", "all", "this build lacks none");
    for (size_t i = 0; missing[i].name != NULL; i++) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, missing[i].name, missing[i].name,
                          "built without: %s", missing[i].lost);
        nereus_doctor_advise(doctor, "install it (Debian: %s) and build again", missing[i].package);
    }
}
