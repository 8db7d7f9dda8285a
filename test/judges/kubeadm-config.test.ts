/** Fields for kubeadm that exclude each other in a claim, checked by the validation of kubeadm. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { anEtcd, EXTERNAL_ETCD } from '../support/external-etcd.ts';
import { aBootstrappedCluster, fileOf, firstBoot, machineOf } from '../support/first-boot.ts';
import { KUBEADM_VERSIONS } from './build-kubeadm.ts';
import { apiOf, kubeadmOf, kubeadmProblem } from './kubeadm.ts';

/** The file with the configuration of the cluster; a worker has none. */
const PLACES = { init: 'kubeadm.yaml', 'control-plane': 'kubeadm-cluster.yaml' } as const;
const KINDS = ['init', 'control-plane'] as const;

interface Case {
  readonly name: string;
  readonly config: JsonObject;
  /** Settings for kubeadm of every version; the key has the words of its file. */
  readonly expected: string;
}

const ALGORITHMS: readonly Case[] = ['ECDSA-P256', 'RSA-2048', 'RSA-3072', 'RSA-4096'].map((encryptionAlgorithm) => ({
  name: encryptionAlgorithm,
  config: { encryptionAlgorithm },
  expected: '',
}));

const ELSEWHERE: Case = {
  name: 'an external etcd',
  config: EXTERNAL_ETCD,
  expected: 'caFile: /etc/kubernetes/pki/etcd/ca.crt',
};

const CASES: readonly Case[] = [...ALGORITHMS, ELSEWHERE];

const NEWER: readonly Case[] = [
  ELSEWHERE,
  ...ALGORITHMS.map(({ name, config }) => ({ name, config, expected: `encryptionAlgorithm: ${name}` })),
  { name: 'ECDSA-P384', config: { encryptionAlgorithm: 'ECDSA-P384' }, expected: 'encryptionAlgorithm: ECDSA-P384' },
  {
    name: 'a short validity',
    config: { certificateValidityPeriod: '24h' },
    expected: 'certificateValidityPeriod: 24h',
  },
  {
    name: 'a validity for both',
    config: { certificateValidityPeriod: '720h', caCertificateValidityPeriod: '43800h0m0s' },
    expected: 'caCertificateValidityPeriod: 43800h0m0s',
  },
];

describe.for(KUBEADM_VERSIONS)('%s', (version) => {
  const kubeadm = kubeadmOf(version);
  if ('missing' in kubeadm) process.stdout.write(`skipped: kubeadm ${version} config validate: ${kubeadm.missing}\n`);
  const program = 'path' in kubeadm ? kubeadm.path : '';
  const cases = apiOf(version) === 'v1beta4' ? NEWER : CASES;
  const all = cases.flatMap((given) => KINDS.map((kind) => ({ ...given, kind })));

  test.skipIf(program === '').for(all)('kubeadm accepts $kind with $name', async ({ kind, config, expected }) => {
    const supplied = config === EXTERNAL_ETCD ? await anEtcd() : {};
    const spec = { version, bootstrap: { config } };
    const cluster = await aBootstrappedCluster({ spec, initialized: kind !== 'init', supplied });
    const { text } = await firstBoot(cluster, machineOf(kind, { version }, config));
    const file = fileOf(text, `/etc/kubernetes/${PLACES[kind]}`);
    expect(kubeadmProblem(program, file)).toBeUndefined();
    expect(file).toContain(expected);
  });
});
