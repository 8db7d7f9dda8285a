/** The namespace of --namespace, as kubectl has it: of objects without one, and no other than that of those with one. */
import type { KubeObject } from '#lib/api/json.ts';
import { NAMESPACE_NEEDED } from '#lib/api/kinds/composite.ts';
import { NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { describeObject } from '#lib/api/names.ts';
import { API_VERSION, NODE_API_VERSION } from '#lib/api/words.ts';
import { UsageError } from '../exit.ts';
import { placesText } from './place.ts';
import type { Placed } from './read-objects.ts';

/** What files bring beside managed resources: claims, Hosts, and the ConfigMaps and Secrets that they may refer to. */
const NAMESPACED: ReadonlySet<string> = new Set([
  ...['Cluster', 'NodePool', 'Machine'].map((kind) => `${API_VERSION}/${kind}`),
  ...NODE_KINDS.filter(({ scope }) => scope !== 'Cluster').map(({ kind }) => `${NODE_API_VERSION}/${kind}`),
  ...['ConfigMap', 'Secret'].map((kind) => `v1/${kind}`),
]);

/** Groups of kinds with namespaces have this part in Crossplane v2; those without it have none. */
const MANAGED = /\.m\.[^/]+\//;

/** A namespace as given by an option. */
export interface Namespace {
  readonly name: string;
  /** Whether what has another keeps it, since the option only chooses what is shown; else it is refused, as by kubectl. */
  readonly others: 'kept' | 'refused';
}

/** What `--namespace` means to a command that judges all objects of its files. */
export function onlyIn(name: string | undefined): Namespace | undefined {
  return name === undefined ? undefined : { name, others: 'refused' };
}

/** What it means to a command that shows one of them. */
export function chosenBy(name: string | undefined): Namespace | undefined {
  return name === undefined ? undefined : { name, others: 'kept' };
}

/**
 * A namespace for what is written without one. Throws UsageError for objects of others.
 * @param verb  what cannot be done otherwise
 */
export function inNamespace(placed: readonly Placed[], given: Namespace | undefined, verb: string): readonly Placed[] {
  if (given === undefined) return placed;
  if (given.others === 'refused') refuseOthers(placed, given.name, verb);
  return withNamespace(placed, given.name);
}

function withNamespace(placed: readonly Placed[], namespace: string): readonly Placed[] {
  return placed.map((one) => {
    const { metadata } = one.object;
    return isNamespaced(one.object) && namespaceOf(one.object) === undefined
      ? { ...one, object: { ...one.object, metadata: { ...metadata, namespace } } }
      : one;
  });
}

function isNamespaced({ apiVersion, kind }: KubeObject): boolean {
  if (MANAGED.test(`${apiVersion}/`)) return kind !== 'ClusterProviderConfig';
  return NAMESPACED.has(`${apiVersion}/${kind}`);
}

/** Undefined, as to kubectl: it is left out, empty, or null. */
function namespaceOf({ metadata }: KubeObject): string | undefined {
  const given = metadata?.namespace ?? '';
  return given === '' ? undefined : given;
}

function refuseOthers(placed: readonly Placed[], namespace: string, verb: string): void {
  const others = placed.filter(
    ({ object }) => isNamespaced(object) && (namespaceOf(object) ?? namespace) !== namespace,
  );
  const [first, ...more] = others;
  if (first === undefined) return;
  const who = `${describeObject(first.object)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  throw new UsageError(
    `cannot ${verb} ${who}: metadata.namespace: "${namespaceOf(first.object) ?? ''}" is not accepted beside --namespace "${namespace}"; accepted: one namespace, in the file or with --namespace`,
    placesText(others.map(({ placeOf }) => placeOf(['metadata', 'namespace']))),
  );
}

/** What is said of a namespace that is left out, with the option that gives one. */
export function withOption(message: string): string {
  return message.replace(
    NAMESPACE_NEEDED,
    NAMESPACE_NEEDED.replace('a namespace,', 'a namespace, here or with --namespace NAME,'),
  );
}
