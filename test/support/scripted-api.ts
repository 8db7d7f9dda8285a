/** A server whose every answer is written by the test: what API servers, proxies and networks do when they are ill. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { KubeObject } from '#lib/api/json.ts';

export interface ScriptedApi {
  /** http://127.0.0.1:PORT */
  readonly server: string;
  /** `GET /path` of every request so far. */
  readonly requests: readonly string[];
  /** How many connections were opened. */
  readonly connections: number;
  /** Ends all connections, like a kill; the port stays its own. */
  kill(): Promise<void>;
  /** Listens again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export type Script = (response: ServerResponse, request: IncomingMessage, nth: number) => void;

/** @param script  answers the nth request, from 0 */
export async function scriptedApi(script: Script): Promise<ScriptedApi> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    script(response, request, requests.length - 1);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const kill = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    server: `http://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    kill,
    restart: () => listen(port),
    close: kill,
  };
}

export function say(response: ServerResponse, code: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A Status, as API servers refuse. */
export function refuse(response: ServerResponse, code: number, reason: string, headers?: Record<string, string>): void {
  say(response, code, { kind: 'Status', status: 'Failure', message: `it is ${reason}`, reason, code }, headers);
}

/** A list without kinds of its items, as API servers answer. */
export function listOf(objects: readonly KubeObject[], resourceVersion: string, more?: string): unknown {
  const items = objects.map(({ apiVersion: _version, kind: _kind, ...rest }) => rest);
  return { kind: 'List', metadata: { resourceVersion, ...(more === undefined ? {} : { continue: more }) }, items };
}

/** Begins to answer a watch. */
export function beginWatch(response: ServerResponse): (...events: readonly WatchLine[]) => void {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  return (...events) => void response.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}
