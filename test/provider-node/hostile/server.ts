/** A server over TLS that answers as a case says, instead of as a Kubernetes API would. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Issued } from '../../support/authority.ts';

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export interface HostileServer {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  /** Requests whose answer has ended, one way or the other, and connections that the client gave up. */
  readonly answered: number;
  close(): void;
}

export async function serve(pair: Issued, answering: Answering): Promise<HostileServer> {
  const asked: string[] = [];
  let answered = 0;
  const server = createServer(pair, (request, response) => {
    asked.push(request.url ?? '');
    request.resume();
    response.once('close', () => (answered += 1));
    answering(request, response);
  });
  server.on('tlsClientError', () => (answered += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get answered() {
      return answered;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answering =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const json = (body: unknown, status = 200): Answering => text(status, JSON.stringify(body));

/** As Kubernetes refuses. */
export const status = (code: number, reason: string, message: string): Answering =>
  json({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, code);

/** Lists these Nodes; watches stay silent. */
export const nodes =
  (...items: readonly unknown[]): Answering =>
  (request, response) => {
    if (request.url?.includes('watch=true') === true) response.writeHead(200).flushHeaders();
    else json({ kind: 'NodeList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items })(request, response);
  };
