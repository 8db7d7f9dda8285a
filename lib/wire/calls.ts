/** What a function counts of its calls for Prometheus. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { CallOutcome } from './shell.ts';

export interface Calls {
  record(call: {
    readonly outcome: CallOutcome;
    readonly seconds: number;
    readonly requestBytes: number;
    readonly responseBytes: number;
  }): void;
}

export function countCalls(registry: Registry): Calls {
  const registers = [registry];
  const calls = new Counter({
    name: 'slipway_function_calls_total',
    help: 'Calls by outcome: accepted, refused (bad input), failed (defect), ended (took too much time or memory).',
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
  };
}
