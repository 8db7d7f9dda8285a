/** What the k8s snap on a machine has to do: start a cluster with its bootstrap file, or join one with a token. */
import { parse } from 'yaml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import { certificateHash } from './certificate-hash.ts';
import { type Join, type JoinPlan, type Start, taintOf, type Tool } from './plan.ts';
import { fileAt, scriptsOf, snapNode } from './snap.ts';

const COMMAND = /^\s*k8s (bootstrap|join-cluster) .*--file (\S+)/m;
const AUTH = /^k8s x-capi set-auth-token "\$\(cat (\S+)\)"$/m;
const API_PORT = 6443;

export const canonicalKubernetes: Tool = {
  recognises: (boot) => COMMAND.test(scriptsOf(boot)),
  plan: (boot) => {
    const [, command, path = ''] = COMMAND.exec(scriptsOf(boot)) ?? [];
    const config: unknown = parse(fileAt(boot, path), { version: '1.1' });
    if (!isJsonObject(config)) throw new BootFailure(`k8s ${command}: failed to parse ${path}`);
    return command === 'bootstrap' ? startOf(config, boot) : joinOf(config, boot);
  },
};

function startOf(config: Json, boot: FirstBoot): Start {
  for (const key of ['ca', 'client-ca', 'front-proxy-ca'])
    if (stringAt(config, `${key}-crt`) === undefined || stringAt(config, `${key}-key`) === undefined)
      throw new BootFailure(
        `k8s bootstrap: ${key} is missing: the machine would create its own, which nothing else has`,
      );
  const ca = stringAt(config, 'ca-crt') ?? '';
  certificateHash(ca); // refuses anything but a certificate
  const sans = at(config, 'extra-sans');
  const [host] = Array.isArray(sans) ? sans.map(String) : [];
  if (host === undefined) throw new BootFailure('k8s bootstrap: extra-sans names no endpoint');
  return {
    ...registration(config, boot),
    tool: 'k8s bootstrap',
    action: 'init',
    endpoint: `${host}:${API_PORT}`,
    ca,
    // k8sd creates one for each machine, when it is asked.
    tokens: [],
    ...authOf(boot),
  };
}

function authOf(boot: FirstBoot): Pick<Start, 'auth'> {
  const [, path] = AUTH.exec(scriptsOf(boot)) ?? [];
  return path === undefined ? {} : { auth: fileAt(boot, path) };
}

/** A token identifies the member to join, and has the hash of its certificate. */
function joinOf(config: Json, boot: FirstBoot): Join {
  const [, path = ''] = /join-cluster "\$\(cat (\S+)\)"/.exec(scriptsOf(boot)) ?? [];
  const token = fileAt(boot, path);
  const addresses = at(decoded(token), 'join_addresses');
  const [by] = Array.isArray(addresses) ? addresses.map(String) : [];
  if (by === undefined) throw new BootFailure('k8s join-cluster: the token names no member to join');
  return {
    ...registration(config, boot),
    tool: 'k8s join-cluster',
    action: 'join',
    endpoint: `${by.slice(0, by.lastIndexOf(':'))}:${API_PORT}`,
    by,
    controlPlane: at(config, 'extra-sans') !== undefined,
    token,
    once: true,
    trusts: () => true,
  };
}

function decoded(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString());
  } catch {
    throw new BootFailure('k8s join-cluster: failed to decode token');
  }
}

function registration(config: Json, boot: FirstBoot): Pick<JoinPlan, 'nodeName' | 'labels' | 'taints' | 'version'> {
  const taints = stringAt(config, 'extra-node-kubelet-args', '--register-with-taints') ?? '';
  return {
    ...snapNode(boot),
    taints: taints
      .split(',')
      .filter((text) => text !== '')
      .map(taintOf),
  };
}
