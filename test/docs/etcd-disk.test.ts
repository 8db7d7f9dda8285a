/** The claim of docs/machine-options.md with etcd on a disk of its own: Ready on every cloud, with both formats. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { exampleClaims, installedEngine } from '../support/example.ts';

const FILE = join(ROOT, 'docs/etcd-disk/cluster.yaml');
const [CLAIM] = readObjects([FILE]);

/** What the page is about, in the Cluster of an example with one machine; a pool of it stays. */
function claims(flavour: string, format: string): readonly KubeObject[] {
  return exampleClaims(flavour).flatMap((object): readonly KubeObject[] => {
    const { kind, spec } = object;
    if (kind === 'NodePool') return [{ ...object, spec: { ...spec, replicas: 1 } }];
    if (kind !== 'Cluster') return [object];
    const { controlPlane, bootstrap, provisioning } = spec as Readonly<Record<string, JsonObject>>;
    const { dataDisks } = at(CLAIM?.spec, 'controlPlane', 'machine') as JsonObject;
    const machine = { ...(controlPlane?.['machine'] as JsonObject), dataDisks };
    const config = {
      ...(bootstrap?.['config'] as JsonObject),
      ...(at(CLAIM?.spec, 'bootstrap', 'config') as JsonObject),
    };
    return [
      {
        ...object,
        spec: {
          ...spec,
          controlPlane: { ...controlPlane, replicas: 1, machine },
          bootstrap: { ...bootstrap, config },
          provisioning: { ...provisioning, ...(CLAIM?.spec?.['provisioning'] as JsonObject), format },
        },
      },
    ];
  });
}

const isReady = (object: KubeObject): boolean => conditionOf(object, 'Ready')?.status === 'True';

test('the claim is that of the page', () => {
  const [, ...lines] = readFileSync(FILE, 'utf8').split('\n');
  expect(readFileSync(join(ROOT, 'docs/machine-options.md'), 'utf8')).toContain(lines.join('\n'));
});

test.for(
  ['aws', 'azure', 'gcp', 'existing'].flatMap((flavour) =>
    ['cloud-init', 'ignition'].map((format) => ({ flavour, format })),
  ),
)(
  'it becomes Ready on $flavour with $format, and so do workers, which have no such disk',
  async ({ flavour, format }) => {
    const engine = installedEngine();
    for (const claim of claims(flavour, format)) engine.apply(claim);
    const found = (kind: string) => engine.list({ apiVersion: 'slipway.dev/v1alpha1', kind });
    const all = () => [...found('Cluster'), ...found('NodePool')];
    await engine.runUntil(() => found('NodePool').length > 1 && all().every(isReady), { limitSeconds: 3600 });
    expect(
      all()
        .filter((one) => !isReady(one))
        .map(({ metadata, status }) => [metadata?.name, status?.['conditions']]),
    ).toEqual([]);
  },
);
