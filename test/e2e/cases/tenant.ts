/**
 * A person of a team with nothing but the documented role, and the documented policies installed: what the team may do
 * works, and what it may not is refused, by the API server where it can know, and otherwise by a function.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { condition } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import { clusterRef, compositionOf, documents, poolRef, poolSettles, TEAM } from './scene.ts';

const PERSON = ['--as=alice', '--as-group=team-a', '--as-group=system:authenticated'] as const;
const FLAVOUR_OF_OTHERS = 'minimal';
const XRD = 'nodepools.slipway.dev';

interface Attempt {
  readonly name: string;
  readonly args: readonly string[];
  /** Applied from standard input. */
  readonly object?: object;
  readonly refused: RegExp;
}

export const tenantCase: Case = {
  name: 'tenant',
  after: ['claim'],
  async run(lab) {
    const before = await lab.api.get(clusterRef('prod'));
    await policiesWork(lab);
    const attempts = [...ofComposition, ...ofLimits(), ...ofRights()];
    const accepted: string[] = [];
    for (const attempt of attempts) {
      const said = await asTenant(lab, attempt.args, attempt.object);
      if (said.ok || !attempt.refused.test(said.output)) accepted.push(`${attempt.name}: ${said.output}`);
    }
    hold('every attempt is refused with its reason', accepted.length === 0, accepted.join('; '));
    await overridesAreRefused(lab);
    await enforced(lab);
    const after = await lab.api.get(clusterRef('prod'));
    hold('the cluster is as it was', JSON.stringify(after.spec) === JSON.stringify(before.spec));
    await mayWork(lab);
    return `${attempts.length} attempts refused at the API, one by the function; scaling allowed`;
  },
};

const patch = (kind: string, name: string, spec: JsonObject): readonly string[] => [
  'patch',
  `${kind}.slipway.dev`,
  name,
  '--type=merge',
  `--patch=${JSON.stringify({ spec })}`,
];

const byPlatform = /only the platform team may/;
const crossplane = (fields: JsonObject): readonly string[] => patch('cluster', 'prod', { crossplane: fields });

const ofComposition: readonly Attempt[] = [
  {
    name: 'an older revision, with older limits',
    args: crossplane({ compositionRevisionRef: { name: 'clusters.aws.slipway.dev-1' } }),
    refused: byPlatform,
  },
  { name: 'no newer revision', args: crossplane({ compositionUpdatePolicy: 'Manual' }), refused: byPlatform },
  {
    name: 'another Composition by name',
    args: crossplane({ compositionRef: { name: 'clusters.minimal.slipway.dev' } }),
    refused: byPlatform,
  },
  { name: 'to let composed resources be forgotten', args: crossplane({ resourceRefs: [] }), refused: byPlatform },
  {
    name: 'a flavor of another team',
    args: crossplane({ compositionSelector: { matchLabels: { 'slipway.dev/flavor': FLAVOUR_OF_OTHERS } } }),
    refused: /"minimal" is not accepted; accepted: aws; the platform team may allow it in the annotation/,
  },
];

function ofLimits(): readonly Attempt[] {
  const general = (spec: JsonObject): readonly string[] => patch('nodepool', 'prod-general', spec);
  const existing = { network: { id: 'vpc-of-others' }, subnets: [{ id: 'subnet-1', zone: 'eu-west-1a' }] };
  return [
    {
      name: 'the network of another team',
      args: ['apply', '-f', '-'],
      object: aCluster({ infrastructure: { existing } }),
      refused: /"vpc-of-others" is not accepted; the platform team may allow it in limits.networks in ClusterInput/,
    },
    {
      name: 'more machines than the platform pays for',
      args: general({ replicas: 1001 }),
      refused: /1001 is not accepted; accepted: at most 1000; the platform team may raise limits.replicas/,
    },
    {
      name: 'a size that is not offered',
      args: general({ machine: { class: 'p5.48xlarge' } }),
      refused: /"p5.48xlarge" is not accepted; the platform team may allow it in limits.sizes/,
    },
    {
      name: 'an instance type that is not offered',
      args: general({ machine: { class: null, instanceType: 'p5.48xlarge' } }),
      refused: /"p5.48xlarge" is not accepted; the platform team may allow it in limits.sizes/,
    },
    {
      name: 'a disk in clear',
      args: general({ machine: { rootDisk: { encrypted: false } } }),
      refused: /false is not accepted; the platform team may allow it in limits.encryptedDisks/,
    },
  ];
}

