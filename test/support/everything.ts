/** One value for every field of a claim that first-boot data is made of; a field that is added and not put here fails a test. */
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
    { path: '/etc/hosts', content: '10.0.0.9 registry\n', append: true },
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
};

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
