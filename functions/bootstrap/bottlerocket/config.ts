/** `spec.bootstrap.config` of a claim whose provider is bottlerocket: groups of its settings, in its own words. */
import { z } from 'zod';

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
    .describe('Left out, the address EKS gives it in the block of Services.'),
  'container-log-max-files': count('Log files of a container.'),
  'container-log-max-size': text('Size of one of them.'),
  'container-log-max-workers': count('Log files that are rotated at once.'),
  'container-log-monitor-interval': text('How often logs are looked at.'),
  'cpu-cfs-quota-enforced': flag('Whether CPU limits are enforced.'),
  'cpu-manager-policy': z.enum(['none', 'static']).optional().describe('How CPUs are given out.'),
  'cpu-manager-policy-options': texts('Options of the policy.'),
  'cpu-manager-reconcile-period': text('How often it is looked at.'),
  'device-ownership-from-security-context': flag('Whether devices belong to the user of a container.'),
  'event-burst': count('Events at once.'),
  'event-qps': count('Events a second.'),
  'eviction-hard': table('When pods are evicted at once.'),
  'eviction-max-pod-grace-period': count('Seconds a pod is given at most.'),
  'eviction-soft': table('When pods are evicted after a while.'),
  'eviction-soft-grace-period': table('How long that while is.'),
  'hostname-override-source': z
    .enum(['private-dns-name', 'instance-id'])
    .optional()
    .describe('What Nodes are named by.'),
  'image-gc-high-threshold-percent': percent('How full the disk is when images are removed.'),
  'image-gc-low-threshold-percent': percent('How full it is when that ends.'),
  'kube-api-burst': count('Requests to the Kubernetes API at once.'),
  'kube-api-qps': count('Requests to it a second.'),
  'kube-reserved': table('What is kept for Kubernetes itself.'),
  'log-level': z.int().min(0).max(255).optional().describe('How much the kubelet logs.'),
  'max-pods': count('Pods on a node.'),
  'memory-manager-policy': z.enum(['None', 'Static']).optional().describe('How memory is given out.'),
  'pod-pids-limit': z.int().min(-1).optional().describe('Processes of a pod.'),
  'registry-burst': count('Image pulls at once.'),
  'registry-qps': count('Image pulls a second.'),
  'reserved-cpus': text('CPUs kept for the system.'),
  'seccomp-default': flag('Whether containers get the seccomp profile of their runtime.'),
  'shutdown-grace-period': text('How long a node waits for pods when it shuts down.'),
  'shutdown-grace-period-for-critical-pods': text('The part of it that is for critical pods.'),
  'single-process-oom-kill': flag('Whether only the process that is out of memory is killed.'),
  'system-reserved': table('What is kept for the operating system.'),
  'topology-manager-policy': z
    .enum(['none', 'restricted', 'best-effort', 'single-numa-node'])
    .optional()
    .describe('How resources are kept close to each other.'),
  'topology-manager-scope': z.enum(['container', 'pod']).optional().describe('For what.'),
});

const ContainerRuntime = z.strictObject({
  'enable-unprivileged-icmp': flag('Whether containers without rights may ping.'),
  'enable-unprivileged-ports': flag('Whether they may listen on ports below 1024.'),
  'max-concurrent-downloads': count('Layers of an image that are pulled at once.'),
  'max-container-log-line-size': z.int().min(-1).optional().describe('Bytes of a line of a log.'),
});

const BootstrapCommand = z.strictObject({
  commands: z
    .array(z.array(z.string().min(1).max(1024)).min(1))
    .min(1)
    .refine((commands) => commands.every(([program]) => program === 'apiclient'), {
      error: 'runs something else; accepted: commands of apiclient, each a list of words',
    })
    .describe('Commands of apiclient, each a list of words.'),
  mode: z.enum(['off', 'once', 'always']).default('once').describe('At which boots.'),
  essential: flag('Whether the boot fails with it.'),
});

export const BottlerocketConfig = z.strictObject({
  kubernetes: Kubernetes.prefault({}).describe('Settings of the kubelet.'),
  'container-runtime': ContainerRuntime.optional().describe('Settings of containerd.'),
  'bootstrap-commands': z
    .record(
      z.string().regex(/^[A-Za-z0-9-]{1,76}$/, { error: 'is no name; accepted: letters, digits and -' }),
      BootstrapCommand,
    )
    .optional()
    .describe(
      'Commands before the kubelet, such as ephemeral-storage init, which makes the disks of an instance its storage.',
    ),
});

export type BottlerocketConfig = z.output<typeof BottlerocketConfig>;
