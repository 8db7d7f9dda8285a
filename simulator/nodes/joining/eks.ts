/**
 * How EKS nodes join: they join the cluster with the authority in their data and without a token, because EKS
 * authorizes them by the role of their instance. Real nodes are named after their instance; here they have the name of
 * their machine.
 */
import { parse as parseToml } from 'smol-toml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import { USER_DATA } from '../first-boot/bottlerocket.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import { NODE_CONFIG } from '../first-boot/nodeadm.ts';
import { certificateHash } from './certificate-hash.ts';
import type { Join, Tool } from './plan.ts';

type Marks = Pick<Join, 'labels' | 'taints'>;

export const nodeadm: Tool = {
  recognises: ({ files }) => files.some(({ path }) => path === NODE_CONFIG),
  plan: (boot) => {
    const config = JSON.parse(textOf(boot, NODE_CONFIG)) as Json;
    const cluster = at(config, 'spec', 'cluster');
    const needed = ['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr'].find((key) => !stringAt(cluster, key));
    if (needed !== undefined) throw new BootFailure(`nodeadm: ${needed} is missing in cluster configuration`);
    const { apiServerEndpoint: url, certificateAuthority: ca } = cluster as Readonly<Record<string, string>>;
    return joinOf('nodeadm', url, ca, nodeadmMarks(config));
  },
};

export const bottlerocket: Tool = {
  recognises: ({ files }) => files.some(({ path }) => path === USER_DATA),
  plan: (boot) => {
    const kubernetes = at(parseToml(textOf(boot, USER_DATA)), 'settings', 'kubernetes');
    const needed = ['api-server', 'cluster-certificate', 'cluster-name'].find((key) => !stringAt(kubernetes, key));
    if (needed !== undefined) throw new BootFailure(`bottlerocket: settings.kubernetes.${needed} is not set`);
    const { 'api-server': url, 'cluster-certificate': ca } = kubernetes as Readonly<Record<string, string>>;
    return joinOf('bottlerocket', url, ca, bottlerocketMarks(kubernetes));
  },
};

function joinOf(tool: string, url = '', authority = '', marks: Marks): Join {
  const ca = Buffer.from(authority, 'base64').toString('utf8');
  certificateHash(ca); // refuses anything but a certificate
  return {
    tool,
    action: 'join',
    endpoint: hostAndPort(url),
    nodeName: undefined,
    ...marks,
    version: undefined,
    controlPlane: false,
    token: undefined,
    trusts: (other) => certificateHash(other) === certificateHash(ca),
  };
}

/** Spelled as in the URL: kubeconfigs are matched with this text. */
function hostAndPort(url: string): string {
  const address = url.replace(/^https:\/\//, '');
  return /:[0-9]+$/.test(address) ? address : `${address}:443`;
}

function nodeadmMarks(config: Json): Marks {
  const flags = at(config, 'spec', 'kubelet', 'flags');
  const taints = at(config, 'spec', 'kubelet', 'config', 'registerWithTaints');
  const found = (Array.isArray(flags) ? (flags as readonly string[]) : []).flatMap(
    (flag) => /^--node-labels=(.*)$/.exec(flag)?.[1]?.split(',') ?? [],
  );
  return {
    labels: Object.fromEntries(found.map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? ''])),
    taints: Array.isArray(taints) ? (taints as readonly Json[]) : [],
  };
}

function bottlerocketMarks(kubernetes: Json | undefined): Marks {
  const labels = at(kubernetes, 'node-labels');
  const taints = at(kubernetes, 'node-taints');
  return {
    labels: isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {},
    taints: Object.entries(isJsonObject(taints) ? taints : {}).flatMap(([key, values]) =>
      (values as readonly string[]).map((text) => {
        const [value = '', effect = ''] = text.split(':');
        return value === '' ? { key, effect } : { key, value, effect };
      }),
    ),
  };
}

function textOf({ files }: FirstBoot, path: string): string {
  return files.find((file) => file.path === path)?.content ?? '';
}
