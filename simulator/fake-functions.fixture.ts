/** Composition functions in process, for tests of the engine: a decision over plain data, without gRPC. */
import type { Condition } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Desired, Readiness, Request, Selector } from '#lib/fn/request.ts';
import type { FunctionAnswer, FunctionResult } from '#lib/wire/answer.ts';
import type { Scheduler } from './clock/scheduler.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';

export interface Said {
  readonly status?: JsonObject;
  readonly compositeReady?: Readiness;
  readonly resources?: Readonly<Record<string, Desired>>;
  readonly conditions?: readonly Condition[];
  readonly results?: readonly FunctionResult[];
  readonly requirements?: Readonly<Record<string, Selector>>;
  readonly context?: JsonObject;
  readonly ttl?: number;
}

/** What a fake function decides; missing fields keep the values of earlier steps. */
export type Decision = (request: Request, now: Date) => Said;

/** Fake functions by name. `calls` counts their calls, `down` makes one unavailable. */
export class FakeFunctions {
  readonly decisions: Record<string, Decision>;
  readonly calls: Record<string, number> = {};
  readonly down = new Set<string>();

  constructor(decisions: Readonly<Record<string, Decision>>) {
    this.decisions = { ...decisions };
  }

  readonly caller = (name: string): FunctionCaller => ({
    run: (request, options) => {
      this.calls[name] = (this.calls[name] ?? 0) + 1;
      const decide = this.decisions[name];
      if (decide === undefined || this.down.has(name))
        return Promise.reject(new Error(`cannot call function "${name}": connection refused`));
      return Promise.resolve(answerOf(request, decide(request, options?.now ?? new Date(0))));
    },
  });
}

function answerOf(request: Request, said: Said): FunctionAnswer {
  const { composite, compositeReady, resources } = request.desired;
  return {
    desired: {
      composite:
        said.status === undefined
          ? composite
          : { apiVersion: 'v1', kind: 'Any', status: { ...composite?.status, ...said.status } },
      compositeReady: said.compositeReady ?? compositeReady,
      resources: new Map([...resources, ...Object.entries(said.resources ?? {})]),
    },
    conditions: said.conditions ?? [],
    results: said.results ?? [],
    requirements: new Map(Object.entries(said.requirements ?? {})),
    context: { ...request.context, ...said.context },
    ttl: said.ttl,
  };
}

/** A desired resource. */
export function want(resource: KubeObject, ready: boolean | undefined = true): Desired {
  return { resource, ready: ready === undefined ? 'Unspecified' : ready ? 'True' : 'False' };
}

export function aConfigMap(name: string | undefined, data: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: name === undefined ? {} : { name }, data: { ...data } };
}

/** An XRD with an open spec and status, for tests that are not about schemas. */
export function anXrd(kind: string, spec: JsonObject = OPEN): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [
        {
          name: 'v1',
          served: true,
          referenceable: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: OPEN } } },
        },
      ],
    },
  };
}

const OPEN: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A Composition of one kind whose steps are named after their functions. */
export function aComposition(kind: string, ...functions: readonly string[]): KubeObject {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: kind.toLowerCase() },
    spec: {
      compositeTypeRef: { apiVersion: 'example.org/v1', kind },
      mode: 'Pipeline',
      pipeline: functions.map((name) => ({ step: name, functionRef: { name } })),
    },
  };
}

export function anXr(kind: string, name: string, spec: JsonObject = {}): KubeObject {
  return { apiVersion: 'example.org/v1', kind, metadata: { name, namespace: 'team-a' }, spec };
}

/** Lets virtual time pass. */
export async function run({ clock }: { readonly clock: Scheduler }, seconds: number): Promise<void> {
  const end = clock.seconds + seconds;
  for (let next = clock.next; next !== undefined && next <= end; next = clock.next) await clock.step();
  clock.advanceTo(end);
}

/** Status and reason of a condition: `False Creating`. */
export function conditionText(object: KubeObject | undefined, type: string): string | undefined {
  const list = at(object, 'status', 'conditions');
  const found: unknown = Array.isArray(list) ? list.find((item) => at(item, 'type') === type) : undefined;
  if (found === undefined) return undefined;
  const [status, reason, message] = ['status', 'reason', 'message'].map((key) => stringAt(found, key));
  return [status, reason, ...(message === undefined ? [] : [`– ${message}`])].join(' ');
}
