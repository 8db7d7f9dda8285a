/** The connections to one Kubernetes API: some for requests, others for watches, and when none is tried. */
import { Agent as PlainAgent } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { JsonObject } from '#lib/api/json.ts';
import { Breaker } from './breaker.ts';
import { type Budget, LIMITS } from './budget.ts';
import type { Endpoint } from './endpoint.ts';
import { type Ask, beginOf, exchange } from './exchange.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import { REAL_TIME, type Timing } from './timing.ts';
import type { UnreachableKind } from './trouble.ts';

export interface ClientOptions {
  /** @default the real time */
  readonly timing?: Timing;
  /**
   * For an API that may be gone for long: after five requests in a row without an answer, further ones fail at once for
   * 30 seconds. @default false
   */
  readonly breaker?: boolean;
  /** For an API of somebody else. @default no limits but those of each answer */
  readonly budget?: Budget | undefined;
  /**
   * Called after each request, watches aside, for metrics.
   * @param status  of a refusal, 200 for
   * every success, and 0 where there was no usable answer
   */
  readonly onAnswer?: (method: string, status: number) => void;
}

/** Of each request. */
export interface Bounds {
  /** Aborted: requests under way end as Unreachable, kind Stopped. */
  readonly signal?: AbortSignal;
  /** Seconds for the whole answer. @default 30 */
  readonly within?: number;
}

/** Of requests at the same time. A watch holds its connection for minutes: those have others, as many as there are. */
const SOCKETS = 16;
/** Milliseconds. Load balancers forget a connection without a word; the shortest do so after 60 seconds without use. */
const IDLE = 50_000;
/** Milliseconds until the kernel asks whether the other end still lives; ten seconds later it gives up. */
const PROBE = 30_000;

/** Milliseconds. Behind a load balancer are servers with certificates of their own: one that was renewed is forgotten. */
const SHOWN = 2 * 3600_000;

/** Those of an API that does not answer at all. */
const BREAKS = new Set<UnreachableKind>(['NoConnection', 'BadCertificate', 'Timeout', 'NotKubernetes']);

/** Notes until when the certificates are valid that servers show. */
class NotingAgent extends Agent {
  readonly #note: (ends: number) => void;

  constructor(options: AgentOptions, note: (ends: number) => void) {
    super(options);
    this.#note = note;
  }

  override createConnection(...asked: Parameters<Agent['createConnection']>): ReturnType<Agent['createConnection']> {
    const socket = super.createConnection(...asked);
    if (socket instanceof TLSSocket)
      socket.once('secureConnect', () => {
        // A session that is resumed shows none.
        const ends = Date.parse(socket.getPeerCertificate().valid_to);
        if (!Number.isNaN(ends)) this.#note(ends);
      });
    return socket;
  }
}

export class Connections {
  readonly endpoint: Endpoint;
  readonly watching: Endpoint;
  readonly budget: Budget | undefined;
  readonly timing: Timing;
  readonly #breaker: Breaker | undefined;
  readonly #agents: readonly PlainAgent[];
  readonly #onAnswer: (method: string, status: number) => void;
  #requests = 0;
  /** Ends of certificates that were shown, in milliseconds, and when they were last. */
  readonly #shown = new Map<number, number>();

  /** An agent of the endpoint is used instead of own ones: it leads through a proxy. */
  constructor(endpoint: Endpoint, options: ClientOptions) {
    const { timing = REAL_TIME, breaker = false, onAnswer = () => undefined, budget } = options;
    const kept = { keepAlive: true, keepAliveMsecs: PROBE, timeout: IDLE };
    const made = (options: AgentOptions): PlainAgent =>
      endpoint.server.startsWith('http:')
        ? new PlainAgent(options)
        : new NotingAgent(options, (ends) => this.#shown.set(ends, timing.elapsed()));
    const requests = endpoint.agent ?? made({ ...kept, maxSockets: SOCKETS });
    const watches = endpoint.agent ?? made(kept);
    this.endpoint = { ...endpoint, agent: requests };
    this.watching = { ...endpoint, agent: watches };
    this.#agents = [requests, watches];
    this.timing = timing;
    this.budget = budget;
    this.#onAnswer = onAnswer;
    this.#breaker = breaker ? new Breaker(timing) : undefined;
  }

  get requests(): number {
    return this.#requests;
  }

  /** When the first of the certificates expires that servers showed in the last hours, in milliseconds since 1970. */
  get certificateEnds(): number | undefined {
    const since = this.timing.elapsed() - SHOWN;
    const recent = [...this.#shown].filter(([, seen]) => seen >= since).map(([ends]) => ends);
    return recent.length === 0 ? undefined : Math.min(...recent);
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }

  async ask(ask: Ask): Promise<JsonObject> {
    const why = this.#breaker?.reason();
    if (why !== undefined) throw new Unreachable(beginOf(this.endpoint, ask), { kind: 'BreakerOpen', why });
    await this.budget?.turn(beginOf(this.endpoint, ask));
    this.#requests += 1;
    try {
      const answer = await this.#exchange(ask);
      this.#breaker?.succeeded();
      this.#onAnswer(ask.method, 200);
      return answer;
    } catch (thrown) {
      this.#onAnswer(ask.method, thrown instanceof KubeRefusal ? thrown.status : 0);
      if (thrown instanceof KubeRefusal) this.#breaker?.succeeded();
      if (thrown instanceof Unreachable && BREAKS.has(thrown.kind)) this.#breaker?.failed(thrown.why);
      throw thrown;
    }
  }

  async #exchange(ask: Ask): Promise<JsonObject> {
    const { endpoint, budget } = this;
    if (budget === undefined) return exchange(endpoint, ask, this.timing);
    const signal = ask.signal === undefined ? budget.signal : AbortSignal.any([ask.signal, budget.signal]);
    const onBytes = (bytes: number): void => budget.came(bytes);
    const onText = (text: string): void => {
      budget.reads(text);
      budget.check(beginOf(endpoint, ask));
    };
    const most = Math.min(ask.most ?? LIMITS.answer, LIMITS.answer);
    try {
      return await exchange(endpoint, { ...ask, most, signal, onBytes, onText }, this.timing);
    } catch (thrown) {
      budget.check(beginOf(endpoint, ask));
      throw thrown;
    }
  }
}
