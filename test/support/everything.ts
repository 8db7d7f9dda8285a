/** One value for every field of a claim that first-boot data is made of; a field that is added and not put here fails a test. */
import { minor } from 'semver';
import type { JsonObject } from '#lib/api/json.ts';

/** Nothing here is a secret: the hash is of the word "fake", the certificate certifies nobody. */
export const CERTIFICATE = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBSTCB8KADAgECAhRsbGlwd2F5LWZha2UtY2VydGlmaWNhdDAKBggqhkjOPQQD',
  '-----END CERTIFICATE-----',
  '',
].join('\n');

export const EVERY_PROVISIONING: JsonObject = {
  format: 'cloud-init',
  files: [
    { path: '/etc/motd', content: 'Wëlcome\r\n', mode: '0600', owner: 'ops:ops' },
    { path: '/etc/issue', content: 'over\n', append: true },
    { path: '/var/lib/data/list', content: 'first\n', owner: 'root:data' },
    { path: '/opt/tool', content: 'AAECAwQ=', encoding: 'base64', mode: '0755' },
  ],
  users: [
    {
      name: 'ops',
      gecos: 'Zoë of operations',
      groups: ['adm', 'systemd-journal'],
      shell: '/bin/bash',
      sudo: 'ALL=(ALL) NOPASSWD:ALL',
      sshAuthorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIfake zoë@example.com'],
      passwordHash: '$6$fake$fake',
    },
  ],
  commands: { pre: [`echo 'it''s' "$HOME"`, 'true | cat'], post: ['echo done'] },
  packages: ['nfs-common'],
  ntp: { servers: ['169.254.169.123'] },
  timezone: 'Europe/Zurich',
  sysctls: { 'vm.max_map_count': '262144' },
  kernelModules: ['nf_conntrack'],
  caCertificates: [CERTIFICATE],
  groups: [{ name: 'app', gid: 1500 }, { name: 'data' }],
  units: [
    {
      name: 'exporter.service',
      contents: '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n',
      enabled: true,
    },
    { name: 'kubelet.service', dropIns: [{ name: '20-nice.conf', contents: '[Service]\nNice=-5\n' }] },
  ],
  disks: [{ device: '/dev/nvme1n1', partitions: [{}] }],
  filesystems: [{ device: '/dev/nvme1n1p1', label: 'data' }],
  mounts: [
    {
      device: 'LABEL=data',
      path: '/var/lib/data',
      format: 'ext4',
      options: ['noatime'],
    },
  ],
  swap: { path: '/swapfile', sizeMiB: 64 },
  hosts: [{ address: '10.0.0.9', names: ['registry.example.com', 'registry'] }],
  proxy: {
    http: 'http://fake:fake@proxy.example.com:3128',
    https: 'http://fake:fake@proxy.example.com:3128',
    none: ['registry.example.com', '.internal'],
  },
  raw: { 'cloud-init': { final_message: 'über', ssh_deletekeys: false } },
};

/** What kubeadm's plan brings about itself. */
export const REGISTRIES: JsonObject[] = [
  {
    host: 'docker.io',
    mirrors: ['https://mirror.example.com', 'https://cache.example.com/v2/docker'],
    caCertificate: CERTIFICATE,
  },
];

