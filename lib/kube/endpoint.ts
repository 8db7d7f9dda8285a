/** Where a Kubernetes API is, and how to be let in. */
import type { Agent, OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';

export interface Endpoint {
  /** Base address, such as https://api.example.org:6443. */
  readonly server: string;
  /** Name of the context that leads there, for messages. */
  readonly context?: string;
  /** Certificates and headers for every request. */
  readonly credentials: RequestOptions;
  /** A token that is replaced from time to time: asked for before every request. */
  readonly token?: () => string;
  /** Set for a server that is no Kubernetes API. */
  readonly foreign?: Foreign;
  /** Keeps connections open between requests. @default a connection for each request */
  readonly agent?: Agent;
}

export interface Foreign {
  /** What messages call it, instead of its address. */
  readonly name: string;
  /** They let in: never shown, not even if a refusal repeats them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Key of the text in its refusals. Its answers may be `null`. */
  readonly refusalAt: string;
}

/** Where it is, as messages say it: `at "https://api.example.org"`, `in context "prod" at "https://api.example.org"`. */
export function placeOf({ server, context, foreign }: Endpoint): string {
  const at = `at ${foreign?.name ?? `"${server}"`}`;
  return context === undefined ? at : `in context "${context}" ${at}`;
}

/** Headers of its credentials. */
export function headersOf({ credentials, token, foreign }: Endpoint): OutgoingHttpHeaders {
  const given = { ...(credentials.headers as OutgoingHttpHeaders | undefined), ...foreign?.headers };
  return token === undefined ? given : { ...given, authorization: `Bearer ${token()}` };
}

/** What its requests carry and nobody may see: the bearer token, and the headers of a foreign server. */
export function secretsOf(endpoint: Endpoint): readonly string[] {
  const { authorization } = headersOf(endpoint);
  const token = typeof authorization === 'string' ? authorization.replace(/^Bearer /, '') : '';
  return [token, ...Object.values(endpoint.foreign?.headers ?? {})].filter((secret) => secret !== '');
}
