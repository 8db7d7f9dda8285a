/**
 * etcd of Talos: the leaving machine is asked to leave by its own API; one that does not answer is removed by another
 * machine.
 */
import { messageOf } from '#lib/api/errors.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { memberAmong } from '#lib/node/membership.ts';
import type { EtcdMember } from '#lib/node/situation.ts';
import { credentialsOf, TALOS_PORT, type TalosCredentials } from '../talos/call.ts';
import { TalosEtcd, type TalosMember, type TalosStatus } from '../talos/etcd.ts';
import { addressesOf, controlPlanes } from './addresses.ts';
import type { Leaving, Secret, Store } from './store.ts';

export interface TalosParts {
  /** Of the workload cluster. */
  readonly client: KubeClient;
  /** With the talosconfig. */
  readonly secret: () => Promise<Secret>;
  /** @default that of the Talos API */
  readonly port?: number;
}

interface Answering {
  /** Name of the Node. */
  readonly node: string;
  readonly etcd: TalosEtcd;
  readonly status: TalosStatus;
}

/** With what the store tells of it. */
interface NamedMember {
  readonly member: TalosMember;
  readonly told: EtcdMember;
}

interface Cluster {
  readonly answering: readonly Answering[];
  readonly members: readonly NamedMember[];
}

export function talosEtcd(parts: TalosParts): Store {
  return {
    members: async () => {
      const { members } = await clusterNow(parts);
      return members.map(({ told }) => told);
    },
    leave: async (leaving) => {
      await leave(await clusterNow(parts), leaving);
      return 'Left';
    },
  };
}

async function leave({ answering, members }: Cluster, { member, leaderTo }: Leaving): Promise<void> {
  const told = memberAmong(
    members.map((one) => one.told),
    member,
  );
  const own = members.find((one) => one.told === told)?.member;
  if (own === undefined) return; // it has left
  const machine = answering.find(({ status }) => status.id === own.id);
  if (machine !== undefined) {
    if (leaderTo !== undefined) await machine.etcd.forfeitLeadership();
    return machine.etcd.leave();
  }
  const other = answering.find(({ status }) => status.isHealthy);
  if (other === undefined) throw new Error('no other machine of the control plane can remove it from etcd');
  return other.etcd.remove(own.id);
}

async function clusterNow({ client, secret, port = TALOS_PORT }: TalosParts): Promise<Cluster> {
  const credentials = credentialsOf((await secret())['talosconfig'] ?? '');
  if (credentials === undefined) throw new Error('its Secret has no talosconfig (key talosconfig)');
  const nodes = await controlPlanes(client);
  const results = await Promise.allSettled(
    nodes.map((node) => reached(node.metadata?.name ?? '', addressesOf(node), credentials, port)),
  );
  const answering = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const listing = answering.find(({ status }) => status.isHealthy);
  if (listing === undefined) {
    const refused = results.find((result) => result.status === 'rejected');
    const why = refused?.reason instanceof Error ? refused.reason.message : 'no control plane has a healthy etcd';
    throw new Error(`cannot reach the Talos API of a control plane: ${why}`);
  }
  const members = await listing.etcd.members();
  return { answering, members: members.map((member) => told(member, answering, listing.status.leader)) };
}

/** At the first address that answers. */
async function reached(
  node: string,
  addresses: readonly string[],
  credentials: TalosCredentials,
  port: number,
): Promise<Answering> {
  let why = 'its Node has no address';
  for (const address of addresses) {
    const etcd = new TalosEtcd(address, credentials, port);
    try {
      return { node, etcd, status: await etcd.status() };
    } catch (thrown) {
      why = `${address}:${port}: ${messageOf(thrown)}`;
    }
  }
  throw new Error(why);
}

/** A machine that answers is known by its id; of others only the hostname is known, which is the name of the Node. */
function told(member: TalosMember, answering: readonly Answering[], leader: bigint): NamedMember {
  const machine = answering.find(({ status }) => status.id === member.id);
  const told = {
    name: machine?.node ?? member.hostname,
    id: String(member.id),
    isHealthy: machine?.status.isHealthy === true,
    isLeader: member.id === leader,
    isLearner: member.isLearner,
  };
  return { member, told };
}
