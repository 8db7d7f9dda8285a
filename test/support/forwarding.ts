/**
 * A server that speaks `v4.channel.k8s.io` for port-forwards as kubelets do: it writes the number of the port to both
 * channels, then connects the data channel to a stream of the test.
 */
import { Duplex } from 'node:stream';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';

export const PROTOCOL = 'v4.channel.k8s.io';

/** What is behind the port: a stream, or the reason why there is none. */
export type Port = (port: number, path: string) => Duplex | string;

/** Answers port-forwards of a server, whatever their path. @param query  parameter with the number of the port */
export function forwardPorts(server: Server | TlsServer, query: 'port' | 'ports', open: Port): void {
  const sockets = new WebSocketServer({
    server,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  sockets.on('connection', (socket, { url = '' }) => {
    const { pathname, searchParams } = new URL(url, 'http://api');
    const port = Number(searchParams.get(query));
    for (const channel of [0, 1]) send(socket, channel, Buffer.of(port & 255, port >> 8));
    const behind = open(port, pathname);
    if (behind instanceof Duplex) join(socket, behind);
    else send(socket, 1, Buffer.from(behind), () => socket.close(1000));
  });
}

function join(socket: WebSocket, behind: Duplex): void {
  behind.on('data', (data: Buffer) => {
    behind.pause();
    send(socket, 0, data, () => behind.resume());
  });
  behind.on('end', () => socket.close(1000));
  behind.on('error', () => socket.terminate());
  socket.on('message', (message: Buffer) => behind.write(message.subarray(1)));
  socket.on('close', () => behind.destroy());
}

function send(socket: WebSocket, channel: number, data: Buffer, sent?: () => void): void {
  socket.send(Buffer.concat([Buffer.of(channel), data]), sent);
}
