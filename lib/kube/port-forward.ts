/**
 * A connection to a port of a pod, through the API server and the kubelet. The protocol is `v4.channel.k8s.io` over a
 * WebSocket: API servers hand it through to kubelets, which have always spoken it; `kubectl` uses another one, which
 * tunnels SPDY. The first byte of a message is its channel: 0 is the data of the port, 1 its error. The first message of
 * each channel is the number of the port. It takes `create` on pods/portforward (Kubernetes 1.35), and `get` before.
 */
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import { type Endpoint, headersOf } from './endpoint.ts';
import { beginOf, MIB, parsed, refusalOf, wholeText } from './exchange.ts';
import { Unreachable } from './refusal.ts';
import { type ObjectName, pathOfObject, type Resource, shownName } from './resource.ts';
import { type Trouble, troubleOf } from './trouble.ts';

export const PODS: Resource = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

const PROTOCOL = 'v4.channel.k8s.io';
const CHANNEL = { data: 0, error: 1 } as const;
const CONNECT_MS = 10_000;
/** Codes of a WebSocket that was closed on purpose. */
const CLOSED: ReadonlySet<number> = new Set([1000, 1005]);

/**
 * Ending the stream ends both directions. Throws KubeRefusal and Unreachable. Nothing is known of the port yet: what is
 * wrong with it comes later, as an error of the stream (Unreachable).
 */
export function forwarded(endpoint: Endpoint, pod: ObjectName, port: number): Promise<Duplex> {
  const { server, credentials } = endpoint;
  const url = `${server.replace(/^http/, 'ws').replace(/\/$/, '')}${pathOfObject(PODS, pod, 'portforward')}?ports=${port}`;
  const begin = beginOf(endpoint, { what: `reach port ${port} of ${shownName(PODS, pod)}` });
  const socket = new WebSocket(url, [PROTOCOL], {
    ...credentials,
    headers: headersOf(endpoint) as Record<string, string>,
    handshakeTimeout: CONNECT_MS,
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: MIB,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  socket.on('error', (thrown) => reject(new Unreachable(begin, troubleOf(thrown))));
  socket.once('unexpected-response', (_request, answer) => {
    refused(answer, begin).then(reject, (thrown: unknown) => reject(new Unreachable(begin, troubleOf(thrown))));
  });
  socket.once('open', () => resolve(new Forwarded(socket, port, begin)));
  return promise;
}

async function refused(answer: IncomingMessage, begin: string): Promise<unknown> {
  answer.setTimeout(CONNECT_MS, () => answer.destroy());
  return refusalOf(answer.statusCode ?? 0, parsed(await wholeText(answer, MIB)), begin);
}

class Forwarded extends Duplex {
  readonly #socket: WebSocket;
  readonly #port: number;
  readonly #begin: string;
  /** Channels whose first message, the number of the port, has come. */
  readonly #begun = new Set<number>();

  constructor(socket: WebSocket, port: number, begin: string) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#port = port;
    this.#begin = begin;
    // Until somebody reads, nobody may listen for errors either, and an error that nobody hears ends the process.
    socket.pause();
    socket.on('message', (message) => this.#take(message));
    socket.on('error', (thrown) => this.#fail(troubleOf(thrown)));
    socket.on('close', (code) => {
      if (CLOSED.has(code)) this.push(null);
      else this.#fail({ kind: 'NoConnection', why: 'the connection was reset' });
    });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.send(Buffer.concat([Buffer.of(CHANNEL.data), chunk]), done);
  }

  override _final(done: () => void): void {
    this.#socket.close(1000);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.terminate();
    done(error);
  }

  #take(message: RawData): void {
    const bytes = Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message as Buffer);
    const [channel = 0] = bytes;
    const data = bytes.subarray(1);
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      if (data.length !== 2 || data.readUInt16LE() !== this.#port)
        this.#fail({ kind: 'NotKubernetes', why: `the answer is not ${PROTOCOL}` });
    } else if (channel === CHANNEL.error) {
      this.#fail({ kind: 'NoConnection', why: data.toString('utf8').slice(0, 300) });
    } else if (data.length > 0 && !this.push(data)) this.#socket.pause();
  }

  #fail(trouble: Trouble): void {
    this.destroy(new Unreachable(this.#begin, trouble));
  }
}
