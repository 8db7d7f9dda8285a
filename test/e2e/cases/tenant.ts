/**
 * A person of a team with nothing but the documented role, and the documented policies installed: what the team may do
 * works, and what it may not is refused, by the API server where it can know, and otherwise by a function.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { condition } from '../packages/install.ts';
import {
  aCluster,
  FLAVOUR_OF_OTHERS,
  ofComposition,
  ofDeletion,
  ofLimits,
  ofMachinery,
  ofRights,
  patch,
} from './attempts.ts';
import { type Case, hold } from './case.ts';
import { drainedFirst } from './drained.ts';
import {
  clusterRef,
  compositionOf,
  documents,
  machineGoes,
  machinesOf,
  nameOf,
  poolRef,
  poolSettles,
  statusNumber,
  TEAM,
} from './scene.ts';

const PERSON = ['--as=alice', '--as-group=team-a', '--as-group=system:authenticated'] as const;
const XRD = 'nodepools.slipway.dev';
const CLUSTERS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'clusters.slipway.dev',
} as const;
/** The pool that the team changes; it is as it was at the end. */
const POOL = 'prod-memory';

export const tenantCase: Case = {
  name: 'tenant',
  after: ['claim'],
  async run(lab) {
    const before = await lab.api.get(clusterRef('prod'));
    await policiesWork(lab);
    await flavorsWithSpaces(lab);
    const machinery = ofMachinery(await lab.api.get(CLUSTERS));
    hold('Crossplane has fields of its own in a claim', machinery.length > 4, String(machinery.length));
    const attempts = [...ofComposition, ...machinery, ...ofLimits(), ...ofDeletion, ...ofRights()];
    const accepted: string[] = [];
    for (const attempt of attempts) {
      const said = await asTenant(lab, attempt.args, attempt.object);
      if (said.ok || !attempt.refused.test(said.output)) accepted.push(`${attempt.name}: ${said.output}`);
    }
    hold('every attempt is refused with its reason', accepted.length === 0, accepted.join('; '));
    await overridesAreRefused(lab);
    await unknownClassIsRefused(lab);
    await enforced(lab);
    const after = await lab.api.get(clusterRef('prod'));
    hold('the cluster is as it was', JSON.stringify(after.spec) === JSON.stringify(before.spec));
    await mayWork(lab);
    return `${attempts.length} attempts refused at the API, two by a function; scaling and deleting a machine allowed`;
  },
};

/** An API server notices a new policy after a moment. */
async function policiesWork(lab: Lab): Promise<void> {
  for (const { name, args, object, refused } of [ofComposition[0]!, ofLimits()[0]!, ofDeletion[0]!])
    await until(`the policies refuse ${name}`, { seconds: 60 }, async () => {
      const { ok, output } = await asTenant(lab, [...args, '--dry-run=server'], object);
      return !ok && refused.test(output) ? { found: true } : { yet: output };
    });
}

/** People write lists with and without a space after the comma. */
async function flavorsWithSpaces(lab: Lab): Promise<void> {
  const flavors = (value: string): Promise<string> =>
    lab.kubectl('annotate', 'namespace', TEAM, `slipway.dev/flavors=${value}`, '--overwrite');
  const claim = aCluster({});
  await flavors('azure, aws');
  await until('the second flavor of the list is accepted', { seconds: 30 }, async () => {
    const { ok, output } = await asTenant(lab, ['apply', '--dry-run=server', '-f', '-'], claim);
    return ok ? { found: true } : { yet: output };
  });
  await flavors('aws');
}

/** The API server cannot compare an override with the list of a Composition: the function does, before it composes. */
async function overridesAreRefused(lab: Lab): Promise<void> {
  const everything = '{"Statement":[{"Action":"*","Effect":"Allow","Resource":"*"}],"Version":"2012-10-17"}';
  const overrides = [{ kind: 'RolePolicy', patch: { spec: { forProvider: { policy: everything } } } }];
  const claim = aCluster({ infrastructure: { overrides } });
  const applied = await asTenant(lab, ['apply', '-f', '-'], claim);
  hold('an override is stored', applied.ok, applied.output);
  await until('the function refuses it', { seconds: 60 }, async () => {
    const message = condition(await lab.api.get(clusterRef('greedy')), 'ClaimAccepted')?.['message'];
    return typeof message === 'string' && message.includes('may not be overridden; accepted for RolePolicy:')
      ? { found: true }
      : { yet: JSON.stringify(message) };
  });
  const policies = await lab.api.list({
    apiVersion: 'iam.aws.m.upbound.io/v1beta1',
    kind: 'RolePolicy',
    namespace: TEAM,
  });
  hold(
    'nothing of it is composed',
    policies.every(({ metadata }) => metadata?.name?.startsWith('prod-') === true),
  );
  await asTenant(lab, ['delete', 'cluster.slipway.dev', 'greedy', '--wait=false']);
  await until('it is deleted', { seconds: 60 }, async () => {
    const found = await lab.api.find(clusterRef('greedy'));
    return found === undefined ? { found: true } : { yet: 'Cluster greedy is still there' };
  });
}

