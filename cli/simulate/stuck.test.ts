/** A simulation ends early only if nothing that is still under way could make it Ready. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { FIRST_BOOT, type Happening, type ObjectRef } from '#simulator/engine.ts';
import { hostWrites } from '#lib/node/hosts.ts';
import { watchStuck } from './stuck.ts';

const TRUE = { status: 'True', reason: 'Yes', lastTransitionTime: '2026-01-01T00:00:00Z' } as const;
const made = (kind: string, name: string, ...conditions: readonly string[]): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { namespace: 'a', name },
  status: { conditions: conditions.map((type) => ({ type, ...TRUE })) },
});

/** Seconds from the refusal of the only machine to the end, at most 700. */
function endsAfter(xrs: readonly KubeObject[], refusedAt = 100, created = 50, busyUntil = 0): number {
  let tell: Listener = () => {};
  const machine = ref('cp-0');
  const engine = {
    seconds: 0,
    subscribe: (listener: Listener) => ((tell = listener), () => {}),
    get: () => ({ apiVersion: 'v1', kind: 'Any' }),
    list: ({ kind }: { readonly kind: string }) => xrs.filter((xr) => xr.kind === kind),
  };
  const stuck = watchStuck(engine, busyUntil);
  tell({ type: 'object', at: created, change: 'created', ref: machine });
  const facts = { severity: 'Warning', reason: FIRST_BOOT.refused, message: 'no such program', count: 1 } as const;
  tell({ type: 'event', at: refusedAt, event: { ...facts, ref: machine, first: refusedAt, last: refusedAt } });
  for (engine.seconds = refusedAt; engine.seconds < refusedAt + 700; engine.seconds += 10) if (stuck.isStuck()) break;
  return engine.seconds - refusedAt;
}

describe('a machine that refuses its data, if nothing replaces it', () => {
  const network = made('Cluster', 'shop', 'InfrastructureReady');
  const refuser = made('Machine', 'cp-0');
  test.for<readonly [string, readonly KubeObject[], number]>([
    ['soon, if it is alone', [network, refuser], 60],
    ['soon, if all others are Ready', [network, refuser, made('Machine', 'w-0', 'Ready')], 60],
    ['late, if another is under way', [network, refuser, made('Machine', 'w-0')], 600],
    ['late, if the network of another Cluster is under way', [network, refuser, made('Cluster', 'more')], 600],
  ])('ends a simulation %s', ([, xrs, seconds]) => {
    expect(endsAfter(xrs)).toBe(seconds);
  });

  test('ends it late if it was created before the last change, which may have mended it', () => {
    expect(endsAfter([network, refuser], 100, 50, 90)).toBe(600);
  });
});

type Listener = (happening: Happening) => void;

const ref = (name: string): ObjectRef => ({ apiVersion: 'ec2.example.org/v1', kind: 'Instance', namespace: 'a', name });
const CHANGE = 1000;

/** Tells what happens to machines; a second one that refuses its data as one before is the last thing that it tells. */
function told(machines: readonly { readonly made: number; readonly boots: number }[], cluster?: KubeObject): boolean {
  let tell: Listener = () => {};
  const present = new Set<string>();
  const engine = {
    seconds: 0,
    subscribe: (listener: Listener) => ((tell = listener), () => {}),
    get: ({ name }: ObjectRef) => (present.has(name) ? ({ apiVersion: 'v1', kind: 'Any' } as KubeObject) : undefined),
    list: ({ kind }: { readonly kind: string }) => (kind === 'Cluster' && cluster !== undefined ? [cluster] : []),
  };
  const stuck = watchStuck(engine, CHANGE);
  for (const [index, { made, boots }] of machines.entries()) {
    const machine = ref(`machine-${index}`);
    present.clear();
    present.add(machine.name);
    tell({ type: 'object', at: made, change: 'created', ref: machine });
    engine.seconds = boots;
    const facts = { severity: 'Warning', reason: FIRST_BOOT.refused, message: 'no such disk', count: 1 } as const;
    tell({ type: 'event', at: boots, event: { ...facts, ref: machine, first: boots, last: boots } });
  }
  return stuck.isStuck();
}

const at = (spec: string, runs: string): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Cluster',
  spec: { version: spec },
  status: { controlPlane: { version: runs } },
});
const before = { made: 10, boots: 60 };

describe('a machine that refuses its data as the one that it replaces did', () => {
  test('ends a simulation if it was created after the last change', () => {
    expect(told([before, { made: CHANGE + 10, boots: CHANGE + 60 }])).toBe(true);
  });

  test('says nothing if it was created before: the change may have mended it', () => {
    expect(told([before, { made: CHANGE - 10, boots: CHANGE + 60 }])).toBe(false);
  });

  test('says nothing while its pool is to follow the control plane to another version', () => {
    const after = { made: CHANGE + 10, boots: CHANGE + 60 };
    expect(told([before, after], at('v1.36.0', 'v1.35.4'))).toBe(false);
    expect(told([before, after], at('v1.36.0', 'v1.36.0'))).toBe(true);
  });
});

test('a machine for which no Host can come ends it, as its provider says it', () => {
  const hostClaim = {
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'HostClaim',
    metadata: { namespace: 'a', name: 'cp-0', uid: 'u' },
    spec: {
      forProvider: {
        size: 'large',
        region: 'eu-west',
        nodeName: 'cp-0',
        role: 'control-plane',
        version: 'v1.35.4',
        rootDisk: { sizeGiB: 40, encrypted: false },
        userDataSecretRef: { name: 'cp-0-payload', key: 'value' },
      },
    },
  };
  const [write] = hostWrites({ hosts: [], claims: [hostClaim] }, 0);
  const said = JSON.stringify(write);
  expect(said).toContain(NONE);
  const message = `waiting for HostClaim cp-0: no free Host: ${NONE}`;
  const waits = { type: 'InfrastructureReady', ...TRUE, status: 'False', message } as const;
  const machine = { ...made('Machine', 'cp-0'), status: { conditions: [waits] } };
  const engine = {
    seconds: 601,
    subscribe: () => () => {},
    get: () => undefined,
    list: ({ kind }: { readonly kind: string }) => (kind === 'Machine' ? [machine] : []),
  };
  expect(watchStuck(engine, 0).isStuck()).toBe(true);
});

const NONE = 'there are no Hosts in namespace a, where their owner writes them';
