/**
 * User data that fetches the sealed part of first-boot data on AWS, checked by the programs that read it: Ignition,
 * systemd, a shell.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { fetchScript } from '#clouds/aws/machine/fetch-script.ts';
import { ignitionStub } from '#lib/cloud/ignition-stub.ts';
import { everyFieldOf } from '../../functions/provisioning/ignition/everything.fixture.ts';
import { aBootstrappedCluster, firstBoot, machineOf, MACHINES } from '../support/first-boot.ts';
import { ignitionFiles, ignitionOf as configOf } from '../support/ignition.ts';
import { ignitionOf, ignitionProblem, systemdAnalyze, unitProblems } from './ignition.ts';
import { shellcheck, shellcheckProblem, syntaxProblem } from './shell.ts';

const PLACE = { region: 'eu-west-1', host: 'secretsmanager.example.com', secret: 'slipway/team-a/prod/node/fake' };
const KINDS = Object.keys(MACHINES) as (keyof typeof MACHINES)[];

interface Parts {
  readonly whole: string;
  readonly open: string;
  readonly sealed: string;
  readonly stub: string;
}
const made = new Map<string, Parts>();
beforeAll(async () => {
  for (const kind of KINDS) {
    const cluster = await aBootstrappedCluster({ initialized: kind !== 'init' });
    const machine = machineOf(kind, { provisioning: { format: 'ignition', ...everyFieldOf('ignition') } });
    const { text: whole, apart } = await firstBoot(cluster, machine);
    const [open, sealed] = [Buffer.from(apart?.open ?? '', 'base64'), Buffer.from(apart?.sealed ?? '', 'base64')];
    const stub = ignitionStub(fetchScript(PLACE), { open, sealed, before: apart?.before ?? '' });
    made.set(kind, { whole, open: String(open), sealed: String(sealed), stub: Buffer.from(stub).toString() });
  }
});
const partsOf = (kind: string): Parts => made.get(kind)!;

function pathOf(name: string, found: { readonly path: string } | { readonly missing: string }): string | undefined {
  if ('path' in found) return found.path;
  process.stdout.write(`skipped: ${name}: ${found.missing}\n`);
  return undefined;
}

const byPath = (text: string) => ignitionFiles(text).toSorted((a, b) => (a.path < b.path ? -1 : 1));

describe.for(KINDS)('%s', (kind) => {
  test('both parts together are complete, and the open part has no data of the plan', () => {
    const { whole, open, sealed } = partsOf(kind);
    const both = [...byPath(open), ...byPath(sealed)].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    expect(both).toEqual(byPath(whole));
    expect(byPath(sealed).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/etc/kubernetes/kubeadm.yaml', '/etc/slipway/bootstrap.sh']),
    );
    const { storage: _own, ...rest } = configOf(open);
    expect(rest).toEqual((({ storage: _whole, ...others }) => others)(configOf(whole)));
  });

  const validate = pathOf('ignition-validate of specification 3', ignitionOf(3));
  test.skipIf(validate === undefined)('ignition-validate has no finding about user data and its parts', () => {
    const { open, sealed, stub } = partsOf(kind);
    expect([open, sealed, stub].map((text) => ignitionProblem(validate ?? '', text))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  const analyze = pathOf('systemd-analyze', systemdAnalyze());
  test.skipIf(analyze === undefined)('systemd accepts its unit beside all others', () => {
    const { open, stub } = partsOf(kind);
    const units = [...configOf(stub).systemd.units, ...configOf(open).systemd.units];
    expect(unitProblems(analyze ?? '', units)).toEqual([]);
  });

  const check = pathOf('shellcheck', shellcheck());
  test.skipIf(check === undefined)('any sh can parse its script, and shellcheck has no finding', () => {
    const script = ignitionFiles(partsOf(kind).stub).find(({ path }) => path === '/etc/slipway/first-boot.sh');
    expect(script).toBeDefined();
    expect(syntaxProblem(String(script?.bytes))).toBeUndefined();
    expect(shellcheckProblem(check ?? '', String(script?.bytes))).toBeUndefined();
  });
});
