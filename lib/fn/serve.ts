/** Serves one function: flags, TLS, gRPC, health, metrics, and an end that finishes what it began. */
import {
  logVerbosity,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  setLogVerbosity,
  status,
} from '@grpc/grpc-js';
import {
  FunctionRunnerServiceService,
  RunFunctionRequest,
  RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import { type Logger, pino } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import { TTL } from '#lib/api/words.ts';
import { NOW_METADATA } from './client.ts';
import { type Flags, helpText, parseFlags } from './flags.ts';
import type { CompositionFunction } from './function.ts';
import { Health } from './health.ts';
import { createMetrics, type Metrics, metricsServer } from './metrics.ts';
import { answer } from './shell.ts';
import { serverCredentials } from './tls.ts';
import { realWorld, type World } from './world.ts';

/**
 * Runs a function until SIGTERM or SIGINT. Exits with 1 when it cannot serve and with 2 when its command line
 * makes no sense, each with one clear line.
 * @param name package name, such as function-cluster
 */
export async function serve(name: string, run: CompositionFunction): Promise<void> {
  try {
    const flags = parseFlags(process.argv.slice(2), process.env);
    if (flags.help) process.stdout.write(helpText(name));
    else await start(name, run, flags);
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(error.code === 'UnknownSubject' ? 2 : 1);
  }
}

async function start(name: string, run: CompositionFunction, flags: Flags): Promise<void> {
  // gRPC's own logger writes to stderr what is reported as an error anyway.
  if (!flags.debug) setLogVerbosity(logVerbosity.NONE);
  const logger = pino({ name, level: flags.debug ? 'debug' : 'info' });
  const metrics = createMetrics(name);
  const health = new Health();
  const server = new Server({
    'grpc.max_receive_message_length': flags.maxReceive * 1024 * 1024,
    'grpc.max_send_message_length': -1,
  });
  const handle = handler(run, flags, metrics, logger);
  server.addService(SERVICE, { runFunction: (call: Call, done: sendUnaryData<Encoded>) => void handle(call, done) });
  health.addTo(server);
  const port = await bind(server, flags);
  let ready = true;
  const http =
    flags.metricsAddress === ''
      ? undefined
      : await listen(
          metricsServer(metrics, () => ready),
          flags.metricsAddress,
        );
  health.set('SERVING');
  logger.info({ address: `${hostOf(flags.address)}:${port}`, insecure: flags.insecure }, 'listening');
  onStop(() => {
    ready = false;
    health.set('NOT_SERVING');
    health.end();
    http?.close();
    stop(server, flags.drain, logger);
  });
}

function handler(run: CompositionFunction, flags: Flags, metrics: Metrics, logger: Logger) {
  const respond = async (call: Call, done: sendUnaryData<Encoded>): Promise<void> => {
    const began = performance.now();
    const { message, bytes: requestBytes } = call.request;
    const { response, outcome } = await answer(run, message, worldOf(call, flags), logger);
    const encoded = RunFunctionResponse.encode(withTtl(response, flags.ttl)).finish();
    const seconds = (performance.now() - began) / 1000;
    metrics.record({ outcome, seconds, requestBytes, responseBytes: encoded.length });
    logger.debug({ outcome, ms: Math.round(seconds * 1000), bytes: encoded.length }, 'call');
    done(null, encoded);
  };
  return async (call: Call, done: sendUnaryData<Encoded>): Promise<void> => {
    try {
      await respond(call, done);
    } catch (err) {
      logger.error({ err }, 'call broke');
      done({ code: status.INTERNAL, details: 'cannot answer: an internal error; the function’s log has it' });
    }
  };
}

type Encoded = Uint8Array;
interface Decoded {
  readonly message: RunFunctionRequest;
  readonly bytes: number;
}
type Call = ServerUnaryCall<Decoded, Encoded>;

/** The SDK's service, with sizes seen on the way in and bytes passed through on the way out. */
const SERVICE = {
  runFunction: {
    ...FunctionRunnerServiceService.runFunction,
    requestDeserialize: (bytes: Buffer): Decoded => ({
      message: RunFunctionRequest.decode(bytes),
      bytes: bytes.length,
    }),
    responseSerialize: (encoded: Encoded): Buffer => Buffer.from(encoded),
  },
};

/** --ttl sets how long a settled answer lives; one under way keeps its own, shorter wish. */
function withTtl(response: RunFunctionResponse, ttl: number | undefined): RunFunctionResponse {
  if (ttl === undefined || response.meta?.ttl?.seconds !== TTL.settled) return response;
  return { ...response, meta: { ...response.meta, ttl: { seconds: ttl, nanos: 0 } } };
}

function worldOf(call: { readonly metadata: { get(key: string): readonly unknown[] } }, flags: Flags): World {
  const world = realWorld();
  if (flags.clock !== 'request') return world;
  const [text] = call.metadata.get(NOW_METADATA);
  const now = new Date(String(text));
  return Number.isNaN(now.getTime()) ? world : { ...world, now };
}

async function bind(server: Server, flags: Flags): Promise<number> {
  const credentials = await credentialsOf(flags);
  return new Promise((resolve, reject) => {
    server.bindAsync(flags.address, credentials, (cause, port) => {
      if (cause === null) resolve(port);
      else
        reject(new SlipwayError('Unavailable', `cannot listen on "${flags.address}": ${bindCause(cause)}`, { cause }));
    });
  });
}

async function credentialsOf(flags: Flags): Promise<ServerCredentials> {
  if (flags.insecure) return ServerCredentials.createInsecure();
  if (flags.certsDir !== undefined && flags.certsDir !== '') return serverCredentials(flags.certsDir);
  throw new SlipwayError(
    'Unavailable',
    'cannot start without certificates: give --tls-certs-dir or set TLS_SERVER_CERTS_DIR, or --insecure to serve without TLS',
  );
}

/** gRPC wraps the one cause in a sentence about how many addresses it tried. */
function bindCause({ message }: Error): string {
  return /\[(?<cause>[^\]]+)\]$/.exec(message)?.groups?.['cause'] ?? message;
}

function listen(http: ReturnType<typeof metricsServer>, address: string): Promise<ReturnType<typeof metricsServer>> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    http.once('error', (cause) =>
      reject(new SlipwayError('Unavailable', `cannot listen on "${address}": ${cause.message}`, { cause })),
    );
    http.listen({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) }, () => resolve(http));
  });
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/** First signal: once. A second one: at once. */
function onStop(stopOnce: () => void): void {
  let told = false;
  const signalled = (): void => {
    if (told) process.exit(1);
    told = true;
    stopOnce();
  };
  process.on('SIGTERM', signalled);
  process.on('SIGINT', signalled);
}

function stop(server: Server, drainSeconds: number, logger: Logger): void {
  logger.info('stopping');
  const force = setTimeout(() => {
    logger.warn('calls did not end in time; stopping anyway');
    server.forceShutdown();
    process.exit(1);
  }, drainSeconds * 1000);
  server.tryShutdown(() => {
    clearTimeout(force);
    process.exit(0);
  });
}
