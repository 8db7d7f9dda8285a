/**
 * A validator for settings of Bottlerocket, as far as possible: its models are in Rust and in no package registry. So
 * the TOML parser of Python checks the text, and this list, from the documentation, checks names and types of settings.
 */
import { z } from 'zod';
import { cached, type Found } from './cache.ts';
import { PYTHON } from './debian.ts';
import { runCommand } from './run.ts';

/** Settings that no validator here checks. */
export const NOT_JUDGED = 'values of settings, such as durations and quantities: only Bottlerocket itself reads those';

const text = z.string().regex(/^[^\n\r\v\f\u0085\u2028\u2029]*$/u);
const texts = z.array(text);
const flag = z.boolean();
const int = z.int();
const base64 = z.base64().min(1);
const name = z.string().regex(/^[A-Za-z0-9-]+$/);
const table = z.record(text, text);

const kinds = <Kind extends z.ZodType>(kind: Kind, keys: string): Record<string, Kind> =>
  Object.fromEntries(keys.split(' ').map((key) => [key, kind]));

const kubernetes = z
  .strictObject({
    ...kinds(
      text,
      'api-server authentication-mode bootstrap-token cloud-provider cluster-domain container-log-max-size container-log-monitor-interval cpu-manager-reconcile-period hostname-override memory-manager-policy memory-swap-behavior node-ip pod-infra-container-image provider-id reserved-cpus shutdown-grace-period shutdown-grace-period-for-critical-pods topology-manager-policy topology-manager-scope',
    ),
    ...kinds(
      int,
      'container-log-max-files container-log-max-workers event-burst event-qps eviction-max-pod-grace-period image-gc-high-threshold-percent image-gc-low-threshold-percent kube-api-burst kube-api-qps log-level max-pods pod-pids-limit registry-burst registry-qps',
    ),
    ...kinds(
      flag,
      'cpu-cfs-quota-enforced device-ownership-from-security-context seccomp-default server-tls-bootstrap single-process-oom-kill standalone-mode static-pods-enabled',
    ),
    ...kinds(base64, 'cluster-certificate server-certificate server-key'),
    ...kinds(table, 'eviction-hard eviction-soft eviction-soft-grace-period kube-reserved system-reserved'),
    'cluster-name': z.string().regex(/^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$/),
    'allowed-unsafe-sysctls': texts,
    'cluster-dns-ip': z.union([text, texts]),
    'cpu-manager-policy': z.enum(['none', 'static']),
    'cpu-manager-policy-options': texts,
    'credential-providers': z.record(name, z.unknown()),
    'hostname-override-source': z.enum(['private-dns-name', 'instance-id']),
    'memory-manager-reserved-memory': z.record(name, z.unknown()),
    'node-labels': z.record(text, z.string().regex(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/)),
    'node-taints': z.record(
      text,
      z.array(z.string().regex(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?:[A-Za-z]+$/)),
    ),
    'static-pods': z.record(name, z.strictObject({ enabled: flag, manifest: base64 })),
  })
  .partial();

const containers = z.record(
  name,
  z
    .strictObject({ source: text, enabled: flag, superpowered: flag, mode: text, essential: flag, 'user-data': base64 })
    .partial(),
);

const Settings = z
  .strictObject({
    kubernetes,
    boot: z
      .strictObject({
        'reboot-to-reconcile': flag,
        ...kinds(
          z.record(z.string().regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/), texts),
          'kernel-parameters init-parameters',
        ),
      })
      .partial(),
    'bootstrap-commands': z.record(
      name,
      z.strictObject({ commands: z.array(texts), mode: text, essential: flag }).partial(),
    ),
    'bootstrap-containers': containers,
    'container-registry': z
      .strictObject({
        mirrors: z.array(z.strictObject({ registry: text, endpoint: z.array(z.url()) })),
        credentials: z.array(z.record(text, text)),
      })
      .partial(),
    'container-runtime': z
      .strictObject({
        ...kinds(int, 'max-container-log-line-size max-concurrent-downloads'),
        ...kinds(flag, 'enable-unprivileged-ports enable-unprivileged-icmp'),
      })
      .partial(),
    'host-containers': containers,
    kernel: z
      .strictObject({
        lockdown: z.enum(['none', 'integrity', 'confidentiality']),
        modules: z.record(text, z.strictObject({ allowed: flag, autoload: flag }).partial()),
        sysctl: z.record(z.string().regex(/^[A-Za-z0-9._/-]+$/), z.string()),
      })
      .partial(),
    motd: z.string(),
    network: z
      .strictObject({
        hostname: z.string().regex(/^[0-9a-z][0-9a-z.-]{0,252}$/),
        hosts: z.array(z.tuple([z.union([z.ipv4(), z.ipv6()]), z.array(z.string().regex(/^[0-9a-z.-]+$/))])),
        'https-proxy': z.url(),
        'no-proxy': texts,
      })
      .partial(),
    ntp: z.strictObject({ 'time-servers': texts }).partial(),
    pki: z.record(name, z.strictObject({ data: base64, trusted: flag }).partial()),
  })
  .partial();

const UserData = z.strictObject({ settings: Settings });

export function tomlReader(): Found {
  return cached(...PYTHON);
}

const READ = 'import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.stdin.buffer.read().decode())))';

/** The text as another TOML parser reads it. Throws the error of that parser. */
export function readToml(python: string, toml: string): unknown {
  const { ok, output } = runCommand(python, ['-c', READ], { input: toml });
  if (!ok) throw new Error(output.split('\n').at(-1));
  return JSON.parse(output);
}

/** The error in user data of Bottlerocket; undefined when it is valid. */
export function bottlerocketProblem(python: string, toml: string): string | undefined {
  try {
    const judged = UserData.safeParse(readToml(python, toml));
    return judged.success ? undefined : z.prettifyError(judged.error);
  } catch (thrown) {
    return String(thrown);
  }
}
