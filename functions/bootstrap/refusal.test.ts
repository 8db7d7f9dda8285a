import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { aCluster, aMachine, aNodePool } from '../../test/support/claims.ts';
import { EXTERNAL_ETCD } from '../../test/support/external-etcd.ts';
import {
  aBootstrappedCluster,
  type Bootstrapped,
  machineOf,
  machineRequest,
  ONCE_MADE,
} from '../../test/support/first-boot.ts';
import { aRequest, type RequestParts } from '../../test/support/request.ts';
import type { Request } from '#lib/fn/request.ts';
import { refusedWith } from './plans.fixture.ts';

const ABSENT = Object.fromEntries(ONCE_MADE.map((key) => [key, []]));

const NO_KEY = 'it has no key tls.key; supply the private key of tls.crt: control planes sign with it';

const withData = (secret: KubeObject, data: Readonly<Record<string, string>>): KubeObject => ({
  ...secret,
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});
const textOf = (secret: KubeObject, key: string) =>
  Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();

/** All secret texts of a cluster: tokens, and the lines of its private keys. */
function secretsOf({ secrets }: Bootstrapped): readonly string[] {
  return Object.values(secrets).flatMap((secret) => {
    const data = secret['data'];
    const texts = isJsonObject(data) ? Object.keys(data).map((key) => textOf(secret, key)) : [];
    return texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 15 && !line.startsWith('-----'));
  });
}

