/** Why a Kubernetes API gave no usable answer, in plain words that never repeat what was received. */
import { own } from '#lib/api/json.ts';
import { asMessage } from '#lib/api/shortened.ts';

/**
 * Silent: nothing came over a watch for longer than its server is ever silent. BreakerOpen: not tried, because the last
 * requests failed. CutOff: it exceeded its budget. Stopped: the caller gave up.
 */
export type UnreachableKind =
  | 'NoConnection'
  | 'BadCertificate'
  | 'Timeout'
  | 'TooLarge'
  | 'NotKubernetes'
  | 'Silent'
  | 'BreakerOpen'
  | 'CutOff'
  | 'Stopped';

/** Why there is no usable answer. */
export interface Trouble {
  readonly kind: UnreachableKind;
  readonly why: string;
  /** Seconds after which it may be tried again. */
  readonly retryAfter?: number;
  /** Only of an error that has no plain words here: others may hold bytes of the answer. */
  readonly cause?: unknown;
}

/** Errors of sockets and certificates in plain words; others as they are. */
export function troubleOf(thrown: unknown): Trouble {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const plain = own(PLAIN, code);
  if (plain !== undefined) return plain;
  if (code === TOO_LARGE) return { kind: 'TooLarge', why: error.message };
  if (code.startsWith('HPE_')) return { kind: 'NotKubernetes', why: 'the answer is not HTTP' };
  if (code.startsWith('ERR_SSL_')) return { kind: 'BadCertificate', why: 'TLS cannot be agreed on' };
  return { kind: 'NoConnection', why: asMessage(error.message), cause: error };
}

const noConnection = (why: string): Trouble => ({ kind: 'NoConnection', why });
const badCertificate = (why: string): Trouble => ({ kind: 'BadCertificate', why });
const RESET = noConnection('the connection was reset');
const NO_ROUTE = noConnection('no route to the host');
const UNKNOWN_AUTHORITY = badCertificate('its certificate is signed by an unknown authority');
const NO_TLS: Trouble = { kind: 'NotKubernetes', why: 'it does not speak TLS' };
const OURS_REFUSED = badCertificate('it does not accept the client certificate');

/** By the codes of Node and OpenSSL. */
const PLAIN: Readonly<Record<string, Trouble>> = {
  ECONNREFUSED: noConnection('connection refused'),
  ECONNRESET: RESET,
  EPIPE: RESET,
  ERR_STREAM_PREMATURE_CLOSE: RESET,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ENOTFOUND: noConnection('its name is not known'),
  EAI_AGAIN: noConnection('its name cannot be looked up now'),
  ETIMEDOUT: { kind: 'Timeout', why: 'no connection in time' },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: badCertificate('its certificate has expired'),
  CERT_NOT_YET_VALID: badCertificate('its certificate is not valid yet'),
  ERR_TLS_CERT_ALTNAME_INVALID: badCertificate('its certificate is for another name'),
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: OURS_REFUSED,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: OURS_REFUSED,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: OURS_REFUSED,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED': OURS_REFUSED,
  ERR_SSL_TLS_ALERT_BAD_CERTIFICATE: OURS_REFUSED,
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': OURS_REFUSED,
};

/** Nothing of a Kubernetes API: the page of a load balancer, or of a network that wants a login. */
export const ANSWER_IS_NOT_JSON: Trouble = { kind: 'NotKubernetes', why: 'the answer is not JSON' };

const TOO_LARGE = 'TOO_LARGE';

/** To be thrown while an answer is read. @param most  bytes */
export function tooLarge(what: string, most: number): Error {
  return Object.assign(new Error(`${what} is larger than ${most / (1024 * 1024)} MiB`), { code: TOO_LARGE });
}
