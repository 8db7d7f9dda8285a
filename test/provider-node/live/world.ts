/**
 * provider-node as processes between two real Kubernetes APIs: of the management cluster, and of a workload cluster in
 * which it has only the documented rights. Kubelets are played: a pod that is told to end ends, unless it is held.
 */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { conditionOf } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { type Request, requestsIn } from '../../e2e/audit/log.ts';
import { PROVIDER_NODE } from '../../e2e/audit/rights.ts';
import { Api, type Ref, refOf } from '../../e2e/lab/api.ts';
import { freePorts } from '../../e2e/lab/ports.ts';
import type { Running } from '../../e2e/lab/processes.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { type ApiServer, startApiServer } from '../../e2e/workload/api-server.ts';
import { type Issuer, newIssuer } from '../../support/authority.ts';
import type { RealKubernetes } from '../../support/real-kubernetes.ts';
import { NAMESPACE as UPDATERS } from '../../../controllers/node/updates/pod.ts';
import { NAMESPACE } from '../scene.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Becomes the command, with a host name: replicas are told apart by it. */
const NAMED = ['--uts', 'sh', '-ec', 'hostname "$1"; shift; exec "$@"', 'sh'] as const;
const CLOCK = join(import.meta.dirname, 'clock.ts');
const LEASE_NAMESPACE = 'crossplane-system';
const CONFIG = 'prod';
const SECRET = { apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: `${CONFIG}-kubeconfig` } as const;
/** A pod with this annotation runs on although it is told to end. */
const HELD = 'test.slipway.dev/held';

/** False: replicas cannot have names on this machine, and a line says so. */
export function canName(): boolean {
  if (spawnSync('unshare', ['--uts', 'true']).status === 0) return true;
  process.stdout.write('skipped: replicas of provider-node: unshare --uts needs root\n');
  return false;
}

export interface PodSettings {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** It runs on after it was told to end, until `World.free`. */
  readonly isHeld?: boolean;
  readonly daemonSet?: string;
}

export interface MachineSettings {
  readonly spec?: JsonObject;
  /** Of the WorkloadNode. */
  readonly metadata?: JsonObject;
  /** Of its Node. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Its Node registers later. */
  readonly isAbsent?: boolean;
}

export class World {
  readonly #real: RealKubernetes;
  readonly #authority: Issuer;
  readonly #stopped = new AbortController();
  readonly management: Api;
  readonly workload: ApiServer;

  private constructor(real: RealKubernetes, authority: Issuer, workload: ApiServer) {
    this.#real = real;
    this.#authority = authority;
    this.management = new Api(real.kubernetes.kubeconfig);
    this.workload = workload;
    workload.api.watch({ apiVersion: 'v1', kind: 'Pod' }, ({ object }) => void this.#end(object), this.#stopped.signal);
  }

  static async start(real: RealKubernetes): Promise<World> {
    const authority = await newIssuer('kubernetes', 'ECDSA');
    const { port } = await freePorts('port');
    const workload = await startApiServer({
      program: real.programs['kube-apiserver'] ?? '',
      processes: real.processes,
      name: 'workload',
      folder: real.folder,
      etcd: real.kubernetes.etcd,
      address: '127.0.0.1',
      host: 'localhost',
      port,
      keys: { authority, serviceAccounts: serviceAccountKeys() },
    });
    real.processes.start({
      name: 'disruption-controller',
      program: real.programs['kube-controller-manager'] ?? '',
      args: [
        `--kubeconfig=${workload.kubeconfig}`,
        '--controllers=disruption-controller',
        '--leader-elect=false',
        '--secure-port=0',
      ],
    });
    await workload.api.apply(...documents('docs/install/workload-cluster.yaml'));
    const world = new World(real, authority, workload);
    await world.#populate();
    return world;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #populate(): Promise<void> {
    const { management } = this;
    for (const name of ['clusterproviderconfigs', 'providerconfigs', 'providerconfigusages', 'workloadnodes'])
      await management.apply(...documents(`package/provider-node/crds/${name}.yaml`));
    await until('the kinds are served', { seconds: 60 }, async () => {
      await management.raw(`/apis/${NODE_API_VERSION}/workloadnodes`);
      return { found: true };
    });
    for (const name of [NAMESPACE, LEASE_NAMESPACE])
      await management.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await this.rotate(PROVIDER_NODE);
    await management.apply({
      apiVersion: NODE_API_VERSION,
      kind: 'ProviderConfig',
      metadata: { name: CONFIG, namespace: NAMESPACE },
      spec: { credentials: { secretRef: { name: SECRET.name } } },
    });
  }

  /** The kubeconfig becomes one of this user, who has the roles; nobody else has them any longer. */
  async rotate(user: string): Promise<void> {
    const { cert, key } = await this.#authority.issue(user, {});
    const config = parse(readFileSync(this.workload.kubeconfig, 'utf8')) as { readonly users: { user: JsonObject }[] };
    config.users[0]!.user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    const roles = documents('docs/install/workload-cluster.yaml').filter(({ kind }) => kind.endsWith('Binding'));
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
    await this.workload.api.apply(...roles.map((one) => ({ ...one, subjects })));
    const { apiVersion, kind, namespace, name } = SECRET;
    const data = { value: base64(stringify(config)) };
    await this.management.apply({ apiVersion, kind, metadata: { namespace, name }, data });
  }

  /** @param host  its name among replicas; undefined: it is the only one, and acts without a lease */
  startProvider(host?: string): Running {
    const program = [
      process.execPath,
      `--import=${CLOCK}`,
      join(ROOT, 'controllers/node/main.ts'),
      `--kubeconfig=${this.#real.kubernetes.kubeconfig}`,
      '--allow-local-addresses',
      '--metrics-address=',
      ...(host === undefined ? [] : ['--leader-election']),
    ];
    const [first = '', ...rest] = host === undefined ? program : ['unshare', ...NAMED, host, ...program];
    const env = { POD_NAMESPACE: LEASE_NAMESPACE };
    return this.#real.processes.start({ name: `provider-${host ?? 'only'}`, program: first, args: rest, env });
  }

  /** Who acts; empty: nobody. */
  async holder(): Promise<string> {
    const name = 'crossplane-leader-election-provider-node';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: LEASE_NAMESPACE, name };
    const found = await this.management.find(lease);
    return stringAt(found, 'spec', 'holderIdentity') ?? '';
  }

