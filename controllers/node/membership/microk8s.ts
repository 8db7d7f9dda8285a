/**
 * dqlite of MicroK8s: the cluster agent of another control plane removes an endpoint from it. The agent listens on every
 * address of its host, so it is reached through a pod in the network of that host.
 */
import { checkServerIdentity } from 'node:tls';
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { DQLITE_PORT, MICROK8S_AGENT_PORT } from '#lib/api/microk8s.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import { unlistedMembers, unlistedNodes } from '#lib/node/members.ts';
import { nameOf } from '#lib/node/node.ts';
import { addressesOf, controlPlanes } from './addresses.ts';
import { AskNext, type BehindPods, withFirst } from './behind-pods.ts';
import type { OverPort } from './over-port.ts';
import { authTokenIn, type Secret, type Store } from './store.ts';

export interface MicroK8sParts {
  /** Of the workload cluster. Its authority signs the certificates of the agents. */
  readonly client: KubeClient;
  /** With the token that agents accept. */
  readonly secret: () => Promise<Secret>;
  /** The WorkloadNode of the Node that is to leave. */
  readonly object: KubeObject;
  /** Those of the cluster. */
  readonly peers: readonly KubeObject[];
}

/** As MicroK8s labels its control planes. */
const CONTROL_PLANE = 'node.kubernetes.io/microk8s-controlplane';
const NAMESPACE = 'kube-system';
/** Pods in the network of their host, one on each Node: the only pod network that MicroK8s gets. */
const CALICO = 'k8s-app=calico-node';
/** A machine that started without the token of the cluster, as those of earlier releases did, has removed nothing. */
const UNCHECKED = /invalid CAPI auth token|failed to validate CAPI auth token/;
/** Seconds. */
const WITHIN = { health: 5, remove: 60 } as const;

export function microk8sDqlite({ client, secret, object, peers }: MicroK8sParts): Store {
  const own = stringAt(object, 'status', 'nodeRef', 'name') ?? '';
  const nodesNow = async () => unlistedNodes(await controlPlanes(client, CONTROL_PLANE), peers);
  const addressed = (node: KubeObject) =>
    addressOf(
      peers.find((peer) => nameFound(peer) === nameOf(node)),
      node,
    );
  return {
    members: async () => {
      const nodes = await nodesNow();
      const members = unlistedMembers(nodes, peers, own);
      if (members.some(({ name }) => name === own) && members.length > 1)
        await withFirst(agents({ client, nodes, leaving: own, addressed }, authTokenIn(await secret())), answering);
      return members;
    },
    leave: async ({ member }) => {
      const nodes = await nodesNow();
      const own = nodes.find((node) => nameOf(node) === member.name);
      const endpoint = endpointOf(object, own === undefined ? addressOf(object, object) : addressed(own));
      const asked = agents({ client, nodes, leaving: member.name, addressed }, authTokenIn(await secret()));
      await withFirst(asked, async (agent) => {
        await answering(agent);
        await remove(agent, endpoint);
      });
      return 'Left';
    },
  };
}

/** As the cloud tells it: a Node could name that of another machine. Without, both have addresses in their status. */
function addressOf(peer: KubeObject | undefined, found: KubeObject): string | undefined {
  const told = at(peer, 'spec', 'servingCertificates', 'addresses');
  const [first] = Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [];
  return first ?? addressesOf(found)[0];
}

function nameFound(peer: KubeObject): string | undefined {
  return stringAt(peer, 'status', 'nodeRef', 'name');
}

function endpointOf(object: KubeObject, address: string | undefined): string {
  if (address === undefined)
    throw new Error(`${object.kind} "${nameOf(object)}" has no address, so its endpoint in dqlite is not known`);
  return `${address.includes(':') ? `[${address}]` : address}:${DQLITE_PORT}`;
}

interface Agents extends Pick<BehindPods, 'client' | 'nodes' | 'leaving'> {
  readonly addressed: (node: KubeObject) => string | undefined;
}

function agents({ client, nodes, leaving, addressed }: Agents, token: string): BehindPods {
  const { ca } = client.endpoint.credentials;
  if (ca === undefined)
    throw new Error('the kubeconfig has no authority, which signs the certificates of cluster agents');
  return {
    client,
    nodes,
    leaving,
    pods: { namespace: NAMESPACE, labels: CALICO, shown: 'calico-node' },
    portOf: (node) => {
      const address = addressed(node);
      if (address === undefined) return undefined;
      return {
        port: MICROK8S_AGENT_PORT,
        // The same authority also signs for workers: it has to be the machine with this address.
        tls: { ca, checkServerIdentity: (_name, certificate) => checkServerIdentity(address, certificate) },
        foreign: {
          name: `the cluster agent of Node "${nameOf(node)}"`,
          headers: { [AUTH_TOKEN.header]: token },
          refusalAt: 'error',
        },
      };
    },
  };
}

async function answering(agent: OverPort): Promise<void> {
  try {
    await agent.ask('/health', undefined, 'reach the cluster agent', WITHIN.health);
  } catch (thrown) {
    throw new AskNext('not reached', { cause: thrown });
  }
}

async function remove(agent: OverPort, endpoint: string): Promise<void> {
  const body = { remove_endpoint: endpoint };
  try {
    await agent.ask('/cluster/api/v2.0/dqlite/remove', body, `remove ${endpoint} from dqlite`, WITHIN.remove);
  } catch (thrown) {
    if (thrown instanceof KubeRefusal && UNCHECKED.test(thrown.text)) throw new AskNext('no token', { cause: thrown });
    throw thrown;
  }
}
