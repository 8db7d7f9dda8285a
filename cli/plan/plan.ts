/** slipway plan: what an edit would do to machines, before it is applied. */
import type { KubeObject } from '#lib/api/json.ts';
import { at } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { callable, type CallableOptions, refuseUncalled } from '../callable.ts';
import { errorLine, EXIT, PLAN_EXIT, UsageError } from '../exit.ts';
import { noClaim, readOnce } from '../files/claims.ts';
import { refuseMisspelt } from '../files/misspelt.ts';
import { onlyIn } from '../files/namespaces.ts';
import { notesOnOthers } from '../files/other-projects.ts';
import { placesText } from '../files/place.ts';
import { readObjects } from '../files/read-objects.ts';
import { unreadConfigs } from '../files/unread-config.ts';
import { compositions, definitions } from '../files/repository.ts';
import type { Connection } from '#lib/kube/connect.ts';
import { maskFor } from '../masking.ts';
import { outputTo } from '../terminal/output.ts';
import { watchCalls, workingLine } from '../working.ts';
import { type PlanEntry, summaryOf, type Verdict, verdictOf } from './entry.ts';
import { cautionsOf } from './cautions/cautions.ts';
import { isEnvironmentConfig, withConfigs } from './environment.ts';
import { leftOutNotes } from './left-out.ts';
import { notInstalled, observeLive } from './live.ts';
import { isClaim, planWithNotes } from './plan-claims.ts';
import type { PlanFormat } from './formats.ts';
import { printed } from './print.ts';
import { unservedNotes } from './unserved.ts';
import { isRead, usesAny } from './uses.ts';
import { isSlipway, nameOf, type Ref, type PlanWorld, withObjects } from './world.ts';
import { fieldIn, type Places, placesIn, withPlaceOf } from './places.ts';

export interface PlanOptions extends CallableOptions {
  readonly files: readonly string[];
  /** Files or folders with the existing objects; without these and without a cluster, nothing exists. */
  readonly observed: readonly string[];
  /** The cluster to look at instead. */
  readonly live: Connection | undefined;
  /** Of objects whose files have none. */
  readonly namespace: string | undefined;
  /** Claims to delete. */
  readonly deleted: readonly Ref[];
  /** Folder of Compositions; used if none is observed, before those that come with the project. */
  readonly compositions: string | undefined;
  readonly output: PlanFormat;
  readonly now: Date;
  /** File for the result; standard output by default. */
  readonly file: string | undefined;
}

/** @returns the exit code, from the verdict of the plan */
export async function plan(options: PlanOptions): Promise<number> {
  const result = outputTo(options.file);
  const { claims, configs, brought, places } = editedBy(options);
  const world = worldOf(await observedBy(options, claims), options);
  if (claims.length + configs.length + options.deleted.length === 0) noteUnread(world.objects, brought);
  refuseUncalled(options, world.compositions);
  const functions = await callable(options);
  try {
    const working = watchCalls(functions, workingLine('planning'));
    const called = { ...world, functions: working.caller };
    const planned = await planWithNotes(called, claims, options.deleted, configs, brought).finally(() => working.end());
    const entries = planned.entries.map((entry) => withPlace(entry, places));
    const notes = [
      ...planned.notes,
      ...cautionsOf(
        withObjects(withConfigs(called, configs), brought),
        claims.filter((claim) => !isRefused(entries, claim)),
      ),
      ...leftOutNotes(world, claims, options.deleted),
      ...unservedNotes(called, claims),
      ...notesOnOthers(brought),
      ...unreadConfigs([...configs, ...brought], called.compositions),
    ];
    const mask = maskFor([...world.objects, ...brought, ...claims]);
    for (const note of notes) process.stderr.write(errorLine(mask(note)));
    result.write(mask(printed(entries, options.output, result.style, result.width)));
    return EXIT_CODES[verdictOf(summaryOf(entries))];
  } catch (thrown) {
    throw withPlaceOf(thrown, places);
  } finally {
    functions.stop();
  }
}

