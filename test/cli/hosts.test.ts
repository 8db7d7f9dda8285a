/** Hosts in files: what a platform writes into its racks is judged, and known, beside the claims that take them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-hosts-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const host = (name: string, size: string): string => `---
apiVersion: node.slipway.dev/v1alpha1
kind: Host
metadata: { name: ${name}, namespace: team-a }
spec: { size: ${size}, failureDomain: rack-1, addresses: [{ type: InternalIP, address: 192.0.2.77 }] }
`;
const POOL = `---
apiVersion: slipway.dev/v1alpha1
kind: NodePool
metadata: { name: prod-big, namespace: team-a }
spec:
  crossplane: { compositionSelector: { matchLabels: { slipway.dev/flavor: existing } } }
  clusterRef: { name: prod }
  replicas: 1
  machine: { class: memory-16 }
`;
const existing = file('existing.yaml', host('rack-9', 'standard-4'));

describe('a plan knows the Hosts that its own files bring', () => {
  const note =
    'machines of NodePool "team-a/prod-big" take Hosts of size memory-16, which none of the Hosts known here in its namespace has: they are of size standard-4';

  it.for([
    { what: 'of none it says which sizes there are', brought: '', isNoted: true },
    { what: 'of one of another size, too', brought: host('rack-7', 'standard-4'), isNoted: true },
    { what: 'a new one may have the size', brought: host('rack-7', 'memory-16'), isNoted: false },
    { what: 'and so may one that is edited', brought: host('rack-9', 'memory-16'), isNoted: false },
  ])('$what', async ({ brought, isNoted }) => {
    const { stderr } = await slipway('plan', file('pool.yaml', `${POOL}${brought}`), '--observed', existing);
    expect(stderr.includes(note), stderr).toBe(isNoted);
  });
});
