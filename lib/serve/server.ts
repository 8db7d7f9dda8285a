/** A gRPC server with TLS, health, metrics and a graceful shutdown. Its services are arguments. */
import type { Socket } from 'node:net';
import { Server, ServerCredentials, setLogger } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Address } from './address.ts';
import { Health } from './health.ts';
import { CHANNEL_LIMITS, LIMITS } from './limits.ts';
import { listen, listener } from './listener.ts';
import { metricsServer } from './metrics.ts';
import { drain, onStop } from './stop.ts';
import { RotatedCertificates } from './certificates.ts';
import { secured } from './tls.ts';

export interface ServerSettings {
  readonly address: Address;
  readonly insecure: boolean;
  readonly certsDir: string | undefined;
  /** Plain HTTP for probes and Prometheus; undefined: off. */
  readonly metricsAddress: Address | undefined;
  /** Megabytes. */
  readonly maxReceive: number;
  /** Seconds calls under way may take once the process is asked to stop. */
  readonly drain: number;
  /** Whether the end of standard input stops the process. */
  readonly stopWithStdin: boolean;
}

/**
 * Listens, and returns; SIGTERM and SIGINT end the process.
 * @param add  puts services on the server before it listens
 * Throws SlipwayError Unavailable when an address is taken or certificates are missing.
 */
export async function startServer(
  settings: ServerSettings,
  registry: Registry,
  logger: Logger,
  add: (server: Server) => void,
): Promise<void> {
  logTransport(logger);
  const health = new Health();
  const server = new Server({
    'grpc.max_receive_message_length': settings.maxReceive * 1024 * 1024,
    'grpc.max_send_message_length': -1,
    ...CHANNEL_LIMITS,
  });
  add(server);
  health.addTo(server);
  let ready = false;
  const http = metricsServer(registry, () => ready);
  const metricsAddress =
    settings.metricsAddress === undefined ? undefined : await listen(http, settings.metricsAddress);
  const port = listener(LIMITS, takerOf(server, settings, logger));
  const address = await listen(port, settings.address);
  ready = true;
  health.set('SERVING');
  logger.info({ address, metricsAddress, insecure: settings.insecure }, 'listening');
  onStop(() => {
    logger.info('stopping');
    ready = false;
    health.set('NOT_SERVING');
    health.end();
    drain(server, port, settings.drain, logger);
  }, settings.stopWithStdin);
}

/** The transport's own remarks, which would otherwise go to standard error as bare text. */
function logTransport(logger: Logger): void {
  const remark = (...parts: readonly unknown[]): void => logger.debug({ remark: parts.join(' ') }, 'gRPC');
  setLogger({ error: remark, info: remark, debug: remark });
}

/** What takes new connections: gRPC itself, or TLS before it. */
function takerOf(server: Server, { insecure, certsDir }: ServerSettings, logger: Logger): (socket: Socket) => void {
  if (insecure) {
    const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
    return (socket) => injector.injectConnection(socket);
  }
  if (certsDir !== undefined && certsDir !== '')
    return secured(server, new RotatedCertificates(certsDir, logger), LIMITS);
  throw new SlipwayError(
    'Unavailable',
    'cannot start without certificates: give --tls-certs-dir or set TLS_SERVER_CERTS_DIR, or --insecure to serve without TLS',
  );
}
