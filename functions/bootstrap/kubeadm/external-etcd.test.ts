import { describe, expect, test } from 'vitest';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { clusterLabels } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster, withStatus } from '../../../test/support/claims.ts';
import { anEtcd, EXTERNAL_ETCD, suppliedSecret } from '../../../test/support/external-etcd.ts';
import { aBootstrappedCluster, machineOf, machineRequest } from '../../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { masked } from '../masked.fixture.ts';

const OURS = ['ca', 'proxy-ca', 'sa', 'encryption'];
const KEYS = ['ca', 'encryption', 'etcd-ca', 'etcd-client', 'proxy-ca', 'sa'];
const spec = { bootstrap: { config: EXTERNAL_ETCD } };
const nothing = Object.fromEntries(KEYS.map((key) => [key, []]));

const etcd = await anEtcd();
const theirs = { 'etcd-ca': [etcd['etcd-ca']], 'etcd-client': [etcd['etcd-client']] };
const made = await aBootstrappedCluster({ spec, supplied: etcd });

async function refused(request: Request): Promise<string> {
  const error = await replyOf(run, request).catch((thrown: unknown) => thrown);
  if (!(error instanceof SlipwayError)) throw new Error(`it was not refused: ${JSON.stringify(error)}`);
  return `${error.code}: ${error.message}`;
}

