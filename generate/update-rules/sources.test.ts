/** A claim can get a checksum, or another mirror, without a new machine. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { decision } from './shipped.fixture.ts';

const FAKE = 'fa4e'.repeat(16);
const using = (provider: string, config?: JsonObject): JsonObject => ({
  bootstrap: { provider, action: 'Join', ...(config === undefined ? {} : { config }) },
});

describe('where the first boot gets its programs from', () => {
  test.for([
    { provider: 'k3s', before: {}, now: { installer: { sha256: FAKE } } },
    { provider: 'k3s', before: undefined, now: { installer: { sha256: FAKE } } },
    { provider: 'rke2', before: { cni: ['canal'] }, now: { cni: ['canal'], installer: { sha256: FAKE } } },
    { provider: 'rke2', before: { installer: { sha256: '0' } }, now: { installer: { url: 'https://x', sha256: '1' } } },
    { provider: 'k0s', before: {}, now: { download: { sha256: { amd64: FAKE } } } },
    { provider: 'k0s', before: { download: { url: 'https://a' } }, now: {} },
  ])('changes no machine of $provider: $before to $now', ({ provider, before, now }) => {
    expect(decision({ old: using(provider, before), now: using(provider, now) })).toBe('Ignore');
  });

  test.for([
    { provider: 'k3s', now: { installer: { sha256: FAKE }, disable: ['traefik'] } },
    { provider: 'k3s', now: { release: 'k3s2' } },
    { provider: 'kubeadm', now: { installer: { sha256: FAKE } } },
  ])('but other settings of $provider do: $now', ({ provider, now }) => {
    expect(decision({ old: using(provider, {}), now: using(provider, now) })).toBe('Recreate');
  });
});
