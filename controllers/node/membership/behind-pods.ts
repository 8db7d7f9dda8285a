/** A daemon of control planes, behind a pod of its own on each of them: the first one that can be used. */
import { conditionOf } from '#lib/api/conditions.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { isReady, nameOf } from '#lib/node/node.ts';
import { slimPod } from '../slim.ts';
import { OverPort, type Port } from './over-port.ts';

export interface BehindPods {
  /** Of the workload cluster. */
  readonly client: KubeClient;
  readonly nodes: readonly KubeObject[];
  /** Name of the Node that is not asked. */
  readonly leaving?: string | undefined;
  readonly pods: { readonly namespace: string; readonly labels: string; /** For messages. */ readonly shown: string };
  /** undefined: the Node cannot be asked, for it lacks what its daemon is verified by. */
  readonly portOf: (node: KubeObject) => Omit<Port, 'pod'> | undefined;
}

/** Thrown by what uses a daemon: this one cannot help, and the next one may. */
export class AskNext extends Error {}

/**
 * Ready Nodes first. One that is not reached, or for which `use` throws AskNext, is followed by the next; every other
 * error of `use` ends it, for what it asked may have happened. The connection is closed at the end.
 * Throws the cause of the last one, and an Error if there is none to ask.
 */
export async function withFirst<T>(behind: BehindPods, use: (port: OverPort) => Promise<T>): Promise<T> {
  const { client, nodes, leaving, pods, portOf } = behind;
  const { items } = await client.list(PODS, { namespace: pods.namespace, labels: pods.labels }, slimPod);
  const ready = items.filter((pod) => conditionOf(pod, 'Ready')?.status === 'True');
  const others = nodes.filter((node) => nameOf(node) !== leaving);
  let why: unknown = new Error(
    `no ready pod ${pods.shown} on ${leaving === undefined ? 'a' : 'another'} control plane`,
  );
  for (const node of others.toSorted((a, b) => Number(isReady(b)) - Number(isReady(a)))) {
    const pod = ready.find((one) => stringAt(one, 'spec', 'nodeName') === nameOf(node));
    const rest = portOf(node);
    if (pod === undefined || rest === undefined) continue;
    const place = { namespace: pods.namespace, name: nameOf(pod) };
    let port: OverPort;
    try {
      port = await OverPort.to(client.endpoint, { pod: place, ...rest });
    } catch (thrown) {
      why = thrown;
      continue;
    }
    try {
      return await use(port);
    } catch (thrown) {
      if (!(thrown instanceof AskNext)) throw thrown;
      why = thrown.cause;
    } finally {
      port.close();
    }
  }
  throw why;
}
