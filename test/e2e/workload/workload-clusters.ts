/**
 * The workload clusters of the lab. When the first machine of one starts its control plane, a real API server is started
 * for it, with the authority that the claim made; it ends with the last control-plane machine.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { WorkloadCluster } from '#simulator/nodes/workload-cluster.ts';
import { PROVIDER_NODE } from '../audit/rights.ts';
import { ROOT } from '../binaries/find.ts';
import type { Api } from '../lab/api.ts';
import type { Processes } from '../lab/processes.ts';
import { until } from '../lab/waiting.ts';
import type { Issued } from '../../support/authority.ts';
import type { Addresses } from './addresses.ts';
import { type ApiServer, type ClusterKeys, startApiServer } from './api-server.ts';
import { Kubelets } from './kubelets.ts';

export interface WorkloadClustersParts {
  /** Of the management cluster. */
  readonly api: Api;
  readonly etcd: string;
  /** kube-apiserver. */
  readonly program: string;
  readonly kubectl: string;
  /** Whether whoever makes a cluster applies docs/install/workload-cluster.yaml to it. */
  readonly hasRoles: boolean;
  readonly processes: Processes;
  readonly folder: string;
  readonly addresses: Addresses;
  /** Milliseconds that a pod takes to end. */
  readonly ending: number;
  /** Whether Nodes wait for a pod network. */
  readonly needsNetwork: boolean;
}

export interface Running {
  readonly server: ApiServer;
  readonly kubelets: Kubelets;
}

interface Entry {
  readonly name: string;
  readonly running: Promise<Running>;
}

export class WorkloadClusters {
  readonly #parts: WorkloadClustersParts;
  /** By endpoint. */
  readonly #entries = new Map<string, Entry>();
  readonly #ended: Entry[] = [];
  /** Why a cluster could not be started, by endpoint. */
  readonly errors = new Map<string, string>();

  constructor(parts: WorkloadClustersParts) {
    this.#parts = parts;
  }

  /** Nodes of a cluster appeared, changed or went. */
  changed(cluster: WorkloadCluster, isRunning: (machineId: string) => boolean): void {
    const { endpoint } = cluster;
    const known = this.#entries.get(endpoint);
    if (known === undefined) {
      const name = `workload-${this.#entries.size + this.#ended.length + 1}`;
      const running = this.#start(name, cluster, isRunning);
      running.catch((thrown: unknown) => this.errors.set(endpoint, String(thrown)));
      this.#entries.set(endpoint, { name, running });
      return;
    }
    known.running.then(
      ({ kubelets }) => kubelets.changed(),
      () => undefined,
    );
    const controlPlane = cluster.nodes.filter((node) => node.controlPlane);
    if (controlPlane.every(({ machineId }) => !isRunning(machineId))) void this.#end(endpoint, known);
  }

  /** Those that run, oldest first. */
  async all(): Promise<readonly Running[]> {
    return Promise.all([...this.#entries.values()].map(({ running }) => running));
  }

  /** Files with the requests to every cluster there was. */
  async audits(): Promise<readonly string[]> {
    const all = await Promise.all([...this.#ended, ...this.#entries.values()].map(({ running }) => running));
    return all.map(({ server }) => server.audit);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#entries].map(([endpoint, entry]) => this.#end(endpoint, entry)));
  }

  async #start(name: string, cluster: WorkloadCluster, isRunning: (id: string) => boolean): Promise<Running> {
    const { api, etcd, program, processes, folder, addresses, ending, needsNetwork, kubectl, hasRoles } = this.#parts;
    const { host, port } = placeOf(cluster.endpoint);
    const keys = await keysOf(api, cluster.ca);
    const address = addresses.add(host);
    const server = await startApiServer({ program, processes, name, folder, etcd, address, host, port, keys });
    if (hasRoles) await applyRoles(kubectl, server);
    addresses.announce(host);
    return { server, kubelets: new Kubelets({ api: server.api, cluster, isRunning, ending, needsNetwork }) };
  }

  async #end(endpoint: string, entry: Entry): Promise<void> {
    this.#entries.delete(endpoint);
    this.#ended.push(entry);
    try {
      const { server, kubelets } = await entry.running;
      await kubelets.stop();
      await server.running().stop();
      this.#parts.addresses.remove(placeOf(endpoint).host);
    } catch {
      // It never ran.
    }
  }
}

/** As docs/operations.md says, and before anybody else reaches the API: until its server knows of them. */
async function applyRoles(kubectl: string, { kubeconfig }: ApiServer): Promise<void> {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(kubectl, [`--kubeconfig=${kubeconfig}`, ...args], {
      timeout: 300_000,
    });
    return stdout.trim();
  };
  await run('apply', '--filename', join(ROOT, 'docs/install/workload-cluster.yaml'));
  await until('the roles of provider-node count', { seconds: 30 }, async () => {
    const answer = await run(
      'auth',
      'can-i',
      'patch',
      'secrets',
      '--namespace=slipway-system',
      `--as=${PROVIDER_NODE}`,
    );
    return answer === 'yes' ? { found: true } : { yet: answer };
  });
}

function placeOf(endpoint: string): { readonly host: string; readonly port: number } {
  const colon = endpoint.lastIndexOf(':');
  return { host: endpoint.slice(0, colon), port: Number(endpoint.slice(colon + 1)) };
}

/** From the Secrets of the cluster whose authority this is. */
async function keysOf(api: Api, ca: string): Promise<ClusterKeys> {
  const secrets = await api.list({ apiVersion: 'v1', kind: 'Secret' });
  const own = secrets.find((secret) => nameOf(secret).endsWith('-ca') && pairOf(secret).cert.trim() === ca.trim());
  if (own === undefined) throw new Error('no Secret has the authority of the cluster');
  const name = nameOf(own).replace(/-ca$/, '-sa');
  const { namespace } = own.metadata ?? {};
  const accounts = secrets.find((one) => nameOf(one) === name && one.metadata?.namespace === namespace);
  if (accounts === undefined) throw new Error(`no Secret "${namespace}/${name}"`);
  return { authority: pairOf(own), serviceAccounts: pairOf(accounts) };
}

function pairOf(secret: KubeObject): Issued {
  const text = (key: string): string => Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  return { cert: text('tls.crt'), key: text('tls.key') };
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}
