/**
 * Invalid Ignition configurations are reported (test/matrix runs the validators for every pair), and payloads fit into
 * user data.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { everyFieldOf, type IgnitionFormat } from '../../functions/provisioning/ignition/everything.fixture.ts';
import { aBootstrappedCluster, firstBoot, machineOf, MACHINES } from '../support/first-boot.ts';
import { ignitionOf as configOf } from '../support/ignition.ts';
import { ignitionOf, ignitionProblem, systemdAnalyze, unitProblems } from './ignition.ts';

/** The maximum size of user data in EC2. */
const LIMIT = 16_384;

const SPECIFICATION = { ignition: 3, 'ignition-2.3': 2 } as const;
const FORMATS = Object.keys(SPECIFICATION) as IgnitionFormat[];
const KINDS = Object.keys(MACHINES) as (keyof typeof MACHINES)[];

const CASES = FORMATS.flatMap((format) =>
  KINDS.flatMap((kind) => [
    ...['ECDSA-P256', 'RSA-2048'].map((algorithm) => ({
      name: `${format} ${kind} ${algorithm}`,
      format,
      kind,
      algorithm,
      fields: {},
    })),
    {
      name: `${format} ${kind} with everything a claim can say`,
      format,
      kind,
      algorithm: 'ECDSA-P256',
      fields: everyFieldOf(format),
    },
  ]),
);
type Case = (typeof CASES)[number];

const texts = new Map<string, string>();
const textOf = ({ name }: Case): string => texts.get(name) ?? '';

beforeAll(async () => {
  for (const { name, format, kind, algorithm, fields } of CASES) {
    const config = { encryptionAlgorithm: algorithm };
    const cluster = await aBootstrappedCluster({ spec: { bootstrap: { config } }, initialized: kind !== 'init' });
    const machine = machineOf(kind, { provisioning: { format, ...fields } }, config);
    texts.set(name, (await firstBoot(cluster, machine)).text);
  }
});

/** The reason is printed even if the reporter does not show skipped tests. */
function judge(name: string, found: { readonly path: string } | { readonly missing: string }): string | undefined {
  if ('path' in found) return found.path;
  process.stdout.write(`skipped: ${name}: ${found.missing}\n`);
  return undefined;
}

describe.for(FORMATS)('ignition-validate for %s', (format) => {
  const specification = SPECIFICATION[format];
  const validate = judge(`ignition-validate of specification ${specification}`, ignitionOf(specification));

  test.skipIf(validate === undefined)('reports invalid data', () => {
    const { ignition } = configOf(textOf(CASES.find((given) => given.format === format)!));
    expect(ignitionProblem(validate ?? '', JSON.stringify({ ignition }))).toBeUndefined();
    expect(ignitionProblem(validate ?? '', JSON.stringify({ ignition, runcmd: [] }))).toMatch(/runcmd/);
    expect(ignitionProblem(validate ?? '', '#cloud-config\n')).toBeDefined();
  });
});

const analyze = judge('systemd-analyze', systemdAnalyze());
test.skipIf(analyze === undefined)('systemd reports invalid units', () => {
  const mount = '[Mount]\nWhat=/dev/sdb\nWhere=/var/lib/etcd-data\n';
  expect(unitProblems(analyze ?? '', [{ name: 'var-lib-etcd-data.mount', contents: mount }])[0]).toContain(
    "Where= setting doesn't match unit name",
  );
  const service = '[Service]\nExecStart=/bin/true\nRestrat=no\n';
  const dropins = [{ name: '10-a.conf', contents: '[Service]\nNcie=5\n' }];
  expect(unitProblems(analyze ?? '', [{ name: 'a.service', contents: service, dropins }])).toEqual([
    expect.stringContaining('Restrat'),
    expect.stringContaining('Ncie'),
  ]);
});

test('every payload of kubeadm fits into the user data of EC2, though Ignition does not unpack it', () => {
  const rows = CASES.map((given) => ({ ...given, bytes: Buffer.byteLength(textOf(given)) }));
  const table = rows.map(({ name, bytes }) => `${name.padEnd(60)}${String(bytes).padStart(8)}\n`);
  process.stdout.write(`${'Ignition configurations, bytes'.padEnd(60)}\n${table.join('')}`);
  // RSA keys of a first control plane fill it with the old specification: that is refused with its size, and the default
  // algorithm fits.
  const offered = rows.filter(({ name, format }) => format === 'ignition' || !/RSA|everything/.test(name));
  expect(offered.length).toBeGreaterThan(rows.length / 2);
  for (const { name, bytes } of offered) expect(bytes, name).toBeLessThanOrEqual(LIMIT);
  const newer = rows.filter(({ format, algorithm }) => format === 'ignition' && algorithm === 'RSA-2048');
  expect(Math.max(...newer.map(({ bytes }) => bytes)), 'with room for the data of a claim').toBeLessThan(LIMIT * 0.95);
});
