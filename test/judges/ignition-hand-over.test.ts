/** User data that fetches the sealed part of first-boot data on AWS, judged by what reads it: Ignition, systemd, a shell. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ignitionStub } from '../../functions/machine/aws/ignition-stub.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../support/first-boot.ts';
import { ignitionFiles, ignitionOf as configOf } from '../support/ignition.ts';
import { ignitionOf, ignitionProblem, systemdAnalyze, unitProblems } from './ignition.ts';
import { shellcheck, shellcheckProblem, syntaxProblem } from './shell.ts';

const PLACE = { region: 'eu-west-1', host: 'secretsmanager.example.com', secret: 'slipway/team-a/prod/node/fake' };
const SPECIFICATION = { ignition: 3, 'ignition-2.3': 2 } as const;
type Format = keyof typeof SPECIFICATION;

const stubs = new Map<string, string>();
beforeAll(async () => {
  const cluster = await aBootstrappedCluster();
  for (const format of Object.keys(SPECIFICATION)) {
    const { text } = await firstBoot(cluster, machineOf('worker', { provisioning: { format } }));
    const parts = { open: Buffer.from(text), sealed: Buffer.from(''), before: 'slipway-bootstrap.service' };
    stubs.set(format, Buffer.from(ignitionStub(PLACE, parts)).toString());
  }
});

function pathOf(name: string, found: { readonly path: string } | { readonly missing: string }): string | undefined {
  if ('path' in found) return found.path;
  process.stdout.write(`skipped: ${name}: ${found.missing}\n`);
  return undefined;
}

describe.for(Object.keys(SPECIFICATION) as Format[])('%s', (format) => {
  const validate = pathOf(`ignition-validate of ${format}`, ignitionOf(SPECIFICATION[format]));
  test.skipIf(validate === undefined)('ignition-validate says nothing', () => {
    expect(ignitionProblem(validate ?? '', stubs.get(format) ?? '')).toBeUndefined();
  });

  const analyze = pathOf('systemd-analyze', systemdAnalyze());
  test.skipIf(analyze === undefined)('systemd takes its unit', () => {
    expect(unitProblems(analyze ?? '', configOf(stubs.get(format) ?? '').systemd.units)).toEqual([]);
  });

  const check = pathOf('shellcheck', shellcheck());
  test.skipIf(check === undefined)('any sh reads its script, and shellcheck has nothing to say', () => {
    const [script] = ignitionFiles(stubs.get(format) ?? '');
    expect(script?.path).toBe('/etc/slipway/first-boot.sh');
    expect(syntaxProblem(String(script?.bytes))).toBeUndefined();
    expect(shellcheckProblem(check ?? '', String(script?.bytes))).toBeUndefined();
  });
});
