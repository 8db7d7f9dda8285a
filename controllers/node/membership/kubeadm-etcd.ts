/** etcd of a kubeadm cluster: a static pod on each control-plane Node, whose member has the name of the Node. */
import { randomBytes } from 'node:crypto';
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import type { ObjectName } from '#lib/kube/resource.ts';
import { memberAmong } from '#lib/node/membership.ts';
import type { EtcdMember } from '#lib/node/situation.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { MANAGER } from '../kinds.ts';
import { slimPod } from '../slim.ts';
import { issueClient } from './client-certificate.ts';
import { type Credentials, EtcdGateway, type Member } from './etcd-gateway.ts';
import type { Leaving, Secret, Store } from './store.ts';

const NAMESPACE = 'kube-system';
/** As kubeadm labels its static pods. */
const LABELS = 'component=etcd,tier=control-plane';

interface Answering {
  readonly gateway: EtcdGateway;
  /** Name of its Node. */
  readonly node: string;
  readonly isHealthy: boolean;
  readonly leader: string;
}

export interface KubeadmEtcdParts {
  /** Of the workload cluster. */
  readonly client: KubeClient;
  /** With the authority of etcd: tls.crt, tls.key. */
  readonly secret: () => Promise<Secret>;
  readonly timing: Timing;
}

export function kubeadmEtcd({ client, secret, timing }: KubeadmEtcdParts): Store {
  /** A certificate of its own for each use: none is kept. */
  const credentials = async (): Promise<Credentials> => {
    const { 'tls.crt': cert, 'tls.key': key } = await secret();
    if (cert === undefined || key === undefined)
      throw new Error('its Secret has no authority of etcd (tls.crt, tls.key)');
    const serial = `00${randomBytes(15).toString('hex')}`;
    return { client: await issueClient({ cert, key }, MANAGER, timing.now(), serial), ca: cert };
  };
  return {
    members: async () => membersOf(client, await credentials()),
    leave: async (leaving) => {
      await leave(client, await credentials(), leaving);
      return 'Left';
    },
  };
}

/**
 * All members, with their health, as a healthy one lists them.
 * Throws KubeRefusal and Unreachable for the API server; a member that cannot be reached is not healthy.
 */
async function membersOf(client: KubeClient, credentials: Credentials): Promise<readonly EtcdMember[]> {
  const { answering, why } = await reached(client, credentials);
  try {
    const first = answering.find(({ isHealthy }) => isHealthy);
    if (first === undefined) throw new Error(`no member of etcd answers: ${why}`);
    const members = await first.gateway.members();
    return members.map((member) => told(member, answering, first.leader));
  } finally {
    for (const { gateway } of answering) gateway.close();
  }
}

/** Takes a member out; a leader hands over first. Asks a member that stays. Throws Unreachable, KubeRefusal. */
async function leave(client: KubeClient, credentials: Credentials, leaving: Leaving): Promise<void> {
  const { leaderTo } = leaving;
  const { answering, why } = await reached(client, credentials);
  try {
    const other = answering.find(({ node, isHealthy }) => isHealthy && node !== leaving.member.name);
    if (other === undefined) throw new Error(`no other member of etcd answers: ${why}`);
    const members = await other.gateway.members();
    const own = memberAmong(members, leaving.member);
    if (own === undefined) return; // it has left
    const next = members.find((member) => member.name === leaderTo);
    const leader = answering.find(({ node }) => node === own.name);
    if (next !== undefined && own.id === other.leader) await leader?.gateway.moveLeader(next.id);
    await other.gateway.remove(own.id);
  } finally {
    for (const { gateway } of answering) gateway.close();
  }
}

async function reached(
  client: KubeClient,
  credentials: Credentials,
): Promise<{ readonly answering: readonly Answering[]; readonly why: string }> {
  const { items } = await client.list(PODS, { namespace: NAMESPACE, labels: LABELS }, slimPod);
  const running = items.filter((pod) => conditionOf(pod, 'Ready')?.status === 'True');
  const results = await Promise.allSettled(running.map((pod) => ask(client, pod, credentials)));
  const answering = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = results.find((result) => result.status === 'rejected');
  const why = refused === undefined ? 'none of its pods is ready' : messageOf(refused.reason);
  return { answering, why };
}

async function ask(client: KubeClient, pod: KubeObject, credentials: Credentials): Promise<Answering> {
  const gateway = await EtcdGateway.to(client.endpoint, podName(pod), credentials);
  try {
    return { gateway, node: stringAt(pod, 'spec', 'nodeName') ?? '', ...(await gateway.status()) };
  } catch (thrown) {
    gateway.close();
    throw thrown;
  }
}

function told({ name, id, isLearner }: Member, answering: readonly Answering[], leader: string): EtcdMember {
  const own = answering.find(({ node }) => node === name);
  return { name, id, isHealthy: own?.isHealthy === true, isLeader: id === leader, ...(isLearner ? { isLearner } : {}) };
}

function podName({ metadata }: KubeObject): ObjectName {
  return { namespace: metadata?.namespace ?? NAMESPACE, name: metadata?.name ?? '' };
}
