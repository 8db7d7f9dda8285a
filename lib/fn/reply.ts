/** Builds the response of a function. Everything is assigned, nothing is deep-merged. */
import type { Condition } from '#lib/api/conditions.ts';
import { isUnresponsive } from '#lib/api/conditions.ts';
import type { Json, JsonObject, KubeObject } from '#lib/api/json.ts';
import { asMessage } from '#lib/api/shortened.ts';
import { CONTEXT, TTL } from '#lib/api/words.ts';
import { type Law, enforceLaw } from './law.ts';
import type { Desired, Readiness, Request, Selector } from './request.ts';

export interface Event {
  readonly severity: 'Normal' | 'Warning';
  /** One CamelCase word. */
  readonly reason: string;
  readonly message: string;
}

export class Reply {
  readonly #request: Request;
  readonly #law: Law;
  readonly #resources: Map<string, Desired>;
  readonly #conditions = new Map<string, Condition>();
  readonly #events: Event[] = [];
  readonly #requirements: Map<string, Selector>;
  #status: JsonObject;
  #context: JsonObject;
  #compositeReady: Readiness;
  #ttl: number | undefined;

  /**
   * Starts from what earlier steps desire and put in the context, untouched.
   * @param law which existing objects this step answers for, and which of them may go
   */
  constructor(request: Request, law: Law) {
    this.#request = request;
    this.#requirements = request.asked ?? new Map();
    this.#law = law;
    this.#resources = new Map(request.desired.resources);
    this.#status = request.desired.composite?.status ?? {};
    this.#context = request.context;
    this.#compositeReady = request.desired.compositeReady;
  }

  /**
   * Requires objects and returns those already fetched: undefined until they were requested, an empty list if none
   * exists. A function that gets undefined returns at once; Crossplane calls it again.
   */
  require(name: string, selector: Selector): readonly KubeObject[] | undefined {
    this.#requirements.set(name, selector);
    return this.#request.required.get(name);
  }

  /** Desires a composed resource under a composition resource name, replacing what was desired there. */
  compose(key: string, resource: KubeObject, ready: boolean): this {
    this.#resources.set(key, { resource, ready: ready ? 'True' : 'False' });
    return this;
  }

  /** Whether it or an earlier step refuses the claim. */
  get refuses(): boolean {
    return this.#context[CONTEXT.refusal] !== undefined;
  }

  /** Whether it or an earlier step desires something under this composition resource name. */
  desires(key: string): boolean {
    return this.#resources.has(key);
  }

  /** Everything that it and earlier steps desire so far. */
  desiredObjects(): readonly KubeObject[] {
    return [...this.#resources.values()].map(({ resource }) => resource);
  }

  /**
   * Removes a desired resource of an earlier step. An observed resource with this name will be deleted, if the law
   * allows it.
   */
  drop(key: string): this {
    this.#resources.delete(key);
    return this;
  }

  /** Assigns top-level fields of the XR's status. Status is applied whole: what no step assigns is removed. */
  status(fields: JsonObject): this {
    this.#status = { ...this.#status, ...fields };
    return this;
  }

  condition(type: string, status: boolean | 'Unknown', reason: string, message?: string): this {
    const word = status === 'Unknown' ? 'Unknown' : status ? 'True' : 'False';
    this.#conditions.set(type, {
      type,
      status: word,
      reason,
      ...(message === undefined ? {} : { message: asMessage(message) }),
    });
    return this;
  }

  /** An event on the XR. Only for transitions: a result on every call floods the XR. */
  event(severity: Event['severity'], reason: string, message: string): this {
    this.#events.push({ severity, reason, message: asMessage(message) });
    return this;
  }

  /** Passes a contract to later steps of the pipeline. */
  context(key: string, value: Json): this {
    this.#context = { ...this.#context, [key]: value };
    return this;
  }

  /**
   * Marks the XR as not ready, whatever its resources report: something is still missing. A later step cannot undo it.
   */
  notReady(): this {
    this.#compositeReady = 'False';
    return this;
  }

  /** Seconds until Crossplane calls again; the shortest value wins. */
  ttl(seconds: number): this {
    this.#ttl = Math.min(seconds, this.#ttl ?? seconds);
    return this;
  }

  /**
   * The response as plain data, for the wire and for tests. `notReady` and an open circuit breaker shorten the
   * time-to-live. Throws UnlawfulRemoval for a response that would remove what must stay.
   */
  build(): ReplyData {
    enforceLaw(this.#law, this.#request, this.#resources);
    const underWay =
      this.#compositeReady === 'False' ||
      [...this.#resources.values()].some(({ ready }) => ready === 'False') ||
      isUnresponsive(this.#request.observed.composite);
    return {
      status: this.#status,
      compositeReady: this.#compositeReady,
      resources: this.#resources,
      conditions: [...this.#conditions.values()],
      events: this.#events,
      requirements: this.#requirements,
      context: this.#context,
      ttl: Math.min(this.#ttl ?? TTL.settled, underWay ? TTL.underWay : TTL.settled),
    };
  }
}

export interface ReplyData {
  readonly status: JsonObject;
  readonly compositeReady: Readiness;
  readonly resources: ReadonlyMap<string, Desired>;
  readonly conditions: readonly Condition[];
  readonly events: readonly Event[];
  readonly requirements: ReadonlyMap<string, Selector>;
  readonly context: JsonObject;
  /** Seconds. */
  readonly ttl: number;
}
