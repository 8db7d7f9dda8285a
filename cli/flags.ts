/** Flags that several commands share. */
import { type Command, Option } from 'commander';
import type { Connection } from '#lib/kube/connect.ts';
import { EXIT_HELP, UsageError } from './exit.ts';

/** @param text a time in RFC 3339. Throws UsageError if it is not one. */
export function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`cannot accept --now "${text}": accepted: a time such as 2026-01-01T00:00:00Z`);
}

/** A parser for an option that may be repeated. */
export function gather<T>(parse: (text: string) => T): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, parse(text)];
}

/** Adds the option that gives files a second way, as kubectl has it; `-` is standard input. */
export function readsFiles(command: Command): Command {
  return command.addOption(
    new Option('-f, --filename <path>', 'file or folder, as an argument; - is standard input; may be repeated')
      .default([])
      .argParser(gather(String)),
  );
}

/** Adds the option that gives a namespace to objects without one, as kubectl has it. */
export function inNamespace(command: Command): Command {
  return command.addOption(
    new Option('-n, --namespace <name>', 'namespace of objects whose files have none').argParser(namespaceOf),
  );
}

/** Throws UsageError for what Kubernetes has no namespace of, such as the empty text of a variable that is not set. */
export function namespaceOf(text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new UsageError(
    `cannot accept --namespace "${text}": accepted: the name of a namespace, of lower-case letters, digits and -`,
  );
}

/**
 * Files by both ways. Throws UsageError where there are none.
 * @param instead  what a command reads without files, such as a live cluster
 */
export function filesOf(
  command: Command,
  files: readonly string[],
  named: readonly string[],
  instead?: string,
): readonly string[] {
  const all = [...files, ...named];
  if (all.length > 0) return all;
  throw new UsageError(
    `cannot ${verbOf(command)}: no file given; accepted: files and folders with claims, or - for standard input${instead === undefined ? '' : `, or ${instead}`}`,
    helpOf(command),
  );
}

/** Where the name of a command is no verb. */
const VERBS: Readonly<Record<string, string>> = {
  payload: 'show the first-boot data',
  matrix: 'show the matrix',
  functions: 'serve the functions',
  completion: 'print the completion script',
};

/** Where the help of a command is, as every error says it. */
export function helpOf(command: Command): string {
  return `see ${[command.parent?.name() ?? [], command.name()].flat().join(' ')} --help`;
}

/** What a command does, after "cannot". */
export function verbOf(command: Command): string {
  return VERBS[command.name()] ?? command.name();
}

/** The file that gets the result of a command. */
export const outputFile = (): Option =>
  new Option('--output-file <file>', 'write the result to a file instead of standard output');

/** The cluster to read from. */
export interface ClusterFlags {
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** Adds the flags of a command that reads a live cluster. @param instead option that it is used instead of */
export function readsCluster(command: Command, instead?: string): Command {
  const options = [
    new Option(
      '--context <name>',
      'read existing objects from the cluster of this kubeconfig context; nothing is changed',
    ),
    new Option('--kubeconfig <file>', 'kubeconfig to use (default: $KUBECONFIG, then ~/.kube/config)'),
  ];
  for (const option of options) command.addOption(instead === undefined ? option : option.conflicts(instead));
  return command;
}

/** Undefined: no cluster is read. */
export function connectionOf({ context, kubeconfig }: ClusterFlags): Connection | undefined {
  return context === undefined && kubeconfig === undefined ? undefined : { context, kubeconfig };
}

/** The output format of a command. */
export const output = (): Option =>
  new Option('-o, --output <format>', 'output format').choices(['table', 'json', 'yaml']).default('table');

/** The examples and exit codes below the options in the help of a command. */
export function examples(command: string, lines: readonly string[], exits = EXIT_HELP): string {
  return ['', 'Examples:', ...lines.map((line) => `  slipway ${command} ${line}`.trimEnd()), '', exits].join('\n');
}
