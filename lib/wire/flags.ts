/** The command line of every function. */
import { parseArgs } from 'node:util';
import { addressOf, durationOf, megabytesOf, oneOf, strictly } from '#lib/serve/command-line.ts';
import type { ServerSettings } from '#lib/serve/server.ts';

export interface Flags extends ServerSettings {
  readonly help: boolean;
  readonly debug: boolean;
  /** Lifetime in seconds of a response when nothing is in progress; undefined: chosen by the function. */
  readonly ttl: number | undefined;
  readonly clock: 'system' | 'request';
}

export function helpText(name: string): string {
  return `${name}: a composition function of Slipway. Crossplane starts it; to run it by hand give --insecure.

  --address HOST:PORT            where gRPC listens; port 0 picks a free one (default: :9443, IPv4 and IPv6)
  --tls-certs-dir DIR            tls.crt, tls.key and ca.crt (default: $TLS_SERVER_CERTS_DIR); also --tls-server-certs-dir
  --insecure                     serve without TLS; without it and without certificates the function does not start
  --metrics-address HOST:PORT    plain HTTP with /metrics, /healthz and /readyz; empty: off (default: :8080)
  --max-recv-message-size MB     largest accepted request (default: 32; 4,000 machines need 30, gRPC alone allows 4)
  --ttl DURATION                 lifetime of a response when nothing is in progress, such as 10m
  --clock system|request         request: take the time from the caller, for simulations (default: system)
  --drain DURATION               how long running calls may take after SIGTERM (default: 20s)
  --stop-with-stdin              stop when standard input is closed, so that the process does not outlive its parent
  --debug                        log every call
  --help                         this text

Exit codes: 0 stopped · 1 failed · 2 usage
`;
}

const OPTIONS = {
  help: { type: 'boolean', default: false },
  debug: { type: 'boolean', short: 'd', default: false },
  insecure: { type: 'boolean', default: false },
  address: { type: 'string', default: ':9443' },
  'tls-certs-dir': { type: 'string' },
  'tls-server-certs-dir': { type: 'string' },
  'metrics-address': { type: 'string', default: ':8080' },
  'max-recv-message-size': { type: 'string', default: '32' },
  ttl: { type: 'string' },
  clock: { type: 'string', default: 'system' },
  drain: { type: 'string', default: '20s' },
  'stop-with-stdin': { type: 'boolean', default: false },
} as const;

/** Parses argv; throws SlipwayError UnknownSubject for what it does not know. */
export function parseFlags(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Flags {
  const { values } = strictly(() => parseArgs({ args: [...argv], strict: true, options: OPTIONS }));
  const metrics = values['metrics-address'];
  return {
    help: values.help,
    debug: values.debug,
    insecure: values.insecure,
    address: addressOf('--address', values.address),
    certsDir: values['tls-certs-dir'] ?? values['tls-server-certs-dir'] ?? env['TLS_SERVER_CERTS_DIR'],
    metricsAddress: metrics === '' ? undefined : addressOf('--metrics-address', metrics),
    maxReceive: megabytesOf('--max-recv-message-size', values['max-recv-message-size']),
    ttl: values.ttl === undefined ? undefined : durationOf('--ttl', values.ttl),
    clock: oneOf('--clock', values.clock, ['system', 'request']),
    drain: durationOf('--drain', values.drain),
    stopWithStdin: values['stop-with-stdin'],
  };
}
