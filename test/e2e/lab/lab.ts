/**
 * The whole lab: a Kubernetes API, a registry, Crossplane, the package runtime, the fake providers of a cloud, and the
 * APIs of the workload clusters whose machines the cloud boots.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CloudModel } from '#simulator/cloud/machine.ts';
import { defaultCharts } from '../addons/charts.ts';
import { ChartRepositories } from '../addons/repositories.ts';
import type { Binaries } from '../binaries/find.ts';
import { StandIn } from '../cloud/stand-in.ts';
import { pushPackages, pushProviders } from '../packages/install.ts';
import type { Platform } from '../packages/platform.ts';
import type { ProviderPackage } from '../packages/providers.ts';
import type { Recording } from '../../support/recording.ts';
import { PackageRuntime } from '../runtime/package-runtime.ts';
import { Addresses } from '../workload/addresses.ts';
import { WorkloadClusters } from '../workload/workload-clusters.ts';
import type { Api } from './api.ts';
import { type Crossplane, startCrossplane } from './crossplane.ts';
import { type Kubernetes, startKubernetes } from './kubernetes.ts';
import type { Processes } from './processes.ts';
import { type Registry, startRegistry } from './registry.ts';

/** A minute in the cloud takes a second and a half here. */
export const SPEEDUP = 40;
/** Milliseconds that a pod takes to end. */
const POD_ENDS = 400;
export const VERSION = 'v0.1.0';
export const FLAVOUR = 'configuration-slipway-aws';

export interface Lab {
  readonly binaries: Binaries;
  /** The folder of this run; logs/ has a file for each process. */
  readonly folder: string;
  readonly kubernetes: Kubernetes;
  readonly api: Api;
  readonly registry: Registry;
  readonly crossplane: Crossplane;
  readonly runtime: PackageRuntime;
  readonly cloud: StandIn;
  readonly workloads: WorkloadClusters;
  readonly charts: ChartRepositories;
  readonly processes: Processes;
  /** Who builds the package of the Compositions; undefined: it is as published. */
  readonly platform: Platform | undefined;
  /** Runs kubectl as administrator; returns its standard output. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Runs the Crossplane command line as administrator; returns its standard output. */
  cli(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

export interface LabOptions {
  /** Who builds the package of the Compositions; undefined: it is as published. */
  readonly platform: Platform | undefined;
  /** Gets the requests of functions; undefined: Crossplane calls them directly. */
  readonly recording: Recording | undefined;
  /** Whose providers are simulated. */
  readonly clouds: readonly CloudModel[];
  /** Packages of the providers of clouds. */
  readonly providers: readonly ProviderPackage[];
}

export async function startLab(
  binaries: Binaries,
  processes: Processes,
  folder: string,
  log: (line: string) => void,
  { platform, recording, clouds, providers }: LabOptions,
): Promise<Lab> {
  const kubernetes = await startKubernetes(binaries, processes, folder);
  log('Kubernetes API ready');
  const registry = await startRegistry(binaries, processes);
  const addresses = new Addresses();
  const charts = await ChartRepositories.start(binaries.helm, addresses, join(folder, 'charts'));
  await charts.add(defaultCharts());
  await pushProviders(registry, providers, binaries, charts.authority, join(folder, 'packages'));
  await pushPackages(registry, VERSION, { platform, folder: join(folder, 'packages') });
  log(`packages pushed to ${registry.host}`);
  const crossplane = await startCrossplane(binaries, processes, kubernetes, folder);
  log('Crossplane ready');
  const { api, kubeconfig } = kubernetes;
  const runtime = new PackageRuntime({
    kubernetes,
    kubectl: binaries.kubectl,
    registry,
    crossplane,
    processes,
    addresses,
    recording,
    folder: join(folder, 'runtime'),
  });
  const workloads = new WorkloadClusters({
    api,
    etcd: kubernetes.etcd,
    program: binaries['kube-apiserver'],
    kubectl: binaries.kubectl,
    hasRoles: platform?.inputs['BootstrapInput']?.['providerNodeRights'] === 'Role',
    processes,
    folder,
    addresses,
    ending: POD_ENDS,
    needsNetwork: defaultCharts().some(({ content }) => content === 'network'),
  });
  const cloud = new StandIn({ api, seed: 1, speedup: SPEEDUP, clouds, workloads });
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const env = { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: '1' };
    const { stdout } = await promisify(execFile)(program, args, { env, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  };
  return {
    binaries,
    folder,
    kubernetes,
    api,
    registry,
    crossplane,
    runtime,
    cloud,
    workloads,
    charts,
    processes,
    platform,
    kubectl: (...args) => run(binaries.kubectl, args),
    cli: (...args) => run(binaries.crossplane, args),
    async stop() {
      await cloud.stop();
      await runtime.stop();
      await workloads.stop();
      await charts.stop();
      addresses.removeAll();
      await processes.stopAll();
    },
  };
}
