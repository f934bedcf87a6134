/** @file formula.c  Evaluates formulas by recursive descent: sums of products of powers. ^ binds to
 * the right. */
#include "formula.h"

#include <ctype.h>

enum { DEPTH_MAX = 64 };

struct parsing {
    const char *at; /* NULL: the formula is invalid */
    const struct nereus_formula_name *names;
    int depth;
};

static double parse_sum(struct parsing *p);

/* The next character after blanks; '\0' at the end or after an error. */
static char read_character(struct parsing *p)
{
    if (p->at == NULL)
        return '\0';
    p->at += strspn(p->at, " \t\n\r");
    return *p->at;
}

static double fail_parsing(struct parsing *p)
{
    p->at = NULL;
    return NAN;
}

static double parse_name(struct parsing *p)
{
    size_t length = 0;
    while (nereus_is_letter_or_digit(p->at[length]) || p->at[length] == '_')
        length++;
    for (const struct nereus_formula_name *n = p->names; n->name != NULL; n++) {
        if (strlen(n->name) == length && strncmp(n->name, p->at, length) == 0) {
            p->at += length;
            return n->value;
        }
    }
    return fail_parsing(p);
}

static double parse_primary(struct parsing *p)
{
    char *end;
    const char c = read_character(p);
    if (isdigit((unsigned char)c) || c == '.') {
        const double value = nereus_strtod(p->at, &end);
        p->at = end > p->at ? end : NULL;
        return value;
    }
    if (nereus_is_letter(c) || c == '_')
        return parse_name(p);
    if (c != '(' || p->depth == DEPTH_MAX)
        return fail_parsing(p);
    p->at++;
    p->depth++;
    const double value = parse_sum(p);
    p->depth--;
    if (read_character(p) != ')')
        return fail_parsing(p);
    p->at++;
    return value;
}

static double parse_power(struct parsing *p)
{
    if (read_character(p) == '-' && p->depth < DEPTH_MAX) {
        p->at++;
        p->depth++;
        const double value = -parse_power(p);
        p->depth--;
        return value;
    }
    const double base = parse_primary(p);
    if (read_character(p) != '^' || p->depth == DEPTH_MAX)
        return base;
    p->at++;
    p->depth++;
    const double exponent = parse_power(p);
    p->depth--;
    return pow(base, exponent);
}

static double parse_product(struct parsing *p)
{
    double value = parse_power(p);
    for (char c = read_character(p); c == '*' || c == '/'; c = read_character(p)) {
        p->at++;
        const double factor = parse_power(p);
        value = c == '*' ? value * factor : value / factor;
    }
    return value;
}

static double parse_sum(struct parsing *p)
{
    double value = parse_product(p);
    for (char c = read_character(p); c == '+' || c == '-'; c = read_character(p)) {
        p->at++;
        const double term = parse_product(p);
        value = c == '+' ? value + term : value - term;
    }
    return value;
}

enum nereus_status nereus_formula_value(const char *text, const struct nereus_formula_name *names,
                                        double *value, struct nereus_error *err)
{
    struct parsing parsing = {.at = text, .names = names};
    const double found = parse_sum(&parsing);
    if (parsing.at == NULL || read_character(&parsing) != '\0' || !isfinite(found)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "the performance model '%.200s' is not understood: numbers, arguments, "
                           "num_nodes, + - * / ^ and parentheses are",
                           text);
    }
    *value = found;
    return NEREUS_OK;
}
