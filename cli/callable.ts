/** How commands call the functions: in this process, as processes over gRPC, or where others serve them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Command, Option } from 'commander';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';
import { systemCause, UsageError } from './exit.ts';
import { gather } from './flags.ts';

export interface Callable {
  /** The function a Composition calls by this name. */
  readonly caller: (name: string) => FunctionCaller;
  stop(): void;
}

/** A function that is served already, by whoever wrote it. */
export interface Remote {
  /** As Compositions name it. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

export interface CallableOptions {
  /** Whether each function of Slipway is a process. */
  readonly processes: boolean;
  /** Functions of others; they may have the name of one of Slipway's and are called instead. */
  readonly remote: readonly Remote[];
  /** How long to wait for an answer of theirs. @default 20,000 */
  readonly answerMs?: number | undefined;
}

/** Throws SlipwayError Unavailable for a function that nobody serves. */
export async function callable({ processes, remote, answerMs = ANSWER_MS }: CallableOptions): Promise<Callable> {
  const others = await connected(remote, answerMs);
  const own = await ownFunctions(processes);
  return {
    caller: (name) => others.caller(name) ?? own.caller(name),
    stop() {
      own.stop();
      others.stop();
    },
  };
}

async function ownFunctions(processes: boolean): Promise<Callable> {
  // Only what is needed is loaded: gRPC alone takes a third of the time of a short command.
  if (processes) return (await import('./processes/functions.ts')).startFunctions({ clock: 'request' });
  const { inProcess } = await import('./in-process/functions.ts');
  return { caller: inProcess, stop: () => {} };
}

interface Connected {
  readonly caller: (name: string) => FunctionCaller | undefined;
  stop(): void;
}

async function connected(remote: readonly Remote[], answerMs: number): Promise<Connected> {
  if (remote.length === 0) return { caller: () => undefined, stop: () => {} };
  await Promise.all(remote.map(refuseUnserved));
  const { connectFunction, isUnanswered } = await import('#lib/wire/client.ts');
  const clients = remote.map(({ name, host, port }) => ({
    name,
    servedAt: addressOf({ host, port }),
    client: connectFunction(addressOf({ host, port }), name),
  }));
  const callers = new Map(
    clients.map(({ name, servedAt, client }) => [name, { servedAt, ...patient(client, answerMs, isUnanswered) }]),
  );
  return { caller: (name) => callers.get(name), stop: () => clients.forEach(({ client }) => client.close()) };
}

/** A function that answers later would hold up every reconcile. */
const ANSWER_MS = 20_000;

/** Waits for an answer once: after that each call of a simulation would wait as long. */
function patient(client: FunctionCaller, answerMs: number, isHung: (thrown: unknown) => boolean): FunctionCaller {
  let hangs: SlipwayError | undefined;
  return {
    async run(request, options) {
      if (hangs !== undefined) throw hangs;
      try {
        return await client.run(request, { ...options, timeoutMs: answerMs });
      } catch (thrown) {
        if (isHung(thrown)) hangs = SlipwayError.from(thrown);
        throw thrown;
      }
    },
  };
}

/** Throws UsageError for a function of others that no step of the Compositions calls: its name is perhaps misspelt. */
export function refuseUncalled({ remote }: Pick<CallableOptions, 'remote'>, compositions: readonly KubeObject[]): void {
  const steps = compositions.flatMap((one) => at(one, 'spec', 'pipeline') ?? []);
  const called = [...new Set(steps.flatMap((step) => stringAt(step, 'functionRef', 'name') ?? []))].toSorted();
  const unknown = remote.find(({ name }) => !called.includes(name));
  if (unknown === undefined) return;
  const { name, ...address } = unknown;
  throw new UsageError(
    `cannot accept --function "${name}=${addressOf(address)}": no step of a Composition calls it; they call: ${oneOf(name, called)}`,
  );
}

/** Before anything is simulated: a call that nobody answers would be repeated until the end. */
async function refuseUnserved({ name, host, port }: Remote): Promise<void> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
  } catch (thrown) {
    const [first] = thrown instanceof AggregateError ? (thrown.errors as readonly unknown[]) : [thrown];
    const cause = systemCause(first) ?? 'no connection';
    throw new SlipwayError('Unavailable', `cannot call function "${name}" at ${addressOf({ host, port })}: ${cause}`, {
      cause: thrown,
    });
  } finally {
    socket.destroy();
  }
}

function addressOf({ host, port }: Pick<Remote, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** `NAME=HOST:PORT`; an IPv6 address is in brackets. */
function parseRemote(text: string): Remote {
  const { name, host, port } =
    /^(?<name>[^=\s]+)=(?<host>\[[^\]]+\]|[^:[\]\s]+):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (name !== undefined && host !== undefined && Number(port) > 0 && Number(port) < 65_536)
    return { name, host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  throw new UsageError(
    `cannot accept --function "${text}": accepted: NAME=HOST:PORT such as example-function-bootstrap=127.0.0.1:9443`,
  );
}

/** The flags of every command that calls functions. */
export interface CallableFlags {
  readonly processes: boolean;
  readonly function: readonly Remote[];
}

/** Adds the flags of every command that calls functions. */
export function callsFunctions(command: Command): Command {
  return command
    .addOption(
      new Option('--function <name=address>', 'call a function of others, served without TLS; may be repeated')
        .default([])
        .argParser(gather(parseRemote)),
    )
    .addOption(
      new Option('--processes', 'run each function as a process and call it over gRPC, as Crossplane does').default(
        false,
      ),
    );
}

export function callableOptions({ processes, function: remote }: CallableFlags): CallableOptions {
  return { processes, remote };
}
