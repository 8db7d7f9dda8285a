/** Answers between plain data and the wire, in both directions: functions encode, the engine and tests decode. */
import type {
  Condition as ConditionMessage,
  Resource,
  RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import { RunFunctionResponse as Message, Severity, Status, Target } from '@crossplane-org/function-sdk-typescript';
import type { Condition } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { plain } from './plain.ts';
import type { ReplyData, Selector } from '#lib/fn/reply.ts';
import type { Desired, Readiness, Request } from '#lib/fn/request.ts';
import { entries, readiness, READY, record } from './request.ts';

/** One result of a call as Crossplane turns it into an event or an error. */
export interface FunctionResult {
  readonly severity: 'Fatal' | 'Warning' | 'Normal';
  readonly reason?: string;
  readonly message: string;
}

/** A function's answer as its caller sees it. */
export interface FunctionAnswer {
  readonly desired: {
    readonly composite: KubeObject | undefined;
    readonly compositeReady: Readiness;
    readonly resources: ReadonlyMap<string, Desired>;
  };
  readonly conditions: readonly Condition[];
  readonly results: readonly FunctionResult[];
  readonly requirements: ReadonlyMap<string, Selector>;
  readonly context: JsonObject;
  /** Seconds; undefined: no wish. */
  readonly ttl: number | undefined;
}

/** A reply as a message. Of the composite only identity, status and readiness are desired. */
export function encodeReply(request: Request, reply: ReplyData): RunFunctionResponse {
  const { apiVersion, kind } = request.observed.composite;
  return Message.fromPartial({
    meta: { tag: request.meta.tag, ttl: encodeSeconds(reply.ttl) },
    desired: {
      composite: {
        resource: plain({ apiVersion, kind, status: reply.status }, 'status'),
        ready: READY[reply.compositeReady],
      },
      resources: record(reply.resources, ({ resource, ready }, key) => ({
        resource: plain(resource, `resource "${key}"`),
        ready: READY[ready],
      })),
    },
    context: plain(reply.context, 'context'),
    conditions: reply.conditions.map(encodeCondition),
    results: reply.events.map(({ severity, reason, message }) => ({
      severity: SEVERITY[severity],
      reason,
      message,
      target: Target.TARGET_COMPOSITE,
    })),
    // Crossplane calls a function that answers with requirements, even empty ones, a second time.
    ...(reply.requirements.size === 0
      ? {}
      : { requirements: { resources: record(reply.requirements, encodeSelector) } }),
  });
}

export const SEVERITY = {
  Fatal: Severity.SEVERITY_FATAL,
  Warning: Severity.SEVERITY_WARNING,
  Normal: Severity.SEVERITY_NORMAL,
} as const;
const STATUS = {
  True: Status.STATUS_CONDITION_TRUE,
  False: Status.STATUS_CONDITION_FALSE,
  Unknown: Status.STATUS_CONDITION_UNKNOWN,
} as const;

export function encodeCondition({ type, status, reason, message }: Condition): ConditionMessage {
  return { type, status: STATUS[status], reason, message, target: Target.TARGET_COMPOSITE };
}

function encodeSeconds(seconds: number): { seconds: number; nanos: number } {
  const whole = Math.floor(seconds);
  return { seconds: whole, nanos: Math.round((seconds - whole) * 1e9) };
}

function encodeSelector({ apiVersion, kind, namespace, matchName, matchLabels }: Selector): object {
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(matchName === undefined ? {} : { matchName }),
    ...(matchLabels === undefined ? {} : { matchLabels: { labels: { ...matchLabels } } }),
  };
}

/** A message as its caller sees it. */
export function decodeAnswer(message: RunFunctionResponse): FunctionAnswer {
  const ttl = message.meta?.ttl;
  return {
    desired: {
      composite: message.desired?.composite?.resource as KubeObject | undefined,
      compositeReady: readiness(message.desired?.composite?.ready),
      resources: entries(message.desired?.resources, decodeDesired),
    },
    conditions: message.conditions.map(decodeCondition),
    results: message.results.map(({ severity, reason, message: text }) => ({
      severity: severityWord(severity),
      message: text,
      ...(reason === undefined ? {} : { reason }),
    })),
    requirements: entries(
      message.requirements?.resources,
      ({ apiVersion, kind, namespace, matchName, matchLabels }) => ({
        apiVersion,
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        ...(matchName === undefined ? {} : { matchName }),
        ...(matchLabels === undefined ? {} : { matchLabels: matchLabels.labels }),
      }),
    ),
    context: message.context ?? {},
    ttl: ttl === undefined ? undefined : ttl.seconds + ttl.nanos / 1e9,
  };
}

/** A refusal returns what earlier steps desire as it came, whatever it is. */
function decodeDesired({ resource, ready }: Resource): Desired {
  return { resource: (resource ?? {}) as KubeObject, ready: readiness(ready) };
}

function decodeCondition({ type, status, reason, message }: ConditionMessage): Condition {
  const word =
    status === Status.STATUS_CONDITION_TRUE ? 'True' : status === Status.STATUS_CONDITION_FALSE ? 'False' : 'Unknown';
  return { type, status: word, reason, ...(message === undefined ? {} : { message }) };
}

function severityWord(severity: Severity): FunctionResult['severity'] {
  if (severity === Severity.SEVERITY_FATAL) return 'Fatal';
  return severity === Severity.SEVERITY_WARNING ? 'Warning' : 'Normal';
}
