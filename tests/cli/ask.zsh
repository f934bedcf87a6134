# zsh -f ask.zsh FOLDER LINE WORD: what an interactive zsh shows when it is asked to complete the line, with the completion functions of FOLDER; WORD is in it.
zmodload zsh/zpty || exit 1
local text= all=
zpty -b shell zsh -f -i
# until WORD: what the shell has shown so far ends with it. A word is sent in two parts: its echo is not the word.
until_shown() {
    repeat 600; do
        zpty -rt shell text && all+=$text
        [[ $all == *$1* ]] && return
        zselect -t 5
    done
    print -u2 "zsh shows no $1: $all"
    exit 1
}
zmodload zsh/zselect || exit 1
zpty -w shell "PS1= PROMPT= RPROMPT= ; stty -echo; fpath=($1 \$fpath); autoload -Uz compinit && compinit -u -D; print REA''DY"
until_shown READY
all=
zpty -w -n shell "$2"$'\t\t'
until_shown "${3:-}"
zpty -w -n shell $'\x15'"print DO''NE"$'\n'
until_shown DONE
print -r -- "$all"
