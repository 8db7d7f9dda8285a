/** The objects that run updaters, on a real Kubernetes API: accepted, refused by a policy, and cleared. */
import { beforeAll, describe, expect, test } from 'vitest';
import { at, type KubeObject } from '#lib/api/json.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import type { Resource } from '#lib/kube/resource.ts';
import { NAMESPACES, NODES, SECRETS } from '../../controllers/node/kinds.ts';
import { UPDATER_IMAGE } from '../../controllers/node/updates/image.ts';
import { NAMESPACE, nameOfRun } from '../../controllers/node/updates/pod.ts';
import { clearRun, lookAtRun, startRun } from '../../controllers/node/updates/runs.ts';
import { hasKubernetes, realKubernetes } from '../support/real-kubernetes.ts';

const MANAGER = 'slipway-test';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const POLICIES: Resource = {
  apiVersion: ADMISSION,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};
const BINDINGS: Resource = {
  apiVersion: ADMISSION,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  namespaced: false,
};
/** A busy machine takes long; the time limit of the test ends what never comes. */
const PATIENT = { timeout: 600_000, interval: 1000 };
const SCRIPTS = { sysctls: Buffer.from("sysctl -w 'a-secret-value'").toString('base64') };
const ORDER = { image: UPDATER_IMAGE, seconds: 600, scripts: SCRIPTS };

describe.skipIf(!hasKubernetes('updaters on a real Kubernetes API'))('updaters on a real Kubernetes API', () => {
  const real = realKubernetes();
  let client: KubeClient;
  let uid = '';
  const run = (id: string) => ({ node: { name: 'node-1', uid }, id, updaters: ['sysctls'] });
  const named = (id: string) => ({ namespace: NAMESPACE, name: nameOfRun(run(id)) });

  beforeAll(async () => {
    ({ client } = real);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
    uid = (await client.create(NODES, node, { manager: MANAGER })).metadata?.uid ?? '';
  });

  test('one pod and one Secret are made, however often it is tried, in a namespace that allows them', async () => {
    expect(await lookAtRun(client, run('one'), SCRIPTS)).toEqual({ state: 'None' });
    const first = await startRun(client, run('one'), ORDER);
    expect(first).toEqual({ state: 'Running', pod: nameOfRun(run('one')) });
    const { uid: pod } = (await client.get(PODS, named('one'))).metadata ?? {};
    expect(await startRun(client, run('one'), ORDER)).toEqual(first);
    expect((await client.get(PODS, named('one'))).metadata?.uid).toBe(pod);
    const namespace = await client.get(NAMESPACES, { name: NAMESPACE });
    expect(namespace.metadata?.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'privileged' });
    const secret = await client.get(SECRETS, named('one'));
    expect(Object.keys(at(secret, 'data') ?? {})).toEqual(['00-sysctls']);
    expect(secret.metadata).toMatchObject({ ownerReferences: [{ kind: 'Pod', uid: pod }] });
  });

  test('its end is read from the pod, without what the scripts contain, and then everything is cleared', async () => {
    const message = 'Failed sysctls 1\nno such key: a-secret-value';
    const name = 'runner';
    const state = { terminated: { exitCode: 0, message, startedAt: null, finishedAt: null } };
    const containerStatuses = [{ name, image: 'a', imageID: 'a', ready: false, restartCount: 0, state, lastState: {} }];
    const status = { phase: 'Succeeded', containerStatuses };
    await client.patch(PODS, named('one'), { status }, { manager: MANAGER, subresource: 'status' });
    expect(await lookAtRun(client, run('one'), SCRIPTS)).toMatchObject({
      state: 'Failed',
      updater: 'sysctls',
      cause: 'exit code 1: no such key: ***',
    });
    await clearRun(client, nameOfRun(run('one')));
    await clearRun(client, nameOfRun(run('one')));
    expect(await client.find(SECRETS, named('one'))).toBeUndefined();
    await expect.poll(() => client.find(PODS, named('one')), PATIENT).toBeUndefined();
  });

  test('a policy that refuses the pod is named, and the pod is made once the policy is gone', async () => {
    await client.create(POLICIES, policy(), { manager: MANAGER });
    await client.create(BINDINGS, binding(), { manager: MANAGER });
    let tries = 0; // a policy counts a moment after it was created
    await expect
      .poll(async () => {
        const told = await startRun(client, run(`two-${(tries += 1)}`), ORDER);
        return 'cause' in told ? told.cause : told.state;
      }, PATIENT)
      .toMatch(/^the cluster refuses the pod that runs updaters: .*'nobody-privileged'.*: not here$/);
    await client.delete(BINDINGS, { name: 'nobody-privileged' });
    await expect.poll(async () => (await startRun(client, run('three'), ORDER)).state, PATIENT).toBe('Running');
  });
});

function policy(): KubeObject {
  return {
    apiVersion: ADMISSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'nobody-privileged' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
      },
      validations: [{ expression: '!has(object.spec.hostPID)', message: 'not here' }],
    },
  };
}

function binding(): KubeObject {
  return {
    apiVersion: ADMISSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'nobody-privileged' },
    spec: { policyName: 'nobody-privileged', validationActions: ['Deny'] },
  };
}
