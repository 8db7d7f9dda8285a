/** kubeadm uses our authorities as on a first control-plane machine: it issues all other certificates from them. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { anEtcd, EXTERNAL_ETCD } from '../support/external-etcd.ts';
import { everyKubeadm } from '../../functions/bootstrap/kubeadm/everything.fixture.ts';
import { aBootstrappedCluster, type Bootstrapped, filesOf, firstBoot, machineOf } from '../support/first-boot.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { CURRENT } from '../minors/supported.ts';
import { KUBEADM_VERSIONS } from './build-kubeadm.ts';
import { kubeadmOf } from './kubeadm.ts';
import { runCommand } from './run.ts';

const PKI = '/etc/kubernetes/pki';

/** The certificates that kubeadm issues, and which of our authorities signs each. */
const ISSUED = {
  'apiserver.crt': 'ca.crt',
  'apiserver-kubelet-client.crt': 'ca.crt',
  'etcd/server.crt': 'etcd/ca.crt',
  'etcd/peer.crt': 'etcd/ca.crt',
  'apiserver-etcd-client.crt': 'etcd/ca.crt',
  'front-proxy-client.crt': 'front-proxy-ca.crt',
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pki = (name: string): string => readFileSync(join(folder, 'pki', name), 'utf8');

/** The files of the machine that starts the cluster, below a temporary folder. */
async function writeHost(cluster: Bootstrapped, version: string, config: JsonObject): Promise<string> {
  const { text } = await firstBoot(cluster, machineOf('init', { version }, config));
  for (const { path, bytes, permissions } of filesOf(text).filter((file) => file.path.startsWith(PKI))) {
    const place = join(folder, 'pki', path.slice(PKI.length));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes, { mode: parseInt(permissions, 8) });
  }
  const configFile = filesOf(text).find(({ path }) => path === '/etc/kubernetes/kubeadm.yaml');
  // The address would be looked up on the network of this machine.
  const local = String(configFile?.bytes)
    .replace(`certificatesDir: ${PKI}`, `certificatesDir: ${join(folder, 'pki')}`)
    .replace('bindPort: 6443', 'bindPort: 6443\n  advertiseAddress: 10.0.0.10');
  writeFileSync(join(folder, 'kubeadm.yaml'), local);
  return join(folder, 'kubeadm.yaml');
}

async function kubeconfigOf({ cluster, secrets }: Bootstrapped): Promise<string> {
  const reply = await bootstrap(aRequest({ composite: cluster, observed: secrets }), aWorld(new Date().toISOString()));
  const value = stringAt(reply.build().resources.get('kubeconfig')?.resource, 'data', 'value');
  return Buffer.from(value ?? '', 'base64').toString();
}

