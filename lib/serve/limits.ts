/** What one process accepts at most, so that no client can exhaust it. Crossplane needs one connection per function. */

export interface Limits {
  /** Open connections; further ones are closed at once. */
  readonly connections: number;
  /** Milliseconds for a TLS handshake. */
  readonly handshake: number;
  /** Milliseconds that calls under way may take after the authority of their client was replaced. */
  readonly grace: number;
}

export const LIMITS: Limits = { connections: 100, handshake: 10_000, grace: 10_000 };

/** For gRPC: calls per connection, and how long a connection lives that is unused or whose client is gone. */
export const CHANNEL_LIMITS = {
  // Clients queue further calls.
  'grpc.max_concurrent_streams': 100,
  'grpc.max_connection_idle_ms': 10 * 60_000,
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 20_000,
} as const;

/** For the plain HTTP port: milliseconds for the header and for all of a request, and between two of a connection. */
export const HTTP_LIMITS = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 8192,
} as const;
