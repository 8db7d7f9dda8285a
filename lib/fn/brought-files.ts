/**
 * Shell that brings files of a node that exists to the text they should have, for updates in place. A file that has it
 * is left alone, so that nothing is restarted for it. Written to another name first, a file is never incomplete.
 */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import { quoted } from '#lib/fn/quoted.ts';

/**
 * All of them, in their order.
 * @param pending  path of a file that exists from the first change on until somebody has acted on it; below /run, since
 * a host that boots has read everything
 */
export function bringing(files: readonly PlanFile[], pending: string): string {
  const calls = files.map(({ path, content, mode }) =>
    bring(quoted(path), mode, Buffer.from(content, 'base64').toString()),
  );
  return `${bringIn(pending)}${calls.join('')}`;
}

/** One file, after `bringIn`. @param path  one word of the shell, which may contain variables */
export function bring(path: string, mode: string, text: string): string {
  return `bring ${path} ${mode} ${quoted(text)}\n`;
}

export function bringIn(pending: string): string {
  return `pending=${pending}
# The x keeps line ends. Nothing of the text is an argument of a program.
bring() {
  if [ ! -e "$1" ] || [ "$(cat "$1" && echo x)" != "$3x" ]; then
    : >"$pending"
    mkdir -p "\${1%/*}"
    (umask 077 && printf '%s' "$3" >"$1.next")
    chmod "$2" "$1.next"
    mv "$1.next" "$1"
  fi
}
`;
}

/** Shell after it: acts when a file changed, now or in a run that was interrupted. @param action  commands */
export function whenBrought(action: string): string {
  return `if [ -e "$pending" ]; then
  ${action}
  rm -f "$pending"
fi
`;
}
