/**
 * Which HostClaim has which Host, decided for all of a namespace at once, so that no Host is given twice. The record is
 * the external name of the claim: it outlives a status. A Host that a machine had is free again when its owner says so.
 */
import { z } from 'zod';
import { falseCondition, notSynced, SYNCED, trueCondition } from '#lib/api/conditions.ts';
import { type KubeObject, sameJson } from '#lib/api/json.ts';
import { HostClaimSpec, HostSpec, HostStatus } from '#lib/api/kinds/host.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { withReport } from './status.ts';

/** Keeps a HostClaim until its Host says that its machine is gone. */
export const CLAIM_FINALIZER = 'hostclaim.node.slipway.dev';

/** The objects of one namespace. */
export interface Inventory {
  readonly hosts: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
}

/** In this order; each may fail, and the next pass then begins anew. */
export type HostWrite =
  /** The claim gets its Host, and a finalizer. */
  | { readonly write: 'Hold'; readonly claim: KubeObject; readonly host: string }
  /** The object with its new status. */
  | { readonly write: 'Status'; readonly object: KubeObject }
  /** The claim loses its finalizer. */
  | { readonly write: 'Release'; readonly claim: KubeObject };

interface Host {
  readonly object: KubeObject;
  readonly name: string;
  readonly spec: HostSpec;
  readonly status: HostStatus;
}

interface Claim {
  readonly object: KubeObject;
  readonly name: string;
  readonly wants: HostClaimSpec['forProvider'];
  readonly host: string | undefined;
}

const HostObject = z.looseObject({ spec: HostSpec, status: HostStatus.prefault({}) });
const ClaimObject = z.looseObject({ spec: HostClaimSpec });

/** @param now  milliseconds since 1970 */
export function hostWrites({ hosts: found, claims: asked }: Inventory, now: number): readonly HostWrite[] {
  const claims = asked.map(claimOf).toSorted(byAge);
  const leaving = claims.filter(({ object }) => isDeleted(object));
  const staying = claims.filter(({ object }) => !isDeleted(object));
  const seen = found.map(hostOf).toSorted(byName);
  const held = holders(claims, seen);
  const hosts = seen.map((host) => (held.has(host.name) ? host : left(host)));

  const served = staying.map((claim) => {
    if (claim.host !== undefined) return { claim, host: held.get(claim.host) === claim.name ? claim.host : undefined };
    const host = hosts.find((one) => isFree(one, held) && fits(one, claim))?.name;
    if (host !== undefined) held.set(host, claim.name);
    return { claim, host };
  });
  return [
    ...leaving.flatMap((claim) => lettingGo(claim, hosts, held)),
    ...served.flatMap(({ claim, host }) => [
      ...(host === undefined || isHeld(claim) ? [] : [{ write: 'Hold', claim: claim.object, host } as const]),
      ...statusOf(claim, host, hosts, held, now),
    ]),
    ...hosts
      .filter(({ name }) => !leaving.some((claim) => claim.host === name && held.get(name) === claim.name))
      .flatMap((host) => phaseOf(host, held.get(host.name))),
  ];
}

/** Names of claims by those of their hosts. */
type Holders = ReadonlyMap<string, string>;

/** What a claim was given counts before what somebody wrote on another one. */
function holders(claims: readonly Claim[], hosts: readonly Host[]): Map<string, string> {
  const held = new Map<string, string>();
  for (const claim of [...claims.filter(isHeld), ...claims]) {
    const { host: name, object } = claim;
    if (name === undefined || held.has(name)) continue;
    const host = hosts.find((one) => one.name === name);
    const isRecorded = host?.status.phase === 'Bound' && host.status.claim === claim.name;
    const mayHave = !isDeleted(object) && (host === undefined || isPrepared(host));
    if (isHeld(claim) || isRecorded || mayHave) held.set(name, claim.name);
  }
  return held;
}

/** Its claim is gone, and nobody let go of it: its machine may still run, so it is not free. */
function left(host: Host): Host {
  const { status } = host;
  return status.phase === 'Bound' ? { ...host, status: { ...status, released: timesPrepared(host) } } : host;
}

/** The record of the Host comes first: without it, the Host would pass for one that nobody ever used. */
function lettingGo({ object, host, name }: Claim, hosts: readonly Host[], held: Holders): readonly HostWrite[] {
  const own = hosts.find((one) => one.name === host && held.get(one.name) === name);
  const released =
    own === undefined ? [] : changed(own, { phase: 'Released', claim: name, released: timesPrepared(own) });
  const isOurs = (object.metadata?.finalizers ?? []).includes(CLAIM_FINALIZER);
  return [...released, ...(isOurs ? [{ write: 'Release', claim: object } as const] : [])];
}

function phaseOf(host: Host, claim: string | undefined): readonly HostWrite[] {
  const { released, claim: last } = host.status;
  if (claim !== undefined)
    return changed(host, { ...(released === undefined ? {} : { released }), phase: 'Bound', claim });
  if (isPrepared(host)) return changed(host, { ...(released === undefined ? {} : { released }), phase: 'Available' });
  return changed(host, {
    phase: 'Released',
    ...(released === undefined ? {} : { released }),
    ...(last === undefined ? {} : { claim: last }),
  });
}

