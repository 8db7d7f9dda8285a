/** Metrics of a process for Prometheus, and the plain HTTP port for them and for probes. */
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { HTTP_LIMITS, LIMITS } from './limits.ts';

/** @param labels  stand on every metric, such as the function's name */
export function createRegistry(labels: Readonly<Record<string, string>>): Registry {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  return registry;
}

const observed = new WeakSet<Registry>();

/** The text for Prometheus. Those of the process itself begin with the first question, so that nobody waits for them. */
function textOf(registry: Registry): Promise<string> {
  if (!observed.has(registry)) collectDefaultMetrics({ register: registry });
  observed.add(registry);
  return registry.metrics();
}

/** Serves /metrics, /healthz (the process lives) and /readyz (it takes calls). */
export function metricsServer(registry: Registry, isReady: () => boolean): Server {
  const server = createServer(HTTP_LIMITS, (request, response) => {
    const respond = (status: number, body: string, type = 'text/plain'): void =>
      void response.writeHead(status, { 'content-type': type }).end(body);
    if (request.method !== 'GET' && request.method !== 'HEAD') return respond(405, 'only GET and HEAD\n');
    switch (request.url) {
      case '/metrics':
        textOf(registry).then(
          (text) => respond(200, text, registry.contentType),
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
  server.maxConnections = LIMITS.connections;
  return server;
}
