/**
 * The API of one etcd member as JSON, which etcd serves beside gRPC on the port of its clients. It is reached through the
 * API server of its cluster.
 */
import { type Json, type JsonObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Endpoint } from '#lib/kube/endpoint.ts';
import type { ObjectName } from '#lib/kube/resource.ts';
import type { Pair } from './client-certificate.ts';
import { OverPort } from './over-port.ts';

export interface Credentials {
  readonly client: Pair;
  /** PEM of the authority of etcd. */
  readonly ca: string;
}

export interface Member {
  /** A number of 64 bits, as text. */
  readonly id: string;
  /** Empty until it has started. */
  readonly name: string;
  /** It only learns, and does not vote. */
  readonly isLearner: boolean;
}

export interface MemberStatus {
  readonly leader: string;
  readonly isHealthy: boolean;
}

const PORT = 2379;
/** Seconds. A member that does not answer within this time is not healthy. */
const WITHIN = 5;

export class EtcdGateway {
  readonly #port: OverPort;

  private constructor(port: OverPort) {
    this.#port = port;
  }

  /** Its certificate is for `localhost`, as kubeadm issues it. Throws KubeRefusal and Unreachable. */
  static async to(endpoint: Endpoint, pod: ObjectName, { client, ca }: Credentials): Promise<EtcdGateway> {
    const port = await OverPort.to(endpoint, {
      pod,
      port: PORT,
      tls: { servername: 'localhost', ca, ...client },
      foreign: { name: `etcd of Pod "${pod.name}"`, headers: {}, refusalAt: 'message' },
    });
    return new EtcdGateway(port);
  }

  async members(): Promise<readonly Member[]> {
    const answer = await this.#ask('/v3/cluster/member/list', { linearizable: true }, 'list the members of etcd');
    const list = at(answer, 'members');
    return (Array.isArray(list) ? (list as readonly Json[]) : []).filter(isJsonObject).map((member) => ({
      id: stringAt(member, 'ID') ?? '',
      name: stringAt(member, 'name') ?? '',
      isLearner: member['isLearner'] === true,
    }));
  }

  /** Of the member that was reached. */
  async status(): Promise<MemberStatus> {
    const answer = await this.#ask('/v3/maintenance/status', {}, 'read the status of etcd');
    const leader = stringAt(answer, 'leader') ?? '0';
    const errors = at(answer, 'errors');
    return { leader, isHealthy: leader !== '0' && !(Array.isArray(errors) && errors.length > 0) };
  }

  /** Only the leader can be asked for it. */
  async moveLeader(to: string): Promise<void> {
    await this.#ask('/v3/maintenance/transfer-leadership', { targetID: to }, 'move the leadership of etcd');
  }

  async remove(id: string): Promise<void> {
    await this.#ask('/v3/cluster/member/remove', { ID: id }, 'remove a member of etcd');
  }

  close(): void {
    this.#port.close();
  }

  #ask(path: string, body: JsonObject, what: string): Promise<JsonObject> {
    return this.#port.ask(path, body, what, WITHIN);
  }
}