async function observedBy(
  { observed, live, deleted }: PlanOptions,
  claims: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  if (live === undefined) return existing(readObjects(observed));
  const { connect } = await import('#lib/kube/connect.ts');
  const reader = await connect(live);
  const namespaces = [...claims.map(({ metadata }) => metadata?.namespace), ...deleted.map((ref) => ref.namespace)];
  const known = namespaces.every((namespace) => namespace !== undefined) ? [...new Set(namespaces)] : [];
  const notes = new Set<string>();
  const absent = await notInstalled(reader);
  if (absent !== undefined) notes.add(`${absent}: everything is planned as new`);
  const objects = await observeLive(reader, known, (note) => notes.add(note));
  for (const note of notes) process.stderr.write(errorLine(note));
  return objects;
}

/** Of a claim as it was written, nothing is known of what it composed: all of it would be planned as if it were there. */
function existing(objects: readonly KubeObject[]): readonly KubeObject[] {
  const bare = objects.find(
    (object) => isClaim(object) && object.metadata?.uid === undefined && object['status'] === undefined,
  );
  if (bare === undefined) return objects;
  throw new UsageError(
    `cannot use --observed ${describeObject(bare)}: it has no metadata.uid and no status; accepted: what exists, as kubectl get -o yaml and slipway simulate --save print it`,
  );
}

function isRefused(entries: readonly PlanEntry[], { kind, metadata }: KubeObject): boolean {
  return entries.some(
    (one) =>
      one.decision === 'Refused' &&
      one.kind === kind &&
      one.name === metadata?.name &&
      one.namespace === metadata.namespace,
  );
}

/** Only of what is refused: everything else that is planned is as its author wrote it. */
function withPlace(entry: PlanEntry, places: Places): PlanEntry {
  if (entry.decision !== 'Refused') return entry;
  const field = entry.field === '' ? (fieldIn(entry.reason) ?? '') : entry.field;
  const subject = { ...entry, field };
  const said = entry.new === undefined ? {} : { new: places.asWritten(subject, entry.new) };
  return { ...entry, ...said, reason: places.asWritten(subject, entry.reason), ...places.placeOf(subject) };
}

function noteUnread(objects: readonly KubeObject[], brought: readonly KubeObject[]): void {
  for (const object of brought)
    if (!objects.some((one) => isClaim(one) && usesAny(one, [object])))
      process.stderr.write(errorLine(`no claim here reads ${describeObject(object)}`));
}

const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  nothing: EXIT.done,
  'in-place': PLAN_EXIT.inPlace,
  replaces: PLAN_EXIT.replaces,
  held: PLAN_EXIT.held,
};

interface Edited {
  readonly claims: readonly KubeObject[];
  /** EnvironmentConfigs of the platform, as they will be. */
  readonly configs: readonly KubeObject[];
  /** Every other object: claims may refer to it. */
  readonly brought: readonly KubeObject[];
  readonly places: Places;
}

function editedBy({ files, namespace, deleted, observed, live }: PlanOptions): Edited {
  const read = readOnce(files, 'plan', onlyIn(namespace));
  refuseMisspelt(read, 'plan');
  const machine = read.find(({ object }) => isSlipway(object, 'Machine'));
  if (machine !== undefined)
    throw new UsageError(
      `cannot plan Machine "${nameOf(machine.object)}": Machines are created by their NodePool; accepted: a Cluster and its NodePools`,
      placesText([machine.place]),
    );
  const objects = read.map(({ object }) => object);
  const claims = objects.filter(isClaim);
  const configs = objects.filter(isEnvironmentConfig);
  const brought = objects.filter((object) => !isClaim(object) && !isEnvironmentConfig(object));
  const isKnown = observed.length > 0 || live !== undefined;
  if (claims.length + configs.length + deleted.length > 0 || (isKnown && brought.some(isRead)))
    return { claims, configs, brought, places: placesIn(read) };
  throw noClaim(objects, files, 'plan');
}

/** Definitions and Compositions of the observed objects are used if there are any. */
function worldOf(objects: readonly KubeObject[], options: PlanOptions): Omit<PlanWorld, 'functions'> {
  const brought = objects.filter(({ kind }) => kind === 'Composition' || kind === 'CompositionRevision');
  const covered = new Set(brought.filter(({ kind }) => kind === 'Composition').map(typeOf));
  return {
    objects,
    definitions: [...objects.filter(({ kind }) => kind === 'CompositeResourceDefinition'), ...definitions()],
    compositions: [...brought, ...compositions(options.compositions).filter((one) => !covered.has(typeOf(one)))],
    now: options.now,
  };
}

function typeOf(composition: KubeObject): string {
  return JSON.stringify(at(composition, 'spec', 'compositeTypeRef', 'kind') ?? null);
}
