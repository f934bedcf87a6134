/** @file test_status.c  Names of statuses; sentences that fit, stay in one line, and may quote the
 * error itself. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/util/text.h"
#include "nereus/status.h"

Test(status, every_status_has_a_name_of_its_own)
{
    for (int i = 0; i < NEREUS_STATUS_COUNT; i++) {
        cr_assert_not_null(nereus_status_name(i), "status %d", i);
        cr_expect(strcmp(nereus_status_name(i), "unknown") != 0, "status %d", i);
        for (int j = 0; j < i; j++)
            cr_expect(strcmp(nereus_status_name(i), nereus_status_name(j)) != 0, "%d and %d", i, j);
    }
    cr_expect(strcmp(nereus_status_name((enum nereus_status)NEREUS_STATUS_COUNT), "unknown") == 0);
    cr_expect(strcmp(nereus_status_name((enum nereus_status) - 1), "unknown") == 0);
}

Test(status, fail_writes_status_and_sentence_and_returns_the_status)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_expect(nereus_fail(&err, NEREUS_ERR_PARSE, "%s:%d: no", "a.csv", 7) == NEREUS_ERR_PARSE);
    cr_expect(err.status == NEREUS_ERR_PARSE);
    cr_expect(strcmp(err.text, "a.csv:7: no") == 0, "%s", err.text);
    cr_expect(nereus_fail(NULL, NEREUS_ERR_IO, "unheard") == NEREUS_ERR_IO);
}

Test(status, the_sentence_is_one_line_and_is_cut_to_fit)
{
    struct nereus_error err;
    char longer[2000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    nereus_fail(&err, NEREUS_ERR_IO, "%s", longer);
    cr_expect(strlen(err.text) == sizeof err.text - 1);
    cr_expect(strcmp(err.text + sizeof err.text - 5, "x...") == 0, "%s", err.text);
    nereus_fail(&err, NEREUS_ERR_IO, "key 'a\nb\r\tc\033'");
    cr_expect(strcmp(err.text, "key 'a b  c '") == 0, "%s", err.text);
}

/* Characters of one to four bytes, of which one lies where the sentence ends. */
Test(status, a_cut_sentence_ends_with_a_whole_character)
{
    static const char *const characters[] = {"x", "\xc3\xb6", "\xe2\x82\xac", "\xf0\x9f\x8c\x8a"};
    for (size_t c = 0; c < 4; c++)
        for (int before = 0; before < 4; before++) {
            struct nereus_error err;
            char longer[2000] = "";
            memset(longer, 'a', (size_t)before);
            while (strlen(longer) < sizeof longer - 8)
                strcat(longer, characters[c]);
            nereus_fail(&err, NEREUS_ERR_IO, "%s", longer);
            const size_t length = strlen(err.text);
            cr_expect(nereus_text_is_utf8(err.text), "character %zu after %d", c, before);
            cr_expect(length > sizeof err.text - 5, "%zu", length);
            cr_expect(strcmp(err.text + length - 3, "...") == 0, "%s", err.text);
        }
}

Test(status, a_sentence_may_quote_the_one_that_it_replaces)
{
    struct nereus_error err;
    nereus_fail(&err, NEREUS_ERR_IO, "no disk");
    nereus_fail(&err, NEREUS_ERR_STATE, "at point 3: %s", err.text);
    cr_expect(strcmp(err.text, "at point 3: no disk") == 0, "%s", err.text);
}
