/** Supplied authorities, in the format of Cluster API: read, never composed, never created again. */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { newIssuer } from '../../test/support/authority.ts';
import { aCluster } from '../../test/support/claims.ts';
import { suppliedSecret } from '../../test/support/external-etcd.ts';
import { aBootstrappedCluster, ENDPOINT, machineOf, machineRequest } from '../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';

const KUBEADM = { ca: 'prod-ca', 'etcd-ca': 'prod-etcd', 'proxy-ca': 'prod-proxy' };
const RANCHER = { ...KUBEADM, 'client-ca': 'prod-cca', 'etcd-peer-ca': 'prod-peer-etcd' };
const NO_KEY = 'it has no key tls.key; supply the private key of tls.crt: control planes sign with it';

interface Room {
  readonly provider: string;
  /** Names of Secrets by requirement name. */
  readonly authorities: Readonly<Record<string, string>>;
  /** What a joining control plane receives while the keys are not in the management cluster. */
  readonly joins: unknown;
}

const PLANNED = ['slipway.dev/bootstrap-plan'];
const REFUSED = `SlipwayError: cannot use Secret "team-a/prod-ca": ${NO_KEY}`;

const ROOMS: readonly Room[] = [
  { provider: 'kubeadm', authorities: KUBEADM, joins: REFUSED },
  { provider: 'k0s', authorities: KUBEADM, joins: REFUSED },
  { provider: 'k3s', authorities: RANCHER, joins: PLANNED },
  { provider: 'rke2', authorities: RANCHER, joins: PLANNED },
  { provider: 'talos', authorities: KUBEADM, joins: REFUSED },
  { provider: 'microk8s', authorities: { ca: 'prod-ca' }, joins: PLANNED },
];

const corp = await newIssuer('corp', 'RSA');
const other = await newIssuer('other', 'ECDSA');
const PAIR = { 'tls.crt': corp.cert, 'tls.key': corp.key };

/** Texts in place of a private key, as people mistake them for one, or damage one. */
const NO_KEYS = {
  word: 'fake',
  line: '\n',
  'no PEM': corp.key.replaceAll(/-----.*-----\n/g, ''),
  'a certificate': corp.cert,
  'its public key': createPublicKey(corp.key).export({ type: 'spki', format: 'pem' }).toString(),
  'cut off': corp.key.slice(0, corp.key.length / 2),
  'other content': '-----BEGIN PRIVATE KEY-----\nZmFrZQ==\n-----END PRIVATE KEY-----\n',
  'an encrypted key': createPrivateKey(corp.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'fake' })
    .toString(),
  bytes: '\u0000\u0001\ufffd',
};

type Secrets = Readonly<Record<string, KubeObject>>;

const suppliedBy = (names: Readonly<Record<string, string>>): Secrets =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, suppliedSecret(name, PAIR)]));
const lists = (secrets: Secrets) => Object.fromEntries(Object.entries(secrets).map(([key, one]) => [key, [one]]));
const textOf = (secret: KubeObject | undefined, key: string) =>
  Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();
const condition = ({ conditions }: ReplyData) => conditions.find(({ type }) => type === 'CertificatesAvailable');

async function refused(request: Request): Promise<string> {
  const error = await replyOf(run, request).catch((thrown: unknown) => thrown);
  if (!(error instanceof SlipwayError)) throw new Error(`it was not refused: ${JSON.stringify(error)}`);
  return `${error.code}: ${error.message}`;
}

