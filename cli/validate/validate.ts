/** slipway validate: the claims of files, judged as the API server and the functions judge them. */
import { stringify } from 'yaml';
import { counted } from '#lib/api/counted.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { callable, type CallableOptions, refuseUncalled } from '../callable.ts';
import { errorLine, EXIT, exitOf, tell } from '../exit.ts';
import { errorOf } from '../files/broken.ts';
import { noClaim, readSoundOnce } from '../files/claims.ts';
import { misspelt } from '../files/misspelt.ts';
import { onlyIn } from '../files/namespaces.ts';
import { notesOnOthers } from '../files/other-projects.ts';
import type { Place } from '../files/place.ts';
import { unreadConfigs } from '../files/unread-config.ts';
import { compositions, definitions } from '../files/repository.ts';
import { isClaim } from '../plan/plan-claims.ts';
import { isOfProviderNode, isSlipway } from '../plan/world.ts';
import { placesIn } from '../plan/places.ts';
import { legible } from '../terminal/legible.ts';
import { outputTo } from '../terminal/output.ts';
import { hanging } from '../terminal/table.ts';
import { judge, linesOf, placed, type Verdict } from './findings.ts';

export const VALIDATE_FORMATS = ['table', 'json', 'yaml'] as const;
export type ValidateFormat = (typeof VALIDATE_FORMATS)[number];

export interface ValidateOptions extends CallableOptions {
  readonly files: readonly string[];
  /** Of objects whose files have none. */
  readonly namespace: string | undefined;
  /** Folder of Compositions; used beside those in the files. */
  readonly compositions: string | undefined;
  readonly output: ValidateFormat;
  /** File for the result; standard output by default. */
  readonly file: string | undefined;
  readonly now: Date;
}

/** @returns the exit code: failed if a claim is refused, usage if something could not be read */
export async function validate(options: ValidateOptions): Promise<number> {
  const result = outputTo(options.file);
  const { placed: read, broken } = readSoundOnce(options.files, 'validate', onlyIn(options.namespace));
  const objects = read.map(({ object }) => object);
  const claims = objects.filter(isClaim);
  if (claims.length === 0 && !objects.some((one) => misspelt(one) !== undefined || isOfProviderNode(one)))
    throw errorOf(broken) ?? noClaim(objects, options.files, 'validate');
  const others = objects.filter((object) => !isClaim(object));
  const installed = [...others.filter(({ kind }) => kind === 'Composition'), ...compositions(options.compositions)];
  refuseUncalled(options, installed);
  const functions = await callable(options);
  try {
    const world = {
      objects: others,
      definitions: definitions(),
      compositions: installed,
      functions: functions.caller,
      now: options.now,
    };
    const places = placesIn(read);
    const judged = await judge(world, claims, places);
    const verdict: Printed = {
      ...judged,
      refused: placed(judged.refused, places),
      unread: broken.map(({ error, ...place }) => ({ ...place, reason: error.message })),
      notes: [
        ...judged.notes,
        ...notesOnMachines(others),
        ...notesOnOthers(others),
        ...unreadConfigs(others, world.compositions),
      ],
    };
    result.write(printed(verdict, options.output, result.width));
    const unread = errorOf(broken);
    if (unread !== undefined) {
      tell(unread);
      process.stderr.write(errorLine(LEFT_OUT));
    }
    for (const note of verdict.notes) process.stderr.write(errorLine(note));
    if (unread !== undefined) return exitOf(unread);
    return verdict.refused.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    functions.stop();
  }
}

const LEFT_OUT =
  'the rest was judged without what could not be read: what refers to that may be refused, or noted, for no other reason';

interface Printed extends Verdict {
  /** What could not be read and so was not judged. */
  readonly unread: readonly (Partial<Place> & { readonly reason: string })[];
}

/** Nobody writes a Machine, and one in a file looks as if it were judged. */
function notesOnMachines(objects: readonly KubeObject[]): readonly string[] {
  const machines = objects.filter((one) => isSlipway(one, 'Machine')).map(describeObject);
  const names = machines.map((one, i) => (i === 0 ? one : one.slice(one.indexOf('"'))));
  return names.length === 0
    ? []
    : [`nothing is judged of ${firstNames(names, 3)}: Machines are created by their NodePool`];
}

function printed(verdict: Printed, format: ValidateFormat, width = Infinity): string {
  if (format === 'json') return `${JSON.stringify(verdict, undefined, 2)}\n`;
  if (format === 'yaml') return stringify(verdict);
  const { claims, others, refused, unread } = verdict;
  const lines = linesOf(refused)
    .flatMap(({ line, below }) => [line, ...(below === undefined ? [] : [`  ${below}`])])
    .map((line) => `${hanging(legible(line), width).join('\n')}\n`)
    .join('');
  const count = new Set(refused.map(({ kind, namespace, name }) => `${kind}/${namespace}/${name}`)).size;
  const judged = [
    ...(claims > 0 ? [counted(claims, 'claim')] : []),
    ...(others > 0 ? [counted(others, 'other object')] : []),
  ].join(' and ');
  const rest = unread.length === 0 ? '' : `; not read: ${unread.length}`;
  return `${lines}${judged}: ${count === 0 ? 'nothing is refused' : `${count} refused`}${rest}\n`;
}
