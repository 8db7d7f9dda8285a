/** The paths of a command line, by one rule for all commands: judged before any work, so that no result is lost after it. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { stringAt } from '#lib/api/json.ts';
import { UsageError } from './exit.ts';
import { STANDARD_INPUT } from './files/place.ts';
import { filesAt } from './files/read-objects.ts';
import { accessible } from './files/texts.ts';
import { STANDARD_OUTPUT } from './terminal/output.ts';
import { verbOf } from './flags.ts';

/** Options and arguments whose values are read, and those whose values are written. */
export const PATHS = {
  read: [
    'files',
    'name',
    'xr',
    'composition',
    'filename',
    'observed',
    'delete',
    'apply',
    'secret',
    'observedResources',
    'requiredResources',
  ],
  written: ['outputFile', 'save'],
} as const;

/**
 * Throws UsageError if standard input is read twice, a file cannot be written, or one that is written is read or
 * written otherwise.
 */
export function refusePaths(command: Command): void {
  const read = PATHS.read.flatMap((name) => pathsIn(valueOf(command, name)));
  const results = PATHS.written.flatMap((name) => pathsIn(valueOf(command, name)));
  const written = results.filter((path) => path !== STANDARD_OUTPUT);
  if (read.filter((path) => path === STANDARD_INPUT).length > 1)
    throw new UsageError(`cannot ${verbOf(command)}: standard input is given twice; accepted: - once`);
  if (command.getOptionValue('save') === STANDARD_OUTPUT)
    throw new UsageError('cannot accept --save "-": standard output has the result; accepted: a file');
  written.forEach(refuseUnwritable);
  const [first, second] = written.map(identityOf);
  if (first !== undefined && first === second)
    throw new UsageError(
      `cannot write "${written[1]}": --output-file and --save name the same file; accepted: two files`,
    );
  const inputs = new Set(written.length === 0 ? [] : read.flatMap(filesIn).flatMap((path) => identityOf(path) ?? []));
  const lost = written.find((path) => inputs.has(identityOf(path) ?? ''));
  if (lost !== undefined) throw new UsageError(`cannot write "${lost}": the command reads it; accepted: another file`);
}

function valueOf(command: Command, name: string): unknown {
  // `describe KIND/NAME FILE`: what is in the place of a name is a file.
  if (name === 'name' && !String(command.args[0]).includes('/')) return undefined;
  const argument = command.registeredArguments.findIndex((one) => one.name() === name);
  return argument < 0 ? command.getOptionValue(name) : command.processedArgs[argument];
}

/** A path, several, or those of edits that are applied later. */
function pathsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (typeof value === 'string') return [value];
  return [stringAt(value, 'action', 'apply') ?? []].flat();
}

/** Nothing is written and nothing is created. */
function refuseUnwritable(file: string): void {
  if (file === '') throw new UsageError('cannot write "": the path is empty; accepted: a file');
  accessible(
    () => {
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.isDirectory() === true) throw Object.assign(new Error('folder'), { code: 'EISDIR', syscall: 'open' });
      // A name that ends with a slash is that of a folder.
      accessSync(found === undefined ? `${dirname(`${file}x`)}/` : file, constants.W_OK);
    },
    file,
    'write',
  );
}

/** The same for two names of one file; undefined: nothing is lost by writing it twice, as with a terminal. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found.isFile() ? `${found.dev}/${found.ino}` : undefined;
  const folder = dirname(path);
  return statSync(folder, { throwIfNoEntry: false }) === undefined
    ? undefined
    : join(realpathSync(folder), basename(path));
}

/** What is not there is refused when it is read. */
function filesIn(path: string): readonly string[] {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? [path] : filesAt(path);
}