/** `spec.bootstrap.config` of kubeadm; the flags look like other types of YAML 1.1. */
export const EVERY_KUBEADM: JsonObject = {
  imageRepository: 'registry.example.com/k8s',
  certSANs: ['k8s.example.com', '10.1.2.3'],
  apiServer: {
    extraArgs: { 'audit-log-maxage': '30', profiling: 'off', 'event-ttl': '1h0m0s' },
    extraVolumes: [{ name: 'audit', hostPath: '/etc/audit.yaml', mountPath: '/etc/audit.yaml' }],
  },
  controllerManager: { extraArgs: { 'node-cidr-mask-size': '24' } },
  scheduler: { extraArgs: { v: '2' } },
  etcd: { dataDir: '/var/lib/etcd-data', extraArgs: { 'quota-backend-bytes': '8589934592' } },
  kubelet: { extraArgs: { 'max-pods': '60' } },
  featureGates: { RootlessControlPlane: false },
  encryptionAlgorithm: 'RSA-2048',
  certificateValidityPeriod: '2160h',
  caCertificateValidityPeriod: '43800h0m0s',
  cloudProvider: 'none',
  ignorePreflightErrors: ['SystemVerification'],
  imagePullPolicy: 'Never',
  skipPhases: { init: ['addon/coredns'], join: ['preflight'] },
  patches: [
    { target: 'kube-apiserver', patch: { metadata: { annotations: { patched: 'yes' } } } },
    { target: 'kubeletconfiguration', type: 'json', patch: [{ op: 'add', path: '/maxPods', value: 60 }] },
  ],
  kubeletConfiguration: { maxPods: 60, failSwapOn: false },
  kubeProxyConfiguration: { mode: 'nftables', conntrack: { maxPerCore: 0, min: 0 } },
};

/** What kubeadm of that version knows of it. */
export function everyKubeadm(version: string): JsonObject {
  if (minor(version) >= 31) return EVERY_KUBEADM;
  const { certificateValidityPeriod: _leaf, caCertificateValidityPeriod: _ca, ...rest } = EVERY_KUBEADM;
  return rest;
}

/** Of both k3s and RKE2. */
const EVERY_RANCHER: JsonObject = {
  install: 'Download',
  installer: { url: 'https://mirror.example.com/install.sh', sha256: 'fa4e'.repeat(16) },
  cloudProvider: 'none',
  encryptionAlgorithm: 'RSA-2048',
  'cluster-dns': ['10.96.0.10'],
  disable: ['metrics-server'],
  'disable-kube-proxy': true,
  'egress-selector-mode': 'disabled',
  'embedded-registry': true,
  'secrets-encryption-provider': 'secretbox',
  'service-node-port-range': '30000-30100',
  'etcd-arg': ['quota-backend-bytes=8589934592'],
  'etcd-disable-snapshots': false,
  'etcd-expose-metrics': true,
  'etcd-s3': true,
  'etcd-s3-bucket': 'snapshots',
  'etcd-s3-bucket-lookup-type': 'path',
  'etcd-s3-config-secret': 'etcd-s3',
  'etcd-s3-endpoint': 's3.example.com',
  'etcd-s3-endpoint-ca': '/etc/s3.crt',
  'etcd-s3-folder': 'prod',
  'etcd-s3-insecure': false,
  'etcd-s3-proxy': 'http://proxy.example.com:3128',
  'etcd-s3-region': 'eu-west-1',
  'etcd-s3-retention': 7,
  'etcd-s3-skip-ssl-verify': false,
  'etcd-s3-timeout': '5m',
  'etcd-snapshot-compress': true,
  'etcd-snapshot-dir': '/var/lib/snapshots',
  'etcd-snapshot-name': 'prod',
  'etcd-snapshot-retention': 3,
  'etcd-snapshot-schedule-cron': '0 */6 * * *',
  'helm-job-image': 'registry.example.com/klipper-helm:v1',
  'kube-apiserver-arg': ['profiling=off'],
  'kube-cloud-controller-manager-arg': ['v=2'],
  'kube-controller-manager-arg': ['node-cidr-mask-size=24'],
  'kube-scheduler-arg': ['v=2'],
  'supervisor-metrics': true,
  'system-default-registry': 'registry.example.com',
  'tls-san': ['k8s.example.com', '10.1.2.3'],
  'tls-san-security': true,
  'write-kubeconfig': '/root/kubeconfig',
  'write-kubeconfig-group': 'adm',
  'write-kubeconfig-mode': '0640',
  'container-runtime-endpoint': '/var/run/containerd.sock',
  debug: true,
  'default-runtime': 'runc',
  'disable-default-registry-endpoint': true,
  'image-credential-provider-bin-dir': '/opt/credentials',
  'image-credential-provider-config': '/etc/credentials.yaml',
  'kube-proxy-arg': ['proxy-mode=nftables'],
  'kubelet-arg': ['max-pods=60'],
  'nonroot-devices': true,
  'pause-image': 'registry.example.com/pause:3',
  'protect-kernel-defaults': true,
  'resolv-conf': '/etc/resolv.kubelet',
  selinux: true,
  snapshotter: 'native',
  v: 2,
  vmodule: 'main=4',
};

