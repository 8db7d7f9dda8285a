/**
 * A value for every field of `spec.provisioning` that cloud-init can express; a test fails if a new field is missing
 * here.
 */
import type { JsonObject } from '#lib/api/json.ts';

/** Nothing here is a secret: the hash is of the word "fake", and the key of the certificate is lost. */
export const CERTIFICATE = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBdDCCARugAwIBAgIUciBZGz5x+Sif0glzIUiXfx+zS+wwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEZmFrZTAgFw0yNjExMjQxNzE2NDJaGA8yMTI2MTAzMTE3MTY0',
  'MlowDzENMAsGA1UEAwwEZmFrZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDrZ',
  'qKR04bEMpPbfMUACwncqo5v40TNbezTlXPcJ7XFBwt2z8rbOndtbRMnpOhVbGgro',
  '+Bz0FRDHU5akJd8Fn8CjUzBRMB0GA1UdDgQWBBTVtlcibePf8Tbh4elU6RH2XOny',
  'xDAfBgNVHSMEGDAWgBTVtlcibePf8Tbh4elU6RH2XOnyxDAPBgNVHRMBAf8EBTAD',
  'AQH/MAoGCCqGSM49BAMCA0cAMEQCIENQObnewUbxv2WZmXUyAedITkCULMZXg+we',
  '5vAMj021AiAO9FfdYA9cbKQVlaUzak26ujIld9VV2sVoAIey9Jea3A==',
  '-----END CERTIFICATE-----',
  '',
].join('\n');

/** `packed`, and a line end. */
const PACKED = 'H4sIAAAAAAACAytITM5OTeECAEPgQS8HAAAA';

export const EVERY_PROVISIONING: JsonObject = {
  format: 'cloud-init',
  files: [
    { path: '/etc/motd', content: 'Wëlcome\r\n', mode: '0600', owner: 'ops:ops' },
    { path: '/etc/issue', content: 'over\n', append: true },
    { path: '/var/lib/data/list', content: 'first\n', owner: 'root:data' },
    { path: '/opt/tool', content: 'AAECAwQ=', encoding: 'base64', mode: '0755' },
    { path: '/opt/packed', content: PACKED, encoding: 'gzip+base64', mode: '4755', owner: 'ops:ops' },
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
    {
      name: 'agent',
      uid: 1501,
      primaryGroup: 'app',
      homeDir: '/var/lib/agent',
      system: true,
      expires: '2100-01-01',
      passwordHash: '$6$fake$locked',
      lockPassword: true,
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
  filesystems: [{ device: '/dev/nvme1n1p1', label: 'data', options: ['-E', 'lazy_itable_init=1'] }],
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

/** What the plan of kubeadm handles itself. */
export const REGISTRIES: JsonObject[] = [
  {
    host: 'docker.io',
    mirrors: ['https://mirror.example.com', 'https://cache.example.com/v2/docker'],
    caCertificate: CERTIFICATE,
  },
];