describe('Secrets of a cluster with external etcd', () => {
  const answer = (required: Readonly<Record<string, readonly KubeObject[]>>, status: JsonObject = {}) =>
    replyOf(run, aRequest({ composite: aCluster({ spec, status }), required }));
  const condition = ({ conditions }: Awaited<ReturnType<typeof answer>>) =>
    conditions.find(({ type }) => type === 'CertificatesAvailable');

  test('are requested under the names of Cluster API, or those of the claim', async () => {
    const names = async (config: JsonObject) => {
      const { requirements } = await replyOf(
        run,
        aRequest({ composite: aCluster({ spec: { bootstrap: { config } }, status: {} }) }),
      );
      return [requirements.get('etcd-ca')?.matchName, requirements.get('etcd-client')?.matchName];
    };
    expect(await names(EXTERNAL_ETCD)).toEqual(['prod-etcd', 'prod-apiserver-etcd-client']);
    const external = { ...EXTERNAL_ETCD.etcd.external, caSecret: 'corp-etcd', clientSecret: 'corp-etcd-prod' };
    expect(await names({ etcd: { external } })).toEqual(['corp-etcd', 'corp-etcd-prod']);
  });

  test('the cluster waits for supplied Secrets, by name, and creates all others; nothing is recorded before', async () => {
    const reply = await answer({ ...nothing, 'etcd-ca': theirs['etcd-ca'] });
    expect([...reply.resources.keys()]).toEqual([...OURS, 'node-provider-config']);
    expect(condition(reply)).toEqual({
      type: 'CertificatesAvailable',
      status: 'False',
      reason: 'WaitingForSecret',
      message: 'waiting for Secrets that you must supply: "team-a/prod-apiserver-etcd-client"',
    });
    expect(reply.status).toEqual({});
    expect(condition(await answer(nothing))?.message).toContain(
      '"team-a/prod-etcd", "team-a/prod-apiserver-etcd-client"',
    );
  });

  test('are complete with the supplied ones, which are read and never composed', async () => {
    const { 'etcd-ca': _ca, 'etcd-client': _client, ...ours } = made.secrets;
    const composite = aCluster({ spec, status: { certificates: made.cluster.status?.['certificates'] } });
    const request = aRequest({ composite, observed: ours, required: theirs });
    const reply = await replyOf(run, request);
    expect([...reply.resources.keys()]).toEqual([...OURS, 'node-provider-config']);
    expect(condition(reply)?.status).toBe('True');
    expect(reply.status).toMatchObject({ certificates: { etcd: 'External' } });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  });

  describe('with names of the claim', () => {
    const external = { ...EXTERNAL_ETCD.etcd.external, caSecret: 'corp-etcd', clientSecret: 'other-ca' };
    const config = { etcd: { external } };
    const named = (key: keyof typeof theirs, name: string, labels: Record<string, string> = {}): KubeObject => ({
      ...etcd[key],
      metadata: { name, namespace: 'team-a', labels },
    });
    const ca = named('etcd-ca', 'corp-etcd', { 'slipway.dev/cluster': 'prod' });
    const cases = [
      {
        why: 'no label allows Cluster "prod" to use it; if it may: kubectl label secret other-ca --namespace team-a slipway.dev/cluster=prod',
        client: named('etcd-client', 'other-ca'),
      },
      {
        why: 'its label slipway.dev/cluster says that it belongs to Cluster "other"',
        client: named('etcd-client', 'other-ca', { ...clusterLabels('other') }),
      },
    ];
    const line = (why: string): string => `UnreadableSecret: cannot use Secret "team-a/other-ca": ${why}`;

    test.for(cases)('are refused: $why', async ({ why, client }) => {
      const composite = aCluster({ spec: { bootstrap: { config } }, status: {} });
      const required = { ...nothing, 'etcd-ca': [ca], 'etcd-client': [client] };
      expect(await refused(aRequest({ composite, required }))).toBe(line(why));
    });

    test.for(cases)('are refused for a machine that names others than its Cluster: $why', async ({ why, client }) => {
      const machine = machineRequest(made, machineOf('control-plane', {}, config));
      const required = new Map([...machine.required, ['etcd-ca', [ca]], ['etcd-client', [client]]] as const);
      expect(await refused({ ...machine, required })).toBe(line(why));
    });

    test('are used if their label names the Cluster', async () => {
      const client = named('etcd-client', 'other-ca', { 'slipway.dev/cluster': 'prod' });
      const { cluster } = await aBootstrappedCluster({
        spec: { bootstrap: { config } },
        supplied: { 'etcd-ca': ca, 'etcd-client': client },
      });
      expect(cluster.status).toMatchObject({ certificates: { secrets: { 'etcd-client': { name: 'other-ca' } } } });
    });

    const { 'etcd-ca': _ca, 'etcd-client': _client, ...ours } = made.secrets;
    /** A Cluster that used both with an earlier release, which asked for no label. */
    const using = () => {
      const certificates = made.cluster.status?.['certificates'] as JsonObject;
      const secrets = {
        ...(certificates['secrets'] as JsonObject),
        'etcd-ca': { name: 'corp-etcd', origin: 'Supplied' },
        'etcd-client': { name: 'other-ca', origin: 'Supplied' },
      };
      const status = { certificates: { ...certificates, secrets } };
      return aCluster({ spec: { bootstrap: { config } }, status: { ...made.cluster.status, ...status } });
    };
    const unlabelled = named('etcd-ca', 'corp-etcd');

    test('stay without a label if the Cluster already uses them, since earlier releases asked for none', async () => {
      const required = { 'etcd-ca': [unlabelled], 'etcd-client': [named('etcd-client', 'other-ca')] };
      const reply = await replyOf(run, aRequest({ composite: using(), observed: ours, required }));
      expect(condition(reply)?.status).toBe('True');
    });

    test('are refused once their label names another cluster, also if the Cluster uses them: their data may have changed', async () => {
      const { why, client } = cases[1]!;
      const required = { 'etcd-ca': [unlabelled], 'etcd-client': [client] };
      expect(await refused(aRequest({ composite: using(), observed: ours, required }))).toBe(line(why));
      const machine = machineRequest({ ...made, cluster: using() }, machineOf('control-plane', {}, config));
      const theirs = new Map([...machine.required, ...Object.entries(required)]);
      expect(await refused({ ...machine, required: theirs })).toBe(line(why));
    });
  });

  test('with the names of Cluster API are refused if they belong to another cluster', async () => {
    const client = { ...etcd['etcd-client'] };
    const metadata = { ...client.metadata, labels: { 'cluster.x-k8s.io/cluster-name': 'other' } };
    const composite = aCluster({ spec, status: {} });
    const required = { ...nothing, ...theirs, 'etcd-client': [{ ...client, metadata }] };
    expect(await refused(aRequest({ composite, required }))).toBe(
      'UnreadableSecret: cannot use Secret "team-a/prod-apiserver-etcd-client": its label slipway.dev/cluster says that it belongs to Cluster "other"',
    );
  });

  test('a recorded Secret that is missing is an error, also for the machines', async () => {
    const { 'etcd-ca': _ca, 'etcd-client': _client, ...ours } = made.secrets;
    const composite = aCluster({ spec, status: { certificates: made.cluster.status?.['certificates'] } });
    const cause = 'it does not exist; supply it, since Slipway never creates it';
    expect(await refused(aRequest({ composite, observed: ours, required: { ...theirs, 'etcd-client': [] } }))).toBe(
      `UnreadableSecret: cannot read Secret "team-a/prod-apiserver-etcd-client": ${cause}`,
    );
    const machine = machineRequest(made, machineOf('control-plane', {}, EXTERNAL_ETCD));
    expect(await refused({ ...machine, required: new Map([...machine.required, ['etcd-ca', []]]) })).toBe(
      `UnreadableSecret: cannot use Secret "team-a/prod-etcd": ${cause}`,
    );
  });

  test.for<{ key: 'etcd-ca' | 'etcd-client'; data: Record<string, string>; want: string }>([
    { key: 'etcd-ca', data: {}, want: 'it has no key tls.crt' },
    { key: 'etcd-ca', data: { 'tls.crt': 'fake' }, want: 'tls.crt is not a certificate in PEM' },
    {
      key: 'etcd-ca',
      data: { 'tls.crt': textOf(etcd['etcd-client'], 'tls.crt') },
      want: 'tls.crt is not a certificate authority',
    },
    {
      key: 'etcd-client',
      data: { 'tls.crt': textOf(etcd['etcd-client'], 'tls.crt') },
      want: 'it has no key tls.key',
    },
    {
      key: 'etcd-client',
      data: { 'tls.crt': textOf(etcd['etcd-ca'], 'tls.crt'), 'tls.key': textOf(etcd['etcd-client'], 'tls.key') },
      want: 'tls.key does not belong to tls.crt',
    },
  ])('$key with wrong content is reported with its Secret: $want', async ({ key, data, want }) => {
    const name = etcd[key].metadata?.name ?? '';
    const required = { ...nothing, ...theirs, [key]: [suppliedSecret(name, data)] };
    const error = await refused(aRequest({ composite: aCluster({ spec, status: {} }), required }));
    expect(error).toBe(`UnreadableSecret: cannot use Secret "team-a/${name}": ${want}`);
  });
});

