/** What is wrong with the life of a cluster that uses parts of somebody else. */
import { at, isJsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { crdsAvailable, validateManaged } from '../../support/crds.ts';
import { type PartCase, textsIn } from './case.ts';
import { dangling } from './dangling.ts';
import type { Life, Owned } from './life.ts';

/** None: what exists was used, never changed and never deleted. */
export function faultsIn(life: Life, one: PartCase): readonly string[] {
  const end = [
    ...(life.isReady ? [] : ['the cluster does not become Ready']),
    ...(life.areWorkersGone ? [] : ['workers stay']),
    ...(life.isGone ? [] : ['something of the cluster stays']),
  ];
  return [
    ...end,
    ...refusedByProviders(life),
    ...life.made.filter(({ kind }) => one.without.includes(kind)).map(({ kind }) => `${kind} is made`),
    ...adopted(life, one),
    ...dangling(life.made, [...life.observers, ...life.before.map(reported)], new Set(textsIn(life.existing))),
    ...unused(life),
    ...touched(life),
    ...(sameJson(life.whileReady, life.before) ? [] : ['what the owner has is changed while the cluster lives']),
    ...(sameJson(life.after, life.before) ? [] : ['what the owner has is not as before when the cluster is gone']),
  ];
}

function reported({ name, spec, cloud }: Owned): KubeObject {
  const [kind = '', called = ''] = name.split(' ');
  return {
    apiVersion: '',
    kind,
    metadata: { name: called, annotations: { [CROSSPLANE.externalName]: called } },
    spec: spec ?? {},
    status: { atProvider: cloud as KubeObject['status'] },
  };
}

/** As composed, and with what providers wrote since. Without the CRDs of providers, nothing is wrong. */
function refusedByProviders({ composed, made }: Life): readonly string[] {
  if (!crdsAvailable()) return [];
  return [...composed, ...made].flatMap(({ status: _status, ...object }) =>
    validateManaged(object).map((error) => `${object.kind} ${object.metadata?.name ?? ''}: ${error}`),
  );
}

function ownIds({ before }: Life): ReadonlySet<string> {
  return new Set(before.flatMap(({ cloud }) => textsIn(at(cloud, 'id'))));
}

/** Objects for something of the owner: they may look at it, where the cloud needs that. */
function adopted(life: Life, { lookedAt = [] }: PartCase): readonly string[] {
  const ids = ownIds(life);
  const isOfOwner = ({ metadata }: KubeObject) => ids.has(metadata?.annotations?.[CROSSPLANE.externalName] ?? '');
  const managing = [...life.composed, ...life.made]
    .filter(isOfOwner)
    .filter(({ spec }) => !sameJson(at(spec, 'managementPolicies') ?? null, ['Observe']))
    .map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''} manages what the owner has`);
  const looking = life.made.filter(isOfOwner).map(({ kind }) => kind);
  return [...managing, ...(sameJson(looking, lookedAt) ? [] : [`looked at: ${looking.join(', ') || 'nothing'}`])];
}

/** By the id itself or, where the provider asks for a name, by its last part; a network is used by its subnets. */
function unused({ existing, made }: Life): readonly string[] {
  const used = made.flatMap(({ spec }) => textsIn(spec));
  const isUsed = (id: string) => used.some((text) => text.startsWith(id) || text === id.slice(id.lastIndexOf('/') + 1));
  const { network: _bySubnets, ...others } = isJsonObject(existing) ? existing : {};
  const ids = textsIn(others).filter((id) => !/^[a-z0-9-]+$/.test(id));
  return ids.filter((id) => !isUsed(id)).map((id) => `${id} is not used`);
}

/** Kinds that change another object in a cloud: rules, policies, routes and grants name it. */
const CHANGING = /Rule$|^RolePolicy|^RoleAssignment|^Route|^DefaultSecurityGroup|IAMMember$|^Firewall$/;
const CHANGED = ['securityGroupId', 'role', 'vpcId', 'routeTableId', 'subnetId', 'member', 'serviceAccountId', 'scope'];

function touched(life: Life): readonly string[] {
  const ids = ownIds(life);
  return life.made
    .filter(({ kind }) => CHANGING.test(kind) && kind !== 'ForwardingRule')
    .filter(({ spec }) => CHANGED.some((field) => ids.has(stringAt(spec, 'forProvider', field) ?? '')))
    .map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''} changes what the owner has`);
}
