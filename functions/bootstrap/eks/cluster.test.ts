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

const { certificateAuthority: _left, ...UNTOLD } = eksStatus();

test.for(
  EKS_PROVIDERS.flatMap((provider) => [
    {
      provider,
      name: 'before EKS has told its authority it waits for it',
      status: UNTOLD,
      want: ['False', 'Waiting', 'waiting for EKS to report its certificate authority'],
      ready: 'False',
    },
    {
      provider,
      name: 'once it has told it there is nothing to wait for',
      status: eksStatus(),
      want: ['True', 'Available', undefined],
      ready: 'Unspecified',
    },
  ]),
)('$provider: $name; nothing is made but the way to reach the cluster', async ({ provider, status, want, ready }) => {
  const reply = await replyOf(run, requestOf(provider, status));
  expect([...reply.resources.keys()]).toEqual(['node-provider-config']);
  expect(reply.requirements.size, 'no Secret is asked for').toBe(0);
  expect(reply.status).toEqual({});
  expect(reply.conditions.map(({ status: is, reason, message }) => [is, reason, message])).toEqual([want]);
  expect(reply.compositeReady).toBe(ready);
});

test.for(EKS_PROVIDERS)('%s: the laws of every function hold', async (provider) => {
  for (const status of [UNTOLD, eksStatus()]) {
    const request = requestOf(provider, status);
    await expectPure(run, request);
    await expectIdempotent(run, request);
    await expectNeverSmaller(run, request);
  }
});

test.for(EKS_PROVIDERS)(
  '%s: a Composition cannot do without the cloud controller manager that EKS runs',
  async (provider) => {
    await expect(replyOf(run, requestOf(provider, eksStatus(), { cloudProvider: 'none' }))).rejects.toThrow(
      'cannot accept BootstrapInput of the Composition: cloudProvider: "none" is not accepted; accepted: external with EKS',
    );
  },
);

test.for(EKS_PROVIDERS)('%s: an authority that is no certificate is no authority', async (provider) => {
  const status = { ...eksStatus(), certificateAuthority: 'bm90aGluZw==' };
  await expect(replyOf(run, requestOf(provider, status))).rejects.toThrow(
    /status\.certificateAuthority: .*PEM in base64/,
  );
});

test.for(EKS_PROVIDERS)(
  '%s: a control plane that the Composition would make of machines is refused',
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
      `cannot accept Cluster "team-a/prod": spec.bootstrap.provider: "${provider}" is not accepted; accepted: a provider that creates control planes, or a Composition with an EKS control plane`,
    );
    expect((await replyOf(run, withPool('worker'))).compositeReady).toBe('Unspecified');
  },
);
