/** People who come from Cluster API, Karpenter, Crossplane v1 or the managed pools of a cloud are told our field. */
import { describe, expect, test } from 'vitest';
import { SlipwayError } from './errors.ts';
import type { JsonObject } from './json.ts';
import { Cluster } from './kinds/cluster.ts';
import { NodePool } from './kinds/node-pool.ts';
import { OTHER_NAMES } from './other-names.ts';
import { parseAs } from './parse.ts';
import { hasField, keysOf } from './schema/places.ts';

const KINDS = { Cluster, NodePool } as const;
type Kind = keyof typeof KINDS;
const GOOD: Readonly<Record<Kind, JsonObject>> = {
  Cluster: { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine: { class: 'standard-2' } } },
  NodePool: { clusterRef: { name: 'prod' }, machine: { class: 'standard-4' } },
};

/** Where each object of the table stands in a claim. */
const PLACES: Readonly<Record<string, readonly (readonly [Kind, readonly string[]])[]>> = {
  spec: [
    ['Cluster', ['spec']],
    ['NodePool', ['spec']],
  ],
  network: [['Cluster', ['spec', 'network']]],
  controlPlane: [['Cluster', ['spec', 'controlPlane']]],
  machine: [['NodePool', ['spec', 'machine']]],
  rootDisk: [['NodePool', ['spec', 'machine', 'rootDisk']]],
  dataDisks: [['NodePool', ['spec', 'machine', 'dataDisks']]],
  update: [['NodePool', ['spec', 'update']]],
  users: [['NodePool', ['spec', 'provisioning', 'users']]],
  bootstrap: [
    ['Cluster', ['spec', 'bootstrap']],
    ['NodePool', ['spec', 'bootstrap']],
  ],
  provisioning: [['NodePool', ['spec', 'provisioning']]],
  files: [['NodePool', ['spec', 'provisioning', 'files']]],
  disks: [['NodePool', ['spec', 'provisioning', 'disks']]],
  filesystems: [['NodePool', ['spec', 'provisioning', 'filesystems']]],
  mounts: [['NodePool', ['spec', 'provisioning', 'mounts']]],
  proxy: [['NodePool', ['spec', 'provisioning', 'proxy']]],
  chart: [['Cluster', ['spec', 'addons', 'chart']]],
};
const ROOTS = new Set(['metadata', 'spec']);

function lineOf(kind: Kind, fields: JsonObject): string {
  const claim = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind,
    metadata: { name: 'a', namespace: 'b' },
    spec: { ...GOOD[kind], ...fields },
  };
  try {
    parseAs(KINDS[kind], claim, 'it');
    return 'accepted';
  } catch (thrown) {
    return SlipwayError.from(thrown).message;
  }
}

describe('the table', () => {
  test.for(OTHER_NAMES)(
    '$inside: $names is another name of fields that exist: $fields',
    ({ inside, names, fields }) => {
      const places = PLACES[inside] ?? [];
      expect(places).not.toEqual([]);
      for (const field of fields) {
        const steps = field.split('.');
        const exists = places.some(([kind, at]) =>
          hasField(KINDS[kind], ROOTS.has(steps[0] ?? '') ? steps : [...at, ...steps]),
        );
        expect(exists, field).toBe(true);
      }
      for (const name of names)
        for (const [kind, at] of places)
          expect(keysOf(KINDS[kind], at), `${kind} has ${name} itself`).not.toContain(name);
    },
  );

  test('nobody is told to write a status', () => {
    expect(OTHER_NAMES.flatMap(({ fields }) => fields).filter((field) => field.startsWith('status'))).toEqual([]);
  });

  test('no object has a name twice', () => {
    const all = OTHER_NAMES.flatMap(({ inside, names }) => names.map((name) => `${inside}.${name}`));
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });
});

const machine = (fields: JsonObject): JsonObject => ({ machine: { class: 'a', ...fields } });

