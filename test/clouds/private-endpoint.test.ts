/**
 * The API at a private address of Azure, whose load balancer leads no machine back to itself, or of GCP, whose load balancer
 * passes packets on as they are: each control plane has the address as a local one, and a machine that joins only after it
 * has joined.
 */
import { describe, expect, test } from 'vitest';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { readFirstBoot } from '#simulator/nodes/first-boot/first-boot.ts';
import { localAddresses } from '#simulator/nodes/first-boot/local-addresses.ts';
import { leastConfig } from '../../functions/bootstrap/least.fixture.ts';
import { firstBootDataOf, simulate } from '../matrix/simulation.ts';
import { inProcess } from '../support/in-process.ts';
import { compositionsWith } from '../support/platform.ts';
import { portableClaims } from './portable.ts';

const PAIRS = [
  ['azure', 'kubeadm', 'cloud-init'],
  ['azure', 'kubeadm', 'ignition'],
  ['azure', 'k3s', 'cloud-init'],
  ['azure', 'k0s', 'cloud-init'],
  ['azure', 'microk8s', 'cloud-init'],
  ['azure', 'talos', 'talos'],
  ['gcp', 'kubeadm', 'cloud-init'],
  ['gcp', 'kubeadm', 'ignition'],
] as const;

function claimOf(flavour: string, provider: string, format: string): readonly KubeObject[] {
  return portableClaims(flavour)
    .filter(({ kind }) => kind === 'Cluster')
    .map(({ spec, ...claim }) => ({
      ...claim,
      spec: {
        ...spec,
        version: 'v1.36.2',
        bootstrap: { provider, config: leastConfig(provider) },
        provisioning: { format },
      },
    }));
}

describe.for(PAIRS)('on %s, %s with %s', ([flavour, provider, format]) => {
  test('starts its cluster behind it, and joins the others', async () => {
    const compositions = compositionsWith({ allowInClear: [format] });
    const simulation = await simulate(claimOf(flavour, provider, format), inProcess, compositions);
    const { engine, ready } = simulation;
    const [cluster] = engine.list({ apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster' });
    const host = stringAt(cluster, 'status', 'controlPlaneEndpoint', 'host') ?? '';
    expect(ready, JSON.stringify(engine.snapshot().timeline.slice(-3))).toBe(true);
    expect(host).toMatch(/^10\./);
    for (const { of, text } of firstBootDataOf(simulation)) {
      const local = localAddresses(readFirstBoot(Buffer.from(text).toString('base64')));
      // Talos reaches the API of its own machine by KubePrism.
      expect([of, ...local]).toEqual([of, ...(provider === 'talos' ? [] : [host])]);
    }
  });
});
