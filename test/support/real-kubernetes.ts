/** A real Kubernetes API for the tests of one file. Where its programs were not built, they are skipped, and say so. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { KubeClient } from '#lib/kube/client.ts';
import { endpointOf } from '#lib/kube/kubeconfig.ts';
import { PROGRAMS } from '../e2e/binaries/catalog.ts';
import { type Binaries, find } from '../e2e/binaries/find.ts';
import { type Kubernetes, startKubernetes } from '../e2e/lab/kubernetes.ts';
import { Processes } from '../e2e/lab/processes.ts';

const NEEDED = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
const found = PROGRAMS.map((program) => [program.name, find(program)] as const);
const programs = Object.fromEntries(found.flatMap(([name, path]) => (path === undefined ? [] : [[name, path]])));
const absent = NEEDED.filter((name) => programs[name] === undefined);

/** False: its programs are missing, and a line says which. @param what  that is skipped then */
export function hasKubernetes(what: string): boolean {
  if (absent.length === 0) return true;
  process.stdout.write(`skipped: ${what}: ${absent.join(', ')} not found; npm run e2e -- --build\n`);
  return false;
}

export interface RealKubernetes {
  readonly folder: string;
  readonly processes: Processes;
  /** Where its programs are, by name. */
  readonly programs: Readonly<Record<string, string>>;
  /** From the first hook on. */
  readonly kubernetes: Kubernetes;
  readonly client: KubeClient;
}

/** Started before the tests of the block, and stopped after them and after its later hooks. */
export function realKubernetes(): RealKubernetes {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-kubernetes-'));
  const processes = new Processes(join(folder, 'logs'));
  let started: Pick<RealKubernetes, 'kubernetes' | 'client'> | undefined;
  const now = (): Pick<RealKubernetes, 'kubernetes' | 'client'> => {
    if (started === undefined) throw new Error('the Kubernetes API is used before it was started');
    return started;
  };
  beforeAll(async () => {
    const kubernetes = await startKubernetes(programs as unknown as Binaries, processes, folder);
    const text = readFileSync(kubernetes.kubeconfig, 'utf8');
    started = { kubernetes, client: new KubeClient(endpointOf(text, 'the kubeconfig', { local: true })) };
  });
  afterAll(async () => {
    started?.client.close();
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    processes,
    programs,
    get kubernetes() {
      return now().kubernetes;
    },
    get client() {
      return now().client;
    },
  };
}