test.for<readonly [Kind, JsonObject, string]>([
  ['Cluster', { compositionSelector: {} }, 'spec.crossplane.compositionSelector'],
  ['NodePool', { compositionRef: {} }, 'spec.crossplane.compositionRef'],
  ['Cluster', { clusterNetwork: {} }, 'spec.network'],
  ['Cluster', { network: { podCIDR: '10.0.0.0/16' } }, 'pods'],
  ['Cluster', { kubernetesVersion: 'v1.35.4' }, 'spec.version'],
  ['Cluster', { topology: {} }, 'spec.controlPlane'],
  ['Cluster', { infrastructureRef: {} }, 'spec.crossplane.compositionSelector'],
  ['NodePool', { infrastructureRef: {} }, 'spec.machine'],
  ['Cluster', { zones: [] }, 'spec.controlPlane.machine.zones'],
  ['NodePool', { zones: [] }, 'spec.machine.zones'],
  ['NodePool', { clusterName: 'prod' }, 'spec.clusterRef.name'],
  ['NodePool', { minReplicas: 1 }, 'spec.replicas'],
  ['NodePool', machine({ spot: true }), 'spec.machine.capacityType: spot'],
  ['NodePool', machine({ spot: false }), 'spec.machine.capacityType'],
  ['Cluster', { controlPlane: { ...machine({}), publicAccess: false } }, 'scheme'],
  ['NodePool', machine({ dataDisks: [{ name: 'a', sizeGiB: 8, size: 8 }] }), 'sizeGiB'],
  ['Cluster', { controlPlane: { ...machine({}), kubeadmConfigSpec: {} } }, 'spec.bootstrap.config'],
  ['Cluster', { controlPlane: { ...machine({}), machineCount: 3 } }, 'replicas'],
  ['Cluster', { provisioning: { preKubeadmCommands: [] } }, 'commands.pre'],
  ['Cluster', { volumeSize: 40 }, 'spec.controlPlane.machine.rootDisk.sizeGiB'],
  ['NodePool', { volumeSize: 40 }, 'spec.machine.rootDisk.sizeGiB'],
  ['NodePool', { kubeletExtraArgs: {} }, 'spec.bootstrap.config'],
  ['NodePool', { machineCount: 3 }, 'spec.replicas'],
  ['Cluster', { machineCount: 3 }, 'spec.controlPlane.replicas'],
  ['Cluster', { sshKeyName: 'ops' }, 'spec.provisioning.users'],
  ['NodePool', { remoteAccess: {} }, 'spec.provisioning.users'],
  ['NodePool', machine({ spotInstances: true }), 'spec.machine.capacityType: spot'],
  ['NodePool', { provisioning: { files: [{ path: '/etc/a', content: '', permissions: '0600' }] } }, 'mode'],
  ['NodePool', { provisioning: { proxy: { https_proxy: 'http://a' } } }, 'https'],
  ['NodePool', { provisioning: { proxy: { NO_PROXY: 'a' } } }, 'none'],
  // Of no other project: the right name at the wrong level.
  ['Cluster', { pods: '10.0.0.0/16' }, 'spec.network.pods'],
  ['Cluster', { taints: [] }, 'spec.controlPlane.taints'],
  ['NodePool', { class: 'standard-2' }, 'spec.machine.class'],
  ['NodePool', { files: [] }, 'spec.provisioning.files'],
  ['NodePool', machine({ labels: {} }), 'spec.labels'],
])('%s with %o: did you mean %s', ([kind, fields, meant]) => {
  expect(lineOf(kind, fields)).toMatch(/^cannot accept it: spec[^;]*: unknown field; accepted: [^;"]*; did you mean "/);
  expect(lineOf(kind, fields)).toContain(`; did you mean "${meant}"?`);
});

test.for<readonly [Kind, JsonObject, string]>([
  ['Cluster', { spot: true }, 'a control plane has no such machines'],
  ['Cluster', { controlPlane: machine({ spot: true }) }, 'a control plane has no such machines'],
  ['NodePool', machine({ name: 'a' }), 'a reference names another object'],
  ['Cluster', { controlPlane: { ...machine({}), name: 'a' } }, 'an addon has a name of its own'],
  ['NodePool', { disruption: {} }, 'nothing consolidates nodes'],
  ['NodePool', { key: 'a' }, 'only a taint of a list has it'],
])('%s with %o is told no field: %s', ([kind, fields]) => {
  expect(lineOf(kind, fields)).toMatch(/: unknown field; accepted: [^;]*$/);
});

test.for(['writeConnectionSecretToRef', 'publishConnectionDetailsTo'])('%s is told where the kubeconfig is', (name) => {
  expect(lineOf('Cluster', { [name]: { name: 'a' } })).toBe(
    `cannot accept it: spec.${name}: unknown field; accepted: none, since the kubeconfig is in Secret <cluster>-kubeconfig, which status.kubeconfigSecretRef names`,
  );
});

test.for([
  ['1.35.4', 'v1.35.4'],
  ['1.36.0-rc.1', 'v1.36.0-rc.1'],
  ['v1.36.0-RC.1+build', 'v1.36.0-rc.1'],
  ['v1.35.4+k3s1', 'v1.35.4'],
  ['v1.35.4-eks-abc', 'v1.35.4'],
])('version %s was meant as %s', ([wrote, meant]) => {
  expect(lineOf('NodePool', { version: wrote })).toContain(`; did you mean "${meant}"?`);
});
