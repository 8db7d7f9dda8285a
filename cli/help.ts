/** How help is laid out: one style for options, values and defaults. */
import type { Help, HelpConfiguration, Option } from 'commander';
import { columnsOf } from './terminal/style.ts';
import { hanging, KEPT, NARROWEST, wrapped } from './terminal/table.ts';
import { widthOf } from './terminal/width.ts';

/** Commands by name alone: their arguments are in their own help. */
export const HELP_LAYOUT: HelpConfiguration = {
  optionDescription,
  argumentDescription: ({ description, argChoices }) =>
    argChoices === undefined ? description : `${description} (${argChoices.join(', ')})`,
  subcommandTerm: (command) => command.name(),
  minWidthToWrap: NARROWEST,
  formatItem,
};

/** Beside its term, or below it where there is no room for two columns. */
function formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const begin = termWidth + 4;
  const beside = width - begin >= NARROWEST;
  const lines = wrapped(description, width - (beside ? begin : BELOW.length));
  if (!beside) return [`  ${term}`, ...lines.map((line) => `${BELOW}${line}`)].join('\n');
  return `  ${term.padEnd(termWidth)}  ${lines.join(`\n${' '.repeat(begin)}`)}`;
}

const BELOW = ' '.repeat(6);

/** Prints help, whose examples and exit codes are longer than some terminals are wide. */
export function writeHelp(text: string): void {
  const width = columnsOf(process.stdout) ?? 80;
  const lines = text
    .split('\n')
    .flatMap((line) => (line.startsWith(EXAMPLE) ? exampleLines(line, width) : hanging(joined(line), width)));
  process.stdout.write(lines.map(apart).join('\n'));
}

/** A point between two things stays with the first, and an exit code with its meaning. */
const joined = (line: string): string =>
  line.replaceAll(' ·', `${KEPT}·`).replaceAll(/(?<=^Exit codes: |· )(\d+) /g, `$1${KEPT}`);
const apart = (line: string): string => line.replaceAll(KEPT, ' ');

const EXAMPLE = '  slipway ';

/** A command on several lines, which a shell reads as one: an option stays with its value, and no word is broken. */
function exampleLines(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line];
  const room = width - '    '.length - CONTINUED.length;
  const parts = line
    .trim()
    .split(/ (?=[->])/)
    .flatMap((part) => (widthOf(part) <= room ? [part] : part.split(' ')));
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(part) > room) lines.push(part);
    else lines[lines.length - 1] = `${last} ${part}`;
  }
  return lines.map((part, i) => `${i === 0 ? '  ' : '    '}${part}${i === lines.length - 1 ? '' : CONTINUED}`);
}

const CONTINUED = ' \\';

/** Text, accepted values and the default; that a flag is off, or a list empty, says nothing. */
function optionDescription({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices === undefined ? [] : [argChoices.join(', ')];
  const isShown = defaultValueDescription !== undefined || isSaid(defaultValue);
  const fallback = isShown ? [`default: ${defaultValueDescription ?? String(defaultValue)}`] : [];
  const more = [...choices, ...fallback];
  return more.length === 0 ? description : `${description} (${more.join('; ')})`;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
