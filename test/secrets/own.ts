/** The Secrets that Slipway makes in a namespace of claims, each made by the code that makes it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { KubeObject } from '#lib/api/json.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { packedSecret } from '#lib/cloud/hand-over.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { Request } from '#lib/fn/request.ts';
import { askedSecret } from '#lib/node/asked-join.ts';
import { customData } from '#clouds/azure/machine/custom-data.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import { aPayload, situation } from '../../functions/machine/machine.fixture.ts';
import { run as machine } from '../../functions/machine/fn.ts';
import { scriptsSecret } from '../../functions/machine/scripts.ts';
import { aMachine } from '../support/claims.ts';
import { aBootstrappedCluster, ENDPOINT } from '../support/first-boot.ts';
import { aRequest, aWorld } from '../support/request.ts';

const MACHINE = Machine.parse(aMachine());
const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput', providerNodeRights: 'Role' };

/** What a function makes of a request, of its Secrets. */
async function secretsOf(run: CompositionFunction, request: Request): Promise<readonly KubeObject[]> {
  const { resources } = (await run(request, aWorld())).build();
  return [...resources.values()].map(({ resource }) => resource).filter(({ kind }) => kind === 'Secret');
}

/** Keys and tokens of a cluster of every bootstrapper, and the kubeconfigs. */
async function ofClusters(): Promise<readonly KubeObject[]> {
  const providers = Object.keys(BOOTSTRAPPERS).filter((name) => bootstrapperTraits(name).controlPlanes);
  const made = await Promise.all(
    providers.map(async (provider) => {
      const { cluster, secrets } = await aBootstrappedCluster({ spec: { bootstrap: { provider } } });
      const desiredStatus = { controlPlaneEndpoint: ENDPOINT };
      const stored = aRequest({ composite: cluster, observed: secrets, desiredStatus, input: INPUT });
      return secretsOf(bootstrap, stored);
    }),
  );
  return made.flat();
}

function asked(): KubeObject {
  const join = { kind: 'CanonicalKubernetesWorker', secretRef: { name: 'general-0-join-token', key: 'token' } };
  return askedSecret(
    {
      apiVersion: 'node.slipway.dev/v1alpha1',
      kind: 'WorkloadNode',
      metadata: { name: 'general-0', namespace: 'team-a', uid: 'node-uid' },
      spec: { clusterRef: { name: 'prod' }, join: { ...join, authSecretRef: { name: 'prod-capi-auth-token' } } },
    },
    'fake-token-of-k8sd',
  );
}

function azure(): readonly KubeObject[] {
  const there = { machine: MACHINE, observed: new Map() } as unknown as Parameters<typeof customData>[0];
  return customData(there, 'ZmFrZQ==', false).map(([, secret]) => secret);
}

type Making = () => readonly KubeObject[] | Promise<readonly KubeObject[]>;

/** By the file that writes the object. A file that is missing here, or has gone, fails the test of this list. */
const MADE_BY: Readonly<Record<string, Making>> = {
  'clouds/azure/machine/custom-data.ts': azure,
  'functions/bootstrap/secrets.ts': ofClusters,
  'functions/machine/payload.ts': () => secretsOf(machine, situation({ context: aPayload() })),
  'functions/machine/scripts.ts': () => {
    const byUpdater = new Map([['kubernetes', 'echo fake']]);
    return [scriptsSecret(MACHINE, 'a1b2', { byUpdater, fields: new Set(), waiting: undefined })];
  },
  'lib/cloud/hand-over.ts': () => [packedSecret({ machine: MACHINE }, { value: 'fake' })],
  'lib/node/asked-join.ts': () => [asked()],
};

/** Those in a workload cluster, whose names no claim can mean. */
const ELSEWHERE = ['controllers/node/updates/pod.ts', 'lib/node/bootstrap-token.ts'];

/** Without owners, which only the API server adds: labels and types alone have to tell. */
export async function ownSecrets(): Promise<readonly KubeObject[]> {
  const made = await Promise.all(Object.values(MADE_BY).map(async (make) => make()));
  return made.flat();
}

export const KNOWN_MAKERS = [...Object.keys(MADE_BY), ...ELSEWHERE].toSorted();

/** Files of the product that match, by their path. */
export function sourcesLike(pattern: RegExp): readonly string[] {
  return ['clouds', 'controllers', 'functions', 'lib']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter(({ name }) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map(({ name, parentPath }) => relative(ROOT, join(parentPath, name)))
    .filter((path) => !path.includes('/simulated/') && pattern.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted();
}
