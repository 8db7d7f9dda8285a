/** What exists in a live cluster, as far as a plan needs it: lists only, and no Secret. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, GROUP } from '#lib/api/words.ts';
import { ENVIRONMENT_CONFIG_KIND } from '#lib/cloud/environment-config.ts';
import type { KubeReader } from '#lib/kube/reader.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import type { Kind } from '#lib/kube/resource.ts';

const CROSSPLANE_GROUP = 'apiextensions.crossplane.io';
const COMPOSITION: Kind = { apiVersion: `${CROSSPLANE_GROUP}/v1`, kind: 'Composition' };
const REVISION: Kind = { apiVersion: `${CROSSPLANE_GROUP}/v1`, kind: 'CompositionRevision' };
const DEFINITION: Kind = { apiVersion: `${CROSSPLANE_GROUP}/v2`, kind: 'CompositeResourceDefinition' };

/**
 * Lists XRs, which must be readable, and the definitions and composed resources, which need not be.
 * @param namespaces those of the claims; empty: all
 * @param note gets what could not be read, and what is used instead
 */
export async function observeLive(
  reader: KubeReader,
  namespaces: readonly string[],
  note: (text: string) => void,
): Promise<readonly KubeObject[]> {
  const within = namespaces.length === 0 ? [undefined] : namespaces;
  const lists = within.flatMap((namespace) =>
    ['Cluster', 'NodePool', 'Machine'].map((kind) => reader.list({ apiVersion: API_VERSION, kind }, namespace)),
  );
  const xrs = (await Promise.all(lists)).flat();
  const machinery = await machineryOf(reader, xrs, note);
  const composed = composedKinds(xrs.filter(({ kind }) => kind !== 'Machine')).flatMap((kind) =>
    within.map((namespace) =>
      permitted(() => reader.list(kind, namespace), `${kind.kind} objects are treated as absent`, note),
    ),
  );
  return [...xrs, ...machinery, ...(await Promise.all(composed)).flat()];
}

/**
 * What is installed in the control plane; whatever may not be read is replaced by the version that comes with the
 * project.
 */
async function machineryOf(
  reader: KubeReader,
  xrs: readonly KubeObject[],
  note: (text: string) => void,
): Promise<readonly KubeObject[]> {
  const read = (kind: Kind): Promise<readonly KubeObject[]> =>
    permitted(() => reader.list(kind), `the ${kind.kind}s of this version of slipway are used`, note);
  const [definitions, compositions, configs, revisions] = await Promise.all([
    read(DEFINITION),
    read(COMPOSITION),
    permitted(() => reader.list(ENVIRONMENT_CONFIG_KIND), 'the platform is taken to have no EnvironmentConfig', note),
    xrs.some(holdsRevision) ? read(REVISION) : [],
  ]);
  const own = definitions.filter((definition) => stringAt(definition, 'spec', 'group') === GROUP);
  return [...own, ...compositions, ...configs, ...revisions];
}

function holdsRevision(xr: KubeObject): boolean {
  return at(xr, 'spec', 'crossplane', 'compositionUpdatePolicy') === 'Manual';
}

/** Why there is no claim: the cluster does not know what one is; undefined: it does. */
export async function notInstalled(reader: KubeReader): Promise<string | undefined> {
  if (await reader.serves({ apiVersion: API_VERSION, kind: 'Cluster' })) return undefined;
  return `${API_VERSION} is not installed ${reader.place}`;
}

/**
 * The XRs and everything that they composed, except Secrets.
 * @param namespace undefined: all
 * @param note gets what could not be read
 */
export async function observeXrs(
  reader: KubeReader,
  namespace: string | undefined,
  note: (text: string) => void,
): Promise<Observed> {
  const lists = ['Cluster', 'NodePool', 'Machine'].map((kind) =>
    reader.list({ apiVersion: API_VERSION, kind }, namespace),
  );
  const xrs = (await Promise.all(lists)).flat();
  const unread = new Set(['Secret']);
  const composed = composedKinds(xrs).map((kind) =>
    permitted(
      () => reader.list(kind, namespace),
      `${kind.kind} objects are not shown`,
      (text) => {
        unread.add(kind.kind);
        note(text);
      },
    ),
  );
  return { xrs, composed: (await Promise.all(composed)).flat(), unread };
}

export interface Observed {
  readonly xrs: readonly KubeObject[];
  readonly composed: readonly KubeObject[];
  /** Kinds of which nothing is known. */
  readonly unread: ReadonlySet<string>;
}

/** Kinds that XRs composed, except those that are listed anyway and Secrets. */
function composedKinds(xrs: readonly KubeObject[]): readonly Kind[] {
  const refs = xrs.flatMap((xr) => {
    const list = at(xr, 'spec', 'crossplane', 'resourceRefs');
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  const kinds = refs.map((ref) => ({
    apiVersion: stringAt(ref, 'apiVersion') ?? '',
    kind: stringAt(ref, 'kind') ?? '',
  }));
  const others = kinds.filter(({ apiVersion, kind }) => apiVersion !== API_VERSION && kind !== 'Secret' && kind !== '');
  return [...new Map(others.map((one) => [`${one.apiVersion}/${one.kind}`, one])).values()];
}

async function permitted(
  list: () => Promise<readonly KubeObject[]>,
  instead: string,
  note: (text: string) => void,
): Promise<readonly KubeObject[]> {
  try {
    return await list();
  } catch (thrown) {
    if (!(thrown instanceof KubeRefusal) || ![401, 403, 404].includes(thrown.status)) throw thrown;
    note(`${thrown.message}; ${instead}`);
    return [];
  }
}
