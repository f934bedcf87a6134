# nereus-mpiexec --help, as its manual page and as completion for a shell:
#     nereus-mpiexec --help |
#         awk -v kind=man|bash|zsh|fish -v version=0.1.0 -v date=2026-11-23 -f mpiexec-manual.awk
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}
function quoted(text) { gsub(/'/, "", text); gsub(/\[/, "\\[", text); gsub(/\]/, "\\]", text); gsub(/:/, "\\:", text); return text }

# "-hosts A,B:2, -f FILE" as options: names[i], values[i], helps[i].
function take_options(term, help,   part, n, i, word) {
    n = split(term, part, /, /)
    for (i = 1; i <= n; i++) {
        split(part[i], word, " ")
        names[++count] = word[1]
        values[count] = word[2]
        helps[count] = help
    }
}

NR == 1 { usage = $0; sub(/^Usage: /, "", usage); next }
/^[A-Z][a-z]+:$/ { section = $1; sub(/:$/, "", section); lines[++n] = ".SH " toupper(section); filled = 0; next }
/^$/ { filled = 0; next }
/^  - / { sub(/^  - /, ""); lines[++n] = ".IP \\(bu 2"; lines[++n] = roff($0); filled = 1; next }
/^  [^ ].*  +[^ ]/ && match($0, /[^ ]  +[^ ]/) { # a term and its text
    term = substr($0, 3, RSTART - 2)
    help = substr($0, RSTART + RLENGTH - 1)
    if (section == "Options") take_options(term, help)
    lines[++n] = ".TP\n.B " roff(term)
    lines[++n] = roff(help)
    filled = 1
    next
}
{
    sub(/^ +/, "")
    if (!filled) lines[++n] = ".PP"
    filled = 1
    lines[++n] = roff($0)
}

function man(   i) {
    print ".TH NEREUS\\-MPIEXEC 1 \"" date "\" \"Nereus " version "\" \"Nereus\"\n.nh\n.ad l\n.SH NAME\nnereus-mpiexec \\- start a malleable MPI program"
    print ".SH SYNOPSIS\n" roff(usage) "\n.SH DESCRIPTION"
    for (i = 1; i <= n; i++)
        if (lines[i] != ".PP" || (i > 1 && lines[i - 1] !~ /^\.SH/)) print lines[i]
    print ".SH SEE ALSO\n.BR nereus (1),\n.BR nereus.h (3)"
}
function bash(   i) {
    print "# bash completion for nereus-mpiexec, made from its --help.\n_nereus_mpiexec()\n{"
    print "    local word=${COMP_WORDS[COMP_CWORD]} i option=\n    COMPREPLY=()"
    print "    for ((i = 1; i < COMP_CWORD; i++)); do # up to the program: its arguments are files"
    print "        case ${COMP_WORDS[i]} in"
    for (i = 1; i <= count; i++)
        if (values[i] != "") print "        " names[i] ") i=$((i + " (names[i] == "-genv" ? 2 : 1) ")); option=" names[i] " ;;"
    print "        -*) ;;\n        *) break ;;\n        esac\n    done"
    printf "    if [ \"$i\" -gt \"$COMP_CWORD\" ]; then # a value\n        [ \"$option\" != -f ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
    printf "    elif [ \"$i\" -eq \"$COMP_CWORD\" ] && [[ $word == -* ]]; then\n        COMPREPLY=($(compgen -W '"
    for (i = 1; i <= count; i++) printf "%s%s", (i > 1 ? " " : ""), names[i]
    print "' -- \"$word\"))\n    elif [ \"$i\" -eq \"$COMP_CWORD\" ]; then\n        COMPREPLY=($(compgen -c -- \"$word\") $(compgen -f -- \"$word\"))"
    print "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\ncomplete -o filenames -F _nereus_mpiexec nereus-mpiexec"
}
function zsh(   i) {
    print "#compdef nereus-mpiexec\n# Made from nereus-mpiexec --help."
    printf "_arguments -A '-*'"
    for (i = 1; i <= count; i++)
        printf " \\\n    '%s[%s]%s%s'", names[i], quoted(helps[i]), (values[i] == "" ? "" : ":" quoted(values[i]) ":" (names[i] == "-f" ? "_files" : " ")), (names[i] == "-genv" ? ":VALUE: " : "")
    print " \\\n    '*::program: _normal -p nereus-mpiexec'"
}
function fish(   i) {
    print "# Made from nereus-mpiexec --help."
    for (i = 1; i <= count; i++)
        print "complete -c nereus-mpiexec " (names[i] ~ /^--/ ? "-l " substr(names[i], 3) : length(names[i]) == 2 ? "-s " substr(names[i], 2) : "-o " substr(names[i], 2)) \
            (values[i] == "" ? "" : names[i] == "-f" ? " -r" : " -x") " -d '" quoted(helps[i]) "'"
    print "complete -c nereus-mpiexec -n __fish_is_first_token -a '(__fish_complete_command)'"
}
END {
    if (count == 0) { print "mpiexec-manual.awk: no options in the help text" >"/dev/stderr"; exit 1 }
    if (kind == "man") man()
    if (kind == "bash") bash()
    if (kind == "zsh") zsh()
    if (kind == "fish") fish()
}
