/**
 * dqlite of MicroK8s: the cluster agent of another control plane removes an endpoint from it. The agent listens on every
 * address of its host, so it is reached through a pod in the network of that host.
 */
import { checkServerIdentity } from 'node:tls';
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { DQLITE_PORT, MICROK8S_AGENT_PORT } from '#lib/api/microk8s.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import { unlistedMembers } from '#lib/node/members.ts';
import { nameOf } from '#lib/node/node.ts';
import { addressesOf, controlPlanes } from './addresses.ts';
import { AskNext, type BehindPods, withFirst } from './behind-pods.ts';
import { markLeft } from './left.ts';
import type { OverPort } from './over-port.ts';
import { authTokenIn, type Secret, type Store } from './store.ts';

export interface MicroK8sParts {
  /** Of the workload cluster. Its authority signs the certificates of the agents. */
  readonly client: KubeClient;
  /** With the token that agents accept. */
  readonly secret: () => Promise<Secret>;
  /** The WorkloadNode of the Node that is to leave. */
  readonly object: KubeObject;
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

export function microk8sDqlite({ client, secret, object }: MicroK8sParts): Store {
  const own = stringAt(object, 'status', 'nodeRef', 'name') ?? '';
  return {
    members: async () => {
      const nodes = await controlPlanes(client, CONTROL_PLANE);
      const members = unlistedMembers(nodes, own);
      if (members.some(({ name }) => name === own) && members.length > 1)
        await withFirst(agents(client, nodes, own, authTokenIn(await secret())), answering);
      return members;
    },
    leave: async ({ member }) => {
      const nodes = await controlPlanes(client, CONTROL_PLANE);
      const endpoint = endpointOf(nodes.find((node) => nameOf(node) === member) ?? object);
      await withFirst(agents(client, nodes, member, authTokenIn(await secret())), async (agent) => {
        await answering(agent);
        await remove(agent, endpoint);
      });
      await markLeft(client, member);
      return 'Left';
    },
  };
}

/** Both a Node and its WorkloadNode have addresses in their status. */
function endpointOf(object: KubeObject): string {
  const [address] = addressesOf(object);
  if (address === undefined)
    throw new Error(`${object.kind} "${nameOf(object)}" has no address, so its endpoint in dqlite is not known`);
  return `${address.includes(':') ? `[${address}]` : address}:${DQLITE_PORT}`;
}

function agents(client: KubeClient, nodes: readonly KubeObject[], leaving: string, token: string): BehindPods {
  const { ca } = client.endpoint.credentials;
  if (ca === undefined)
    throw new Error('the kubeconfig has no authority, which signs the certificates of cluster agents');
  return {
    client,
    nodes,
    leaving,
    pods: { namespace: NAMESPACE, labels: CALICO, shown: 'calico-node' },
    portOf: (node) => {
      const [address] = addressesOf(node);
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