  /** A Node that is ready, unless it is to register later, and its WorkloadNode. */
  async machine(name: string, settings: MachineSettings = {}): Promise<void> {
    const { spec = {}, metadata = {}, labels = {}, isAbsent = false } = settings;
    if (!isAbsent) await this.register(name, labels);
    await this.management.apply({
      apiVersion: NODE_API_VERSION,
      kind: 'WorkloadNode',
      metadata: { name, namespace: NAMESPACE, ...metadata },
      spec: { providerConfigRef: { name: CONFIG }, node: { name }, ...spec },
    });
  }

  async register(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const node = { apiVersion: 'v1', kind: 'Node', name };
    await this.workload.api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }];
    await this.workload.api.patchStatus(node, { conditions });
  }

  async pod(name: string, node: string, settings: PodSettings = {}): Promise<void> {
    const { namespace = 'default', labels = {}, isHeld = false, daemonSet } = settings;
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet ?? '', uid: 'd', controller: true };
    const { api } = this.workload;
    await api.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        labels,
        ...(isHeld ? { annotations: { [HELD]: 'yes' } } : {}),
        ...(daemonSet === undefined ? {} : { ownerReferences: [owner] }),
      },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'images.example.com/pause:3.10.1' }] },
    });
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }];
    await api.patchStatus(podRef(name, namespace), { phase: 'Running', conditions });
  }

  /** A held pod ends as soon as it is told to. */
  async free(name: string): Promise<void> {
    await this.workload.api.patch(podRef(name), { metadata: { annotations: { [HELD]: null } } });
  }

  async delete(name: string): Promise<void> {
    await this.management.delete(refTo(name));
  }

  async isGone(name: string): Promise<void> {
    await until(`WorkloadNode ${name} is gone`, { seconds: 120 }, async () => {
      const found = await this.management.find(refTo(name));
      return found === undefined ? { found: true } : { yet: JSON.stringify(found.status?.['conditions']) };
    });
  }

  /** Waits until a condition has the reason. */
  async says(name: string, type: string, reason: string): Promise<void> {
    await until(`${type} of ${name} is ${reason}`, { seconds: 90 }, async () => {
      const object = await this.management.get(refTo(name));
      const found = conditionOf(object, type)?.reason;
      return found === reason ? { found: true } : { yet: JSON.stringify(object.status?.['conditions']) };
    });
  }

  /** Waits until provider-node has looked at the object after this. */
  async lookedAt(name: string): Promise<void> {
    const stamp = new Date().toISOString();
    await this.management.patch(refTo(name), {
      metadata: { annotations: { 'crossplane.io/reconcile-requested-at': stamp } },
    });
    await until(`${name} is looked at`, { seconds: 90 }, async () => {
      const { status } = await this.management.get(refTo(name));
      return status?.['lastHandledReconcileAt'] === stamp ? { found: true } : { yet: JSON.stringify(status) };
    });
  }

  /** What an event about a WorkloadNode says. */
  async told(name: string, reason: string): Promise<string> {
    const path = `/api/v1/namespaces/${NAMESPACE}/events?fieldSelector=involvedObject.name=${name},reason=${reason}`;
    const { items } = JSON.parse(await this.management.raw(path)) as { readonly items: readonly JsonObject[] };
    return items.map((event) => stringAt(event, 'message') ?? '').join('\n');
  }

  /** How often each pod was evicted, by `namespace/name`. */
  evictions(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { objectRef } of this.#created('pods', 'eviction')) {
      const pod = `${objectRef?.namespace}/${objectRef?.name}`;
      counts[pod] = (counts[pod] ?? 0) + 1;
    }
    return counts;
  }

  /** How many pods provider-node made to run updaters. */
  runs(): number {
    return this.#created('pods', undefined).filter(({ objectRef }) => objectRef?.namespace === UPDATERS).length;
  }

  #created(resource: string, subresource: string | undefined): readonly Request[] {
    return this.requests().filter(
      ({ verb, objectRef, responseStatus }) =>
        verb === 'create' &&
        objectRef?.resource === resource &&
        objectRef.subresource === subresource &&
        (responseStatus?.code ?? 0) < 300,
    );
  }

  /** To the workload cluster. */
  requests(): readonly Request[] {
    return requestsIn(this.workload.audit);
  }

  async #end(pod: KubeObject): Promise<void> {
    const { deletionTimestamp, annotations } = pod.metadata ?? {};
    if (deletionTimestamp === undefined || annotations?.[HELD] !== undefined) return;
    await this.workload.api.delete(refOf(pod), { gracePeriodSeconds: 0 }).catch(() => undefined);
  }
}

export function refTo(name: string): Ref {
  return { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', namespace: NAMESPACE, name };
}

export function podRef(name: string, namespace = 'default'): Ref {
  return { apiVersion: 'v1', kind: 'Pod', namespace, name };
}

function documents(path: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(join(ROOT, path), 'utf8')).map((one) => one.toJS() as KubeObject);
}

function serviceAccountKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    cert: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    key: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
