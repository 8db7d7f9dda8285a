/** Hosts in files: what a platform writes into its racks is judged, and known, beside the claims that take them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
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

describe('a Host that the API server refuses', () => {
  const bad = host('rack-7', 'memory-16').replace('InternalIP', 'Internal');
  const field = 'spec.addresses[0].type';
  const mixed = file('mixed.yaml', `${POOL}${bad}`);
  const line = `${POOL}${bad}`.split('\n').findIndex((one) => one.includes('Internal,')) + 1;

  it.for([
    { words: ['validate', mixed], code: 1 },
    { words: ['simulate', mixed], code: 1 },
    { words: ['plan', mixed, '--observed', existing], code: 12 },
    { words: ['plan', mixed], code: 12 },
  ])('is refused by slipway $words.0, at its line', async ({ words, code }) => {
    const ran = await slipway(...words);
    const said = `${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, ' ');
    expect(ran.code, said).toBe(code);
    expect(said).toContain(field);
    expect(said).toContain(`in "${mixed}", line ${line}`);
  });

  it('is known to a plan by what it was before', async () => {
    const known = file('known.yaml', host('rack-7', 'memory-16'));
    const { stdout } = await slipway('plan', mixed, '--observed', known, '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ kind: 'Host', name: 'rack-7', field, old: '"InternalIP"', new: '"Internal"' }),
      ]),
    });
  });
});

test('a file of Hosts alone is judged, as the racks of a platform are not those of one claim', async () => {
  const racks = `${host('rack-7', 'memory-16')}${host('rack-8', 'memory-16')}`;
  const good = await slipway('validate', file('racks.yaml', racks));
  expect(good).toMatchObject({ code: 0, stdout: '2 other objects: nothing is refused\n' });
  const bad = await slipway('validate', file('bad-racks.yaml', racks.replace('size: memory-16, ', '')));
  expect(bad.stdout).toContain('cannot accept Host "team-a/rack-7": spec.size: is required');
  expect(bad.stdout).toContain('2 other objects: 1 refused\n');
  expect(bad.code).toBe(1);
});
