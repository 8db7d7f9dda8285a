import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aCluster, aNodePool } from '../../../test/support/claims.ts';
import { EKS_PROVIDERS, type EksProvider, eksStatus } from '../../../test/support/eks.ts';
import { expectIdempotent, expectNeverSmaller, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

const requestOf = (provider: EksProvider, status: JsonObject, input: JsonObject = {}) =>
  aRequest({
    composite: aCluster({ spec: { bootstrap: { provider } }, status }),
    input: { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput', ...input },
  });

const { certificateAuthority: _left, ...WITHOUT_AUTHORITY } = eksStatus();

test.for(
  EKS_PROVIDERS.flatMap((provider) => [
    {
      provider,
      name: 'waits for the authority until EKS reports it',
      status: WITHOUT_AUTHORITY,
      want: ['False', 'Waiting', 'waiting for EKS to report its certificate authority'],
      ready: 'False',
    },
    {
      provider,
      name: 'does not wait once EKS reported its authority',
      status: eksStatus(),
      want: ['True', 'Available', undefined],
      ready: 'Unspecified',
    },
  ]),
)('$provider: $name; only the way to reach the cluster is created', async ({ provider, status, want, ready }) => {
  const reply = await replyOf(run, requestOf(provider, status));
  expect([...reply.resources.keys()]).toEqual(['node-provider-config']);
  expect(reply.requirements.size, 'no Secret is requested').toBe(0);
  expect(reply.status).toEqual({});
  expect(reply.conditions.map(({ status: is, reason, message }) => [is, reason, message])).toEqual([want]);
  expect(reply.compositeReady).toBe(ready);
});

test.for(EKS_PROVIDERS)('%s: the laws of every function hold', async (provider) => {
  for (const status of [WITHOUT_AUTHORITY, eksStatus()]) {
    const request = requestOf(provider, status);
    await expectPure(run, request);
    await expectIdempotent(run, request);
    await expectNeverSmaller(run, request);
  }
});

test.for(EKS_PROVIDERS)(
  '%s: refuses a Composition without the cloud controller manager, which EKS runs',
  async (provider) => {
    await expect(replyOf(run, requestOf(provider, eksStatus(), { cloudProvider: 'none' }))).rejects.toThrow(
      'cannot accept BootstrapInput of the Composition: cloudProvider: "none" is not accepted; accepted: external with EKS',
    );
  },
);

test.for(EKS_PROVIDERS)('%s: ignores an authority that is not a certificate', async (provider) => {
  const status = { ...eksStatus(), certificateAuthority: 'bm90aGluZw==' };
  await expect(replyOf(run, requestOf(provider, status))).rejects.toThrow(
    /status\.certificateAuthority: .*PEM in base64/,
  );
});

test.for(EKS_PROVIDERS)(
  '%s: refuses a control plane that the Composition would build from machines',
  async (provider) => {
    const withPool = (role: string) => {
      const { observed, input } = requestOf(provider, eksStatus());
      return aRequest({
        composite: observed.composite,
        desired: { pool: aNodePool({ spec: { role } }) },
        ...(input === undefined ? {} : { input }),
      });
    };
    await expect(replyOf(run, withPool('control-plane'))).rejects.toThrow(
      `cannot accept Cluster "team-a/prod": spec.bootstrap.provider: "${provider}" is not accepted; accepted: canonical-kubernetes, k0s, k3s, kubeadm, microk8s, rke2, talos; others need a Composition whose cloud runs the control plane`,
    );
    expect((await replyOf(run, withPool('worker'))).compositeReady).toBe('Unspecified');
  },
);