describe('a machine with external etcd', async () => {
  const starting = await aBootstrappedCluster({ spec, supplied: etcd, initialized: false });
  const planOf = async (kind: 'init' | 'control-plane' | 'worker') => {
    const request = machineRequest(kind === 'init' ? starting : made, machineOf(kind, {}, EXTERNAL_ETCD));
    return ScriptedPlan.parse((await replyOf(run, request)).context['slipway.dev/bootstrap-plan']);
  };

  test.for(['init', 'control-plane'] as const)('%s is a client of it', async (kind) => {
    await expect(masked(await planOf(kind))).toMatchFileSnapshot(`../golden/${kind}-external-etcd.yaml`);
  });

  test('no control plane has a key of the authority of etcd, also where it is supplied', async () => {
    const ca = suppliedSecret('prod-etcd', { 'tls.crt': textOf(etcd['etcd-ca'], 'tls.crt'), 'tls.key': 'fake' });
    const machine = machineRequest(made, machineOf('control-plane', {}, EXTERNAL_ETCD));
    const reply = await replyOf(run, { ...machine, required: new Map([...machine.required, ['etcd-ca', [ca]]]) });
    const { files } = ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
    const paths = files
      .map(({ path }) => path.replace('/etc/kubernetes/pki/', ''))
      .filter((path) => !path.includes('/etc'));
    expect(paths).toEqual(
      expect.arrayContaining(['etcd/ca.crt', 'apiserver-etcd-client.crt', 'apiserver-etcd-client.key']),
    );
    expect(paths).not.toContain('etcd/ca.key');
  });

  test('a control plane whose cluster has local etcd is refused, though all Secrets for external etcd exist', async () => {
    const certificates = { ...(made.cluster.status?.['certificates'] as JsonObject), etcd: 'Local' };
    const cluster = withStatus(made.cluster, { certificates });
    const machine = machineRequest({ ...made, cluster }, machineOf('control-plane', {}, EXTERNAL_ETCD));
    expect(await refused(machine)).toMatch(
      /^InvalidClaim: cannot accept Machine .* etcd cannot move after certificates are created; accepted: nothing$/,
    );
  });

  test('a worker has no settings of etcd', async () => {
    expect(JSON.stringify(await planOf('worker'))).not.toMatch(/etcd/);
  });
});

function textOf(secret: KubeObject, key: string): string {
  return Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();
}
