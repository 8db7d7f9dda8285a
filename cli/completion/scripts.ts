/** Completion scripts: words only, so that completing starts no process. */
import type { Shell } from './shells.ts';
import type { CommandWords, OptionWords } from './words.ts';

export function completion(shell: Shell, commands: readonly CommandWords[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function bash(commands: readonly CommandWords[]): string {
  return `# Completion of slipway for bash.
_slipway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  # Of --output=json, bash makes three words.
  if [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$current" = "=" ]; then current=""; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...commands.map(({ name }) => name), 'help', '--help', '--version'].join(' ')}"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command $before" in
${commands.flatMap((command) => command.options.filter(hasChoices).map((option) => bashValues(command, option))).join('\n')}
  esac
  local begins=""
  case "$command $before" in
${commands.flatMap((command) => command.options.filter(hasBegins).map((option) => bashBegins(command, option))).join('\n')}
  esac
  if [ -n "$begins" ]; then
    COMPREPLY=($(compgen -W "$begins" -- "$current") $(compgen -f -- "$current"))
    case "\${COMPREPLY[0]}" in */ | *=) compopt -o nospace 2>/dev/null ;; esac
    return
  fi
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command $current" in
${commands.map((command) => `    "${command.name} "-*) words="${flagsOf(command)}" ;;`).join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 2 ] && [ -z "$words" ]; then
    case "$command" in
${commands
  .filter(({ values }) => values.length > 0)
  .map(({ name, values }) => `      ${name}) words="${values.join(' ')}" ;;`)
  .join('\n')}
      help) words="${commands.map(({ name }) => name).join(' ')}" ;;
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _slipway slipway
`;
}

function bashValues({ name }: CommandWords, { flags, values = [] }: OptionWords): string {
  return `    ${flags.map((flag) => `"${name} ${flag}"`).join(' | ')}) words="${values.join(' ')}" ;;`;
}

function bashBegins({ name }: CommandWords, { flags, begins }: OptionWords): string {
  return `    ${flags.map((flag) => `"${name} ${flag}"`).join(' | ')}) begins="${begins.join(' ')}" ;;`;
}

function hasBegins({ begins }: OptionWords): boolean {
  return begins.length > 0;
}

function hasChoices({ values }: OptionWords): boolean {
  return values !== undefined && values.length > 0;
}

function flagsOf({ options }: CommandWords): string {
  return options.flatMap(({ flags }) => flags).join(' ');
}

function zsh(commands: readonly CommandWords[]): string {
  return `#compdef slipway
# Completion of slipway for zsh.
_slipway() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
    'help:Show the help of a command'
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map(zshCommand).join('\n')}
    help) _describe 'command' commands ;;
  esac
}
if [ "\${funcstack[1]}" = "_slipway" ]; then _slipway "$@"; else compdef _slipway slipway; fi
`;
}

function zshCommand({ name, options, values }: CommandWords): string {
  const args = options.flatMap(({ flags, description, values: choices }) => {
    const value = choices === undefined ? '' : choices.length === 0 ? ':value:_files' : `:value:(${choices.join(' ')})`;
    // Options may be repeated: the command says if one may not.
    return flags.map((flag) => quoted(`*${flag}[${description.replaceAll(/[[\]:]/g, ' ')}]${value}`));
  });
  const first = values.length > 0 ? [quoted(`1:value:(${values.join(' ')})`)] : [];
  return `    ${name}) _arguments ${[...args, ...first, quoted('*:file:_files')].join(' ')} ;;`;
}

function fish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, description, options, values }) => {
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c slipway -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...(values.length > 0 ? [`complete -c slipway ${within} -a ${quoted(values.join(' '))}`] : []),
      ...options.map((option) => `complete -c slipway ${within} ${fishOption(option)}`),
    ];
  });
  return ['# Completion of slipway for fish.', ...lines, ''].join('\n');
}

function fishOption({ flags, description, values }: OptionWords): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = values === undefined ? [] : values.length === 0 ? ['-r'] : ['-x', `-a ${quoted(values.join(' '))}`];
  return [...names, ...value, `-d ${quoted(description)}`].join(' ');
}

/** In single quotes, which all three shells read the same way if there is none inside. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