describe.for(ROOMS)('$provider: supplied authorities', async ({ provider, authorities }) => {
  const spec = { bootstrap: { provider } };
  const theirs = suppliedBy(authorities);
  const names = Object.keys(authorities);
  const { secrets, cluster } = await aBootstrappedCluster({ spec, supplied: theirs });
  const ours = Object.fromEntries(Object.entries(secrets).filter(([key]) => !(key in theirs)));
  const absent = Object.fromEntries(Object.keys(secrets).map((key) => [key, []]));
  const known = { certificates: (cluster.status?.['certificates'] ?? {}) as JsonObject };
  const at = (status: JsonObject) => aCluster({ spec, status });

  test('are never composed, and all other Secrets are', async () => {
    const complete = { ...known, controlPlaneEndpoint: ENDPOINT, controlPlane: { initialized: true } };
    const stages: readonly Request[] = [
      aRequest({ composite: at({}) }),
      aRequest({ composite: at({}), required: { ...absent, ...lists(theirs) } }),
      aRequest({ composite: at({}), required: lists(theirs), observed: ours }),
      aRequest({ composite: at(known), required: lists(theirs), observed: ours }),
      aRequest({ composite: at(complete), required: lists(theirs), observed: ours }),
    ];
    for (const stage of stages) {
      const reply = await replyOf(run, stage);
      for (const key of names) expect([...reply.resources.keys()]).not.toContain(key);
    }
    const last = stages.at(-1)!;
    const { resources, compositeReady } = await replyOf(run, last, '2029-01-01T00:00:00Z');
    expect([...resources.keys()]).toEqual(
      expect.arrayContaining([...Object.keys(ours), 'node-provider-config', 'kubeconfig']),
    );
    expect(compositeReady).toBe('Unspecified');
    const kubeconfig = parse(textOf(resources.get('kubeconfig')?.resource, 'value')) as {
      clusters: { cluster: Record<string, string> }[];
    };
    const trusted = kubeconfig.clusters[0]!.cluster['certificate-authority-data'] ?? '';
    expect(Buffer.from(trusted, 'base64').toString()).toBe(corp.cert);
  });

  test('reach the machine that starts the cluster unchanged', async () => {
    const starting = await aBootstrappedCluster({ spec, supplied: theirs, initialized: false });
    const reply = await replyOf(run, machineRequest(starting, machineOf('init', {}, {}, provider)));
    const plan = JSON.stringify(reply.context['slipway.dev/bootstrap-plan']);
    for (const text of [corp.cert, corp.key]) expect(plan).toContain(Buffer.from(text).toString('base64'));
  });

  test.for(
    names.flatMap((key) => [
      {
        key,
        data: { ...PAIR, 'tls.crt': 'fake' },
        want: 'tls.crt is not a certificate in PEM',
        initialized: true,
      },
      { key, data: { ...PAIR, 'tls.key': other.key }, want: 'tls.key does not belong to tls.crt', initialized: false },
      {
        key,
        data: { 'tls.crt': corp.cert },
        want: NO_KEY,
        initialized: false,
      },
      ...[true, false].flatMap((initialized) =>
        Object.entries(NO_KEYS).map(([what, text]) => ({
          key,
          data: { ...PAIR, 'tls.key': text },
          want: 'tls.key is not a private key in PEM',
          what,
          initialized,
        })),
      ),
    ]),
  )('$key is refused with its Secret and its key: $want', async ({ key, data, want, initialized }) => {
    const spoilt = suppliedSecret(authorities[key] ?? '', data);
    const status = { ...(initialized ? known : {}), controlPlane: { initialized } };
    const required = { ...lists(theirs), [key]: [spoilt] };
    expect(await refused(aRequest({ composite: at(status), required, observed: ours }))).toBe(
      `UnreadableSecret: cannot use Secret "team-a/${authorities[key]}": ${want}`,
    );
  });
});

/** Marks of a Secret that a person writes beside the Cluster: docs and tools of Cluster API show each. */
const LABELS: readonly JsonObject[] = [
  {},
  { 'cluster.x-k8s.io/cluster-name': 'prod' },
  { 'slipway.dev/cluster': 'prod' },
  { 'slipway.dev/cluster': 'prod', 'cluster.x-k8s.io/cluster-name': 'prod', 'app.kubernetes.io/managed-by': 'Helm' },
];

