/** Machines with MicroK8s read their data as the real ones do, and refuse what those refuse. */
import { beforeAll, describe, expect, test } from 'vitest';
import { aBootstrappedCluster, firstBoot, machineOf } from '../../../test/support/first-boot.ts';
import { stringAt } from '#lib/api/json.ts';
import { newCa } from '../../../test/support/booted-machines.ts';
import { readFirstBoot } from '../first-boot/first-boot.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import { joinPlanOf } from './joining.ts';

type Kind = Parameters<typeof machineOf>[0];

const LAUNCH = '.microk8s.yaml';
const START = 'microk8s-start.sh';

const boots = new Map<string, FirstBoot>();
let ca = '';
let otherCa = '';

beforeAll(async () => {
  otherCa = await newCa('kubernetes');
  const spec = { labels: { team: 'blue' }, taints: [{ key: 'a', effect: 'NoSchedule' }] };
  for (const [kind, initialized] of [
    ['init', false],
    ['control-plane', true],
    ['worker', true],
  ] as const) {
    const cluster = await aBootstrappedCluster({ spec: { bootstrap: { provider: 'microk8s' } }, initialized });
    const { text } = await firstBoot(cluster, machineOf(kind, spec, {}, 'microk8s'));
    boots.set(kind, readFirstBoot(Buffer.from(text).toString('base64')));
    ca = Buffer.from(stringAt(cluster.secrets['ca'], 'data', 'tls.crt') ?? '', 'base64').toString();
  }
});

const bootOf = (kind: Kind): FirstBoot => boots.get(kind) ?? { files: [], text: '' };

/** The same data with another text in one file; undefined removes the file. */
function changed(boot: FirstBoot, file: string, change: (content: string) => string | undefined): FirstBoot {
  const files = boot.files.flatMap(({ path, content }) => {
    if (!path.endsWith(file)) return [{ path, content }];
    const next = change(content);
    return next === undefined ? [] : [{ path, content: next }];
  });
  return { ...boot, files };
}

describe('a machine with MicroK8s', () => {
  test.for(['init', 'control-plane', 'worker'] as const)('%s: the node matches its Machine', (kind) => {
    expect(joinPlanOf(bootOf(kind))).toMatchObject({
      action: kind === 'init' ? 'init' : 'join',
      endpoint: 'api.example.com:6443',
      labels: { team: 'blue' },
      taints: [{ key: 'a', effect: 'NoSchedule' }],
      version: 'v1.35.4',
    });
  });

  test('the first machine accepts any machine with the token, through the cluster agent', () => {
    const start = joinPlanOf(bootOf('init'));
    expect(start.action === 'init' && start.tokens).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    for (const kind of ['control-plane', 'worker'] as const)
      expect(joinPlanOf(bootOf(kind))).toMatchObject({
        by: 'api.example.com:25000',
        controlPlane: kind === 'control-plane',
      });
  });

  test('trusts only the authority of its cluster, or any authority if it does not verify', () => {
    const trusts = (boot: FirstBoot) => {
      const plan = joinPlanOf(boot);
      return plan.action === 'join' ? [ca, otherCa].map(plan.trusts) : [];
    };
    expect(trusts(bootOf('worker'))).toEqual([true, false]);
    const blind = changed(bootOf('worker'), START, (text) => text.replace('openssl verify -CAfile', 'true'));
    expect(trusts(blind)).toEqual([true, true]);
  });

  test.for<{ readonly name: string; readonly boot: () => FirstBoot; readonly want: RegExp }>([
    {
      name: 'a launch configuration without a version',
      boot: () => changed(bootOf('init'), LAUNCH, (text) => text.replace('version: 0.2.0', 'addons: []')),
      want: /could not parse config file version/,
    },
    {
      name: 'no authority',
      boot: () => changed(bootOf('init'), 'ca.crt', () => undefined),
      want: /ca\.crt is not among the files/,
    },
    {
      name: 'an authority that it creates itself',
      boot: () => changed(bootOf('init'), START, (text) => text.replace('microk8s refresh-certs', 'true')),
      want: /nothing takes over an authority/,
    },
    {
      name: 'a token that is too short',
      boot: () => changed(bootOf('worker'), START, (text) => text.replace(/^token=.*$/m, 'token=short')),
      want: /at least 32 characters/,
    },
    {
      name: 'a control plane that would accept no other machine',
      boot: () => changed(bootOf('control-plane'), LAUNCH, (text) => text.replace(/persistentClusterToken.*\n/, '')),
      want: /lets nobody in/,
    },
  ])('fails on $name', ({ boot, want }) => {
    expect(() => joinPlanOf(boot())).toThrow(want);
  });
});
