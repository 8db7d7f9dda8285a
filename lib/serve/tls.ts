/**
 * TLS before gRPC. A client needs a certificate of the authority. When the authority is replaced, every connection that
 * the old one vouched for ends: clients of the new one connect again, all others cannot.
 */
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { Certificates, RotatedCertificates } from './certificates.ts';
import type { Limits } from './limits.ts';

/** TLS 1.3, or 1.2 with forward secrecy and authenticated encryption. */
const SUITES = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  ...['ECDSA', 'RSA'].flatMap((key) => [
    `ECDHE-${key}-AES256-GCM-SHA384`,
    `ECDHE-${key}-CHACHA20-POLY1305`,
    `ECDHE-${key}-AES128-GCM-SHA256`,
  ]),
].join(':');

type TlsLimits = Pick<Limits, 'handshake' | 'grace'>;

/** Returns what takes new connections. */
export function secured(
  grpc: Server,
  certificates: Pick<RotatedCertificates, 'current' | 'onRotation'>,
  limits: TlsLimits,
): (socket: Socket) => void {
  let trust = new Trust(grpc, certificates.current, limits);
  certificates.onRotation((next, before) => {
    if (next.ca.equals(before.ca)) return trust.present(next);
    trust.end();
    trust = new Trust(grpc, next, limits);
  });
  return (socket) => trust.take(socket);
}

/** All connections that one authority vouches for. */
class Trust {
  readonly #tls;
  readonly #injector;
  readonly #grace: number;
  #ended = false;

  constructor(grpc: Server, certificates: Certificates, { handshake, grace }: TlsLimits) {
    this.#grace = grace;
    this.#injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
    this.#tls = createServer({
      ...contextOf(certificates),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
      handshakeTimeout: handshake,
    });
    this.#tls.on('secureConnection', (socket) => this.#pass(socket));
    // The client gets the alert; a port scanner is no reason to log.
    this.#tls.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  take(socket: Socket): void {
    this.#tls.emit('connection', socket);
  }

  /** Uses another certificate of the server for new connections. */
  present(certificates: Certificates): void {
    this.#tls.setSecureContext(contextOf(certificates));
  }

  /** Takes no more calls, and closes every connection once its calls are answered or the time is up. */
  end(): void {
    this.#ended = true;
    this.#injector.drain(this.#grace);
  }

  #pass(socket: TLSSocket): void {
    // A handshake that began before the end may finish after it.
    if (this.#ended || socket.alpnProtocol !== 'h2') socket.destroy();
    else this.#injector.injectConnection(socket);
  }
}

function contextOf({ ca, cert, key }: Certificates): SecureContextOptions {
  return { ca, cert, key, ciphers: SUITES, honorCipherOrder: true, minVersion: 'TLSv1.2' };
}
