/**
 * What is refused of claims in files, before anything is applied: by the API server, or by the functions of their
 * Composition, each called once. Nothing is simulated.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import type { Said } from '../exit.ts';
import { type Place, placesText } from '../files/place.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import { type Misspelt, misspelt } from '../files/misspelt.ts';
import { isBeside, refusedBeside } from '../plan/beside.ts';
import { cautionsOf } from '../plan/cautions/cautions.ts';
import { ABSENT, absentCluster, CLUSTER_REF, misplaced } from '../plan/cluster-ref.ts';
import { ownerOf } from '../plan/machines.ts';
import { notesOf } from '../plan/notes.ts';
import { fieldIn, NO_PLACES, type Subject, type Places } from '../plan/places.ts';
import { refusedEntries } from '../plan/refused.ts';
import { runXr, withStatusOf } from '../plan/rendering.ts';
import { unservedNotes } from '../plan/unserved.ts';
import { definitionOf, nameOf, type PlanWorld, withObjects, withoutRefused } from '../plan/world.ts';

/** In files, a finding has the place of its field, or of what is around it. */
export interface Finding extends Partial<Place> {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Path of the field; empty if it is about the whole claim. */
  readonly field: string;
  readonly reason: string;
  /** `the API`, the step of the pipeline, or `the other files`. */
  readonly refusedBy: string;
}

export interface Verdict {
  /** How many claims were judged. */
  readonly claims: number;
  /** How many other objects were judged, such as Hosts, and an EnvironmentConfig whose kind has a typing error. */
  readonly others: number;
  readonly refused: readonly Finding[];
  /** What functions note of Clusters that they accept, and what could not be judged: one sentence each. */
  readonly notes: readonly string[];
}

/**
 * @param world  with every object of the files that is not a claim
 * @param places  where notes are about; what is refused gets its place from `placed`
 */
export async function judge(
  world: PlanWorld,
  claims: readonly KubeObject[],
  places: Places = NO_PLACES,
): Promise<Verdict> {
  const unknown = world.objects.flatMap(unknownKind);
  const beside = besideClaims(world);
  const others = unknown.filter(({ isClaim }) => !isClaim).length + beside.length;
  const judged: readonly ByApi[] = [...unknown, ...beside, ...claims.map((claim) => byApi(world, claim))];
  const refused = judged.flatMap((one) => one.refused);
  const accepted = judged.flatMap(({ stored }) => stored ?? []);
  let whole = withoutRefused(
    withObjects(world, accepted),
    judged.flatMap(({ unstored }) => unstored ?? []),
  );
  // Clusters first: a pool is not judged by a Cluster that is refused, since nobody wrote what is wrong there.
  const [clusters, pools] = [accepted.filter(isCluster), accepted.filter((claim) => !isCluster(claim))];
  const noted: string[] = [];
  for (const cluster of clusters) {
    const { refused: found, notes: said, seen } = await byFunctions(whole, cluster);
    refused.push(...found);
    noted.push(...said);
    // With what its functions say of it, such as its zones: pools are judged by that.
    whole = found.length > 0 ? withoutRefused(whole, [cluster]) : withObjects(whole, [seen]);
  }
  for (const pool of pools) refused.push(...(misplacedIn(whole, pool) ?? (await byFunctions(whole, pool)).refused));
  const placed = pools.filter((pool) => misplacedIn(whole, pool) === undefined);
  const good = accepted.filter((claim) => !refused.some((one) => isAbout(one, claim)));
  const notes = [
    ...noted,
    ...cautionsOf(world, good),
    ...notesOn(whole, placed, places),
    ...unservedNotes(whole, accepted),
    ...claims.flatMap(statusNote),
  ];
  return { claims: judged.length - others, others, refused, notes };
}

/** As a file has it that was read from a cluster. */
function statusNote(claim: KubeObject): readonly string[] {
  return claim.status === undefined
    ? []
    : [`the status of ${describeObject(claim)} is ignored: only functions write it`];
}

/** Files that have the Cluster in another namespace were meant to fit each other. */
function misplacedIn(world: PlanWorld, pool: KubeObject): readonly Finding[] | undefined {
  const why = misplaced(world, pool);
  return why === undefined ? undefined : [finding(pool, 'metadata.namespace', why, 'the other files')];
}

function isCluster({ kind }: KubeObject): boolean {
  return kind === 'Cluster';
}

interface ByApi {
  readonly stored?: KubeObject;
  /** A claim that is refused. */
  readonly unstored?: KubeObject;
  readonly refused: readonly Finding[];
}

/**
 * What the API server says of a claim.
 * @param live  as it is stored; undefined: it is new
 */
export function byApi(world: Pick<PlanWorld, 'definitions'>, claim: KubeObject, live?: KubeObject): ByApi {
  const applied = applyOnce(claim, live, definitionOf(world, claim));
  if ('stored' in applied) return { stored: applied.stored, refused: [] };
  const owner = claim.kind === 'Cluster' ? { cluster: nameOf(claim) } : ownerOf(claim);
  const entries = refusedEntries(applied.wanted, live, owner, applied.refused);
  return { unstored: claim, refused: entries.map(({ field, reason }) => finding(claim, field, reason, 'the API')) };
}

