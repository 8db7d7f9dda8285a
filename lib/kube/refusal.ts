/** What can go wrong with a request to a Kubernetes API: it answered otherwise, or it did not answer. */
import { SlipwayError } from '#lib/api/errors.ts';
import { asMessage } from '#lib/api/shortened.ts';
import type { Trouble, UnreachableKind } from './trouble.ts';

/** One of `details.causes` of a Status: for example that a budget forbids an eviction, or a field is wrong. */
export interface RefusalCause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

export interface RefusalParts {
  /** `reason` of the Status: NotFound, Conflict, TooManyRequests …; empty when the answer was no Status. */
  readonly reason?: string;
  readonly causes?: readonly RefusalCause[];
  /** Seconds after which the API wants to be asked again. */
  readonly retryAfter?: number;
  /** The text of the API, without what was asked; for messages that name the object themselves. */
  readonly text?: string;
}

/** The API answered, and not with what was asked for. */
export class KubeRefusal extends SlipwayError {
  /** HTTP status. */
  readonly status: number;
  /** `reason` of the Status, or empty. */
  readonly kubeReason: string;
  /** The first twenty. */
  readonly causes: readonly RefusalCause[];
  /** Seconds, at most 300. */
  readonly retryAfter: number | undefined;
  /** One line of at most 1 kB. */
  readonly text: string;

  constructor(status: number, message: string, { reason = '', causes = [], retryAfter, text }: RefusalParts = {}) {
    super('Unavailable', message);
    this.status = status;
    this.kubeReason = reason;
    this.causes = causes;
    this.retryAfter = retryAfter;
    this.text = asMessage(text ?? message);
  }

  static has(thrown: unknown, status: number): thrown is KubeRefusal {
    return thrown instanceof KubeRefusal && thrown.status === status;
  }
}

/**
 * The object was changed or replaced since it was read: 409, and 422 for a patch with the uid of another object.
 */
export function isStale(thrown: unknown): boolean {
  if (KubeRefusal.has(thrown, 409)) return true;
  return KubeRefusal.has(thrown, 422) && thrown.causes.some(({ field }) => field === 'metadata.uid');
}

/** No answer, or one that is not from a Kubernetes API. The message never repeats what was received. */
export class Unreachable extends SlipwayError {
  readonly kind: UnreachableKind;
  /** Without server and request: `connection refused`, `the answer is not JSON`. */
  readonly why: string;
  /** Seconds after which it may be tried again; undefined: nobody knows. */
  readonly retryAfter: number | undefined;

  /** @param begin  how the message begins, without a colon */
  constructor(begin: string, { kind, why, cause, retryAfter }: Trouble) {
    super('Unavailable', `${begin}: ${why}`, { cause });
    this.kind = kind;
    this.why = why;
    this.retryAfter = retryAfter;
  }
}
