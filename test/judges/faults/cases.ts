/**
 * Faults of first boots, each with the program that shows it: what it finds now, which faults.test.ts asserts, and what
 * it found while the fault was there, which `npm run judges:before` asserts with the code of that commit.
 */
import { minor } from 'semver';
import { at } from '#lib/api/json.ts';
import { traits } from '../../../functions/bootstrap/kubeadm/traits.ts';
import { DECODERS } from '../build-decoders.ts';
import { KUBEADM_VERSIONS } from '../build-kubeadm.ts';
import type { Found } from '../cache.ts';
import { decoderOf, k0sProblem } from '../decoders.ts';
import { kubeadmOf } from '../kubeadm.ts';
import { isInstalled } from '../run.ts';
import { suppliedWithoutKey } from './authority.ts';
import type { Case } from './case.ts';
import { type Checkout, dataOf } from './checkout.ts';
import { madeBelowUsr } from './manifest.ts';
import { ON_HOSTS } from './on-hosts.ts';
import { fetching, type Script } from './store.ts';

const missingOf = (found: Found): string | undefined => ('missing' in found ? found.missing : undefined);

const NO_FOLDER = 'no folder of volume plug-ins';
const READ_ONLY: readonly Case[] = ['ignition', 'ignition-2.3'].flatMap((format) =>
  KUBEADM_VERSIONS.filter((version) => minor(version) < traits.minors.since[NO_FOLDER]).map((version) => ({
    name: `a controller manager on an image of ${format}, whose /usr cannot be written`,
    judge: `kubeadm ${version}`,
    missing: () => missingOf(kubeadmOf(version)),
    find: (code: Checkout) => madeBelowUsr(code, format, version),
    now: 'makes nothing below /usr',
    before: 'makes /usr/libexec/kubernetes/kubelet-plugins/volume/exec below /usr',
  })),
);

const K0S: Case = {
  name: 'settings of CoreDNS for a k0s before 1.36',
  judge: `decoder of k0s ${DECODERS.k0s.version.replace(/-.*/, '')}`,
  missing: () => missingOf(decoderOf('k0s')),
  find: async (code) => {
    const { text } = await dataOf(code, {
      kind: 'init',
      provider: 'k0s',
      version: 'v1.33.9',
      config: { install: 'Skip', network: { coreDNS: { replicas: 2 } } },
    });
    const decoder = decoderOf('k0s');
    const file = code.boots.fileOf(text, '/etc/k0s.yaml');
    return k0sProblem('path' in decoder ? decoder.path : '', file) ?? 'accepted';
  },
  now: 'refused: spec.bootstrap.config.network.coreDNS',
  before: 'unknown field spec.network.coreDNS',
};

/** Each script with the program that sends its requests. */
const SENDERS: Readonly<Record<Script, string>> = { stub: 'python3', script: 'curl' };
const PROGRAMS = ['openssl', 'python3', 'curl', 'jq'];
const withoutPrograms = (): string | undefined => {
  const missing = PROGRAMS.filter((name) => !isInstalled(name));
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed`;
};

const PROXY: readonly Case[] = (Object.keys(SENDERS) as Script[]).map((script) => ({
  name: 'data of a machine that only a proxy leads out of',
  judge: `${SENDERS[script]}, a proxy`,
  missing: withoutPrograms,
  find: (code) => fetching(code, script, { isOpen: false, none: [] }),
  now: 'fetched by the proxy: secretsmanager.eu-west-1.slipway.invalid',
  before: 'not fetched, asked directly',
}));

const CLOCK: Case = {
  name: 'data of a machine whose clock is set meanwhile',
  judge: 'sh, curl',
  missing: withoutPrograms,
  find: (code) => fetching(code, 'script', { isOpen: true, denials: 2, jump: 36_000 }),
  now: 'fetched directly',
  before: 'not fetched, asked directly',
};

const HOPS: Case = {
  name: 'the metadata service, from pods of a worker',
  judge: 'the Instance itself',
  missing: () => undefined,
  find: async ({ machines }) => {
    const { resources } = await machines.call();
    const options = at(resources.get('instance')?.resource, 'spec', 'forProvider', 'metadataOptions');
    return at(options, 'httpPutResponseHopLimit') === 1 ? 'does not answer' : 'answers';
  },
  now: 'does not answer',
  before: 'answers',
};

const KEYS: Case = {
  name: 'a tls.key that is none, of a supplied CA, once the cluster runs',
  judge: 'the function itself',
  missing: () => undefined,
  find: suppliedWithoutKey,
  now: 'refused: tls.key is not a private key in PEM',
  before: 'an internal error',
};

export const CASES: readonly Case[] = [...ON_HOSTS, ...READ_ONLY, K0S, ...PROXY, CLOCK, HOPS, KEYS];
