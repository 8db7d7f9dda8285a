/** What a function counts for Prometheus, and the plain HTTP port for it and for probes. */
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Outcome } from './shell.ts';

export interface Metrics {
  record(call: {
    readonly outcome: Outcome;
    readonly seconds: number;
    readonly requestBytes: number;
    readonly responseBytes: number;
  }): void;
  text(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics(name: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ function: name });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new Counter({
    name: 'slipway_function_calls_total',
    help: 'Calls by outcome: accepted, refused (bad input), failed (defect).',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'slipway_function_call_seconds',
    help: 'Time per call.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers,
  });
  const sizes = { buckets: [1e3, 1e4, 1e5, 1e6, 4e6, 16e6], registers };
  const received = new Histogram({ name: 'slipway_function_request_bytes', help: 'Size of requests.', ...sizes });
  const sent = new Histogram({ name: 'slipway_function_response_bytes', help: 'Size of answers.', ...sizes });
  return {
    record({ outcome, seconds, requestBytes, responseBytes }) {
      calls.inc({ outcome });
      duration.observe(seconds);
      received.observe(requestBytes);
      sent.observe(responseBytes);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Serves /metrics, /healthz (the process lives) and /readyz (it takes calls). */
export function metricsServer(metrics: Metrics, isReady: () => boolean): Server {
  return createServer((request, response) => {
    const respond = (status: number, body: string, type = 'text/plain'): void =>
      void response.writeHead(status, { 'content-type': type }).end(body);
    switch (request.url) {
      case '/metrics':
        metrics.text().then(
          (text) => respond(200, text, metrics.contentType),
          () => respond(500, 'cannot collect metrics\n'),
        );
        return;
      case '/healthz':
        return respond(200, 'ok\n');
      case '/readyz':
        return isReady() ? respond(200, 'ok\n') : respond(503, 'stopping\n');
      default:
        return respond(404, 'not found; there are /metrics, /healthz and /readyz\n');
    }
  });
}
