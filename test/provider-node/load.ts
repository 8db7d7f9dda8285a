/**
 * What provider-node needs for many WorkloadNodes: the program of its package as a process of its own, between
 * Kubernetes APIs in memory. `npm run load -- --help` lists the options.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conditionOf } from '#lib/api/conditions.ts';
import { table } from '../../cli/terminal/table.ts';
import { pause, until } from '../e2e/lab/waiting.ts';
import { newIssuer } from '../support/authority.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import type { LiveApi } from '../support/live-api.ts';
import { heartbeats, newWorld } from './load-world.ts';
import { memory, startProgram } from './program.ts';

/** Megabytes, and requests per second to each workload cluster. */
const LIMITS = { memory: 300, idle: 0.5 } as const;
const HEARTBEAT_MS = 10_000;

const HELP = `Usage: npm run load -- [--nodes N] [--clusters N] [--idle SECONDS]

Prints a table of what provider-node needs: until every WorkloadNode is Ready, and afterwards, while kubelets report
every ten seconds and nothing else changes. Fails from ${LIMITS.memory} MB, or ${LIMITS.idle} requests per second and cluster.

  --nodes N       WorkloadNodes of all clusters together (200)
  --clusters N    workload clusters (20)
  --idle SECONDS  how long it is watched when it has nothing to do (120)
`;

const requestsOf = (apis: readonly LiveApi[]): number => apis.reduce((sum, { requests }) => sum + requests, 0);

async function measure(nodes: number, clusters: number, idle: number): Promise<void> {
  const issuer = await newIssuer('kubernetes', 'ECDSA');
  const all = await newWorld(issuer, nodes, clusters);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-load-'));
  const { child } = await startProgram(folder, all, issuer);
  const begun = Date.now();
  try {
    await until(`${nodes} WorkloadNodes are Ready`, { seconds: 300 }, () => {
      if (child.exitCode !== null) throw new Error(`provider-node ended with ${child.exitCode}`);
      const objects = all.management.list('WorkloadNode');
      const ready = objects.filter((object) => conditionOf(object, 'Ready')?.status === 'True').length;
      return ready === nodes ? { found: true } : { yet: `${ready} are` };
    });
    const settled = (Date.now() - begun) / 1000;
    const first = { management: all.management.requests, workload: requestsOf(all.workloads) };
    await pause(HEARTBEAT_MS); // what only words say is written later
    const before = { management: all.management.requests, workload: requestsOf(all.workloads) };
    const timer = setInterval(() => heartbeats(all), HEARTBEAT_MS);
    await pause(idle * 1000);
    clearInterval(timer);
    const perCluster = (requestsOf(all.workloads) - before.workload) / idle / clusters;
    const management = (all.management.requests - before.management) / idle;
    const peak = memory(child.pid, 'VmHWM');
    const rows = [
      ['WorkloadNodes', String(nodes)],
      ['workload clusters', String(clusters)],
      ['all Ready after', `${settled.toFixed(1)} s`],
      ['requests until then, for each', ((first.management + first.workload) / nodes).toFixed(1)],
      ['of them to the management cluster', (first.management / nodes).toFixed(1)],
      ['memory, at most', `${peak.toFixed(0)} MB`],
      ['memory, at rest', `${memory(child.pid, 'VmRSS').toFixed(0)} MB`],
      ['requests at rest, to each workload cluster', `${perCluster.toFixed(3)} / s`],
      ['requests at rest, to the management cluster', `${management.toFixed(3)} / s`],
    ];
    process.stdout.write(`${table([['PROVIDER-NODE', 'MEASURED'], ...rows]).join('\n')}\n`);
    if (peak >= LIMITS.memory || perCluster >= LIMITS.idle) process.exitCode = 1;
  } finally {
    child.kill();
    for (const api of [all.management, ...all.workloads]) api.close();
    rmSync(folder, { recursive: true });
  }
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '200' },
      clusters: { type: 'string', default: '20' },
      idle: { type: 'string', default: '120' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const number = (flag: 'nodes' | 'clusters' | 'idle'): number => wholeNumber(`--${flag}`, values[flag], 1);
  await measure(number('nodes'), number('clusters'), number('idle'));
});
