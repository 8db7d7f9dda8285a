/** What npm does to a command line on its way here, when `npm run slipway` starts the command. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { UsageError } from './exit.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Options that npm has itself: it does what it means by them, and nothing here tells that from a setting of the user. */
const OPTIONS_OF_NPM: ReadonlySet<string> = new Set(['--save', '--help', '--version']);

/** A script of another project may have the same name: its author chose the folder that its paths are in. */
const isRunByNpm = (env: Environment): boolean =>
  env['npm_lifecycle_event'] === 'slipway' && env['npm_package_name'] === 'slipway';

/** The folder that the user is in, if npm left it for that of the project. */
export function folderOfUser(env: Environment): string | undefined {
  return isRunByNpm(env) ? env['INIT_CWD'] : undefined;
}

/**
 * Throws UsageError for an option that npm took for one of its own, as it does without `--` before: what is left are
 * values that look like files, or nothing at all.
 */
export function refuseTaken(argv: readonly string[], program: Command, env: Environment): void {
  const command = program.commands.find((one) => one.name() === argv[0]);
  if (command === undefined || !isRunByNpm(env)) return;
  const taken = [...command.options, ...program.options].flatMap((option) => takenName(option, env) ?? []);
  const first = taken.find((flag) => !isSetting(flag, env));
  if (first === undefined) return;
  throw new UsageError(
    `cannot accept ${first}: npm took it for itself; accepted: -- before the command: npm run slipway -- ${command.name()} …`,
  );
}

/** The flag as it was typed; undefined: npm did not take it. */
function takenName({ long, short }: Option, env: Environment): string | undefined {
  return [long, short].find(
    (flag) => flag !== undefined && !OPTIONS_OF_NPM.has(flag) && env[`npm_config_${settingOf(flag)}`] !== undefined,
  );
}

/** As npm names it in the environment. */
const settingOf = (flag: string): string => flag.replace(/^-+/, '').replaceAll('-', '_').toLowerCase();

/** Whether a file of npm's settings has it: then nobody typed it. */
function isSetting(flag: string, env: Environment): boolean {
  const files = [env['npm_config_userconfig'], env['npm_config_globalconfig'], projectFile(env)];
  return files.some((file) => namesIn(file).includes(settingOf(flag)));
}

function projectFile({ npm_config_local_prefix: folder }: Environment): string | undefined {
  return folder === undefined ? undefined : join(folder, '.npmrc');
}

function namesIn(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => settingOf(line.split('=')[0]?.trim() ?? ''));
  } catch {
    return []; // most users have no such file
  }
}
