import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pino } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import { KubeClient } from '#lib/kube/client.ts';
import type { Endpoint } from '#lib/kube/endpoint.ts';
import { inClusterEndpoint } from '#lib/kube/in-cluster.ts';
import { endpointOf } from '#lib/kube/kubeconfig.ts';
import { Lease } from '#lib/kube/lease.ts';
import { REAL_TIME } from '#lib/kube/timing.ts';
import { createRegistry, metricsServer } from '#lib/serve/metrics.ts';
import { onStop } from '#lib/serve/stop.ts';
import { Controller } from './controller.ts';
import { type Flags, HELP, parseFlags } from './flags.ts';
import { MANAGER } from './kinds.ts';
import { Metrics } from './metrics.ts';

void main();

async function main(): Promise<void> {
  try {
    const flags = parseFlags(process.argv.slice(2), process.env);
    if (flags.help) process.stdout.write(HELP);
    else await run(flags);
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    process.stderr.write(`${MANAGER}: ${error.message}\n`);
    process.exit(error.code === 'UnknownSubject' ? 2 : 1);
  }
}

async function run(flags: Flags): Promise<void> {
  const logger = pino({ name: MANAGER, level: flags.debug ? 'debug' : 'info' });
  const registry = createRegistry({ provider: MANAGER });
  const metrics = new Metrics(registry, () => controller.counts);
  const management = new KubeClient(managementOf(flags), {
    onAnswer: (method, status) => metrics.answered('management', method, status),
  });
  const timing = REAL_TIME;
  const log = (message: string, about: object): void => logger.info(about, message);
  const rules = { local: flags.allowLocalAddresses, own: management.endpoint.server };
  const { metricsAddress, updaterImage, poll } = flags;
  const rate = { perSecond: flags.rate, burst: 10 * flags.rate };
  const controller = new Controller({
    management,
    timing,
    random: Math.random,
    rules,
    log,
    metrics,
    updaterImage,
    poll,
    rate,
  });
  let isStandby = true;
  const server = metricsServer(registry, () => isStandby || controller.isServing);
  if (metricsAddress !== undefined) server.listen(metricsAddress.port, metricsAddress.host || undefined);
  const lease = flags.leaderElection ? leaseOf(management, (thrown) => log(String(thrown), {})) : undefined;
  onStop(() => void stop(), false);
  await lease?.acquire();
  isStandby = false;
  logger.info('started');
  controller.start();
  void lease?.lost.then(() => {
    logger.error('another replica took over: this one ends');
    process.exit(1);
  });

  async function stop(): Promise<void> {
    await controller.stop();
    await lease?.stop();
    management.close();
    process.exit(0);
  }
}

function managementOf({ kubeconfig }: Flags): Endpoint {
  if (kubeconfig !== undefined) return endpointOf(readFileSync(kubeconfig, 'utf8'), `"${kubeconfig}"`, { local: true });
  return inClusterEndpoint();
}

function leaseOf(client: KubeClient, onError: (thrown: unknown) => void): Lease {
  const { POD_NAMESPACE: namespace = 'crossplane-system' } = process.env;
  const name = { namespace, name: 'crossplane-leader-election-provider-node' };
  return new Lease({ client, timing: REAL_TIME, name, holder: hostname(), manager: MANAGER, onError });
}