test.for(['kubeadm', 'k0s', 'k3s', 'rke2', 'talos', 'microk8s', 'canonical-kubernetes'])(
  '%s: each Secret may be there before its Cluster, with any label that names it and any type',
  async (provider) => {
    const spec = { bootstrap: { provider } };
    const { secrets } = await aBootstrappedCluster({ spec });
    for (const labels of LABELS)
      for (const type of ['Opaque', 'kubernetes.io/tls', 'cluster.x-k8s.io/secret'])
        for (const [key, { data, metadata }] of Object.entries(secrets)) {
          const { name = '', namespace = '' } = metadata ?? {};
          const theirs = { apiVersion: 'v1', kind: 'Secret', type, metadata: { name, namespace, labels }, data };
          const { [key]: _theirs, ...ours } = secrets;
          const composite = aCluster({ spec, status: {} });
          const reply = await replyOf(
            run,
            aRequest({ composite, observed: ours, required: { [key]: [theirs as KubeObject] } }),
          );
          expect([...reply.resources.keys()], name).not.toContain(key);
          expect(reply.events.map(({ reason }) => reason)).toEqual(['SecretSupplied']);
          expect(at(reply.status, 'certificates', 'secrets', key, 'origin')).toBe('Supplied');
        }
  },
);

describe.for(ROOMS)('$provider: a Secret for something else', ({ provider, authorities }) => {
  const spec = { bootstrap: { provider } };
  const [key = '', name = ''] = Object.entries(authorities).at(-1) ?? [];

  test('with the name of an authority is refused, and shall be renamed', async () => {
    const labels = { 'slipway.dev/cluster': 'prod' };
    const proxy = suppliedSecret(name, { url: 'http://proxy.example.com:3128' });
    const labelled = { ...proxy, metadata: { ...proxy.metadata, labels } };
    const composite = aCluster({ spec, status: {} });
    expect(await refused(aRequest({ composite, required: { [key]: [labelled] } }))).toBe(
      `UnreadableSecret: cannot use Secret "team-a/${name}": it has no key tls.crt and no key tls.key; the authority of the cluster has this name: rename a Secret for something else`,
    );
  });

  const claimed = (name: string): JsonObject => ({
    ...spec,
    provisioning: { proxy: { httpFrom: { secret: { name, key: 'url' } } } },
  });
  const charting = (name: string): JsonObject => {
    const chart = { repository: 'https://charts.example.com', name: 'ingress', version: '4.1.0' };
    return {
      ...spec,
      addons: [{ name: 'ingress', chart: { ...chart, valuesFrom: [{ secret: { name, key: 'url' } }] } }],
    };
  };

  test.for([
    ['spec.provisioning.proxy.httpFrom', name, claimed(name)],
    ['spec.provisioning.proxy.httpFrom', 'prod-kubeconfig', claimed('prod-kubeconfig')],
    ['spec.addons[0].chart.valuesFrom[0]', name, charting(name)],
  ] as const)('that a new claim names is refused before there is one: %s, %s', async ([field, name, spec]) => {
    expect(await refused(aRequest({ composite: aCluster({ spec, status: {} }) }))).toBe(
      `InvalidClaim: cannot accept Cluster "team-a/prod": ${field}.secret.name: "${name}" is not accepted; accepted: another name, since Secret "${name}" has keys of the cluster itself`,
    );
  });

  test('that an existing claim names holds up nothing', async () => {
    const { secrets } = await aBootstrappedCluster({ spec });
    const composite = aCluster({ spec: claimed(name), status: {} });
    const reply = await replyOf(run, aRequest({ composite, observed: secrets }));
    expect([...reply.resources.keys()]).toEqual(expect.arrayContaining(Object.keys(secrets)));
  });
});

