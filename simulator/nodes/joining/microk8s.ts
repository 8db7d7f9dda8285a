/** What MicroK8s on a machine has to do: from its launch configuration and the commands of its scripts. */
import { createPrivateKey } from 'node:crypto';
import { parse } from 'yaml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import { certificateHash } from './certificate-hash.ts';
import type { Join, JoinPlan, Start, Tool } from './plan.ts';
import { fileAt, scriptsOf, snapNode } from './snap.ts';

const LAUNCH = '/var/snap/microk8s/common/.microk8s.yaml';
const AGENT_PORT = 25_000;
/** The port of the Kubernetes API in the image, and in a launch configuration without a port. */
const OWN_PORT = '16443';

export const microk8s: Tool = {
  recognises: ({ files }) => files.some(({ path }) => path === LAUNCH),
  plan: (boot) => (scriptsOf(boot).includes('microk8s join ') ? joinOf(boot) : startOf(boot)),
};

function startOf(boot: FirstBoot): Start {
  const launch = launchOf(boot);
  const folder = /microk8s refresh-certs (\S+?);?\s/.exec(scriptsOf(boot))?.[1];
  if (folder === undefined)
    throw new BootFailure('microk8s: nothing takes over an authority: its own is nobody else’s');
  const ca = fileAt(boot, `${folder}/ca.crt`);
  certificateHash(ca); // refuses anything but a certificate
  if (createPrivateKey(fileAt(boot, `${folder}/ca.key`)).asymmetricKeyType !== 'rsa')
    throw new BootFailure('microk8s refresh-certs: CA private key is invalid');
  const token = stringAt(launch, 'persistentClusterToken');
  const [host] = listAt(launch, 'extraSANs');
  if (host === undefined) throw new BootFailure('microk8s: extraSANs names no endpoint');
  const port = stringAt(launch, 'extraKubeAPIServerArgs', '--secure-port') ?? OWN_PORT;
  return {
    ...registration(boot),
    tool: 'microk8s',
    action: 'init',
    endpoint: `${host}:${port}`,
    ca,
    tokens: token === undefined ? [] : [token],
  };
}

function joinOf(boot: FirstBoot): Join {
  const script = scriptsOf(boot);
  const host = /-verify_(?:hostname|ip) (\S+)/.exec(script)?.[1];
  const token = /^token=(\S+)$/m.exec(script)?.[1];
  if (host === undefined || token === undefined)
    throw new BootFailure('microk8s join: neither whom to join nor a token is among the scripts');
  if (token.length < 32) throw new BootFailure('Invalid connection: token must be at least 32 characters');
  const authority = /openssl verify -CAfile (\S+)/.exec(script)?.[1];
  const pinned = authority === undefined ? undefined : certificateHash(fileAt(boot, authority));
  const controlPlane = !/microk8s join \S+ --worker/.test(script);
  if (controlPlane && stringAt(launchOf(boot), 'persistentClusterToken') !== token)
    throw new BootFailure('microk8s join: a control plane without the token lets nobody in');
  return {
    ...registration(boot),
    tool: 'microk8s join',
    action: 'join',
    endpoint: `${host}:6443`,
    by: `${host}:${AGENT_PORT}`,
    controlPlane,
    token,
    // Without a hash it trusts any server.
    trusts: (ca) => pinned === undefined || certificateHash(ca) === pinned,
  };
}

function registration(boot: FirstBoot): Pick<JoinPlan, 'nodeName' | 'labels' | 'taints' | 'version'> {
  const kubelet = boot.files.find(({ content }) => content.includes('kind: KubeletConfiguration'))?.content;
  return {
    ...snapNode(boot),
    taints: arrayAt(kubelet === undefined ? {} : parse(kubelet), 'registerWithTaints'),
  };
}

function launchOf(boot: FirstBoot): Json {
  const launch: unknown = parse(fileAt(boot, LAUNCH), { version: '1.1' });
  if (!isJsonObject(launch) || stringAt(launch, 'version') === undefined)
    throw new BootFailure('microk8s: could not parse config file version ""');
  return launch;
}

function listAt(object: Json, key: string): readonly string[] {
  return arrayAt(object, key).map(String);
}

function arrayAt(object: unknown, key: string): readonly Json[] {
  const found = at(object, key);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}