describe.for(KUBEADM_VERSIONS)('kubeadm %s', (version) => {
  const kubeadm = kubeadmOf(version);
  if ('missing' in kubeadm) process.stdout.write(`skipped: what kubeadm ${version} issues: ${kubeadm.missing}\n`);
  const program = 'path' in kubeadm ? kubeadm.path : '';

  test.skipIf(program === '').for<{ name: string; config: JsonObject }>([
    { name: 'ECDSA', config: { encryptionAlgorithm: 'ECDSA-P256' } },
    { name: 'RSA', config: { encryptionAlgorithm: 'RSA-2048' } },
    { name: 'RSA, with everything a claim can say,', config: everyKubeadm(version) },
  ])('issues from authorities of $name, replaces none, and accepts the kubeconfig', async ({ config }) => {
    const cluster = await aBootstrappedCluster({ spec: { version, bootstrap: { config } }, initialized: false });
    const file = await writeHost(cluster, version, config);
    const ours = ['ca', 'etcd/ca', 'front-proxy-ca', 'sa'].map((name) => pki(`${name}.key`));

    const certs = runCommand(program, ['init', 'phase', 'certs', 'all', '--config', file]);
    expect(certs.ok, certs.output).toBe(true);
    expect(['ca', 'etcd/ca', 'front-proxy-ca', 'sa'].map((name) => pki(`${name}.key`))).toEqual(ours);
    for (const [leaf, authority] of Object.entries(ISSUED)) {
      const signer = new X509Certificate(pki(authority));
      expect(new X509Certificate(pki(leaf)).checkIssued(signer), leaf).toBe(true);
      expect(new X509Certificate(pki(leaf)).verify(signer.publicKey), leaf).toBe(true);
    }
    expect(new X509Certificate(pki('apiserver.crt')).subjectAltName).toContain('DNS:api.example.com');

    writeFileSync(join(folder, 'admin.conf'), await kubeconfigOf(cluster));
    const admin = ['init', 'phase', 'kubeconfig', 'admin', '--config', file, '--kubeconfig-dir', folder];
    const kubeconfig = runCommand(program, admin);
    expect(kubeconfig.ok, kubeconfig.output).toBe(true);
    expect(kubeconfig.output).toMatch(/Using existing kubeconfig file: "[^"]*admin\.conf"/);
  });

  test.skipIf(program === '')(
    'issues nothing for an external etcd, and accepts the certificate of the client',
    async () => {
      const spec = { version, bootstrap: { config: EXTERNAL_ETCD } };
      const cluster = await aBootstrappedCluster({ spec, initialized: false, supplied: await anEtcd() });
      const file = await writeHost(cluster, version, EXTERNAL_ETCD);
      const client = pki('apiserver-etcd-client.crt');
      const certs = runCommand(program, ['init', 'phase', 'certs', 'all', '--config', file]);
      expect(certs.ok, certs.output).toBe(true);
      expect(pki('apiserver-etcd-client.crt')).toBe(client);
      expect(readdirSync(join(folder, 'pki', 'etcd'))).toEqual(['ca.crt']);
      expect(new X509Certificate(pki('apiserver.crt')).checkIssued(new X509Certificate(pki('ca.crt')))).toBe(true);
    },
  );

  test.skipIf(program === '')('refuses the kubeconfig of another cluster, which proves that it verifies', async () => {
    const here = await aBootstrappedCluster({ initialized: false });
    const there = await aBootstrappedCluster();
    const file = await writeHost(here, version, {});
    writeFileSync(join(folder, 'admin.conf'), await kubeconfigOf(there));
    const admin = ['init', 'phase', 'kubeconfig', 'admin', '--config', file, '--kubeconfig-dir', folder];
    expect(runCommand(program, admin)).toMatchObject({ ok: false, output: expect.stringMatching(/CA cert/) as string });
  });
});

const NEWEST = CURRENT;
const newest = kubeadmOf(NEWEST);

test.skipIf('missing' in newest).for([
  { encryptionAlgorithm: 'RSA-3072', size: 3072 },
  { encryptionAlgorithm: 'RSA-4096', size: 4096 },
  { encryptionAlgorithm: 'ECDSA-P384', size: 'secp384r1' },
])(
  `kubeadm ${NEWEST} issues $encryptionAlgorithm for as long as the claim says, from authorities of that algorithm`,
  async ({ encryptionAlgorithm, size }) => {
    const config = {
      encryptionAlgorithm,
      certificateValidityPeriod: '2160h',
      caCertificateValidityPeriod: '43800h0m0s',
    };
    const spec = { version: NEWEST, bootstrap: { config } };
    const file = await writeHost(await aBootstrappedCluster({ spec, initialized: false }), NEWEST, config);
    const program = 'path' in newest ? newest.path : '';
    const certs = runCommand(program, ['init', 'phase', 'certs', 'all', '--config', file]);
    expect(certs.ok, certs.output).toBe(true);
    const [leaf, ca] = [new X509Certificate(pki('apiserver.crt')), new X509Certificate(pki('ca.crt'))];
    for (const { publicKey } of [leaf, ca]) {
      const { namedCurve, modulusLength } = publicKey.asymmetricKeyDetails ?? {};
      expect(namedCurve ?? modulusLength).toBe(size);
    }
    expect(daysLeft(leaf, new Date())).toBeCloseTo(90, 0);
    expect(daysLeft(ca, aWorld().now)).toBe(1825);
  },
);

function daysLeft({ validToDate }: X509Certificate, from: Date): number {
  return (validToDate.getTime() - from.getTime()) / (24 * 3600_000);
}
