/**
 * The Kubernetes API of a workload cluster: a real kube-apiserver with the authority and the keys of the cluster, at an
 * address of its own. It stores in the etcd of the lab.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { issuerFrom, type Issued } from '../../support/authority.ts';
import { auditing, WORKLOAD_RULES } from '../audit/policy.ts';
import { Api } from '../lab/api.ts';
import { ready, writeKubeconfig } from '../lab/kubernetes.ts';
import type { Processes, Running } from '../lab/processes.ts';

export interface ApiServerParts {
  readonly program: string;
  readonly processes: Processes;
  /** Name of the process, and of its folder. */
  readonly name: string;
  readonly folder: string;
  readonly etcd: string;
  readonly address: string;
  /** As the kubeconfig of the cluster has them. */
  readonly host: string;
  readonly port: number;
  readonly keys: ClusterKeys;
}

export interface ClusterKeys {
  readonly authority: Issued;
  /** Public and private, in PEM. */
  readonly serviceAccounts: Issued;
}

export interface ApiServer {
  /** As administrator. */
  readonly api: Api;
  /** File, of the administrator. */
  readonly kubeconfig: string;
  /** File of what was asked of it. */
  readonly audit: string;
  readonly running: () => Running;
  /** Starts it again after it was killed. */
  restart(): Promise<void>;
}

/** Who the machines are to their API server. */
export const MACHINES = 'machines';

export async function startApiServer(parts: ApiServerParts): Promise<ApiServer> {
  const { program, processes, name, address, port } = parts;
  const folder = join(parts.folder, name);
  mkdirSync(folder, { recursive: true });
  const { file: audit, flags } = auditing(folder, WORKLOAD_RULES);
  const token = randomBytes(16).toString('hex');
  const args = [...(await keyFlags(parts, folder, token)), ...flags, ...settings(parts)];
  const start = (): Running => processes.start({ name, program, args });
  let running = start();
  const { cert } = parts.keys.authority;
  const server = `https://${address}:${port}`;
  const kubeconfig = writeKubeconfig(join(folder, 'machines.kubeconfig'), server, cert, token);
  const api = new Api(kubeconfig);
  await ready(api);
  return {
    api,
    kubeconfig,
    audit,
    running: () => running,
    async restart() {
      running = start();
      await ready(api);
    },
  };
}

async function keyFlags(
  { keys: { authority, serviceAccounts }, host, address }: ApiServerParts,
  folder: string,
  token: string,
): Promise<readonly string[]> {
  const own = await (
    await issuerFrom(authority)
  ).issue('kube-apiserver', { dns: isIP(host) === 0 ? [host] : [], ip: [address] });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return [
    `--tls-cert-file=${file('apiserver.crt', own.cert)}`,
    `--tls-private-key-file=${file('apiserver.key', own.key)}`,
    `--client-ca-file=${file('ca.crt', authority.cert)}`,
    `--service-account-key-file=${file('sa.pub', serviceAccounts.cert)}`,
    `--service-account-signing-key-file=${file('sa.key', serviceAccounts.key)}`,
    `--token-auth-file=${file('tokens.csv', `${token},${MACHINES},${MACHINES},"system:masters"\n`)}`,
  ];
}

function settings({ etcd, name, address, port }: ApiServerParts): readonly string[] {
  return [
    `--etcd-servers=${etcd}`,
    `--etcd-prefix=/${name}`,
    `--secure-port=${port}`,
    `--bind-address=${address}`,
    `--advertise-address=${address}`,
    '--authorization-mode=Node,RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--endpoint-reconciler-type=none',
    '--allow-privileged',
    // No controller makes service accounts for its namespaces.
    '--disable-admission-plugins=ServiceAccount',
  ];
}
