/**
 * A server that is no Kubernetes API, behind a port of a pod: reached through the API server of its cluster, over TLS
 * that is verified before the first byte is sent.
 */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { JsonObject } from '#lib/api/json.ts';
import type { Endpoint, Foreign } from '#lib/kube/endpoint.ts';
import { type Ask, exchange, MIB } from '#lib/kube/exchange.ts';
import { forwarded } from '#lib/kube/port-forward.ts';
import { KubeRefusal, Unreachable } from '#lib/kube/refusal.ts';
import type { ObjectName } from '#lib/kube/resource.ts';
import { troubleOf } from '#lib/kube/trouble.ts';

export interface Port {
  readonly pod: ObjectName;
  readonly port: number;
  /** What verifies the server, and the client certificate if it wants one. */
  readonly tls: Pick<ConnectionOptions, 'servername' | 'ca' | 'cert' | 'key' | 'checkServerIdentity'>;
  readonly foreign: Foreign;
}

/** Seconds to agree on TLS. */
const WITHIN = 5;

class OneConnection extends Agent {
  readonly #socket: TLSSocket;

  constructor(socket: TLSSocket) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#socket = socket;
  }

  override createConnection(): TLSSocket {
    return this.#socket;
  }
}

export class OverPort {
  readonly #endpoint: Endpoint;
  readonly #socket: TLSSocket;

  private constructor(socket: TLSSocket, { foreign }: Port) {
    this.#socket = socket;
    // The socket is encrypted already, and all requests share it.
    this.#endpoint = { server: 'http://localhost', credentials: {}, foreign, agent: new OneConnection(socket) };
  }

  /** Throws KubeRefusal of the API server, and Unreachable. */
  static async to(endpoint: Endpoint, port: Port): Promise<OverPort> {
    const inner = await forwarded(endpoint, port.pod, port.port);
    const socket = connectTls({ socket: inner, ...port.tls, ALPNProtocols: ['http/1.1'] });
    try {
      await once(socket, 'secureConnect', { signal: AbortSignal.timeout(WITHIN * 1000) });
    } catch (thrown) {
      socket.destroy();
      inner.destroy();
      if (thrown instanceof KubeRefusal || thrown instanceof Unreachable) throw thrown;
      const isLate = thrown instanceof Error && thrown.name === 'AbortError';
      const late = { kind: 'Timeout', why: `no answer within ${WITHIN} s` } as const;
      throw new Unreachable(`cannot reach ${port.foreign.name}`, isLate ? late : troubleOf(thrown));
    }
    // An error between two requests must not end the process; the next request fails.
    socket.on('error', () => undefined);
    return new OverPort(socket, port);
  }

  /** Throws KubeRefusal and Unreachable. */
  ask(path: string, body: JsonObject | undefined, what: string, within: number): Promise<JsonObject> {
    const ask: Ask = { method: body === undefined ? 'GET' : 'POST', path, what, within, most: MIB };
    return exchange(this.#endpoint, body === undefined ? ask : { ...ask, body });
  }

  close(): void {
    this.#socket.destroy();
  }
}
