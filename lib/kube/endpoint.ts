/** Where a Kubernetes API is, and how to be let in. */
import type { Agent, OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';

export interface Endpoint {
  /** Base address, such as https://api.example.org:6443. */
  readonly server: string;
  /** Certificates and headers for every request. */
  readonly credentials: RequestOptions;
  /** A token that is replaced from time to time: asked for before every request. */
  readonly token?: () => string;
  /** Keeps connections open between requests. @default a connection for each request */
  readonly agent?: Agent;
}

/** Headers of its credentials. */
export function headersOf({ credentials, token }: Endpoint): OutgoingHttpHeaders {
  const given = credentials.headers as OutgoingHttpHeaders | undefined;
  return token === undefined ? { ...given } : { ...given, authorization: `Bearer ${token()}` };
}

/** The bearer token that its requests carry. */
export function tokenOf(endpoint: Endpoint): string | undefined {
  const { authorization } = headersOf(endpoint);
  const token = typeof authorization === 'string' ? authorization.replace(/^Bearer /, '') : '';
  return token === '' ? undefined : token;
}
