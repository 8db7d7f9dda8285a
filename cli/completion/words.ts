/** What can be typed: commands, their options and values, as the command line itself defines them. */
import type { Command } from 'commander';
import { CLAIM_KINDS, KINDS } from '../object-ref.ts';
import { FAULTS } from '../simulate/options.ts';

export interface OptionWords {
  /** `-o`, `--output` */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined: it has no value; empty: any value, which may be a file. */
  readonly values: readonly string[] | undefined;
  /** How values begin, of which one is typed on: `Cluster/`. */
  readonly begins: readonly string[];
}

export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** Accepted first arguments; empty: files. */
  readonly values: readonly string[];
}

export function wordsOf(program: Command): readonly CommandWords[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.summary() || firstSentence(command.description()),
    options: [
      ...command.options.map(({ short, long, description, required, optional, argChoices }) => ({
        flags: [short, long].filter((flag) => flag !== undefined),
        description: firstSentence(description),
        values: required || optional ? (argChoices ?? []) : undefined,
        begins: beginsOf(command.name(), long ?? ''),
      })),
      { flags: ['-h', '--help'], description: 'display help for command', values: undefined, begins: [] },
    ],
    values: firstValues(command),
  }));
}

/** Of options whose values have a form. */
function beginsOf(command: string, option: string): readonly string[] {
  if (option === '--fail') return FAULTS.map((fault) => fault.slice(0, fault.indexOf('=') + 1));
  if (option !== '--delete') return [];
  return (command === 'plan' ? CLAIM_KINDS : KINDS).map((kind) => `${kind}/`);
}

/** Kinds are words, too, though longer ones are accepted as well. */
const KIND_WORDS = KINDS.map((kind) => kind.toLowerCase()).toSorted();

function firstValues(command: Command): readonly string[] {
  const [first] = command.registeredArguments;
  return first?.argChoices ?? (first?.name() === 'kind' ? KIND_WORDS : []);
}

function firstSentence(text: string): string {
  return text.split(/[;:.](?:\s|$)/)[0] ?? text;
}
