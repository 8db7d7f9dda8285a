/** Where a Kubernetes API is, and how to be let in. */
import type { Agent } from 'node:http';
import type { RequestOptions } from 'node:https';

export interface Endpoint {
  /** Base address, such as https://api.example.org:6443. */
  readonly server: string;
  /** Certificates and headers for every request. */
  readonly credentials: RequestOptions;
  /** Keeps connections open between requests. @default a connection for each request */
  readonly agent?: Agent;
}
