/**
 * What the functions create from the claims: they run in the embedded engine until everything is Ready, and its Secrets
 * are then first-boot data, authorities and kubeconfig of real machines. Machines keep the addresses, zones and ids of
 * the simulated cloud.
 */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, KUBERNETES_API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../../cli/files/repository.ts';
import { inProcess } from '../../../cli/in-process/functions.ts';
import { withInputs } from '../../e2e/packages/platform.ts';
import { type ClaimedMachine, claimedMachine, secretIn } from './machine.ts';

export interface Claimed {
  /** Those from before the edit, then those that replaced them; each sorted by name, so control planes by number. */
  readonly machines: readonly ClaimedMachine[];
  /** What the functions composed for provider-kubernetes, as they desire it: a ProviderConfig and Objects. */
  readonly addOns: readonly KubeObject[];
  /** A key in a Secret of the Cluster, such as ca, tls.crt. Throws when it does not exist. */
  secret(suffix: string, key: string): Buffer;
}

/** provider-node has only its documented rights in the cluster. */
const PLATFORM = { BootstrapInput: { providerNodeRights: 'Role' } };
const READY_SECONDS = 3600; // of virtual time

interface Asked {
  /** File with a Cluster and its NodePools. */
  readonly claims: string;
  /** Version of the Cluster before an edit; left out: there is no edit. */
  readonly before?: string;
}

export async function claimed({ claims: file, before }: Asked): Promise<Claimed> {
  const claims = readObjects([file]);
  // The certificates start at the time of the engine, and real clocks check them.
  const engine = createEngine({ clouds: SIMULATED_CLOUDS, start: new Date(), seed: 1, functions: inProcess });
  engine.load([...definitions(), ...withInputs(compositions(), PLATFORM)]);
  const settle = async (edited: readonly KubeObject[]): Promise<readonly ClaimedMachine[]> => {
    for (const claim of edited) engine.apply(claim);
    const version = versionOf(edited);
    const isThere = (): boolean => engine.snapshot().ready && machinesIn(engine).every((one) => runs(one, version));
    const { reached } = await engine.runUntil(isThere, { limitSeconds: READY_SECONDS });
    if (!reached) throw new Error(`cannot bring the claims in ${file} to Ready: slipway simulate ${file} says why`);
    return machinesIn(engine).map((machine) => claimedMachine(engine, machine));
  };
  const old = before === undefined ? [] : await settle(claims.map((claim) => withVersion(claim, before)));
  const now = await settle(claims);
  const machines = before === undefined ? now : [...old.filter(isOfOld), ...now];
  return read(engine, claims, machines);
}

/** A control plane that joins is one of those that come after the edit. */
function isOfOld({ part }: ClaimedMachine): boolean {
  return part !== 'joining control plane';
}

function versionOf(claims: readonly KubeObject[]): string {
  return stringAt(claims.find(({ kind }) => kind === 'Cluster')?.spec, 'version') ?? '';
}

function withVersion(claim: KubeObject, version: string): KubeObject {
  return claim.kind === 'Cluster' ? { ...claim, spec: { ...claim.spec, version } } : claim;
}

function machinesIn(engine: Engine): readonly KubeObject[] {
  return engine.list({ apiVersion: API_VERSION, kind: 'Machine' });
}

function runs(machine: KubeObject, version: string): boolean {
  return stringAt(machine['spec'], 'version') === version && machine.metadata?.deletionTimestamp === undefined;
}

function read(engine: Engine, claims: readonly KubeObject[], machines: readonly ClaimedMachine[]): Claimed {
  const cluster = claims.find(({ kind }) => kind === 'Cluster');
  const { name = '', namespace = '' } = cluster?.metadata ?? {};
  const addOns = ['ProviderConfig', 'Object'].flatMap((kind) =>
    engine.list({ apiVersion: KUBERNETES_API_VERSION, kind }).map(asComposed),
  );
  return {
    machines,
    addOns,
    secret: (suffix, key) => secretIn(engine, namespace, `${name}-${suffix}`, key),
  };
}

/** Without what the simulated management cluster added. */
function asComposed({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  const { name = '', namespace = '', labels = {}, annotations = {} } = metadata ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations },
    ...(spec === undefined ? {} : { spec }),
  };
}
