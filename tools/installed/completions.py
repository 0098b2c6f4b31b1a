"""Makes the completions of bash, zsh and fish. A word that is neither a command, an option nor one of the words that an
option takes is completed as the name of a file."""

BASH = """_assay() {{
  local words= word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  # bash splits --format=json into three words.
  [[ $word != = ]] || word=
  [[ $before != = ]] || before=${{COMP_WORDS[COMP_CWORD - 2]}}
  case ${{COMP_WORDS[1]}}:$before:$word in
    *:"${{COMP_WORDS[0]}}":*) words='{commands} --help --version' ;;
{rows}
  esac
  # shellcheck disable=SC2207  # the words have no blanks
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _assay assay
"""

ZSH = """#compdef assay
local -a commands=(
{commands}
)
if ((CURRENT == 2)); then
  _describe command commands
  _arguments '--help[list the commands]' '--version[print the version]'
  return
fi
shift words
((CURRENT--))
case $words[1] in
{rows}
esac
"""


def bash(commands):
    """Returns the completions of bash: for each command rows of the words after an option, then one of its options."""
    rows = []
    for command in commands:
        others = [option.name for option in command.options if option.takes_value and not option.choices]
        rows += [f"    {command.name}:{option.name}:*) words='{' '.join(option.choices)}' ;;"
                 for option in command.options if option.choices]  # fmt: skip
        rows += [f"    {' | '.join(f'{command.name}:{name}:*' for name in others)}) ;;"] if others else []
        rows.append(f"    {command.name}:*:-*) words='{' '.join(option.name for option in command.options)}' ;;")
    return BASH.format(commands=" ".join(command.name for command in commands), rows="\n".join(rows))


def zsh_text(text, special=""):
    """Returns a text for a word in single quotes, with a backslash before special characters."""
    return "".join(f"\\{letter}" if letter in special else letter for letter in text).replace("'", "'\\''")


def zsh(commands):
    """Returns the completions of zsh."""
    rows = []
    for command in commands:
        specs = ["'*:file:_files'"]
        for option in command.options:
            values = f"({' '.join(option.choices)})" if option.choices else "_files"
            value = f":{option.name[2:]}:{values}" if option.takes_value else ""
            specs.append(f"'*{option.name}[{zsh_text(option.meaning, '[]:')}]{value}'")
        rows.append(f"  {command.name})\n    _arguments " + " \\\n      ".join(specs) + "\n    ;;")
    names = [f"  '{command.name}:{zsh_text(command.meaning)}'" for command in commands]
    return ZSH.format(commands="\n".join(names), rows="\n".join(rows))


def fish(commands):
    """Returns the completions of fish."""
    lines = [f"complete -c assay -n __fish_use_subcommand -f -l {name}" for name in ("help", "version")]
    for command in commands:
        text = command.meaning.replace("'", "\\'")
        lines.append(f"complete -c assay -n __fish_use_subcommand -f -a {command.name} -d '{text}'")
        for option in command.options:
            text = option.meaning.replace("'", "\\'")
            value = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" if option.takes_value else ""
            lines.append(f"complete -c assay -n '__fish_seen_subcommand_from {command.name}' "
                         f"-l {option.name[2:]}{value} -d '{text}'")  # fmt: skip
    return "\n".join(lines) + "\n"
