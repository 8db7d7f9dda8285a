/** What the Talos API of a control plane says of etcd, and how a member leaves it. */
import { callTalos, type TalosCredentials } from './call.ts';
import { fieldsOf, messagesAt, numberAt, numberMessage, textAt } from './message.ts';

export interface TalosMember {
  readonly id: bigint;
  readonly hostname: string;
  readonly isLearner: boolean;
}

export interface TalosStatus {
  /** Of the member on the machine that was asked. */
  readonly id: bigint;
  readonly leader: bigint;
  readonly isHealthy: boolean;
}

/** Seconds: the machine stops etcd and removes its data. */
const LEAVING = 60;

/** One machine. Everything throws TalosRefusal, and an Error if the machine does not answer. */
export class TalosEtcd {
  readonly #address: string;
  readonly #credentials: TalosCredentials;
  readonly #port: number;

  constructor(address: string, credentials: TalosCredentials, port: number) {
    this.#address = address;
    this.#credentials = credentials;
    this.#port = port;
  }

  async status(): Promise<TalosStatus> {
    const answer = fieldsOf(await this.#call('EtcdStatus'));
    const [found] = messagesAt(answer, 1).flatMap((one) => messagesAt(one, 2));
    if (found === undefined) throw new Error('the answer has no status');
    const leader = numberAt(found, 4);
    return { id: numberAt(found, 10), leader, isHealthy: leader !== 0n && !found.has(8) };
  }

  async members(): Promise<readonly TalosMember[]> {
    const answer = fieldsOf(await this.#call('EtcdMemberList'));
    return messagesAt(answer, 1)
      .flatMap((one) => messagesAt(one, 3))
      .map((one) => ({ id: numberAt(one, 2), hostname: textAt(one, 3), isLearner: numberAt(one, 6) !== 0n }));
  }

  async forfeitLeadership(): Promise<void> {
    await this.#call('EtcdForfeitLeadership');
  }

  /** The member on the machine that is asked. */
  async leave(): Promise<void> {
    await this.#call('EtcdLeaveCluster', undefined, LEAVING);
  }

  async remove(id: bigint): Promise<void> {
    await this.#call('EtcdRemoveMemberByID', numberMessage(1, id));
  }

  #call(method: string, message?: Buffer, within?: number): Promise<Buffer> {
    return callTalos(this.#address, this.#credentials, {
      method,
      port: this.#port,
      ...(message === undefined ? {} : { message }),
      ...(within === undefined ? {} : { within }),
    });
  }
}