describe('a Secret that was created once is never created again', async () => {
  const made = await aBootstrappedCluster();
  const { secrets } = made;
  const other = await aBootstrappedCluster();
  const recorded = aCluster({ status: { certificates: (made.cluster.status ?? {})['certificates'] } });

  test.for(ONCE_MADE)(
    '%s: a recorded Secret that is gone is an error, for the Cluster and for its machines',
    async (key) => {
      const { [key]: _gone, ...rest } = secrets;
      const cluster = await refusedWith(aRequest({ composite: recorded, observed: rest, required: ABSENT }));
      expect(cluster).toMatchObject({
        code: 'UnreadableSecret',
        absentSecrets: [{ namespace: 'team-a', name: secrets[key]!.metadata!.name }],
      });
      expect(cluster.message).toBe(
        `cannot read Secret "team-a/${secrets[key]!.metadata!.name}": it was created and no longer exists; restore it from a backup (docs/restore.md), since Slipway never creates it again`,
      );
      const request = machineRequest(made, machineOf('control-plane'));
      const machine = await refusedWith({ ...request, required: new Map([...request.required, [key, []]]) });
      expect(machine.message).toContain(
        `"team-a/${secrets[key]!.metadata!.name}": it was created and no longer exists`,
      );
    },
  );

  test.for<[string, Partial<RequestParts>]>([
    [
      'a kubeconfig is there',
      { observed: { kubeconfig: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-kubeconfig' } } } },
    ],
    [
      'a kubeconfig was recorded',
      { composite: aCluster({ status: { kubeconfigSecretRef: { name: 'prod-kubeconfig' } } }) },
    ],
    ['the control plane came up', { composite: aCluster({ status: { controlPlane: { initialized: true } } }) }],
    [
      'the control-plane pool knows that it came up',
      { observed: { 'control-plane': { ...aNodePool(), status: { initialized: true } } } },
    ],
  ])(
    'also without the status of the Cluster, when %s, because a restore must not create another cluster over a running one',
    async ([, parts]) => {
      const bare = aCluster({ status: {} });
      const error = await refusedWith(aRequest({ composite: bare, observed: {}, required: ABSENT, ...parts }));
      expect(error.message).toContain('created and no longer exist');
    },
  );

  const cases: readonly {
    readonly name: string;
    readonly key: string;
    readonly spoilt: KubeObject;
    readonly want: string;
  }[] = [
    {
      name: 'no data at all',
      key: 'ca',
      spoilt: { ...secrets['ca']!, data: {} },
      want: 'it has no key tls.crt and no key tls.key',
    },
    {
      name: 'data that is not an object',
      key: 'ca',
      spoilt: { ...secrets['ca']!, data: 'x' },
      want: 'it has no key tls.crt and no key tls.key',
    },
    {
      name: 'a CA without its key',
      key: 'etcd-ca',
      spoilt: withData(secrets['etcd-ca']!, { 'tls.crt': textOf(secrets['etcd-ca']!, 'tls.crt') }),
      want: NO_KEY,
    },
    {
      name: 'an empty key',
      key: 'proxy-ca',
      spoilt: withData(secrets['proxy-ca']!, { 'tls.crt': textOf(secrets['proxy-ca']!, 'tls.crt'), 'tls.key': '' }),
      want: NO_KEY,
    },
    {
      name: 'a certificate with the key of another',
      key: 'ca',
      spoilt: withData(secrets['ca']!, {
        'tls.crt': textOf(secrets['ca']!, 'tls.crt'),
        'tls.key': textOf(secrets['sa']!, 'tls.key'),
      }),
      want: 'tls.key does not belong to tls.crt',
    },
    {
      name: 'text that is not a certificate',
      key: 'ca',
      spoilt: withData(secrets['ca']!, { 'tls.crt': 'x', 'tls.key': textOf(secrets['ca']!, 'tls.key') }),
      want: 'tls.crt is not a certificate in PEM',
    },
    {
      name: 'a certificate instead of a public key',
      key: 'sa',
      spoilt: withData(secrets['sa']!, { 'tls.crt': 'x', 'tls.key': textOf(secrets['sa']!, 'tls.key') }),
      want: 'tls.crt is not a public key in PEM',
    },
  ];

  test.for(cases)(
    '$name is reported with the name of its Secret, and no secret is quoted',
    async ({ key, spoilt, want }) => {
      const request = machineRequest(made, machineOf('control-plane'));
      const errors = [
        await refusedWith(aRequest({ composite: recorded, observed: { ...secrets, [key]: spoilt } })),
        await refusedWith(aRequest({ composite: aCluster({ status: {} }), required: { ...ABSENT, [key]: [spoilt] } })),
        await refusedWith({ ...request, required: new Map([...request.required, [key, [spoilt]]]) }),
      ];
      for (const error of errors) {
        expect(error.code).toBe('UnreadableSecret');
        expect(error.message).toBe(`cannot use Secret "team-a/${secrets[key]!.metadata!.name}": ${want}`);
        for (const secret of secretsOf(made)) expect(error.message.includes(secret)).toBe(false);
      }
    },
  );

  test('a valid CA that is not the recorded one is refused, because it would cut off every node', async () => {
    const swapped = { ...secrets, ca: other.secrets['ca']! };
    const request = machineRequest({ ...made, secrets: swapped }, machineOf('worker'));
    for (const error of [
      await refusedWith(aRequest({ composite: recorded, observed: swapped })),
      await refusedWith(request),
    ]) {
      expect(error.code).toBe('UnreadableSecret');
      expect(error.message).toMatch(/^cannot use Secret "team-a\/prod-ca": it is not the authority/);
    }
  });
});

describe('claims and inputs that are refused', async () => {
  const made = await aBootstrappedCluster();
  const old = await aBootstrappedCluster({ spec: { version: 'v1.21.14' } });
  const cluster = (config: JsonObject): RequestParts => ({
    composite: aCluster({ spec: { bootstrap: { config } }, status: {} }),
  });
  const versioned = (version: string, config: JsonObject) =>
    aCluster({ spec: { version, bootstrap: { config } }, status: {} });
  const worker = (spec: JsonObject, config: JsonObject = {}) => machineRequest(made, machineOf('worker', spec, config));
  const input = (fields: JsonObject): RequestParts => ({
    composite: aCluster(),
    input: { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput', ...fields },
  });
  const cases: readonly { readonly name: string; readonly given: Request; readonly code: string }[] = [
    {
      name: 'an unknown provider',
      given: aRequest({ composite: aCluster({ spec: { bootstrap: { provider: 'kubespray' } } }) }),
      code: 'Unsupported',
    },
    { name: 'an unknown field of kubeadm', given: aRequest(cluster({ apiserver: {} })), code: 'InvalidClaim' },
    {
      name: 'a flag with dashes',
      given: aRequest(cluster({ apiServer: { extraArgs: { '--profiling': 'false' } } })),
      code: 'InvalidClaim',
    },
    {
      name: 'a flag whose value is not a string',
      given: aRequest(cluster({ etcd: { extraArgs: { 'quota-backend-bytes': 8 } } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an unknown algorithm',
      given: aRequest(cluster({ encryptionAlgorithm: 'RSA-1024' })),
      code: 'InvalidClaim',
    },
    {
      name: 'a validity period that v1beta3 does not know',
      given: aRequest({ composite: versioned('v1.30.5', { certificateValidityPeriod: '720h' }) }),
      code: 'Unsupported',
    },
    {
      name: 'a validity period of authorities that v1beta3 does not know',
      given: machineRequest(
        made,
        machineOf('control-plane', { version: 'v1.30.5' }, { caCertificateValidityPeriod: '87600h' }),
      ),
      code: 'Unsupported',
    },
    {
      name: 'an algorithm that this kubeadm does not know',
      given: aRequest({ composite: versioned('v1.33.1', { encryptionAlgorithm: 'ECDSA-P384' }) }),
      code: 'Unsupported',
    },
    {
      name: 'certificates that are valid longer than their authority',
      given: aRequest(cluster({ certificateValidityPeriod: '720h1s', caCertificateValidityPeriod: '720h' })),
      code: 'InvalidClaim',
    },
    {
      name: 'certificates that are valid longer than the authority, which has the default period',
      given: aRequest(cluster({ certificateValidityPeriod: '87600h1s' })),
      code: 'InvalidClaim',
    },
    {
      name: 'certificates that are valid for less than a day',
      given: aRequest(cluster({ certificateValidityPeriod: '23h59m59s' })),
      code: 'InvalidClaim',
    },
    {
      name: 'certificates with a period too long for Go',
      given: aRequest(cluster({ certificateValidityPeriod: '9999999h', caCertificateValidityPeriod: '8760h' })),
      code: 'InvalidClaim',
    },
    {
      name: 'authorities that are valid for less than a day',
      given: aRequest(cluster({ caCertificateValidityPeriod: '1s' })),
      code: 'InvalidClaim',
    },
    {
      name: 'authorities that expire after the last year a certificate can name',
      given: aRequest(cluster({ caCertificateValidityPeriod: '100000000h' })),
      code: 'InvalidClaim',
    },
    {
      name: 'an invalid period',
      given: aRequest(cluster({ caCertificateValidityPeriod: 'a century' })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd with a data folder for a local one',
      given: aRequest(cluster({ etcd: { ...EXTERNAL_ETCD.etcd, dataDir: '/data' } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd with the default data folder for a local one',
      given: aRequest(cluster({ etcd: { ...EXTERNAL_ETCD.etcd, dataDir: '/var/lib/etcd' } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd with empty flags for a local one',
      given: aRequest(cluster({ etcd: { ...EXTERNAL_ETCD.etcd, extraArgs: {} } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd with a patch for a local one',
      given: aRequest(cluster({ ...EXTERNAL_ETCD, patches: [{ target: 'etcd', patch: { metadata: {} } }] })),
      code: 'InvalidClaim',
    },
    { name: 'an unknown field of etcd', given: aRequest(cluster({ etcd: { folder: '/data' } })), code: 'InvalidClaim' },
    {
      name: 'an external etcd with an endpoint that is listed twice',
      given: aRequest(cluster({ etcd: { external: { endpoints: ['https://etcd:443', 'https://ETCD'] } } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd with an invalid name for the Secret of its authority',
      given: aRequest(cluster({ etcd: { external: { ...EXTERNAL_ETCD.etcd.external, caSecret: 'Corp CA' } } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd with an invalid name for the Secret of its client',
      given: aRequest(cluster({ etcd: { external: { ...EXTERNAL_ETCD.etcd.external, clientSecret: 'team-b/x' } } })),
      code: 'InvalidClaim',
    },
    {
      name: 'an external etcd without TLS',
      given: aRequest(cluster({ etcd: { external: { endpoints: ['http://10.0.0.20:2379'] } } })),
      code: 'InvalidClaim',
    },
    {
      name: 'a change from local to external etcd',
      given: aRequest({ composite: aCluster({ spec: { bootstrap: { config: EXTERNAL_ETCD } } }) }),
      code: 'InvalidClaim',
    },
    {
      name: 'a change from external to local etcd',
      given: aRequest({
        composite: aCluster({ status: { certificates: { caCertHash: 'sha256:00', etcd: 'External' } } }),
      }),
      code: 'InvalidClaim',
    },
    {
      name: 'a patch of another type',
      given: aRequest(cluster({ patches: [{ target: 'etcd', type: 'json', patch: {} }] })),
      code: 'InvalidClaim',
    },
    {
      name: 'a label as a flag of kubelet',
      given: worker({}, { kubelet: { extraArgs: { 'node-labels': 'a=b' } } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a host name as a flag of kubelet',
      given: worker({}, { kubelet: { extraArgs: { 'hostname-override': 'x' } } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a label value that is invalid for a Node',
      given: worker({ labels: { a: 'b,c=d' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a label name that is invalid for a Node',
      given: worker({ labels: { 'a b': 'c' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a pool that would change the whole cluster',
      given: worker({}, { certSANs: ['x.example.com'] }),
      code: 'InvalidClaim',
    },
    {
      name: 'a version older than any supported kubeadm',
      given: machineRequest(old, machineOf('worker', { version: 'v1.21.14' })),
      code: 'Unsupported',
    },
    {
      name: 'a patch that this version does not know',
      given: worker({ version: 'v1.24.0' }, { kubeletConfiguration: { maxPods: 10 } }),
      code: 'Unsupported',
    },
    {
      name: 'a worker that would start the cluster',
      given: machineRequest(made, machineOf('init', { role: 'worker' })),
      code: 'InvalidClaim',
    },
    { name: 'a second start', given: machineRequest(made, machineOf('init')), code: 'InvalidClaim' },
    {
      name: 'a Cluster with invalid data in its status',
      given: machineRequest(
        { ...made, cluster: { ...made.cluster, status: { controlPlaneEndpoint: 7 } } },
        machineOf('worker'),
      ),
      code: 'InvalidObserved',
    },
    { name: 'a typo in the input', given: aRequest(input({ cloudprovider: 'none' })), code: 'InvalidInput' },
    { name: 'an unknown value in the input', given: aRequest(input({ cloudProvider: 'aws' })), code: 'InvalidInput' },
    {
      name: 'a kind that has no bootstrap step',
      given: aRequest({ composite: { ...aMachine(), kind: 'NodePool' } }),
      code: 'BrokenContract',
    },
  ];
  const lines: string[] = [];

  test.for(cases)('$name', async ({ name, given, code }) => {
    const error = await refusedWith(given);
    expect(error.code).toBe(code);
    lines.push(`${name}\n  ${error.code}: ${error.message}\n`);
  });

  test('reports each in one line that says what to do', async () => {
    expect(lines).toHaveLength(cases.length);
    await expect(lines.join('')).toMatchFileSnapshot('golden/refusals.txt');
  });
});
