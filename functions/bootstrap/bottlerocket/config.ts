/** `spec.bootstrap.config` of a claim with provider bottlerocket: groups of its settings, with the same names. */
import { z } from 'zod';
import { withOtherNames } from '#lib/api/schema/rules.ts';
import { OTHER_NAMES } from './other-names.ts';

const text = (description: string) => z.string().min(1).max(253).optional().describe(description);
const texts = (description: string) => z.array(z.string().min(1).max(253)).optional().describe(description);
const flag = (description: string) => z.boolean().optional().describe(description);
const count = (description: string) => z.int().min(0).max(2_147_483_647).optional().describe(description);
const percent = (description: string) => z.int().min(0).max(100).optional().describe(description);
const table = (description: string) =>
  z.record(z.string().min(1).max(63), z.string().min(1).max(253)).optional().describe(description);

const Kubernetes = z.strictObject({
  'allowed-unsafe-sysctls': texts('Kernel parameters that pods may set although they are unsafe.'),
  'cluster-dns-ip': z
    .union([z.string().min(1).max(45), z.array(z.string().min(1).max(45)).min(1)])
    .optional()
    .describe('Address of the DNS Service. Default: the one that EKS assigns in the Service block.'),
  'container-log-max-files': count('Maximum number of log files of a container.'),
  'container-log-max-size': text('Maximum size of a log file.'),
  'container-log-max-workers': count('Number of log files rotated at the same time.'),
  'container-log-monitor-interval': text('How often log files are checked.'),
  'cpu-cfs-quota-enforced': flag('Whether CPU limits are enforced.'),
  'cpu-manager-policy': z.enum(['none', 'static']).optional().describe('How CPUs are assigned to containers.'),
  'cpu-manager-policy-options': texts('Options of the CPU manager policy.'),
  'cpu-manager-reconcile-period': text('How often the CPU manager reconciles.'),
  'device-ownership-from-security-context': flag('Whether devices belong to the user of a container.'),
  'event-burst': count('Burst limit of events.'),
  'event-qps': count('Events per second.'),
  'eviction-hard': table('Thresholds for eviction without a grace period.'),
  'eviction-max-pod-grace-period': count('Maximum grace period of an eviction, in seconds.'),
  'eviction-soft': table('Thresholds for eviction after a grace period.'),
  'eviction-soft-grace-period': table('Grace periods of these thresholds.'),
  'hostname-override-source': z.enum(['private-dns-name', 'instance-id']).optional().describe('Source of Node names.'),
  'image-gc-high-threshold-percent': percent('Disk usage at which image garbage collection starts.'),
  'image-gc-low-threshold-percent': percent('Disk usage at which image garbage collection stops.'),
  'kube-api-burst': count('Burst limit of requests to the Kubernetes API.'),
  'kube-api-qps': count('Requests to the Kubernetes API per second.'),
  'kube-reserved': table('Resources reserved for Kubernetes components.'),
  'log-level': z.int().min(0).max(255).optional().describe('How much the kubelet logs.'),
  'max-pods': count('Maximum number of pods on a node.'),
  'memory-manager-policy': z.enum(['None', 'Static']).optional().describe('How memory is assigned to containers.'),
  'pod-pids-limit': z.int().min(-1).optional().describe('Maximum number of processes of a pod.'),
  'registry-burst': count('Burst limit of image pulls.'),
  'registry-qps': count('Image pulls per second.'),
  'reserved-cpus': text('CPUs reserved for the system.'),
  'seccomp-default': flag('Whether containers get the seccomp profile of their runtime.'),
  'shutdown-grace-period': text('How long a node waits for pods when it shuts down.'),
  'shutdown-grace-period-for-critical-pods': text('Part of the shutdown grace period reserved for critical pods.'),
  'single-process-oom-kill': flag('Whether only the process that is out of memory is killed.'),
  'system-reserved': table('Resources reserved for the operating system.'),
  'topology-manager-policy': z
    .enum(['none', 'restricted', 'best-effort', 'single-numa-node'])
    .optional()
    .describe('How resources are aligned to NUMA nodes.'),
  'topology-manager-scope': z.enum(['container', 'pod']).optional().describe('Scope of the alignment.'),
});

const ContainerRuntime = z.strictObject({
  'enable-unprivileged-icmp': flag('Whether unprivileged containers may ping.'),
  'enable-unprivileged-ports': flag('Whether unprivileged containers may listen on ports below 1024.'),
  'max-concurrent-downloads': count('Number of image layers pulled at the same time.'),
  'max-container-log-line-size': z.int().min(-1).optional().describe('Maximum length of a log line, in bytes.'),
});

const BootstrapCommand = z.strictObject({
  commands: z
    .array(z.array(z.string().min(1).max(1024)).min(1))
    .min(1)
    .refine((commands) => commands.every(([program]) => program === 'apiclient'), {
      error: 'runs another program; accepted: commands of apiclient, each a list of words',
    })
    .describe('Commands of apiclient, each a list of words.'),
  mode: z.enum(['off', 'once', 'always']).default('once').describe('On which boots the commands run.'),
  essential: flag('Whether the boot fails if a command fails.'),
});

export const BottlerocketConfig = withOtherNames(
  z.strictObject({
    kubernetes: Kubernetes.prefault({}).describe('Settings of the kubelet.'),
    'container-runtime': ContainerRuntime.optional().describe('Settings of containerd.'),
    'bootstrap-commands': z
      .record(
        z.string().regex(/^[A-Za-z0-9-]{1,76}$/, { error: 'is not a name; accepted: letters, digits and -' }),
        BootstrapCommand,
      )
      .optional()
      .describe(
        'Commands that run before the kubelet, such as ephemeral-storage init, which uses the instance disks as storage.',
      ),
  }),
  OTHER_NAMES,
);

export type BottlerocketConfig = z.output<typeof BottlerocketConfig>;
