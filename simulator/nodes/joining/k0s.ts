/** What k0s on a machine has to do: start a cluster, or join one with its token. */
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import { type BootFile, documentsOf, type FirstBoot } from '../first-boot/format.ts';
import { certificateHash } from './certificate-hash.ts';
import { type Join, type JoinPlan, type Start, taintOf, type Tool } from './plan.ts';

const CONFIG = '/etc/k0s.yaml';
const TOKEN = '/etc/k0s.token';
const CA = '/var/lib/k0s/pki/ca.crt';
const MANIFESTS = '/var/lib/k0s/manifests/';

/** The role that the Secret of a token allows, and the user name that it requires. */
const ROLES = {
  controller: { usage: 'usage-controller-join', user: 'controller-bootstrap' },
  worker: { usage: 'usage-bootstrap-authentication', user: 'kubelet-bootstrap' },
} as const;

type Role = keyof typeof ROLES;

export const k0s: Tool = {
  recognises: ({ files }) => files.some(({ path }) => path === CONFIG || path === TOKEN),
  plan: (boot) => {
    const token = textOf(boot.files, TOKEN);
    return token === undefined ? startOf(boot) : joinOf(token, boot);
  },
};

function startOf(boot: FirstBoot): Start {
  const ca = textOf(boot.files, CA);
  if (ca === undefined) throw new BootFailure(`k0s controller: ${CA} is not among the files`);
  certificateHash(ca); // refuses anything but a certificate
  return {
    ...registration(boot, 'controller'),
    tool: 'k0s controller',
    action: 'init',
    endpoint: endpointOf(boot),
    ca,
    tokens: tokensIn(boot.files),
  };
}

function joinOf(text: string, boot: FirstBoot): Join {
  const role: Role = textOf(boot.files, CONFIG) === undefined ? 'worker' : 'controller';
  const kubeconfig = decoded(text, role);
  const cluster = first(kubeconfig, 'clusters');
  const user = first(kubeconfig, 'users');
  const name = stringAt(user, 'name') ?? '';
  if (name !== ROLES[role].user)
    throw new BootFailure(`k0s ${role}: wrong token type ${name}, expected type: ${ROLES[role].user}`);
  const server = (stringAt(cluster, 'cluster', 'server') ?? '').replace(/^https:\/\//, '');
  const pinned = Buffer.from(stringAt(cluster, 'cluster', 'certificate-authority-data') ?? '', 'base64').toString();
  return {
    ...registration(boot, role),
    tool: `k0s ${role}`,
    action: 'join',
    endpoint: role === 'worker' ? server : endpointBehind(server, boot),
    by: server,
    controlPlane: role === 'controller',
    token: `${role} ${stringAt(user, 'user', 'token') ?? ''}`,
    trusts: (ca) => certificateHash(ca) === certificateHash(pinned),
  };
}

function decoded(token: string, role: Role): unknown {
  try {
    return parse(gunzipSync(Buffer.from(token.trim(), 'base64')).toString());
  } catch {
    throw new BootFailure(`k0s ${role}: failed to decode join token: ${TOKEN} is not a gzipped kubeconfig`);
  }
}

/** The cluster whose controllers respond there: the API of k0s has another port than that of Kubernetes. */
function endpointBehind(server: string, boot: FirstBoot): string {
  const colon = server.lastIndexOf(':');
  const expected = at(configOf(boot), 'spec', 'api', 'k0sApiPort') ?? 9443;
  if (Number(server.slice(colon + 1)) !== expected)
    throw new BootFailure(`k0s controller: the join API answers at port ${JSON.stringify(expected)}, not at ${server}`);
  return endpointOf(boot);
}

function endpointOf(boot: FirstBoot): string {
  const config = configOf(boot);
  const host = stringAt(config, 'spec', 'api', 'externalAddress');
  const port = at(config, 'spec', 'api', 'port') ?? 6443;
  if (host === undefined) throw new BootFailure('k0s controller: spec.api.externalAddress is not set');
  return `${host.includes(':') ? `[${host}]` : host}:${JSON.stringify(port)}`;
}

function configOf(boot: FirstBoot): Json | undefined {
  return documentsOf(boot.files, 'ClusterConfig').at(0);
}

/** Tokens with their role, from the Secrets that k0s applies itself. */
function tokensIn(files: readonly BootFile[]): readonly string[] {
  const secrets = documentsOf(
    files.filter(({ path }) => path.startsWith(MANIFESTS)),
    'Secret',
  );
  return secrets.flatMap((secret) => {
    if (stringAt(secret, 'type') !== 'bootstrap.kubernetes.io/token') return [];
    const value = (key: string) => Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();
    const roles = (Object.keys(ROLES) as Role[]).filter((role) => value(ROLES[role].usage) === 'true');
    return roles.map((role) => `${role} ${value('token-id')}.${value('token-secret')}`);
  });
}

/** From the flags of `k0s install`, anywhere in a script. */
function registration(boot: FirstBoot, role: Role): Pick<JoinPlan, 'nodeName' | 'labels' | 'taints' | 'version'> {
  const script = boot.files.find(({ content }) => content.includes(`k0s install ${role}`))?.content;
  if (script === undefined) throw new BootFailure(`k0s: no file runs k0s install ${role}`);
  if (role === 'controller' && !/\s--enable-worker\b/.test(script))
    throw new BootFailure('k0s controller: without --enable-worker there is no node');
  const list = (flag: string) => new RegExp(`--${flag}=([^'\\s]*)`).exec(script)?.[1]?.split(',') ?? [];
  return {
    nodeName: undefined,
    labels: Object.fromEntries(list('labels').map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? ''])),
    taints: list('taints').map(taintOf),
    version: versionIn(boot),
  };
}

/** The release is the Kubernetes version with a suffix of k0s. */
function versionIn({ files }: FirstBoot): string | undefined {
  const found = files.map(({ content }) => /\b(v1\.[0-9]+\.[0-9]+)\+k0s\.[0-9]+\b/.exec(content)?.[1]);
  return found.find((version) => version !== undefined);
}

function textOf(files: readonly BootFile[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.content;
}

function first(kubeconfig: unknown, key: string): unknown {
  const list = isJsonObject(kubeconfig) ? kubeconfig[key] : undefined;
  return Array.isArray(list) ? list[0] : undefined;
}
