import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_CONFIG } from '../../functions/bootstrap/everything.fixture.ts';
import { EVERY_PROVISIONING } from '../support/everything.ts';
import { aBootstrappedCluster, fileOf, filesOf, firstBoot, machineOf, MACHINES } from '../support/first-boot.ts';
import { CURRENT } from '../minors/supported.ts';
import { KUBEADM_VERSIONS } from './build-kubeadm.ts';
import {
  CLOUD_INIT_RELEASES,
  cloudInitOf,
  commandProblem,
  filesAsPythonReads,
  schemaOf,
  schemaJudge,
} from './cloud-init.ts';
import { apiOf, judgeOf, kubeadmOf, kubeadmProblem } from './kubeadm.ts';
import { shellcheck, shellcheckProblem, syntaxProblem } from './shell.ts';

/** The maximum size of user data in EC2. */
const LIMIT = 16_384;

interface Case {
  readonly name: string;
  readonly provider: string;
  readonly kind: keyof typeof MACHINES;
  readonly version: string;
  readonly config: JsonObject;
  readonly spec: JsonObject;
}

/** Versions with different files; others are represented by one of them. */
const VERSIONS: Readonly<
  Record<string, { readonly plain: readonly string[]; readonly everything: readonly string[] }>
> = {
  kubeadm: {
    plain: [...KUBEADM_VERSIONS, 'v1.22.17', 'v1.31.0'],
    everything: KUBEADM_VERSIONS,
  },
};
const ANY = { plain: [CURRENT], everything: [CURRENT] };
const BOOTSTRAPPERS = (['kubeadm', 'k3s', 'rke2'] as const).map((provider) => ({
  provider,
  every: EVERY_CONFIG[provider],
}));
const KINDS = Object.keys(MACHINES) as (keyof typeof MACHINES)[];

const CASES: readonly Case[] = BOOTSTRAPPERS.flatMap(({ provider, every }) =>
  KINDS.flatMap((kind) => [
    ...(VERSIONS[provider] ?? ANY).plain.flatMap((version) =>
      ['ECDSA-P256', 'RSA-2048'].map((encryptionAlgorithm) => ({
        name: `${provider} ${kind} ${version} ${encryptionAlgorithm}`,
        provider,
        kind,
        version,
        config: { encryptionAlgorithm },
        spec: {},
      })),
    ),
    ...(VERSIONS[provider] ?? ANY).everything.map((version) => ({
      name: `${provider} ${kind} ${version} with everything a claim can say`,
      provider,
      kind,
      version,
      config: every(version),
      spec: {
        labels: { 'example.com/team': 'blue', 'node-role.kubernetes.io/worker': '' },
        taints: [{ key: 'dedicated', value: 'blue', effect: 'NoSchedule' }],
        provisioning: EVERY_PROVISIONING,
      },
    })),
  ]),
);

/** Cases that differ in what cloud-init reads, because its command is slow. */
const TELLING = CASES.filter(({ name }) => name.includes(CURRENT) && !name.includes('RSA'));

const texts = new Map<string, string>();

beforeAll(async () => {
  for (const { name, provider, kind, version, config, spec } of CASES) {
    const cluster = await aBootstrappedCluster({
      spec: { version, bootstrap: { provider, config } },
      initialized: kind !== 'init',
    });
    texts.set(name, (await firstBoot(cluster, machineOf(kind, { version, ...spec }, config, provider))).text);
  }
});

const textOf = ({ name }: Case): string => texts.get(name) ?? '';

/** The reason is printed even if the reporter does not show skipped tests. */
function judge<T extends object>(name: string, found: T | { readonly missing: string }): T | undefined {
  if (!('missing' in found)) return found;
  process.stdout.write(`skipped: ${name}: ${found.missing}\n`);
  return undefined;
}

