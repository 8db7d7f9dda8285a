/** A made-up bootstrapper and a made-up format, each unusual in every trait. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { BootstrapperTable, ProvisionerTraits } from '#lib/cloud/traits.ts';
import type { Programs } from '#simulator/engine.ts';
import type { BootFile } from '../../simulator/nodes/first-boot/format.ts';
import { joinPlanOf } from '../../simulator/nodes/joining/joining.ts';
import type { Bootstrapper } from '../../functions/bootstrap/bootstrapper.ts';
import { kubeadm } from '../../functions/bootstrap/kubeadm/kubeadm.ts';
import { refuseMinor } from '#lib/cloud/minors.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { BOOTSTRAPPER_TABLES } from '../../functions/bootstrap/traits.ts';
import type { Provisioner } from '../../functions/provisioning/provisioner.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import { PROVISIONER_TRAITS } from '../../functions/provisioning/traits.ts';

export const PROVIDER = 'made-up';
export const FORMAT = 'lines';

export const TRAITS = {
  plan: { kind: 'scripted' },
  controlPlanes: true,
  brings: [{ part: 'network', unless: [{ field: ['mesh'], is: ['none'] }] }],
  controlPlaneNodes: { 'made-up.example.com/elder': 'yes' },
  joinPorts: [{ name: 'gossip', description: 'Gossip', port: 7946 }],
  takesAddress: true,
  podTraffic: [{ name: 'geneve', description: 'Geneve', protocol: 'udp', fromPort: 6081, toPort: 6081 }],
  externalEtcd: ['store', 'elsewhere'],
  membership: { kind: 'KubeadmEtcd', secretSuffix: 'etcd' },
  hasShell: false,
  updatesKubernetes: true,
  updatesRegistries: true,
  kubelet: { field: 'whispers', lasting: ['tone'] },
  sources: ['mirror'],
  imagePullers: ['made-up-pull'],
  minors: { oldest: 33, newest: 37 },
  releases: { of: 'Made-up', field: 'edition', usual: '1', minors: { 1: { oldest: 33, newest: 37 } } },
} as const satisfies Required<BootstrapperTable>;

export const DATA: ProvisionerTraits = {
  payload: 'lines-of-json',
  contentType: 'text/cloud-config',
  fetchedWhole: true,
  joinSecrets: false,
  expresses: { takes: ['scripted'], limits: {} },
};

/** Where it stores its settings, compressed: with all fields of kubeadm, so that it need not be a complete bootstrapper. */
const BUNDLE = '/etc/made-up.bundle';

const madeUp: Bootstrapper = {
  config: {
    schema: z.strictObject({ gossip: z.int().min(1).default(3).describe('Neighbours each node talks to.') }),
    about: 'Words that nobody else has.',
    ofTheCluster: ['gossip'],
  },
  forCluster: kubeadm.forCluster,
  join: (machine) => kubeadm.join?.(machine),
  forMachine: (call, cluster) => {
    refuseMinor(call.composite.spec.version, TRAITS.minors, PROVIDER, call.owner);
    const plan = kubeadm.forMachine(call, cluster);
    if ('waiting' in plan || plan.kind !== 'scripted') return plan;
    const content = base64(gzipSync(JSON.stringify(plan.files)).toString('base64'));
    return {
      ...plan,
      provider: PROVIDER,
      files: [{ path: BUNDLE, content, mode: '0600', owner: 'root:root', append: false, instanceVariables: false }],
    };
  },
};

const lines: Provisioner<'scripted'> = {
  ...DATA.expresses,
  takes: ['scripted'],
  render: ({ plan }): Payload => ({
    contract: 1,
    format: DATA.payload,
    contentType: DATA.contentType,
    value: base64(['lines', ...plan.files.map((file) => JSON.stringify(file))].join('\n')),
    gzip: false,
  }),
};

/** The programs on its images, for simulated machines. */
export const PROGRAMS: Programs = {
  formats: [
    {
      recognises: (text) => text.startsWith('lines\n'),
      read: (text) => ({ files: text.split('\n').slice(1).map(decoded), text }),
    },
  ],
  tools: [
    {
      recognises: ({ files }) => files.some(({ path }) => path === BUNDLE),
      plan: ({ files, text }) => {
        const bundle = files.find(({ path }) => path === BUNDLE)?.content ?? '';
        const stored = JSON.parse(gunzipSync(Buffer.from(bundle, 'base64')).toString()) as readonly unknown[];
        const decodedFiles = stored.map((file) => decoded(JSON.stringify(file)));
        return { ...joinPlanOf({ files: decodedFiles, text }), tool: 'made-up', network: true };
      },
    },
  ],
};

/** For the tests of a file: both are registered from now on. */
export function addMadeUp(): void {
  Object.assign(BOOTSTRAPPERS, { [PROVIDER]: madeUp });
  Object.assign(BOOTSTRAPPER_TABLES, { [PROVIDER]: TRAITS });
  Object.assign(PROVISIONERS, { [FORMAT]: lines });
  Object.assign(PROVISIONER_TRAITS, { [FORMAT]: DATA });
}

export function removeMadeUp(): void {
  for (const registry of [BOOTSTRAPPERS, BOOTSTRAPPER_TABLES]) Reflect.deleteProperty(registry, PROVIDER);
  for (const registry of [PROVISIONERS, PROVISIONER_TRAITS]) Reflect.deleteProperty(registry, FORMAT);
}

function decoded(line: string): BootFile {
  const { path, content } = JSON.parse(line) as BootFile;
  return { path, content: Buffer.from(content, 'base64').toString() };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