function ofRights(): readonly Attempt[] {
  const forbidden = /forbidden: User "alice" cannot/;
  const at = (metadata: JsonObject) => ({ metadata: { namespace: TEAM, ...metadata } });
  return [
    { name: 'the keys of the cluster', args: ['get', 'secret', 'prod-ca'], refused: forbidden },
    { name: 'the account', args: ['get', 'secret', 'aws-credentials'], refused: forbidden },
    {
      name: 'a role of machines',
      args: ['patch', 'rolepolicy.iam.aws.m.upbound.io', 'prod-policy-node', '--type=merge', '--patch={"spec":{}}'],
      refused: forbidden,
    },
    {
      name: 'a managed resource of its own',
      args: ['create', '-f', '-'],
      object: {
        apiVersion: 'iam.aws.m.upbound.io/v1beta1',
        kind: 'Role',
        ...at({ name: 'mine' }),
        spec: { forProvider: {} },
      },
      refused: forbidden,
    },
    {
      name: 'another account',
      args: ['create', '-f', '-'],
      object: {
        apiVersion: 'aws.m.upbound.io/v1beta1',
        kind: 'ProviderConfig',
        ...at({ name: 'mine' }),
        spec: { credentials: { source: 'None' } },
      },
      refused: forbidden,
    },
    {
      name: 'a Machine beside its pools',
      args: ['create', '-f', '-'],
      object: { apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine', ...at({ name: 'mine' }), spec: {} },
      refused: forbidden,
    },
    {
      name: 'other flavors for its namespace',
      args: ['annotate', 'namespace', TEAM, 'slipway.dev/flavors=minimal', '--overwrite'],
      refused: forbidden,
    },
    {
      name: 'the status of its claim',
      args: ['patch', 'cluster.slipway.dev', 'prod', '--subresource=status', '--type=merge', '--patch={"status":{}}'],
      refused: forbidden,
    },
    { name: 'claims of another team', args: ['get', 'cluster.slipway.dev', '--namespace=default'], refused: forbidden },
  ];
}

/** An API server notices a new policy after a moment. */
async function policiesWork(lab: Lab): Promise<void> {
  const [first, last] = [ofComposition[0]!, ofLimits()[0]!];
  for (const { name, args, object, refused } of [first, last])
    await until(`the policies refuse ${name}`, { seconds: 60 }, async () => {
      const { ok, output } = await asTenant(lab, [...args, '--dry-run=server'], object);
      return !ok && refused.test(output) ? { found: true } : { yet: output };
    });
}

/** The API server cannot compare an override with the list of a Composition: the function does, before it composes. */
async function overridesAreRefused(lab: Lab): Promise<void> {
  const everything = '{"Statement":[{"Action":"*","Effect":"Allow","Resource":"*"}],"Version":"2012-10-17"}';
  const overrides = [{ kind: 'RolePolicy', patch: { spec: { forProvider: { policy: everything } } } }];
  const claim = aCluster({ infrastructure: { overrides } });
  const applied = await asTenant(lab, ['apply', '-f', '-'], claim);
  hold('an override is stored', applied.ok, applied.output);
  await until('the function refuses it', { seconds: 60 }, async () => {
    const message = condition(await lab.api.get(clusterRef('greedy')), 'Synced')?.['message'];
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
  for (const replicas of [3, 2]) {
    const said = await asTenant(lab, ['scale', 'nodepool.slipway.dev/prod-memory', `--replicas=${replicas}`]);
    hold('the team scales its pool', said.ok, said.output);
    await poolSettles(lab, 'prod-memory', replicas, 180);
  }
}

function aCluster(spec: JsonObject): KubeObject {
  const example = documents('examples/aws/cluster.yaml').find(({ kind }) => kind === 'Cluster')!;
  return { ...example, metadata: { name: 'greedy', namespace: TEAM }, spec: { ...example.spec, ...spec } };
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
  const running = promisify(execFile)(binaries.kubectl, all, { env, timeout: 120_000 });
  if (object !== undefined) running.child.stdin?.end(stringify(object));
  try {
    const { stdout } = await running;
    return { ok: true, output: stdout };
  } catch (thrown) {
    const { stderr = '' } = thrown as { readonly stderr?: string };
    return { ok: false, output: stderr.trim() };
  }
}
