/**
 * A connection to a port of a pod, through the API server and the kubelet: the protocol `v4.channel.k8s.io` over a
 * WebSocket, which API servers hand through to kubelets. The first byte of a message is its channel: 0 is the data of
 * the port, 1 its error. The first message of each channel is the number of the port.
 */
import { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import type { Endpoint } from './endpoint.ts';
import { plainCause, Unreachable } from './refusal.ts';
import { type ObjectName, pathOfObject, type Resource, shownName } from './resource.ts';

export const PODS: Resource = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

const PROTOCOL = 'v4.channel.k8s.io';
const CHANNEL = { data: 0, error: 1 } as const;
const CONNECT_MS = 10_000;

/** Throws Unreachable. Errors of the port come later, as errors of the stream. */
export function forwarded({ server, credentials }: Endpoint, pod: ObjectName, port: number): Promise<Duplex> {
  const { headers, ...tls } = credentials;
  const url = `${server.replace(/^http/, 'ws').replace(/\/$/, '')}${pathOfObject(PODS, pod, 'portforward')}?ports=${port}`;
  const what = `reach port ${port} of ${shownName(PODS, pod)} at "${server}"`;
  const socket = new WebSocket(url, [PROTOCOL], {
    ...tls,
    headers: headers as Record<string, string>,
    handshakeTimeout: CONNECT_MS,
    followRedirects: false,
    perMessageDeflate: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const fail = (cause: unknown): void => {
    const why = plainCause(cause);
    reject(new Unreachable(`cannot ${what}: ${why}`, why, cause));
  };
  socket.once('error', fail);
  socket.once('unexpected-response', (_request, answer) => {
    fail(new Error(`HTTP ${answer.statusCode ?? 0}`));
    socket.terminate();
  });
  socket.once('open', () => resolve(new Forwarded(socket, what)));
  return promise;
}

class Forwarded extends Duplex {
  readonly #socket: WebSocket;
  /** Channels whose first message, the number of the port, has come. */
  readonly #begun = new Set<number>();

  constructor(socket: WebSocket, what: string) {
    super();
    this.#socket = socket;
    socket.removeAllListeners('error');
    socket.on('message', (message) => this.#take(message, what));
    socket.on('error', (cause) => this.destroy(cause));
    socket.on('close', () => this.push(null));
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

  #take(message: RawData, what: string): void {
    const bytes = Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message as Buffer);
    const [channel = 0] = bytes;
    const data = bytes.subarray(1);
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      return;
    }
    if (channel === CHANNEL.error) {
      const why = data.toString('utf8').slice(0, 300);
      this.destroy(new Unreachable(`cannot ${what}: ${why}`, why));
    } else if (data.length > 0 && !this.push(data)) this.#socket.pause();
  }
}