/** The same of what a platform writes for provider-node, such as Hosts. */
function besideClaims(world: PlanWorld): readonly Pick<ByApi, 'refused'>[] {
  return world.objects.filter(isBeside).map((object) => ({
    refused: refusedBeside(world, object).map(({ field, reason }) => finding(object, field, reason, 'the API')),
  }));
}

/** A kind or a version that the API server does not know, as after a typing error. */
function unknownKind(object: KubeObject): readonly (ByApi & Pick<Misspelt, 'isClaim'>)[] {
  const found = misspelt(object);
  if (found === undefined) return [];
  const { isClaim, field, reason } = found;
  return [{ isClaim, refused: [finding(object, field, reason, 'the API')] }];
}

interface ByFunctions {
  readonly refused: readonly Finding[];
  readonly notes: readonly string[];
  /** The claim with the status that it gets. */
  readonly seen: KubeObject;
}

async function byFunctions(world: PlanWorld, claim: KubeObject): Promise<ByFunctions> {
  try {
    const run = await runXr(world, claim);
    if (!('refusal' in run)) {
      const notes = notesOf(claim, run.rendered);
      return { refused: [], notes, seen: withStatusOf(run.rendered, claim) };
    }
    const { step, field, reason } = run.refusal;
    const refusedBy = step === undefined ? NO_COMPOSITION : `step ${step}`;
    return { refused: [finding(claim, field, reason, refusedBy)], notes: [], seen: claim };
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    if (error.code !== 'MissingReference') throw error;
    return { refused: [finding(claim, error.field ?? '', error.message, NO_COMPOSITION)], notes: [], seen: claim };
  }
}

const NO_COMPOSITION = 'the selector of its Composition';

/** A pool is judged with its Cluster: its region, version and bootstrap provider are there. One note for each Cluster. */
function notesOn(world: PlanWorld, pools: readonly KubeObject[], places: Places): readonly string[] {
  const absent = Map.groupBy(pools, (pool) => absentCluster(world, pool));
  return [...absent].flatMap(([why, same]) => {
    if (why === undefined) return [];
    const [first = '', ...others] = same.map(describeObject);
    const names = [first, ...others.map((one) => one.slice(one.indexOf('"')))];
    const isAbsent = why.includes(ABSENT);
    const named = isAbsent ? same.flatMap((pool) => places.placeOf({ ...about(pool), field: CLUSTER_REF }) ?? []) : [];
    const where = named.length === 0 ? '' : ` (${placesText(named, NAMED)})`;
    return [`the image, version and first boot of ${firstNames(names, NAMED)} were not judged: ${why}${where}`];
  });
}

function finding(claim: KubeObject, field: string, reason: string, refusedBy: string): Finding {
  const { kind, namespace = '', name } = about(claim);
  return { kind, namespace, name, field, reason, refusedBy };
}

function about(claim: KubeObject): Subject {
  return { kind: claim.kind, namespace: claim.metadata?.namespace, name: nameOf(claim) };
}

function isAbout({ kind, namespace, name }: Finding, claim: KubeObject): boolean {
  return kind === claim.kind && namespace === (claim.metadata?.namespace ?? '') && name === nameOf(claim);
}

/** The line that everybody says: `cannot accept Cluster "team-a/prod": spec.region: why`. */
export function lineOf(finding: Finding): string {
  return sharedLine(finding, [finding]);
}

/** The same for each reason once, with the claims that it is said of, and their places: three by name. */
export function linesOf(findings: readonly Finding[]): readonly Said[] {
  const shared = Map.groupBy(findings, ({ kind, field, reason, refusedBy }) =>
    JSON.stringify([kind, field, reason, refusedBy]),
  );
  return [...shared.values()].flatMap((same) => {
    const places = same.flatMap(({ file, line }) => (file === undefined || line === undefined ? [] : { file, line }));
    const below = places.length === 0 ? undefined : placesText(places, NAMED);
    return same.slice(0, 1).map((first) => ({ line: sharedLine(first, same), below }));
  });
}

/** Findings with their places, and with values as they are written. */
export function placed(findings: readonly Finding[], places: Places): readonly Finding[] {
  return findings.map((one) => {
    const subject = { ...one, field: one.field === '' ? (fieldIn(one.reason) ?? '') : one.field };
    return { ...one, reason: places.asWritten(subject, one.reason), ...places.placeOf(subject) };
  });
}

function sharedLine({ kind, field, reason, refusedBy }: Finding, same: readonly Finding[]): string {
  if (refusedBy === NO_COMPOSITION && reason.startsWith('cannot compose ')) return reason;
  const who = same.map(({ namespace, name }) => `"${namespace === '' ? '' : `${namespace}/`}${name}"`);
  const subject = `cannot accept ${kind} ${firstNames(who, NAMED)}: `;
  // A function of others names it after the step that calls it.
  if (field === '' && reason.includes(subject)) return reason;
  return `${subject}${field === '' ? '' : `${field}: `}${reason}`;
}

/** More claims of one line are counted. */
const NAMED = 3;
