# docs/keys.md from what the programs print of their keys:
#     { nereus policy run --keys; echo '# synthetic application'; nereus-sam --keys; } |
#         awk -f docs/keys-page.awk >docs/keys.md
function escaped(text) { gsub(/\|/, "\\|", text); return text }
function begin_table(heading) { print "\n" heading "\n\n| key | values | default | meaning |\n| --- | --- | --- | --- |" }
function put_key(names, values, default_value, meaning) {
    gsub(/, /, "`, `", names)
    printf "| `%s` | %s | %s | %s |\n", names, escaped(values), escaped(default_value), escaped(meaning)
}
BEGIN {
    print "# Keys of INI files\n"
    print "Which keys the files of policies and of the synthetic application may have, for people who write one;"
    print "`docs/keys-page.awk` makes this page from `nereus policy run --keys` and `nereus-sam --keys`."
    print "What the files are for: [policies](policies.md#one-job), [the synthetic application](synthetic-application.md)."
    print "The keys of a study are in [studies](synthetic-application.md#the-file-of-a-study)."
}
/^# / { heading = substr($0, 3); sub(/ \(.*/, "", heading); print "\n## " toupper(substr(heading, 1, 1)) substr(heading, 2); next }

# A section, then names, meaning and "values; default: ..." of each key.
/^\[/ { heading = $0; gsub(/\[[^]]*\]/, "`&`", heading); begin_table("### " heading); next }
/^  [A-Z_a-z]/ { names = substr($0, 3); sub(/, also /, ", ", names); lines = 0; next }
/^      / {
    text = substr($0, 7)
    if (lines++ == 0) { meaning = text; next }
    values = default_value = text
    sub(/; default: .*/, "", values)
    if (!sub(/.*; default: /, "", default_value)) default_value = ""
    put_key(names, values, default_value, meaning)
}