describe.for(ROOMS)(
  '$provider: a key that is removed once the cluster runs',
  async ({ provider, authorities, joins }) => {
    const spec = { bootstrap: { provider } };
    const { secrets, cluster } = await aBootstrappedCluster({ spec, supplied: suppliedBy(authorities) });
    const ours = Object.fromEntries(Object.entries(secrets).filter(([key]) => !(key in authorities)));
    const theirs = Object.fromEntries(
      Object.entries(authorities).map(([key, name]) => [key, suppliedSecret(name, { 'tls.crt': corp.cert })]),
    );
    const issued = await replyOf(
      run,
      aRequest({ composite: cluster, observed: ours, required: lists(suppliedBy(authorities)) }),
    );
    const observed = Object.fromEntries([...issued.resources].map(([key, { resource }]) => [key, resource]));
    const request = aRequest({ composite: cluster, observed, required: lists(theirs) });
    const later = '2027-06-01T00:00:00Z';

    test('removes nothing and issues nothing: existing Secrets stay, however old', async () => {
      const reply = await replyOf(run, request, later);
      expect([...reply.resources].map(([key, { resource }]) => [key, resource])).toEqual(
        expect.arrayContaining(Object.entries(observed).filter(([key]) => key !== 'talosconfig')),
      );
      expect(reply.status).toMatchObject({ certificates: cluster.status?.['certificates'] });
      expect(condition(reply)).toMatchObject({ status: 'True', reason: 'KeyElsewhere' });
      for (const name of Object.values(authorities)) expect(condition(reply)?.message).toContain(`"team-a/${name}"`);
      await expectPure(run, request);
      await expectOrderBlind(run, request);
      await expectNeverSmaller(run, request);
    });

    test('a kubeconfig that cannot be issued is missing, and the Cluster is not ready', async () => {
      const { kubeconfig: _lost, ...rest } = observed;
      const reply = await replyOf(run, aRequest({ composite: cluster, observed: rest, required: lists(theirs) }));
      expect([...reply.resources.keys()]).not.toContain('kubeconfig');
      expect(reply.compositeReady).toBe('False');
    });

    test('workers join, because they know which authority to trust', async () => {
      const plans = await Promise.all(
        [secrets, { ...secrets, ...theirs }].map(async (given) => {
          const worker = machineRequest({ cluster, secrets: given }, machineOf('worker', {}, {}, provider));
          return (await replyOf(run, worker)).context['slipway.dev/bootstrap-plan'];
        }),
      );
      expect(plans[0]).toBeDefined();
      expect(plans[1]).toEqual(plans[0]);
    });

    test('a control plane joins where the first machine passes the keys on, and is refused otherwise, with what to supply', async () => {
      const joining = machineOf('control-plane', {}, {}, provider);
      const outcome = await replyOf(run, machineRequest({ cluster, secrets: { ...secrets, ...theirs } }, joining)).then(
        ({ context }) => Object.keys(context),
        (thrown: unknown) => String(thrown),
      );
      expect(outcome).toEqual(joins);
    });

    test('the kubeconfig is issued again once the key is back', async () => {
      const back = aRequest({ composite: cluster, observed, required: lists(suppliedBy(authorities)) });
      const reply = await replyOf(run, back, later);
      expect(condition(reply)).toMatchObject({ reason: 'Available' });
      const { users } = parse(textOf(reply.resources.get('kubeconfig')?.resource, 'value')) as {
        users: { user: Record<string, string> }[];
      };
      const client = new X509Certificate(Buffer.from(users[0]!.user['client-certificate-data'] ?? '', 'base64'));
      expect(client.validToDate.getTime()).toBeGreaterThan(Date.parse(later));
    });
  },
);

test('losing the key of an authority that was created here is an error, because it cannot be elsewhere', async () => {
  const { secrets, cluster } = await aBootstrappedCluster();
  const ca = suppliedSecret('prod-ca', { 'tls.crt': textOf(secrets['ca'], 'tls.crt') });
  expect(await refused(aRequest({ composite: cluster, observed: { ...secrets, ca } }))).toContain(
    'cannot use Secret "team-a/prod-ca": it has no key tls.key',
  );
});
