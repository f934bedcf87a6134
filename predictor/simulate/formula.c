/** @file formula.c  Recursive descent: sums of products of powers. ^ binds to the right. */
#include "formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "model/util/c_locale.h"

enum { DEPTH_MAX = 64 };

struct parsing {
    const char *at; /* NULL: not understood */
    const struct nereus_formula_name *names;
    int depth;
};

static double sum(struct parsing *p);

/* The next character after blanks; '\0' at the end or after an error. */
static char next(struct parsing *p)
{
    if (p->at == NULL)
        return '\0';
    p->at += strspn(p->at, " \t\n\r");
    return *p->at;
}

static double fail(struct parsing *p)
{
    p->at = NULL;
    return NAN;
}

static double name(struct parsing *p)
{
    size_t length = 0;
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_')
        length++;
    for (const struct nereus_formula_name *n = p->names; n->name != NULL; n++) {
        if (strlen(n->name) == length && strncmp(n->name, p->at, length) == 0) {
            p->at += length;
            return n->value;
        }
    }
    return fail(p);
}

static double primary(struct parsing *p)
{
    char *end;
    const char c = next(p);
    if (isdigit((unsigned char)c) || c == '.') {
        const double value = nereus_strtod(p->at, &end);
        p->at = end > p->at ? end : NULL;
        return value;
    }
    if (isalpha((unsigned char)c) || c == '_')
        return name(p);
    if (c != '(' || p->depth == DEPTH_MAX)
        return fail(p);
    p->at++;
    p->depth++;
    const double value = sum(p);
    p->depth--;
    if (next(p) != ')')
        return fail(p);
    p->at++;
    return value;
}

static double power(struct parsing *p)
{
    if (next(p) == '-' && p->depth < DEPTH_MAX) {
        p->at++;
        p->depth++;
        const double value = -power(p);
        p->depth--;
        return value;
    }
    const double base = primary(p);
    if (next(p) != '^' || p->depth == DEPTH_MAX)
        return base;
    p->at++;
    p->depth++;
    const double exponent = power(p);
    p->depth--;
    return pow(base, exponent);
}

static double product(struct parsing *p)
{
    double value = power(p);
    for (char c = next(p); c == '*' || c == '/'; c = next(p)) {
        p->at++;
        const double factor = power(p);
        value = c == '*' ? value * factor : value / factor;
    }
    return value;
}

static double sum(struct parsing *p)
{
    double value = product(p);
    for (char c = next(p); c == '+' || c == '-'; c = next(p)) {
        p->at++;
        const double term = product(p);
        value = c == '+' ? value + term : value - term;
    }
    return value;
}

enum nereus_status nereus_formula_value(const char *text, const struct nereus_formula_name *names,
                                        double *value, struct nereus_error *err)
{
    struct parsing parsing = {.at = text, .names = names};
    const double found = sum(&parsing);
    if (parsing.at == NULL || next(&parsing) != '\0' || !isfinite(found)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "the performance model '%.200s' is not understood: numbers, arguments, "
                           "num_nodes, + - * / ^ and parentheses are",
                           text);
    }
    *value = found;
    return NEREUS_OK;
}