/** The API server does not know the catalog, which may be in an EnvironmentConfig: the function does. */
async function unknownClassIsRefused(lab: Lab): Promise<void> {
  const names = async () => (await machinesOf(lab, POOL)).map(nameOf).toSorted().join();
  const [pool, before] = [await lab.api.get(poolRef(POOL)), await names()];
  const machine = pool.spec?.['machine'];
  const said = await asTenant(lab, patch('nodepool', POOL, { machine: { class: 'p5.48xlarge' } }));
  hold('a class that nobody offers is stored', said.ok, said.output);
  await until('the function refuses the class', { seconds: 60 }, async () => {
    const message = condition(await lab.api.get(poolRef(POOL)), 'ClaimAccepted')?.['message'];
    return typeof message === 'string' && message.includes('spec.machine.class: "p5.48xlarge" is not accepted')
      ? { found: true }
      : { yet: JSON.stringify(message) };
  });
  hold('its machines are as they were', (await names()) === before);
  const back = await asTenant(lab, patch('nodepool', POOL, { machine }));
  hold('the class is taken back', back.ok, back.output);
}

/** The older way: one Composition for everyone. Crossplane keeps it until it next reads the package of the XRD. */
async function enforced(lab: Lab): Promise<void> {
  const ref = { name: 'nodepools.aws.slipway.dev' };
  await lab.kubectl(
    'patch',
    'xrd',
    XRD,
    '--type=merge',
    `--patch=${JSON.stringify({ spec: { enforcedCompositionRef: ref } })}`,
  );
  const claim = poolClaim('prod-enforced', FLAVOUR_OF_OTHERS);
  await lab.api.apply(claim);
  await until('Crossplane chooses the enforced Composition', { seconds: 60 }, async () => {
    const composition = compositionOf(await lab.api.get(poolRef('prod-enforced')));
    return composition === ref.name ? { found: true } : { yet: composition ?? 'none' };
  });
  await lab.api.delete(poolRef('prod-enforced'));
  await until('the pool is deleted', { seconds: 60 }, async () => {
    const found = await lab.api.find(poolRef('prod-enforced'));
    return found === undefined ? { found: true } : { yet: 'NodePool prod-enforced is still there' };
  });
  await lab.kubectl(
    'patch',
    'xrd',
    XRD,
    '--type=json',
    '--patch=[{"op":"remove","path":"/spec/enforcedCompositionRef"}]',
  );
}

async function mayWork(lab: Lab): Promise<void> {
  for (const replicas of [3, 2]) await scales(lab, replicas);
  await scalesWithoutReplicas(lab);
  await replacesMachine(lab);
}

async function scales(lab: Lab, replicas: number): Promise<void> {
  const said = await asTenant(lab, ['scale', `nodepool.slipway.dev/${POOL}`, `--replicas=${replicas}`]);
  hold('the team scales its pool', said.ok, said.output);
  await poolSettles(lab, POOL, replicas, 180);
}

/** A claim without the field belongs to whoever scales; without anybody, it keeps its size. */
async function scalesWithoutReplicas(lab: Lab): Promise<void> {
  const removed = await asTenant(lab, patch('nodepool', POOL, { replicas: null }));
  hold('the team takes replicas out of its claim', removed.ok, removed.output);
  await until('the pool keeps its size', { seconds: 60 }, async () => {
    const pool = await lab.api.get(poolRef(POOL));
    return pool.spec?.['replicas'] === undefined && statusNumber(pool, 'keptReplicas') === 2
      ? { found: true }
      : { yet: JSON.stringify(pool.spec?.['replicas']) };
  });
  await poolSettles(lab, POOL, 2, 60);
  await scales(lab, 3);
  await scales(lab, 2);
}

/** People delete a Machine that misbehaves. */
async function replacesMachine(lab: Lab): Promise<void> {
  const name = nameOf((await machinesOf(lab, POOL))[0]!);
  const deleted = await asTenant(lab, ['delete', 'machine.slipway.dev', name, '--wait=false']);
  hold('the team deletes a Machine', deleted.ok, deleted.output);
  await machineGoes(lab, POOL, name);
  await poolSettles(lab, POOL, 2, 180);
  await drainedFirst(lab, [name]);
}

function poolClaim(name: string, flavor: string): KubeObject {
  const example = documents('examples/aws/node-pools.yaml').find(({ kind }) => kind === 'NodePool')!;
  const selector = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': flavor } } };
  return {
    ...example,
    metadata: { name, namespace: TEAM },
    spec: { ...example.spec, replicas: 0, crossplane: selector },
  };
}

async function asTenant(
  { binaries, kubernetes }: Lab,
  args: readonly string[],
  object?: object,
): Promise<{ readonly ok: boolean; readonly output: string }> {
  const env = { ...process.env, KUBECONFIG: kubernetes.kubeconfig, NO_COLOR: '1' };
  const all = [...PERSON, ...(args.includes('--namespace=default') ? [] : [`--namespace=${TEAM}`]), ...args];
  const running = promisify(execFile)(binaries.kubectl, all, { env, timeout: 300_000 });
  if (object !== undefined) running.child.stdin?.end(stringify(object));
  try {
    const { stdout } = await running;
    return { ok: true, output: stdout };
  } catch (thrown) {
    const { stderr = '' } = thrown as { readonly stderr?: string };
    return { ok: false, output: stderr.trim() };
  }
}
