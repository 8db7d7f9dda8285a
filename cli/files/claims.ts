/** The claims of files: some, of a version that is known, and each once. */
import type { KubeObject } from '#lib/api/json.ts';
import { COMPOSITES } from '#lib/api/kinds/definitions.ts';
import { describeObject } from '#lib/api/names.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { UsageError } from '../exit.ts';
import { refuseBroken } from './broken.ts';
import { inNamespace, type Namespace } from './namespaces.ts';
import { notesOnOthers } from './other-projects.ts';
import { placeText, STANDARD_INPUT } from './place.ts';
import { type Placed, type Read, readSound } from './read-objects.ts';

/**
 * Every object of the files, claims and others. Throws UsageError for an object that the files have twice, because one
 * of them would be lost without a word.
 * @param verb what cannot be done otherwise
 * @param namespace  of objects whose files have none
 */
export function readOnce(paths: readonly string[], verb: string, namespace?: Namespace): readonly Placed[] {
  const read = readSoundOnce(paths, verb, namespace);
  refuseBroken(read.broken);
  return read.placed;
}

/** The same of what could be read, and what is broken beside it. */
export function readSoundOnce(paths: readonly string[], verb: string, namespace?: Namespace): Read {
  const { placed, broken } = readSound(paths);
  try {
    return { placed: eachOnce(inNamespace(placed, namespace, verb), verb), broken };
  } catch (thrown) {
    refuseBroken(broken);
    throw thrown;
  }
}

function eachOnce(read: readonly Placed[], verb: string): readonly Placed[] {
  const seen = new Map<string, Placed>();
  for (const placed of read) {
    const { object } = placed;
    if (object.metadata?.name === undefined) continue;
    const key = [object.apiVersion, object.kind, object.metadata?.namespace ?? '', object.metadata?.name].join('|');
    const before = seen.get(key);
    if (before !== undefined) throw new UsageError(`cannot ${verb} ${twice(before, placed)}`);
    seen.set(key, placed);
  }
  return read;
}

/** What there is twice: a file, or an object of it. */
function twice(before: Placed, { object, place, nth }: Placed): string {
  const [first, second] = [placeText(before.place), placeText(place)];
  if (first === second && before.nth === nth) return `"${place.file}": it is given twice; accepted: each file once`;
  const where = first === second ? `it is in ${first}, twice` : `it is in ${first}, and again in ${second}`;
  return `${describeObject(object)}: ${where}; accepted: each object once`;
}

/** Why there is no claim in files that can be read. */
export function noClaim(objects: readonly KubeObject[], paths: readonly string[], verb: string): UsageError {
  const kinds = [...new Set(objects.map(shownKind))].slice(0, 3).join(', ');
  const found = kinds === '' ? 'no object found' : `no Slipway claim found, only ${kinds}`;
  const instead = notesOnOthers(objects).slice(0, 3);
  return new UsageError(
    `cannot ${verb} ${paths.map((path) => (path === STANDARD_INPUT ? 'standard input' : path)).join(', ')}: ${found}; accepted: a Cluster and its NodePools, apiVersion ${API_VERSION}`,
    instead.length === 0 ? undefined : instead.join('; '),
  );
}

/** Other projects have kinds of the same name. */
function shownKind({ apiVersion, kind }: KubeObject): string {
  return COMPOSITES.some((ours) => ours.kind === kind) ? `${kind} of ${apiVersion}` : kind;
}
