/**
 * Existing parts that a claim names by managed resources of its namespace: their ids, as the provider reports them. An id
 * that was known once stays, whatever becomes of the managed resource: the cluster uses it.
 */
import { whyNotReady } from '#lib/api/conditions.ts';
import type { Existing, Reference } from '#lib/api/fields/infrastructure.ts';
import { canonical } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refusal } from '#lib/api/refusal.ts';
import { atMostThree } from '#lib/api/shortened.ts';
import type { ResolvedCluster } from '#lib/cloud/infrastructure.ts';
import { type ReferablePart, referableBy, type References } from '#lib/cloud/references.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { CalledSituation } from './situation.ts';
import type { ReferenceFields } from './reference-fields.ts';

const FIELD = 'spec.infrastructure.existing';

export interface Resolution {
  /** Undefined while an id is not known. */
  readonly cluster: ResolvedCluster | undefined;
  /** What it waits for; undefined while managed resources are only being asked for. */
  readonly waiting: string | undefined;
  /** Ids by kind and name, to be recorded. */
  readonly ids: Readonly<Record<string, string>>;
  readonly written: ReferenceFields;
}

/** Throws InvalidClaim for a part that no managed resource can stand for, and for labels that several have. */
export function resolve(reply: Reply, situation: CalledSituation, references: References | undefined): Resolution {
  const asked = new Asked(reply, situation, references);
  const existing = resolvedParts(situation.cluster, asked);
  const { waiting, ids, written, isAsking } = asked;
  if (isAsking || waiting.length > 0) {
    const line = isAsking ? undefined : `waiting for ${atMostThree(waiting)}`;
    return { cluster: undefined, waiting: line, ids, written };
  }
  const { spec } = situation.cluster;
  const infrastructure = { ...spec.infrastructure, existing };
  return { cluster: { ...situation.cluster, spec: { ...spec, infrastructure } }, waiting: undefined, ids, written };
}

function resolvedParts({ spec }: Cluster, asked: Asked): Existing {
  const { network, subnets, securityGroups, identities, loadBalancerTargets, resourceGroup, encryptionKey } =
    spec.infrastructure.existing;
  const one = (part: 'network' | 'resourceGroup' | 'encryptionKey', named: typeof network) =>
    named === undefined ? undefined : { id: asked.id(part, part, named.id, named.ref) };
  return {
    network: one('network', network),
    subnets: subnets.map(({ id, ref, ...subnet }, n) => ({
      ...subnet,
      id: asked.id('subnets', `subnets[${n}]`, id, ref),
    })),
    securityGroups:
      securityGroups === undefined
        ? undefined
        : both((machines) => [
            ...securityGroups[machines],
            ...securityGroups[`${machines}Refs`].map((ref, n) =>
              asked.id(
                'securityGroups',
                `securityGroups.${machines}Refs[${n}]`,
                undefined,
                ref,
                `securityGroups.${machines}[${securityGroups[machines].length + n}]`,
              ),
            ),
          ]),
    identities:
      identities === undefined
        ? undefined
        : both((machines) =>
            asked.id('identities', `identities.${machines}`, identities[machines], identities[`${machines}Ref`]),
          ),
    loadBalancerTargets: loadBalancerTargets.map(({ id, ref, port }, n) => ({
      port,
      id: asked.id('loadBalancerTargets', `loadBalancerTargets[${n}]`, id, ref),
    })),
    resourceGroup: one('resourceGroup', resourceGroup),
    encryptionKey: one('encryptionKey', encryptionKey),
  };
}

function both<Value>(of: (machines: 'controlPlane' | 'worker') => Value) {
  return { controlPlane: of('controlPlane'), worker: of('worker') };
}

/** Asks for managed resources, and keeps what came of it. */
class Asked {
  readonly waiting: string[] = [];
  readonly ids: Record<string, string> = {};
  readonly written = new Map<string, string>();
  isAsking = false;
  readonly #reply: Reply;
  readonly #situation: CalledSituation;
  readonly #references: References | undefined;

  constructor(reply: Reply, situation: CalledSituation, references: References | undefined) {
    this.#reply = reply;
    this.#situation = situation;
    this.#references = references;
  }

  /**
   * Empty while it is not known.
   * @param at  below existing
   * @param resolved  where the id is then, below existing
   */
  id(
    part: ReferablePart,
    at: string,
    id: string | undefined,
    ref: Reference | undefined,
    resolved = part === 'identities' ? at : `${at}.id`,
  ): string {
    if (id !== undefined) return id;
    if (ref === undefined) return '';
    const { owner, cluster, previous } = this.#situation;
    const { namespace } = cluster.metadata;
    const field = `${FIELD}.${at}${at.includes('Refs[') ? '' : part === 'identities' ? 'Ref' : '.ref'}`;
    this.written.set(`${FIELD}.${resolved}`, field);
    const what = ref.name === undefined ? canonical(ref.matchLabels ?? {}) : ref.name;
    const { kinds, idOf } = referableBy(this.#references, part, { field, what, owner });
    const title = kinds.map(({ kind }) => kind).join(' or ');
    const key = `${title} ${what}`;
    const recorded = previous.infrastructure?.existing?.references?.[key];
    // The cluster uses it: whoever changes the managed resource, or labels another one like it, does not hinder it.
    if (recorded !== undefined) return (this.ids[key] = recorded);
    const found = kinds.flatMap((kind) => {
      const selector = ref.name === undefined ? { matchLabels: ref.matchLabels ?? {} } : { matchName: ref.name };
      const objects = this.#reply.require(`${kind.kind} ${what}`, { ...kind, namespace, ...selector });
      if (objects === undefined) this.isAsking = true;
      return objects ?? [];
    });
    if (found.length > 1) {
      const names = found.map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''}`).toSorted();
      throw refusal(owner, field, what, `what only one of them has: ${names.join(', ')}`);
    }
    const [object] = found;
    const why = object === undefined ? 'not found' : whyNotReady(object);
    const known = why === undefined && object !== undefined ? idOf(object) : undefined;
    if (known === undefined) {
      this.waiting.push(
        `${title} ${called(namespace, ref)}, which ${field} names: ${why ?? 'its id is not known yet'}`,
      );
      return '';
    }
    return (this.ids[key] = known);
  }
}

/** `"team-a/shared"`, or `with labels net=shared in namespace "team-a"` */
function called(namespace: string, { name, matchLabels = {} }: Reference): string {
  if (name !== undefined) return `"${namespace}/${name}"`;
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return `with labels ${labels.toSorted().join(',')} in namespace "${namespace}"`;
}