function changed({ object }: Host, status: HostStatus): readonly HostWrite[] {
  const next = status as KubeObject['status'];
  return sameJson(next ?? {}, object.status ?? {})
    ? []
    : [{ write: 'Status', object: { ...object, status: next } as KubeObject }];
}

function statusOf(
  claim: Claim,
  name: string | undefined,
  hosts: readonly Host[],
  held: Holders,
  now: number,
): readonly HostWrite[] {
  const after = withReport(claim.object, reportOf(claim, name, hosts, held), now);
  return after === claim.object ? [] : [{ write: 'Status', object: after }];
}

function reportOf(claim: Claim, name: string | undefined, hosts: readonly Host[], held: Holders) {
  if (name === undefined) {
    const why = whyNone(claim, hosts, held);
    return { status: {}, conditions: [notSynced(why), falseCondition('Ready', 'NoHost', why)] };
  }
  const host = hosts.find((one) => one.name === name);
  if (host === undefined) {
    const why = `Host "${name}" no longer exists`;
    return { status: {}, conditions: [notSynced(why), falseCondition('Ready', 'HostGone', why)] };
  }
  const { failureDomain, addresses } = host.spec;
  const atProvider = {
    host: name,
    addresses: addresses.map((address) => ({ ...address })),
    ...(failureDomain === undefined ? {} : { failureDomain }),
  };
  return { status: { atProvider }, conditions: [SYNCED, trueCondition('Ready', 'Available')] };
}

/** For the message: what was looked for, and why such hosts are not free. */
function whyNone(claim: Claim, hosts: readonly Host[], held: Holders): string {
  if (claim.host !== undefined) return `Host "${claim.host}" is taken, or not prepared again`;
  const { size, region, failureDomain, rootDisk } = claim.wants;
  const where = failureDomain === undefined ? region : `${failureDomain} of ${region}`;
  const fitting = hosts.filter((one) => fits(one, claim));
  const why = hosts.length === 0 ? noHosts(claim.object) : whyNotFree(fitting, held);
  return `no free Host of size ${size} with ${rootDisk.sizeGiB} GiB in ${where}: ${why}`;
}

/** Nobody makes them: they are told by whoever owns the machines. */
function noHosts({ metadata }: KubeObject): string {
  return `there are no Hosts in namespace ${metadata?.namespace ?? ''}, where their owner writes them`;
}

function whyNotFree(fitting: readonly Host[], held: Holders): string {
  if (fitting.length === 0) return 'there is no such Host';
  const counts = Map.groupBy(fitting, ({ name, object }) => {
    if (held.has(name)) return 'taken';
    return isDeleted(object) ? 'being deleted' : 'not prepared again';
  });
  return [...counts].map(([why, all]) => `${all.length} ${why}`).join(', ');
}

function isFree(host: Host, held: Holders): boolean {
  return !held.has(host.name) && !isDeleted(host.object) && isPrepared(host);
}

function isPrepared(host: Host): boolean {
  return (host.status.released ?? 0) < timesPrepared(host);
}

function timesPrepared({ spec }: Host): number {
  return spec.prepared ?? 1;
}

function fits({ spec }: Host, { wants }: Claim): boolean {
  return (
    spec.size === wants.size &&
    (spec.region === undefined || spec.region === wants.region) &&
    (wants.failureDomain === undefined || spec.failureDomain === wants.failureDomain) &&
    (spec.rootDiskGiB === undefined || spec.rootDiskGiB >= wants.rootDisk.sizeGiB) &&
    hasDisks(spec.dataDisksGiB, wants.dataDisks)
  );
}

/** The largest for the largest. */
function hasDisks(sizes: readonly number[] | undefined, wants: readonly { readonly sizeGiB: number }[] = []): boolean {
  if (sizes === undefined) return true;
  const largest = sizes.toSorted((left, right) => right - left);
  const wanted = wants.map(({ sizeGiB }) => sizeGiB).toSorted((left, right) => right - left);
  return wanted.every((size, index) => (largest[index] ?? 0) >= size);
}

/** Its Host and the finalizer are written at once; somebody may have named the Host before. */
function isHeld({ object, host }: Claim): boolean {
  return host !== undefined && (object.metadata?.finalizers ?? []).includes(CLAIM_FINALIZER);
}

function hostOf(object: KubeObject): Host {
  const { spec, status } = parseAs(HostObject, object, describeObject(object), 'InvalidObserved');
  return { object, name: object.metadata?.name ?? '', spec, status };
}

function claimOf(object: KubeObject): Claim {
  const { spec } = parseAs(ClaimObject, object, describeObject(object), 'InvalidObserved');
  const { name = '', annotations = {} } = object.metadata ?? {};
  return { object, name, wants: spec.forProvider, host: annotations[CROSSPLANE.externalName] };
}

function isDeleted({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Who asked first is served first. */
function byAge(a: Claim, b: Claim): number {
  const [one, other] = [a, b].map(({ object }) => object.metadata?.creationTimestamp ?? '');
  return one === other ? byName(a, b) : (one ?? '') < (other ?? '') ? -1 : 1;
}
