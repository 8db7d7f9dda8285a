/** The machines of one cluster on this host: their network, a load balancer, and each booted in its turn. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { built } from '../../e2e/binaries/find.ts';
import type { Processes } from '../../e2e/lab/processes.ts';
import { type Look, until } from '../../e2e/lab/waiting.ts';
import type { Claimed } from '../claim/claimed.ts';
import { KUBECTL } from '../image/programs.ts';
import { setClusterVersion } from './cluster-version.ts';
import { rememberKernel } from './kernel.ts';
import { bootMachine, type Machine } from './machine.ts';
import { makeNetwork, type Network } from './network.ts';

/** As the claim has them: the endpoint's address, and the length of network.nodes. */
const GATEWAY = '10.0.0.1';
const PREFIX = 16;
const PORT = 6443;

/** Older than the claim's version, and of its minor. */
const OLDER = 'v1.35.0';

/** Seconds; a host may have other things to do. */
const PATIENCE = 600;
const NOT_READY = 'node.kubernetes.io/not-ready';

export interface Arrival {
  readonly machine: Machine;
  /** From boot to a Node that is Ready. */
  readonly seconds: number;
}

export interface Lab {
  readonly claimed: Claimed;
  /** In the order of their arrival. */
  readonly arrivals: readonly Arrival[];
  /** Everything of this run; logs/ is what is kept of a failed one. */
  readonly folder: string;
  /** Runs kubectl with the kubeconfig Secret; gives its standard output. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly node: (name: string) => Promise<KubeObject>;
  /** First control plane, then one that joins and a worker beside it. */
  boot(log: (line: string) => void): Promise<void>;
  /** Leaves nothing behind but logs. Awaits nothing, so that the way out may do it, too; a second time is nothing. */
  stop(): void;
}

export function makeLab(image: string, claimed: Claimed, processes: Processes, folder: string): Lab {
  mkdirSync(folder, { recursive: true });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, claimed.secret('kubeconfig', 'value'), { mode: 0o600 });
  const restoreKernel = rememberKernel();
  const network = makeNetwork(`slipway-${process.pid}`, GATEWAY, PREFIX);
  startLoadBalancer(claimed, network, processes);
  const machines: Machine[] = [];
  const arrivals: Arrival[] = [];
  const kubectl = (...args: readonly string[]) => kubectlIn(network, kubeconfig, args);
  const node = async (name: string) => JSON.parse(await kubectl('get', 'node', name, '--output=json')) as KubeObject;
  const arrive = async (wanted: Claimed['machines'][number], log: (line: string) => void): Promise<void> => {
    log(`${wanted.name} boots as ${wanted.part} …`);
    const machine = bootMachine(wanted, { image, folder: join(folder, wanted.name), network, processes });
    machines.push(machine);
    const seconds = await ready(machine, node);
    arrivals.push({ machine, seconds });
    log(`${wanted.name} Ready after ${Math.round(seconds)} s`);
  };
  const stopped = { done: false };
  return {
    claimed,
    arrivals,
    folder,
    kubectl,
    node,
    async boot(log) {
      const one = (part: Machine['part']) => claimed.machines.find((machine) => machine.part === part)!;
      await arrive(one('first control plane'), log);
      // As if the claim had been edited since: images of that version are nowhere.
      await setClusterVersion(kubectl, OLDER);
      await Promise.all([arrive(one('joining control plane'), log), arrive(one('worker'), log)]);
    },
    stop() {
      if (stopped.done) return;
      stopped.done = true;
      for (const machine of machines.toReversed()) machine.stop();
      processes.killAll();
      network.remove();
      restoreKernel();
      rmSync(kubeconfig, { force: true });
    },
  };
}

function startLoadBalancer({ machines }: Claimed, { namespace }: Network, processes: Processes): void {
  const behind = machines.filter(({ part }) => part !== 'worker').map(({ address }) => `${address}:${PORT}`);
  processes.start({
    name: 'load-balancer',
    program: 'nsenter',
    args: [
      `--net=${namespace}`,
      process.execPath,
      join(import.meta.dirname, 'load-balancer.ts'),
      `${GATEWAY}:${PORT}`,
      ...behind,
    ],
  });
}

async function kubectlIn({ namespace }: Network, kubeconfig: string, args: readonly string[]): Promise<string> {
  const own = [`--net=${namespace}`, built(KUBECTL), `--kubeconfig=${kubeconfig}`, '--request-timeout=20s', ...args];
  const { stdout } = await promisify(execFile)('nsenter', own, { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Seconds since its boot. Throws as soon as its first boot has failed: no Node will come of it then. */
async function ready(machine: Machine, node: (name: string) => Promise<KubeObject>): Promise<number> {
  const end = await until(`Node "${machine.name}" Ready`, { seconds: PATIENCE, every: 1000 }, async () => {
    const failure = failureOf(machine);
    if (failure !== undefined) return { found: { failure } };
    return isReady(await node(machine.name));
  });
  if (end.failure !== undefined) throw new Error(`${machine.name}: ${end.failure}`);
  return (Date.now() - machine.bootedAt) / 1000;
}

function isReady(node: KubeObject): Look<{ readonly failure?: string }> {
  const conditions = at(node, 'status', 'conditions');
  const own = Array.isArray(conditions) ? conditions.find((one) => stringAt(one, 'type') === 'Ready') : undefined;
  if (stringAt(own, 'status') !== 'True') return { yet: stringAt(own, 'message') ?? 'no condition Ready' };
  // The node lifecycle controller takes its taint away a moment after the condition.
  const taints = at(node, 'spec', 'taints');
  const isTainted = Array.isArray(taints) && taints.some((taint) => stringAt(taint, 'key') === NOT_READY);
  return isTainted ? { yet: `it still has the taint ${NOT_READY}` } : { found: {} };
}

/** What the first boot said last before its script gave up, or that the machine is off. */
function failureOf({ logs, gone }: Machine): string | undefined {
  if (gone) return 'went off by itself';
  try {
    const said = readFileSync(join(logs, 'cloud-init-output.log'), 'utf8').split('\n');
    const end = said.findIndex((line) => line.startsWith('slipway: '));
    return end === -1 ? undefined : said.slice(Math.max(0, end - 3), end + 1).join('; ');
  } catch {
    return undefined; // not begun
  }
}
