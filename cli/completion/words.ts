/** What can be typed: commands, their options and values, as the command line itself defines them. */
import type { Command } from 'commander';

export interface OptionWords {
  /** `-o`, `--output` */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined: it has no value; empty: any value, which may be a file. */
  readonly values: readonly string[] | undefined;
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
      })),
      { flags: ['-h', '--help'], description: 'display help for command', values: undefined },
    ],
    values: firstValues(command),
  }));
}

/** Kinds are words, too, though longer ones are accepted as well. */
const KINDS = ['cluster', 'machine', 'nodepool'];

function firstValues(command: Command): readonly string[] {
  const [first] = command.registeredArguments;
  return first?.argChoices ?? (first?.name() === 'kind' ? KINDS : []);
}

function firstSentence(text: string): string {
  return text.split(/[;:.](?:\s|$)/)[0] ?? text;
}
