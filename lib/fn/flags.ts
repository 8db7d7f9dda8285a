/** The command line of every function. */
import { parseArgs } from 'node:util';
import { seconds } from '#lib/api/fields/text.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type Address, parseAddress } from './address.ts';

export interface Flags {
  readonly help: boolean;
  readonly debug: boolean;
  readonly insecure: boolean;
  readonly address: Address;
  readonly certsDir: string | undefined;
  /** Plain HTTP for probes and Prometheus; undefined: off. */
  readonly metricsAddress: Address | undefined;
  /** Megabytes. */
  readonly maxReceive: number;
  /** Seconds a settled answer lives; undefined: the function's own choice. */
  readonly ttl: number | undefined;
  readonly clock: 'system' | 'request';
  /** Seconds calls under way may take once the process was told to stop. */
  readonly drain: number;
  /** Whether the end of standard input stops the process. */
  readonly stopWithStdin: boolean;
}

export function helpText(name: string): string {
  return `${name}: a composition function of Slipway. Crossplane starts it; to run it by hand give --insecure.

  --address HOST:PORT            where gRPC listens; port 0 takes a free one (default: 0.0.0.0:9443)
  --tls-certs-dir DIR            tls.crt, tls.key and ca.crt (default: $TLS_SERVER_CERTS_DIR); also --tls-server-certs-dir
  --insecure                     serve without TLS; without it and without certificates the function does not start
  --metrics-address HOST:PORT    plain HTTP with /metrics, /healthz and /readyz; empty: off (default: 0.0.0.0:8080)
  --max-recv-message-size MB     largest request taken (default: 16: a pool of 1,000 machines needs more than gRPC's 4)
  --ttl DURATION                 how long a settled answer lives, such as 10m
  --clock system|request         request: take the time from the caller, for simulations (default: system)
  --drain DURATION               how long calls under way may take after SIGTERM (default: 20s)
  --stop-with-stdin              stop when standard input ends, for launchers: nothing outlives whoever started it
  --debug                        log every call
  --help                         this text

Exit codes: 0 stopped · 1 failed · 2 usage
`;
}

const OPTIONS = {
  help: { type: 'boolean', default: false },
  debug: { type: 'boolean', short: 'd', default: false },
  insecure: { type: 'boolean', default: false },
  address: { type: 'string', default: '0.0.0.0:9443' },
  'tls-certs-dir': { type: 'string' },
  'tls-server-certs-dir': { type: 'string' },
  'metrics-address': { type: 'string', default: '0.0.0.0:8080' },
  'max-recv-message-size': { type: 'string', default: '16' },
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
    maxReceive: wholeNumber('--max-recv-message-size', values['max-recv-message-size']),
    ttl: values.ttl === undefined ? undefined : durationOf('--ttl', values.ttl),
    clock: oneOf('--clock', values.clock, ['system', 'request']),
    drain: durationOf('--drain', values.drain),
    stopWithStdin: values['stop-with-stdin'],
  };
}

function strictly<T>(parse: () => T): T {
  try {
    return parse();
  } catch (thrown) {
    const message = thrown instanceof Error ? (thrown.message.split(/\.?\s*\n|\. /)[0] ?? '') : String(thrown);
    throw new SlipwayError('UnknownSubject', `cannot read the command line: ${message}; --help lists what is accepted`);
  }
}

function refused(flag: string, text: string, accepted: string): SlipwayError {
  return new SlipwayError('UnknownSubject', `cannot accept ${flag} "${text}": accepted: ${accepted}`);
}

function addressOf(flag: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw refused(flag, text, 'HOST:PORT such as 0.0.0.0:9443, [::]:9443 or :9443');
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw refused(flag, text, 'megabytes from 1 to 9999');
}

function durationOf(flag: string, text: string): number {
  if (/^(?=.)([0-9]+h)?([0-9]+m)?([0-9]+s)?$/.test(text)) return seconds(text);
  throw refused(flag, text, 'a duration such as 90s or 10m');
}

function oneOf<T extends string>(flag: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((word) => word === text);
  if (found !== undefined) return found;
  throw refused(flag, text, accepted.join(', '));
}
