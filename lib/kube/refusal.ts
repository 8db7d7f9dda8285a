/** What can go wrong with a request to a Kubernetes API: it answered otherwise, or it did not answer. */
import { SlipwayError } from '#lib/api/errors.ts';

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
  readonly causes: readonly RefusalCause[];
  readonly retryAfter: number | undefined;
  readonly text: string;

  constructor(status: number, message: string, { reason = '', causes = [], retryAfter, text }: RefusalParts = {}) {
    super('Unavailable', message);
    this.status = status;
    this.kubeReason = reason;
    this.causes = causes;
    this.retryAfter = retryAfter;
    this.text = text ?? message;
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
  /** Without server and request: `connection refused`, `the answer is not JSON`. */
  readonly why: string;

  constructor(message: string, why: string, cause?: unknown) {
    super('Unavailable', message, { cause });
    this.why = why;
  }
}

/** Errors of sockets and certificates in plain words; others as they are. */
export function plainCause(thrown: unknown): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return PLAIN[code] ?? error.message;
}

const PLAIN: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by an unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an unknown authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