describe('official validators accept first-boot data', () => {
  for (const release of CLOUD_INIT_RELEASES) {
    const schema = judge(`the schema of cloud-init in Debian ${release}`, schemaOf(release));
    const problems = schema === undefined ? () => [] : schemaJudge(schema.path);
    test.skipIf(schema === undefined).for(CASES)(`the schema of cloud-init in ${release}: $name`, (given) => {
      expect(problems(textOf(given))).toEqual([]);
    });

    const command = judge(`cloud-init schema of Debian ${release}`, cloudInitOf(release));
    test.skipIf(command === undefined).for(TELLING)(`cloud-init schema in ${release}: $name`, (given) => {
      expect(commandProblem(command!, textOf(given))).toBeUndefined();
    });

    test.skipIf(command === undefined)(`cloud-init schema in ${release} refuses invalid data`, () => {
      expect(commandProblem(command!, '#cloud-config\nruncmd: {a: 1}\n')).toMatch(/runcmd/);
      expect(problems('#cloud-config\nusers: [{name: 1}]\n')).not.toEqual([]);
    });
  }

  const python = judge('the YAML reader of cloud-init', cloudInitOf('bookworm'));
  test.skipIf(python === undefined).for(TELLING)('its YAML parser finds the same bytes as ours: $name', (given) => {
    const ours = filesOf(textOf(given)).map((file) => [
      file.path,
      file.owner,
      file.permissions,
      file.bytes.toString('base64'),
    ]);
    expect(filesAsPythonReads(python!, textOf(given))).toEqual(ours);
  });

  for (const version of KUBEADM_VERSIONS) {
    const api = apiOf(version);
    const kubeadm = judge(`kubeadm ${version}`, kubeadmOf(version));
    const own = CASES.filter((given) => given.provider === 'kubeadm' && judgeOf(given.version) === version);
    test.skipIf(kubeadm === undefined).for(own)(`kubeadm ${version} config validate: $name`, (given) => {
      const config = fileOf(textOf(given), '/etc/kubernetes/kubeadm.yaml');
      expect(config).toContain(`kubeadm.k8s.io/${api}`);
      expect(kubeadmProblem(kubeadm?.path ?? '', config)).toBeUndefined();
    });

    test.skipIf(kubeadm === undefined)(`kubeadm ${version} refuses an unknown field`, () => {
      const config = `apiVersion: kubeadm.k8s.io/${api}\nkind: InitConfiguration\nnodeRegistraton: {}\n`;
      expect(kubeadmProblem(kubeadm?.path ?? '', config)).toMatch(/nodeRegistraton/);
    });

    test.skipIf(kubeadm === undefined).for([
      ['an unknown field', 'maxPod: 60'],
      ['a wrong type', 'maxPods: many'],
    ])(`kubeadm ${version} refuses a KubeletConfiguration with %s`, ([, field]) => {
      const init = `apiVersion: kubeadm.k8s.io/${api}\nkind: InitConfiguration\n`;
      const kubelet = `apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${field}\n`;
      expect(kubeadmProblem(kubeadm?.path ?? '', `${init}---\n${kubelet}`)).toMatch(/maxPod/);
    });
  }

  test.for(CASES)('sh -n parses the script: $name', (given) => {
    expect(syntaxProblem(fileOf(textOf(given), '/etc/slipway/bootstrap.sh'))).toBeUndefined();
  });

  const checker = judge('shellcheck', shellcheck());
  test.skipIf(checker === undefined).for(CASES)('shellcheck has no finding: $name', (given) => {
    const script = fileOf(textOf(given), '/etc/slipway/bootstrap.sh');
    expect(shellcheckProblem(checker?.path ?? '', script)).toBeUndefined();
  });
});

test('first-boot data fits into the user data of EC2, with room for the data of a claim', () => {
  const rows = CASES.map((given) => {
    const bytes = Buffer.from(textOf(given));
    return { name: given.name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  });
  process.stdout.write(tableOf(rows));
  const ecdsa = rows.filter(({ name }) => name.endsWith('ECDSA-P256'));
  expect(ecdsa.length).toBeGreaterThan(0);
  expect(Math.max(...ecdsa.map(({ raw }) => raw))).toBeLessThan(LIMIT * 0.8);
  const [full, plain] = [true, false].map((wanted) =>
    rows.filter(({ name }) => name.includes('everything') === wanted),
  );
  expect(Math.max(...plain!.map(({ gzip }) => gzip))).toBeLessThan(LIMIT * 0.75);
  expect(Math.max(...full!.map(({ gzip }) => gzip)), 'everything together still fits').toBeLessThan(LIMIT);
});

function tableOf(rows: readonly { readonly name: string; readonly raw: number; readonly gzip: number }[]): string {
  const lines = rows.map(
    ({ name, raw, gzip }) => `${name.padEnd(52)}${String(raw).padStart(8)}${String(gzip).padStart(8)}`,
  );
  return ['first-boot data, bytes'.padEnd(52) + '     raw    gzip', ...lines, ''].join('\n');
}
