/**
 * Machines of a Talos control plane as far as etcd goes: gRPC servers over mutual TLS, each at an address of its own, that
 * share one store.
 */
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall, status } from '@grpc/grpc-js';
import type { Issuer } from './authority.ts';

export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly id: bigint;
}

type Call = ServerUnaryCall<Buffer, Buffer>;

export class TalosMachines {
  /** `machine method`, in order, without those that only read. */
  readonly asked: string[] = [];
  readonly #authority: Issuer;
  readonly #servers = new Map<string, Server>();
  members: readonly Machine[];
  leader: bigint;
  port = 0;

  private constructor(authority: Issuer, members: readonly Machine[]) {
    this.#authority = authority;
    this.members = members;
    this.leader = members[0]?.id ?? 0n;
  }

  static async with(authority: Issuer, members: readonly Machine[]): Promise<TalosMachines> {
    const machines = new TalosMachines(authority, members);
    for (const member of members) await machines.#serve(member);
    return machines;
  }

  stop(name: string): void {
    this.#servers.get(name)?.forceShutdown();
  }

  close(): void {
    for (const server of this.#servers.values()) server.forceShutdown();
  }

  async #serve(machine: Machine): Promise<void> {
    const { cert, key } = await this.#authority.issue(machine.name, { ip: [machine.address] });
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
    const server = new Server();
    const answers: Readonly<Record<string, (call: Call) => Buffer>> = {
      EtcdStatus: () => this.#status(machine),
      EtcdMemberList: () => this.#list(),
      EtcdForfeitLeadership: () => this.#forfeit(machine),
      EtcdLeaveCluster: () => this.#remove(machine, machine.id, 'leave'),
      EtcdRemoveMemberByID: ({ request }) => this.#remove(machine, idIn(request), 'remove'),
    };
    const identity = (bytes: Buffer): Buffer => bytes;
    const methods = Object.keys(answers).map((name) => [
      name,
      {
        path: `/machine.MachineService/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: identity,
        requestDeserialize: identity,
        responseSerialize: identity,
        responseDeserialize: identity,
      },
    ]);
    const handlers = Object.entries(answers).map(([name, answer]) => [
      name,
      (call: Call, done: sendUnaryData<Buffer>) => {
        try {
          done(null, answer(call));
        } catch (thrown) {
          done({ code: status.FAILED_PRECONDITION, details: thrown instanceof Error ? thrown.message : '' });
        }
      },
    ]);
    server.addService(Object.fromEntries(methods) as never, Object.fromEntries(handlers) as never);
    const credentials = ServerCredentials.createSsl(Buffer.from(this.#authority.cert), [pair], true);
    this.port = await new Promise((resolve, reject) =>
      server.bindAsync(`${machine.address}:${this.port}`, credentials, (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
    this.#servers.set(machine.name, server);
  }

  #status({ id }: Machine): Buffer {
    const writer = new BinaryWriter().tag(1, 2).fork();
    writer.tag(1, 2).fork().tag(1, 2).string('metadata').join();
    writer.tag(2, 2).fork();
    writer.tag(1, 2).string('3.6.4').tag(2, 0).int64(20480).tag(4, 0).uint64(this.leader).tag(10, 0).uint64(id);
    return Buffer.from(writer.join().join().finish());
  }

  #list(): Buffer {
    const writer = new BinaryWriter().tag(1, 2).fork();
    for (const { name, id, address } of this.members)
      writer
        .tag(3, 2)
        .fork()
        .tag(2, 0)
        .uint64(id)
        .tag(3, 2)
        .string(name)
        .tag(4, 2)
        .string(`https://${address}:2380`)
        .join();
    return Buffer.from(writer.join().finish());
  }

  #forfeit({ name, id }: Machine): Buffer {
    this.asked.push(`${name} forfeit`);
    const next = this.members.find((one) => one.id !== id);
    if (this.leader === id && next !== undefined) this.leader = next.id;
    return Buffer.alloc(0);
  }

  #remove({ name }: Machine, id: bigint, how: string): Buffer {
    if (!this.members.some((one) => one.id === id)) throw new Error('etcdserver: member not found');
    if (this.leader === id) throw new Error('the leader has to hand over first');
    this.asked.push(`${name} ${how} ${id}`);
    this.members = this.members.filter((one) => one.id !== id);
    return Buffer.alloc(0);
  }
}

function idIn(request: Buffer): bigint {
  const reader = new BinaryReader(request);
  for (; reader.pos < reader.len;) {
    const [field, kind] = reader.tag();
    if (field === 1) return BigInt(reader.uint64());
    reader.skip(kind);
  }
  return 0n;
}
