/** The machines of one cluster on this host: their network, a load balancer, and each machine booted in order. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { built } from '../../e2e/binaries/find.ts';
import type { Processes } from '../../e2e/lab/processes.ts';
import { type Look, until } from '../../e2e/lab/waiting.ts';
import type { Claimed } from '../claim/claimed.ts';
import type { ClaimedMachine, Part } from '../claim/machine.ts';
import { KUBECTL } from '../image/programs.ts';
import { rememberKernel } from './kernel.ts';
import { bootMachine, type Machine, type Place } from './machine.ts';
import { makeNetwork, type Network } from './network.ts';

/** As in the claim: the address of the endpoint, and the prefix length of network.nodes. */
const GATEWAY = '10.0.0.1';
const PREFIX = 16;
const PORT = 6443;

/** Seconds; a host may be busy. */
const NODE_SECONDS = 600;
/** Controllers remove these a moment after the condition changes. */
const BEFORE_READY = ['node.kubernetes.io/not-ready', 'node.cloudprovider.kubernetes.io/uninitialized'];

export type Log = (line: string) => void;

export interface Arrival {
  readonly machine: Machine;
  /** From boot to a Ready Node. */
  readonly seconds: number;
}

export interface Lab {
  readonly claimed: Claimed;
  /** In the order they became nodes. */
  readonly arrivals: readonly Arrival[];
  /** What the first node said before the add-ons brought its pod network, if it waited for one. */
  waited: string | undefined;
  /** The folder of this run; only logs/ is kept after a failure. */
  readonly folder: string;
  /** Runs kubectl with the kubeconfig Secret; returns its standard output. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly node: (name: string) => Promise<KubeObject>;
  readonly network: Network;
  /** Everything that is started; it ends with the lab. */
  readonly processes: Processes;
  /** File; of the administrator. */
  readonly kubeconfig: string;
  /**
   * File; of the same API at another address, for a provider that follows no kubeconfig into its own management cluster.
   */
  readonly management: string;
  /** The claimed machine of a part; of several the first. */
  one(part: Part): ClaimedMachine;
  boot(machine: ClaimedMachine, log: Log): Machine;
  /** Waits until it is a Ready Node. Throws as soon as its first boot has failed. */
  arrive(machine: Machine, log: Log): Promise<void>;
  /**
   * Removes everything except logs. It awaits nothing, so that an exit handler can call it; a second call does nothing.
   */
  stop(): void;
}

export function makeLab(
  { imageOf, folders }: Pick<Place, 'folders'> & { readonly imageOf: (version: string) => string },
  claimed: Claimed,
  processes: Processes,
  folder: string,
): Lab {
  mkdirSync(folder, { recursive: true });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, claimed.secret('kubeconfig', 'value'), { mode: 0o600 });
  const management = join(folder, 'management');
  writeFileSync(management, atFirstMachine(claimed), { mode: 0o600 });
  const restoreKernel = rememberKernel();
  const network = makeNetwork(`slipway-${process.pid}`, GATEWAY, PREFIX);
  startLoadBalancer(claimed, network, processes);
  const machines: Machine[] = [];
  const arrivals: Arrival[] = [];
  const kubectl = (...args: readonly string[]) => kubectlIn(network, kubeconfig, args);
  const node = async (name: string) => JSON.parse(await kubectl('get', 'node', name, '--output=json')) as KubeObject;
  const stopped = { done: false };
  return {
    claimed,
    arrivals,
    waited: undefined,
    folder,
    kubectl,
    node,
    network,
    processes,
    kubeconfig,
    management,
    one: (part) => claimed.machines.find((machine) => machine.part === part)!,
    boot(wanted, log) {
      log(`${wanted.name} boots as ${wanted.part} …`);
      const image = imageOf(stringAt(wanted.spec, 'version') ?? '');
      const machine = bootMachine(wanted, { image, folders, folder: join(folder, wanted.name), network, processes });
      machines.push(machine);
      return machine;
    },
    async arrive(machine, log) {
      const seconds = await ready(machine, node);
      arrivals.push({ machine, seconds });
      log(`${machine.name} Ready after ${Math.round(seconds)} s`);
    },
    stop() {
      if (stopped.done) return;
      stopped.done = true;
      for (const machine of machines.toReversed()) machine.stop();
      processes.killAll();
      network.remove();
      restoreKernel();
      for (const file of [kubeconfig, management]) rmSync(file, { force: true });
    },
  };
}

function atFirstMachine(claimed: Claimed): string {
  const first = claimed.machines.find(({ part }) => part === 'first control plane')!;
  const text = claimed.secret('kubeconfig', 'value').toString('utf8');
  return text.replaceAll(`${GATEWAY}:${PORT}`, `${first.address}:${PORT}`);
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
  const own = [`--net=${namespace}`, built(KUBECTL), `--kubeconfig=${kubeconfig}`, '--request-timeout=60s', ...args];
  const { stdout } = await promisify(execFile)('nsenter', own, { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Seconds since its boot. Throws as soon as its first boot has failed, because then no Node will appear. */
async function ready(machine: Machine, node: (name: string) => Promise<KubeObject>): Promise<number> {
  const end = await until(`Node "${machine.name}" Ready`, { seconds: NODE_SECONDS, every: 1000 }, async () => {
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
  const taints = at(node, 'spec', 'taints');
  const keys = Array.isArray(taints) ? taints.map((taint) => stringAt(taint, 'key')) : [];
  const left = BEFORE_READY.find((key) => keys.includes(key));
  return left === undefined ? { found: {} } : { yet: `it still has the taint ${left}` };
}

/** The last output of the first boot before its script failed, or that the machine is off. */
function failureOf({ logs, gone }: Machine): string | undefined {
  if (gone) return 'went off by itself';
  try {
    const said = readFileSync(join(logs, 'cloud-init-output.log'), 'utf8').split('\n');
    const end = said.findIndex((line) => line.startsWith('slipway: '));
    return end === -1 ? undefined : said.slice(Math.max(0, end - 3), end + 1).join('; ');
  } catch {
    return undefined; // not started
  }
}