/** `spec.bootstrap.config` of k3s. */
export const EVERY_K3S: JsonObject = {
  ...EVERY_RANCHER,
  release: 'k3s2',
  'disable-helm-controller': true,
  'disable-network-policy': true,
  'flannel-backend': 'wireguard-native',
  'flannel-external-ip': true,
  'flannel-ipv6-masq': true,
  'secrets-encryption': true,
  'default-local-storage-path': '/srv/volumes',
  'servicelb-namespace': 'balancers',
  'flannel-cni-conf': '/etc/cni.conf',
  'flannel-conf': '/etc/flannel.conf',
  'flannel-iface': 'ens5',
  'prefer-bundled-bin': true,
};

const EXTRA = [
  'cloud-controller-manager',
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
];

/** `spec.bootstrap.config` of RKE2. */
export const EVERY_RKE2: JsonObject = {
  ...EVERY_RANCHER,
  release: 'rke2r2',
  cni: ['multus', 'cilium'],
  'enable-servicelb': true,
  'ingress-controller': ['traefik'],
  'audit-policy-file': '/etc/audit.yaml',
  'control-plane-probe-configuration': ['kube-apiserver-startup-timeout-seconds=60'],
  'control-plane-resource-limits': ['kube-apiserver-cpu=2'],
  'control-plane-resource-requests': ['kube-apiserver-cpu=500m'],
  'kubelet-path': '/opt/kubelet',
  'pod-security-admission-config-file': '/etc/psa.yaml',
  profile: 'cis',
  'runtime-image': 'registry.example.com/runtime:v1',
  ...Object.fromEntries(
    EXTRA.flatMap((name) => [
      [`${name}-extra-env`, ['A=on']],
      [`${name}-extra-mount`, ['/etc/a:/etc/a:ro']],
      [`${name}-image`, `registry.example.com/${name}:v1`],
    ]),
  ),
};

/** `spec.bootstrap.config` by provider, for a version. */
export const EVERY_BOOTSTRAP: Readonly<Record<string, (version: string) => JsonObject>> = {
  kubeadm: everyKubeadm,
  k3s: () => EVERY_K3S,
  rke2: () => EVERY_RKE2,
};

