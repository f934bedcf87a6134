/* Uses the model from its installed headers: a method's text survives parsing and printing. */
#include <nereus/method.h>
#include <nereus/plan.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char text[] = "merge-single-async/coll-waittargets";
    struct nereus_method method;
    struct nereus_error error;
    char printed[NEREUS_METHOD_TEXT_MAX];
    if (nereus_method_parse(text, &method, &error) != NEREUS_OK) {
        fprintf(stderr, "use_model: %s\n", error.text);
        return 1;
    }
    nereus_method_print(&method, printed);
    printf("use_model: %s\n", printed);
    return strcmp(printed, text) != 0;
}
