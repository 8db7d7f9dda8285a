/**
 * Each function beside another release of itself: a made-up next one left something behind, or an earlier one did not
 * have something yet; then this release is called. test/sim covers machines of a pool during a roll-out.
 */
import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../cli/files/repository.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { replyOf } from '../support/function-laws.ts';
import { expectNothingLost } from './judge.ts';
import { type Addition, NEXT, without, withStatus } from './releases.ts';
import {
  addonsStep,
  bootstrapOf,
  clusterOf,
  machineStep,
  observedIn,
  poolOf,
  PROVIDERS,
  provisioningStep,
  type Subject,
} from './subjects.ts';

const EVERYTHING = Object.keys(NEXT) as readonly Addition[];
const SECRETS: readonly Addition[] = ['a Secret', 'a field of the status', 'a field of an object', 'an API version'];
const WHATEVER_THERE_IS: readonly Addition[] = [...SECRETS, 'an object', 'an object of the cloud'];

interface Row {
  readonly name: string;
  readonly subject: () => Promise<Subject>;
  /** N+1: what the next release may have left behind. Each step keeps its own objects of a Cluster. */
  readonly next: readonly Addition[];
  /** N−1: objects an earlier release may not have had. */
  readonly previous: readonly string[];
}

const TABLE: readonly Row[] = [
  {
    name: 'cluster',
    subject: clusterOf,
    next: EVERYTHING.filter((one) => one !== 'a Secret'),
    previous: ['listener-api', 'tg-api', 'policy-node', 'ingress-controlplane-etcd-controlplane', 'control-plane'],
  },
  ...PROVIDERS.map((provider): Row => ({
    name: `bootstrap, ${provider}`,
    subject: () => bootstrapOf(provider),
    next: SECRETS,
    previous: ['kubeconfig', 'node-provider-config'],
  })),
  {
    name: 'addons',
    subject: addonsStep,
    next: ['a field of the status', 'a field of an object', 'an API version'],
    previous: ['addon-network', 'addons-helm-provider-config', 'addons-kubernetes-provider-config'],
  },
  { name: 'machine', subject: machineStep, next: WHATEVER_THERE_IS, previous: ['drain', 'node'] },
  { name: 'pool', subject: () => poolOf('there'), next: WHATEVER_THERE_IS, previous: ['cluster'] },
  {
    name: 'a pool that cannot read its Cluster',
    subject: () => poolOf('unread'),
    next: WHATEVER_THERE_IS,
    previous: [],
  },
  { name: 'provisioning', subject: provisioningStep, next: ['a field of the status'], previous: [] },
];

describe.for(TABLE)('$name', ({ subject, next, previous }) => {
  test.for(next)('N+1 added %s: nothing is removed or changed', async (addition) => {
    const { run, request, reply } = await subject();
    const given = NEXT[addition](request);
    const answered = await replyOf(run, given);
    expectNothingLost(given, answered, reply);
    expect(answered.resources.size).toBeGreaterThanOrEqual(reply.resources.size);
    const again = await replyOf(run, observedIn(given, answered));
    expect([...again.resources.keys()].toSorted(), 'nor by the next call').toEqual(
      [...answered.resources.keys()].toSorted(),
    );
  });

  test.for(previous.length === 0 ? [] : previous)(
    'N−1 did not create %s: it is created, and the rest stays',
    async (key) => {
      const { run, request, reply } = await subject();
      const given = without(request, key);
      const answered = await replyOf(run, given);
      expectNothingLost(given, answered, reply);
      expect([...answered.resources.keys()].toSorted()).toEqual([...reply.resources.keys()].toSorted());
    },
  );

  test('objects have the label by which another release recognizes them', async () => {
    const { reply, request } = await subject();
    const own = [...reply.resources].filter(([key]) => !request.desired.resources.has(key));
    expect(own.filter(([, { resource }]) => !isLabelled(resource)).map(([key]) => key)).toEqual([]);
  });
});

test('every function has a row', () => {
  const names = new Set(TABLE.map(({ name }) => name.split(',')[0]));
  // The steps of a pool are called together.
  const steps = FUNCTIONS.map((one) => (one === 'nodepool' || one === 'in-place-update' ? 'pool' : one));
  expect(steps.filter((step) => !names.has(step))).toEqual([]);
});

test('N−1 recorded less: missing status fields are filled in, and nothing else changes', async () => {
  const { run, request, reply } = await bootstrapOf('kubeadm');
  const { caCertHash } = (request.observed.composite.status?.['certificates'] ?? {}) as { readonly caCertHash: string };
  const answered = await replyOf(run, withStatus(request, { certificates: { caCertHash } }));
  expect(answered.resources).toEqual(reply.resources);
  expect(answered.status).toEqual(reply.status);
});