/** What looks like other types of YAML 1.1 stays text. */
const EVERY_TALOS: JsonObject = {
  install: { disk: '/dev/nvme0n1', image: 'factory.talos.dev/metal-installer/fake:v1.13.9', wipe: true },
  certSANs: ['talos.example.com'],
  kubelet: {
    extraArgs: { 'rotate-server-certificates': 'true' },
    extraConfig: { maxPods: 60 },
    nodeIP: { validSubnets: ['10.0.0.0/16'] },
  },
  apiServer: { extraArgs: { profiling: 'off', 'event-ttl': '1h0m0s' }, certSANs: ['k8s.example.com', '10.1.2.3'] },
  controllerManager: { extraArgs: { 'node-cidr-mask-size': '24' } },
  scheduler: { extraArgs: { v: '2' } },
  etcd: { extraArgs: { 'quota-backend-bytes': '8589934592' }, advertisedSubnets: ['10.0.0.0/16'] },
  proxy: { mode: 'nftables', extraArgs: { v: '1' } },
  coreDNS: { disabled: true },
  cni: { name: 'custom', urls: ['https://example.com/cni.yaml'] },
  discovery: { enabled: false },
  allowSchedulingOnControlPlanes: true,
  extraManifests: ['https://example.com/ccm.yaml'],
  inlineManifests: [{ name: 'team', contents: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n' }],
  cloudProvider: 'external',
  patches: {
    all: [{ kind: 'WatchdogTimerConfig', device: '/dev/watchdog0', timeout: '5m0s' }],
    controlPlane: [{ machine: { features: { apidCheckExtKeyUsage: true } } }],
    worker: [{ machine: { sysfs: { 'devices.system.cpu.cpu0.cpufreq.scaling_governor': 'performance' } } }],
  },
};

const EVERY_TALOS_PROVISIONING: JsonObject = {
  format: 'talos',
  files: [
    { path: '/var/lib/team/motd', content: 'Wëlcome\n', mode: '0600' },
    { path: '/var/lib/team/empty', content: '', encoding: 'base64' },
  ],
  ntp: { servers: ['169.254.169.123'] },
  sysctls: { 'vm.max_map_count': '262144' },
  kernelModules: ['nf_conntrack'],
  kernelArguments: ['hugepages=512'],
  filesystems: [{ device: '/dev/nvme1n1', format: 'xfs' }],
  mounts: [{ device: '/dev/nvme1n1', path: '/var/mnt/data' }],
  hosts: [{ address: '10.0.0.9', names: ['registry', 'registry.example.com'] }],
  proxy: { http: 'http://proxy.example.com:3128', https: 'http://proxy.example.com:3128', none: ['10.0.0.9'] },
  registries: [{ host: 'docker.io', mirrors: ['https://registry.example.com/v2'] }],
  raw: { talos: { KmsgLogConfig: { name: 'remote', url: 'tcp://10.0.0.9:5044/' } } },
};

/** `spec.bootstrap.config` of talos. In 1.14 the first document has no such fields, and Talos warns of flags of kube-proxy. */
export function everyTalos(release: '1.13' | '1.14'): JsonObject {
  if (release === '1.13') return { ...EVERY_TALOS, talosVersion: release };
  const patches = { all: [{ kind: 'KernelModuleConfig', name: 'nvme_tcp' }] };
  return { ...EVERY_TALOS, talosVersion: release, patches, proxy: { mode: 'nftables' } };
}

/** `spec.provisioning` as far as Talos can say it; kernel arguments need an installation, which 1.14 gives none. */
export function everyTalosProvisioning(release: '1.13' | '1.14'): JsonObject {
  if (release === '1.13') return EVERY_TALOS_PROVISIONING;
  const { kernelArguments: _boots, ...rest } = EVERY_TALOS_PROVISIONING;
  return { ...rest, files: [{ path: '/etc/team/motd', content: 'Wëlcome\n', mode: '0600' }] };
}

/** `spec.bootstrap.config` of nodeadm. */
export const EVERY_NODEADM: JsonObject = {
  kubelet: {
    config: { maxPods: 60, clusterDNS: ['169.254.20.10'], shutdownGracePeriod: '30s' },
    flags: ['--v=2', '--image-credential-provider-config=/etc/eks/image-credential-provider/config.json'],
    maxPodsExpression: 'max_pods < 30 ? max_pods : 30',
  },
  containerd: {
    config: '[plugins."io.containerd.cri.v1.images"]\ndiscard_unpacked_layers = false\n',
    baseRuntimeSpec: { process: { rlimits: [{ type: 'RLIMIT_NOFILE', soft: 1024, hard: 1024 }] } },
  },
  instance: {
    localStorage: { strategy: 'RAID0', mountPath: '/mnt/k8s-disks', disabledMounts: ['PodLogs'] },
    environment: { kubelet: { TEAM: 'blü' } },
    network: { nameservers: ['10.0.0.2'], domains: ['example.com'] },
  },
  featureGates: { InstanceIdNodeName: true, FastImagePull: false },
};

/** What cloud-init cannot say nodeadm's images cannot either; nothing runs there after the kubelet was started. */
export const EVERY_NODEADM_PROVISIONING: JsonObject = {
  ...EVERY_PROVISIONING,
  format: 'nodeadm',
  commands: { pre: [`echo 'it''s' "$HOME"`, 'true | cat'] },
  proxy: { http: 'http://proxy.example.com:3128', https: 'http://proxy.example.com:3128', none: ['.internal'] },
  registries: REGISTRIES,
  raw: { 'cloud-init': { final_message: 'über' }, nodeadm: { cluster: { enableOutpost: false } } },
};

/** `spec.bootstrap.config` of bottlerocket. */
export const EVERY_BOTTLEROCKET: JsonObject = {
  kubernetes: {
    'allowed-unsafe-sysctls': ['net.core.somaxconn'],
    'cluster-dns-ip': ['169.254.20.10', '10.96.0.10'],
    'container-log-max-files': 4,
    'container-log-max-size': '10Mi',
    'container-log-max-workers': 2,
    'container-log-monitor-interval': '10s',
    'cpu-cfs-quota-enforced': true,
    'cpu-manager-policy': 'static',
    'cpu-manager-policy-options': ['full-pcpus-only'],
    'cpu-manager-reconcile-period': '10s',
    'device-ownership-from-security-context': true,
    'event-burst': 100,
    'event-qps': 50,
    'eviction-hard': { 'memory.available': '15%' },
    'eviction-max-pod-grace-period': 40,
    'eviction-soft': { 'memory.available': '25%' },
    'eviction-soft-grace-period': { 'memory.available': '30s' },
    'hostname-override-source': 'instance-id',
    'image-gc-high-threshold-percent': 85,
    'image-gc-low-threshold-percent': 80,
    'kube-api-burst': 100,
    'kube-api-qps': 50,
    'kube-reserved': { cpu: '100m', memory: '100Mi', 'ephemeral-storage': '1Gi' },
    'log-level': 3,
    'max-pods': 60,
    'memory-manager-policy': 'None',
    'pod-pids-limit': 4096,
    'registry-burst': 20,
    'registry-qps': 10,
    'reserved-cpus': '0-1',
    'seccomp-default': true,
    'shutdown-grace-period': '2m30s',
    'shutdown-grace-period-for-critical-pods': '30s',
    'single-process-oom-kill': false,
    'system-reserved': { cpu: '10m' },
    'topology-manager-policy': 'best-effort',
    'topology-manager-scope': 'pod',
  },
  'container-runtime': {
    'enable-unprivileged-icmp': true,
    'enable-unprivileged-ports': true,
    'max-concurrent-downloads': 5,
    'max-container-log-line-size': -1,
  },
  'bootstrap-commands': {
    storage: {
      commands: [
        ['apiclient', 'ephemeral-storage', 'init'],
        ['apiclient', 'ephemeral-storage', 'bind', '--dirs', '/var/lib/containerd'],
      ],
      mode: 'always',
      essential: true,
    },
  },
};

/** `spec.provisioning` as far as Bottlerocket can say it. */
export const EVERY_BOTTLEROCKET_PROVISIONING: JsonObject = {
  format: 'bottlerocket',
  ntp: { servers: ['169.254.169.123'] },
  sysctls: { 'vm.max_map_count': '262144', 'net.ipv4.ip_forward': '1' },
  kernelModules: ['nf_conntrack'],
  kernelArguments: ['hugepagesz=1G', 'hugepages=4', 'console=tty0', 'console=ttyS0', 'quiet'],
  caCertificates: [CERTIFICATE],
  hosts: [{ address: '10.0.0.9', names: ['registry.example.com', 'registry'] }],
  proxy: { https: 'http://fake:fake@proxy.example.com:3128', none: ['registry.example.com', '.internal'] },
  registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com', 'https://cache.example.com'] }],
  raw: { bottlerocket: { motd: 'Wëlcome "all"\r\n', kubernetes: { 'static-pods-enabled': false } } },
};
