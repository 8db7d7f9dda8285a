/** Machine configurations, checked by the loader and validation of Talos. */
import { beforeAll, describe, expect, test } from 'vitest';
import { yamlDocument } from '#lib/api/yaml.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { issueAuthority } from '../../functions/bootstrap/pki/issue.ts';
import { everyTalos } from '../../functions/bootstrap/talos/everything.fixture.ts';
import { everyTalosProvisioning } from '../../functions/provisioning/talos/everything.fixture.ts';
import { aBootstrappedCluster, firstBoot, machineOf, MACHINES } from '../support/first-boot.ts';
import { document } from '../../functions/provisioning/talos/document.ts';
import { aWorld } from '../support/request.ts';
import { TALOS_VERSIONS } from './build-talos.ts';
import { talosOf, talosProblem } from './talos.ts';

type Release = keyof typeof TALOS_VERSIONS;
const RELEASES = Object.keys(TALOS_VERSIONS) as Release[];
const KINDS = Object.keys(MACHINES) as (keyof typeof MACHINES)[];

/** The maximum size of user data in EC2; Talos does not read it compressed. */
const LIMIT = 16_384;

interface Case {
  readonly name: string;
  readonly release: Release;
  readonly kind: keyof typeof MACHINES;
  readonly every: boolean;
}

const CASES: readonly Case[] = RELEASES.flatMap((release) =>
  KINDS.flatMap((kind) =>
    [false, true].map((every) => ({
      name: `${kind} of ${release}${every ? ' with everything a claim can say' : ''}`,
      release,
      kind,
      every,
    })),
  ),
);

const texts = new Map<string, string>();

beforeAll(async () => {
  // Talos parses the certificates that it should trust.
  const { cert } = await issueAuthority(aWorld(), 'corp', { algorithm: 'ECDSA-P256' });
  const trust = {
    caCertificates: [cert],
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], caCertificate: cert }],
  };
  for (const { name, release, kind, every } of CASES) {
    const config = every ? everyTalos(release) : { talosVersion: release };
    const initialized = kind !== 'init';
    const cluster = await aBootstrappedCluster({ spec: { bootstrap: { provider: 'talos', config } }, initialized });
    const claim = every ? { ...everyTalosProvisioning(release), ...trust } : { format: 'talos' };
    const machine = machineOf(kind, { provisioning: claim, ...(every ? MARKS : {}) }, config, 'talos');
    texts.set(name, (await firstBoot(cluster, machine)).text);
  }
});

const MARKS: JsonObject = {
  labels: { 'example.com/team': 'blue' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'dedicated', effect: 'NoExecute' },
  ],
};

for (const release of RELEASES) {
  const version = TALOS_VERSIONS[release];
  const found = talosOf(version);
  if ('missing' in found) process.stdout.write(`skipped: Talos ${version}: ${found.missing}\n`);
  const talos = 'path' in found ? found.path : '';
  const own = CASES.filter((given) => given.release === release);

  describe.skipIf(talos === '')(`Talos ${version}`, () => {
    test.for(own)('accepts $name', ({ name, every }) => {
      expect(talosProblem(talos, texts.get(name) ?? '', every ? 'metal' : 'cloud')).toBeUndefined();
    });

    test('accepts the user and password of a mirror', () => {
      const fields = { name: 'm.example.com:5000', username: 'fake-user', password: 'fake:password' };
      const text = `${texts.get(`worker of ${release}`) ?? ''}${yamlDocument(document('RegistryAuthConfig', fields))}`;
      expect(talosProblem(talos, text, 'cloud')).toBeUndefined();
      expect(talosProblem(talos, text.replace('password:', 'passwd:'), 'cloud')).toMatch(/passwd/);
    });

    test('refuses an unknown field, which proves that it reads it', () => {
      const text = texts.get(`worker of ${release}`) ?? '';
      expect(talosProblem(talos, text.replace('certSANs:', 'certsans:'), 'cloud')).toMatch(/certsans/);
    });
  });
}

test.for(CASES)('$name fits into the user data of EC2', ({ name }) => {
  expect(Buffer.byteLength(texts.get(name) ?? '')).toBeLessThan(LIMIT);
});
