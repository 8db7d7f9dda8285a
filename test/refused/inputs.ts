/** Some two hundred things that people write and that nothing accepts, each alone in a claim that is right otherwise. */
import type { JsonObject } from '#lib/api/json.ts';

export interface Input {
  readonly name: string;
  readonly kind: 'Cluster' | 'NodePool';
  /** Replaces fields of the spec. */
  readonly spec: JsonObject;
  /** metadata.name; left out: one that is accepted. */
  readonly called?: string;
}

const of = (kind: Input['kind'], cases: Readonly<Record<string, JsonObject>>): readonly Input[] =>
  Object.entries(cases).map(([name, spec]) => ({ name, kind, spec }));

const cluster = (cases: Readonly<Record<string, JsonObject>>) => of('Cluster', cases);
const pool = (cases: Readonly<Record<string, JsonObject>>) => of('NodePool', cases);

const controlPlane = (fields: JsonObject): JsonObject => ({
  controlPlane: { machine: { class: 'standard-2' }, ...fields },
});
const machine = (fields: JsonObject): JsonObject => ({ machine: { class: 'standard-2', ...fields } });
const network = (fields: JsonObject): JsonObject => ({ network: fields });
const host = (fields: JsonObject): JsonObject => ({ provisioning: fields });
const user = (fields: JsonObject): JsonObject => host({ users: [{ name: 'ops', ...fields }] });
const file = (fields: JsonObject): JsonObject => host({ files: [{ path: '/etc/x', content: '', ...fields }] });
const mount = (path: string): JsonObject => host({ mounts: [{ device: '/dev/sdb1', path }] });
const update = (fields: JsonObject): JsonObject => ({ update: fields });
const health = (fields: JsonObject): JsonObject => ({ health: fields });
const overriding = (kind: string, forProvider: JsonObject): JsonObject => ({
  infrastructure: { overrides: [{ kind, patch: { spec: { forProvider } } }] },
});
const label = (key: string, value = 'x'): JsonObject => ({ labels: { [key]: value } });
const taint = (...taints: JsonObject[]): JsonObject => ({ taints });
const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
/** Of no authority: CA:FALSE. Its key is lost. */
const SERVER = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBcjCCARigAwIBAgIUGNHm+ZNHxehLthS2Ch2vuI2e6jIwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEZmFrZTAgFw0yNjExMjQxNzE2NDJaGA8yMTI2MTAzMTE3MTY0',
  'MlowDzENMAsGA1UEAwwEZmFrZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEX6',
  'LhieuMf3KYoinTkNVtUtqQsmizV/iFa7TXvRrKeqV84P/cYI17CD3fArbQp99fid',
  'A1TBDIKq/l33Llp09j2jUDBOMB0GA1UdDgQWBBRncnBaks1nJRQM51PMWrMEaHon',
  'tjAfBgNVHSMEGDAWgBRncnBaks1nJRQM51PMWrMEaHontjAMBgNVHRMBAf8EAjAA',
  'MAoGCCqGSM49BAMCA0gAMEUCIQCGgSjgPlKSSAqvyFYhqh+Um0Y8Kgt0BqepeiVw',
  'Kkk++AIgIqVav2OGx/5vblxZAVPXaG8xsZ84zsFfQK2fwm9nCBE=',
  '-----END CERTIFICATE-----',
  '',
].join('\n');
const KEY = '-----BEGIN PRIVATE KEY-----\nZmFrZQ==\n-----END PRIVATE KEY-----\n';

/** Names of claims, the same in both kinds. */
const CALLED: Readonly<Record<string, string>> = {
  'a name of 260 letters': 'x'.repeat(260),
  'a name one letter too long': 'x'.repeat(53),
  'a name with a dot': 'team.prod',
  'a name in capitals': 'Prod',
  'a name with an underscore': 'my_prod',
  'a name that ends with a dash': 'prod-',
};
const named = (kind: Input['kind']): readonly Input[] =>
  Object.entries(CALLED).map(([name, called]) => ({ name, kind, spec: {}, called }));

/** Settings of a host, the same in both kinds. */
const HOST: Readonly<Record<string, JsonObject>> = {
  'a file with a relative path': file({ path: 'etc/x' }),
  'a file below /run': file({ path: '/run/x' }),
  'a file below /tmp': file({ path: '/tmp/x' }),
  'a file below /proc': file({ path: '/proc/x' }),
  'a file below /sys': file({ path: '/sys/x' }),
  'a file below /dev': file({ path: '/dev/x' }),
  'a file below /var/run': file({ path: '/var/run/x' }),
  'a file with .. in its path': file({ path: '/etc/../run/x' }),
  'a file with . in its path': file({ path: '/etc/./x' }),
  'a file with NUL in its path': file({ path: '/etc/x\u0000y' }),
  'a file with a line end in its path': file({ path: '/etc/x\ny' }),
  'a file that is a folder': file({ path: '/etc/x/' }),
  'a file that is the root': file({ path: '/' }),
  'the file that says the first boot is over': file({ path: '/var/lib/slipway/bootstrap-success.complete' }),
  'a file that is not packed': file({ encoding: 'gzip+base64', content: 'AAECAwQ=' }),
  'a file in an encoding that nobody reads': file({ encoding: 'gzip' }),
  'a file with a mode of three digits': file({ mode: '644' }),
  'a file twice': host({
    files: [
      { path: '/etc/x', content: 'a' },
      { path: '/etc/x', content: 'b' },
    ],
  }),
  'a file twice, by another spelling': host({
    files: [
      { path: '/etc/x', content: 'a' },
      { path: '/etc//x', content: 'b' },
    ],
  }),
  'a file mode in decimal': file({ mode: '644' }),
  'a file mode that is a number': file({ mode: 420 }),
  'a file owner with a blank': file({ owner: 'a b' }),
  'a file with an unknown encoding': file({ encoding: 'gzip+b64' }),
  'a file that says base64 and is none': file({ encoding: 'base64', content: 'a-b' }),
  'a file without content': host({ files: [{ path: '/etc/x' }] }),
  'a file with content twice': file({ contentFrom: { secret: { name: 'a', key: 'b' } } }),
  'a file with a list as content': file({ content: ['line'] }),
  'a typo in a file': file({ pth: '/etc/y' }),
  'a user name in capital letters': host({ users: [{ name: 'Ops' }] }),
  'a user name that begins with a digit': host({ users: [{ name: '1ops' }] }),
  'a user name that is too long': host({ users: [{ name: 'x'.repeat(33) }] }),
  'a user twice': host({ users: [{ name: 'ops' }, { name: 'ops' }] }),
  'a full name with a colon': user({ gecos: 'Ops: team' }),
  'a full name of two lines': user({ gecos: 'Ops\nteam' }),
  'a group of a user with a colon': user({ groups: ['a:b'] }),
  'a group of a user of two lines': user({ groups: ['a\nb'] }),
  'a group of a user with a comma': user({ groups: ['a,b'] }),
  'a shell that is no path': user({ shell: 'bash' }),
  'a shell with a colon': user({ shell: '/bin/bash:x' }),
  'a login without a password that is not locked': user({ lockPassword: false }),
  'a user id of root': user({ uid: 0 }),
  'a home directory with a blank': user({ homeDir: '/home/my ops' }),
  'a primary group with a colon': user({ primaryGroup: 'a:b' }),
  'an end of a user that is no day': user({ expires: '2027-02' }),
  'a password in place of a hash': user({ passwordHash: 'hunter2' }),
  'a password hash with a colon': user({ passwordHash: '$6$a:b' }),
  'a password hash of two lines': user({ passwordHash: '$6$a\nb' }),
  'a sudo rule without hosts': user({ sudo: 'NOPASSWD:ALL' }),
  'a sudo rule of one word': user({ sudo: 'ALL' }),
  'a sudo rule of two lines': user({ sudo: 'ALL=(ALL) ALL\nx' }),
  'a sudo rule with a typo in its tag': user({ sudo: 'ALL=(ALL) NOPASWD:ALL' }),
  'a sudo rule with an open bracket': user({ sudo: 'ALL=(ALL NOPASSWD:ALL' }),
  'a sudo rule whose command is no path': user({ sudo: 'ALL=(ALL) NOPASSWD:apt' }),
  'a sudo rule that names its user again': user({ sudo: 'ops ALL=(ALL) ALL' }),
  'a public key of two lines': user({ sshAuthorizedKeys: ['ssh-ed25519 AA\nssh-rsa BB'] }),
  'a typo in a user': user({ shel: '/bin/bash' }),
  'a group in capital letters': host({ groups: [{ name: 'Docker' }] }),
  'a group with a colon': host({ groups: [{ name: 'a:b' }] }),
  'a group of two lines': host({ groups: [{ name: 'a\nb' }] }),
  'a group twice': host({ groups: [{ name: 'a' }, { name: 'a' }] }),
  'a group id of root': host({ groups: [{ name: 'a', gid: 0 }] }),
  'a kernel parameter with a blank': host({ sysctls: { 'net ipv4': '1' } }),
  'a kernel parameter with an empty part': host({ sysctls: { 'net..ipv4': '1' } }),
  'a kernel parameter that ends with a dot': host({ sysctls: { 'net.ipv4.': '1' } }),
  'a kernel parameter with an equals sign': host({ sysctls: { 'vm.x=1': '1' } }),
  'a kernel parameter that is a number': host({ sysctls: { 'vm.swappiness': 1 } }),
  'a kernel parameter without a value': host({ sysctls: { 'vm.swappiness': '' } }),
  'a kernel parameter of two lines': host({ sysctls: { 'vm.swappiness': '1\n2' } }),
  'a kernel module with a path': host({ kernelModules: ['net/br_netfilter'] }),
  'a kernel module of two words': host({ kernelModules: ['a b'] }),
  'a CA certificate that is none': host({ caCertificates: ['hello'] }),
  'a CA certificate that is a private key': host({ caCertificates: [KEY] }),
  'a CA certificate with a private key after it': host({ caCertificates: [PEM + KEY] }),
  'a CA certificate without a body': host({
    caCertificates: ['-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
  }),
  'a CA certificate that is cut off': host({ caCertificates: ['-----BEGIN CERTIFICATE-----\nAA=='] }),
  'a CA certificate that is no DER': host({ caCertificates: [PEM] }),
  'a CA certificate of a server': host({ caCertificates: [SERVER] }),
  'a CA certificate that is empty': host({ caCertificates: [''] }),
  'a CA certificate of a registry that is none': host({
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], caCertificate: 'x' }],
  }),
  'a mount over the root': mount('/'),
  'a mount over /etc': mount('/etc'),
  'a mount over /usr': mount('/usr'),
  'a mount over /boot': mount('/boot'),
  'a mount over /lib': mount('/lib'),
  'a mount over /bin': mount('/bin'),
  'a mount over /sbin': mount('/sbin'),
  'a mount below /run': mount('/run/x'),
  'a mount with a blank': mount('/data x'),
  'a mount of a device that is none': host({ mounts: [{ device: 'sdb', path: '/data' }] }),
  'two mounts on one folder': host({
    mounts: [
      { device: '/dev/sdb1', path: '/data' },
      { device: '/dev/sdc1', path: '/data' },
    ],
  }),
  'an address of a host with a number too large': host({ hosts: [{ address: '10.0.0.256', names: ['a'] }] }),
  'an address of a host that is a name': host({ hosts: [{ address: 'db', names: ['a'] }] }),
  'an address of a host with colons only': host({ hosts: [{ address: ':::', names: ['a'] }] }),
  'a host name with a blank': host({ hosts: [{ address: '10.0.0.9', names: ['a b'] }] }),
  'a host name with two dots': host({ hosts: [{ address: '10.0.0.9', names: ['db..example.com'] }] }),
  'a host name that is an address': host({ hosts: [{ address: '10.0.0.9', names: ['10.0.0.8'] }] }),
  'a host without names': host({ hosts: [{ address: '10.0.0.9', names: [] }] }),
  'a unit without a kind': host({ units: [{ name: 'node-exporter' }] }),
  'a unit twice': host({ units: [{ name: 'a.service' }, { name: 'a.service' }] }),
  'a drop-in without .conf': host({ units: [{ name: 'a.service', dropIns: [{ name: 'x', contents: 'y' }] }] }),
  'a disk that is no device': host({ disks: [{ device: 'sdb', partitions: [{}] }] }),
  'a disk twice': host({
    disks: [
      { device: '/dev/sdb', partitions: [{}] },
      { device: '/dev/sdb', partitions: [{}] },
    ],
  }),
  'a partition that is the rest of a disk, and another': host({
    disks: [{ device: '/dev/sdb', partitions: [{}, {}] }],
  }),
  'two partitions of one name': host({
    disks: [{ device: '/dev/sdb', partitions: [{ label: 'a', sizeMiB: 9 }, { label: 'a' }] }],
  }),
  'a filesystem of an unknown kind': host({ filesystems: [{ device: '/dev/sdb1', format: 'zfs' }] }),
  'a swap file without a size': host({ swap: { path: '/swap' } }),
  'a package that looks like an option': host({ packages: ['--force-yes'] }),
  'a package of two words': host({ packages: ['a b'] }),
  'a time server of two words': host({ ntp: { servers: ['a b'] } }),
  'a time server with a port': host({ ntp: { servers: ['time.example.com:123'] } }),
  'a time server that is nearly an address': host({ ntp: { servers: ['300.1.1.1'] } }),
  'a time zone with a dot': host({ timezone: '../etc/passwd' }),
  'an empty command': host({ commands: { pre: [''] } }),
  'a proxy without a scheme': host({ proxy: { http: 'proxy:3128' } }),
  'a proxy with a port too large': host({ proxy: { http: 'http://ops:hunter2@proxy:99999' } }),
  'a proxy without a host': host({ proxy: { http: 'http:///proxy' } }),
  'no proxy for a block that is none': host({ proxy: { http: 'http://proxy:3128', none: ['10.0.0.0/33'] } }),
  'no proxy for a URL': host({ proxy: { http: 'http://proxy:3128', none: ['http://example.com'] } }),
  'a registry with a port too large': host({
    registries: [{ host: 'docker.io:99999', mirrors: ['https://m.example.com'] }],
  }),
  'a mirror with a port too large': host({
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com:99999'] }],
  }),
  'a registry with a scheme': host({ registries: [{ host: 'https://docker.io', mirrors: ['https://m.example.com'] }] }),
  'a registry without mirrors': host({ registries: [{ host: 'docker.io', mirrors: [] }] }),
  'kernel arguments that cloud-init cannot set': host({ kernelArguments: ['quiet'] }),
  'raw fields of another format': host({ raw: { ignition: { x: 1 } } }),
  'a format in capital letters': host({ format: 'Cloud-Init' }),
  'a format that nobody writes': host({ format: 'clod-init' }),
  'a format that kubeadm cannot use: talos': host({ format: 'talos' }),
  'a format that kubeadm cannot use: nodeadm': host({ format: 'nodeadm' }),
  'a format that kubeadm cannot use: bottlerocket': host({ format: 'bottlerocket' }),
  'a format for Windows': host({ format: 'cloudbase-init' }),
  'packages with Ignition': host({ format: 'ignition', packages: ['htop'] }),
  'a typo in the provisioning': host({ sysctl: {} }),
};

const flag = (name: string): JsonObject => ({ kubelet: { extraArgs: { [name]: 'x' } } });
const settings = (config: JsonObject): JsonObject => ({ bootstrap: { config } });
const withProvider = (provider: string, config: JsonObject): JsonObject => ({
  bootstrap: { provider, config },
  ...(provider === 'talos' ? { provisioning: { format: 'talos' } } : {}),
});

/** Settings of kubeadm that no machine could have, the same in both kinds. */
const KUBEADM: Readonly<Record<string, JsonObject>> = {
  'a typo in the settings of kubeadm': settings({ kublet: {} }),
  'a flag of the kubelet with dashes': settings(flag('--v')),
  'a flag of the kubelet that is a number': settings({ kubelet: { extraArgs: { v: 2 } } }),
  'labels as a flag of the kubelet': settings(flag('node-labels')),
  'taints as a flag of the kubelet': settings(flag('register-with-taints')),
  'a host name as a flag of the kubelet': settings(flag('hostname-override')),
  'a patch of a component that is none': settings({ patches: [{ target: 'kubelet', patch: {} }] }),
};

export const INPUTS: readonly Input[] = [
  ...named('Cluster'),
  ...named('NodePool'),
  { name: 'the name of the pool of a control plane', kind: 'NodePool', spec: {}, called: 'prod-control-plane' },
  ...cluster(HOST),
  ...pool(HOST),
  ...cluster(KUBEADM),
  ...pool(KUBEADM),
  ...pool({
    'a setting of the whole cluster': settings({ certSANs: ['api.example.com'] }),
  }),
  ...cluster({
    'k0s without a checksum': withProvider('k0s', {}),
    'labels as a flag of the kubelet of k0s': withProvider('k0s', { install: 'Skip', ...flag('node-labels') }),
    'coreDNS of k0s before v1.36': withProvider('k0s', { install: 'Skip', network: { coreDNS: {} } }),
    'a profile of k0s that nobody has': withProvider('k0s', { install: 'Skip', profile: 'dense' }),
    'labels as a flag of the kubelet of k3s': withProvider('k3s', {
      install: 'Skip',
      'kubelet-arg': ['node-labels=a=b'],
    }),
    'a token of k3s': withProvider('k3s', { install: 'Skip', token: 'hunter2' }),
    'taints as a flag of the kubelet of RKE2': withProvider('rke2', {
      install: 'Skip',
      'kubelet-arg': ['--register-with-taints=a=b:NoSchedule'],
    }),
    'a provider id as a flag of Talos': withProvider('talos', flag('provider-id')),
    'a folder of static pods in Talos': withProvider('talos', { kubelet: { extraConfig: { staticPodPath: '/etc' } } }),
    'a port of the API of MicroK8s': withProvider('microk8s', { extraKubeAPIServerArgs: { 'secure-port': '16443' } }),
    'a domain of the DNS of Canonical Kubernetes': withProvider('canonical-kubernetes', {
      'cluster-config': { dns: { 'cluster-domain': 'x.y' } },
    }),
  }),
  ...cluster({
    'a typo': { regoin: 'eu-west' },
    'a version without v': { version: '1.35.4' },
    'a version without a patch': { version: 'v1.35' },
    'a version that is a number': { version: 1.35 },
    'a version without an image': { version: 'v1.35.9' },
    'a version that kubeadm does not know': { version: 'v1.20.1' },
    'a region that nobody maps': { region: 'eu-wset' },
    'a region without an image': { region: 'us-west' },
    'a region that is empty': { region: '' },
    'a class with a typo': controlPlane({ machine: { class: 'standrad-2' } }),
    'a class in capital letters': controlPlane({ machine: { class: 'Standard-2' } }),
    'an instance type with a typo': controlPlane({ machine: { instanceType: 'm6i.xlagre' } }),
    'an instance type without a size': controlPlane({ machine: { instanceType: 'm6i' } }),
    'a class in place of an instance type': controlPlane({ machine: { instanceType: 'standard-2' } }),
    'no size': controlPlane({ machine: {} }),
    'a format whose join secrets nothing delivers': {
      bootstrap: { provider: 'talos' },
      provisioning: { format: 'talos' },
    },
    'two sizes': controlPlane({ machine: { class: 'standard-2', instanceType: 'm6i.large' } }),
    'an image that nobody maps': controlPlane({ machine: { class: 'standard-2', image: 'debian' } }),
    'an id of an image with a letter that is none': controlPlane({
      machine: { class: 'standard-2', image: 'ami-0123456789abcdefg' },
    }),
    'Windows on the control plane': controlPlane({ machine: { class: 'standard-2', os: 'windows' } }),
    'a list of zones without one': controlPlane({ machine: { class: 'standard-2', zones: [] } }),
    'a zone that is not in the region': controlPlane({ machine: { class: 'standard-2', zones: ['us-east-1a'] } }),
    'spot machines as a control plane': controlPlane({ machine: { class: 'standard-2', capacityType: 'spot' } }),
    'a disk that is too small': controlPlane({ machine: { class: 'standard-2', rootDisk: { sizeGiB: 1 } } }),
    'a disk that is not encrypted': controlPlane({ machine: { class: 'standard-2', rootDisk: { encrypted: false } } }),
    'an instance type that the platform does not allow': controlPlane({ machine: { instanceType: 'p5.48xlarge' } }),
    'an even number of machines': controlPlane({ replicas: 2 }),
    'no machine': controlPlane({ replicas: 0 }),
    'eleven machines': controlPlane({ replicas: 11 }),
    'a number in quotes': controlPlane({ replicas: '3' }),
    'an unknown scheme': controlPlane({ scheme: 'public' }),
    'an API on the internet for nobody': controlPlane({ scheme: 'internet-facing' }),
    'an endpoint with a scheme': controlPlane({ endpoint: { host: 'https://api' } }),
    'an endpoint with a port in its host': controlPlane({ endpoint: { host: 'api.example.com:6443' } }),
    'an endpoint that is nearly an address': controlPlane({ endpoint: { host: '300.1.1.1' } }),
    'an endpoint with an underscore': controlPlane({ endpoint: { host: 'api_1.example.com' } }),
    'an endpoint in capital letters': controlPlane({ endpoint: { host: 'API.example.com' } }),
    'an endpoint that ends with a dot': controlPlane({ endpoint: { host: 'api.example.com.' } }),
    'an endpoint with two dots': controlPlane({ endpoint: { host: 'api..example.com' } }),
    'an address in brackets': controlPlane({ endpoint: { host: '[fd00::1]' } }),
    'an address of IPv6 that is too long': controlPlane({ endpoint: { host: '1:2:3:4:5:6:7:8:9' } }),
    'an endpoint with a path': controlPlane({ endpoint: { host: 'api.example.com/k8s' } }),
    'a port that is none': controlPlane({ endpoint: { host: 'api', port: 70_000 } }),
    'a label with a blank in its key': controlPlane(label('my team')),
    'a label of the kubelet': controlPlane(label('kubernetes.io/hostname')),
    'a taint of Kubernetes': controlPlane(taint({ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' })),
    'a block that is none': network({ pods: '10.244.0.0' }),
    'a block with host bits': network({ nodes: '10.0.0.1/16' }),
    'blocks that overlap': network({ pods: '10.96.0.0/16' }),
    'a block that overlaps with a default': network({ nodes: '10.0.0.0/8' }),
    'a block of pods without room for a node': network({ pods: '10.244.0.0/25' }),
    'a block of pods without room for the control plane': network({ pods: '10.244.0.0/24' }),
    'a block of Services that the API server does not accept': network({ services: '172.0.0.0/8' }),
    'a block of Services without room for DNS': network({ services: '172.20.0.0/29' }),
    'a block of nodes that AWS does not accept': network({ nodes: '10.0.0.0/12', services: '172.20.0.0/16' }),
    'a block of nodes without room for zones': network({ nodes: '10.0.0.0/26' }),
    'a domain with two dots': network({ dnsDomain: 'cluster..local' }),
    'a domain with a label that ends with a dash': network({ dnsDomain: 'cluster-.local' }),
    'a domain in capital letters': network({ dnsDomain: 'Cluster.Local' }),
    'a bootstrap provider that nobody writes': { bootstrap: { provider: 'kubespray' } },
    'talos with cloud-init': { bootstrap: { provider: 'talos' } },
    'microk8s with ignition': { bootstrap: { provider: 'microk8s' }, provisioning: { format: 'ignition' } },
    'k3s with talos': {
      bootstrap: { provider: 'k3s', config: { install: 'Skip' } },
      provisioning: { format: 'talos' },
    },
    'a patch of CoreDNS before v1.32': {
      version: 'v1.31.9',
      bootstrap: { config: { patches: [{ target: 'corednsdeployment', patch: {} }] } },
      ...controlPlane({ machine: { class: 'standard-2', image: 'ami-0123456789abcdef0' } }),
    },
    'a version that its release of Talos does not run yet': {
      version: 'v1.37.0',
      ...withProvider('talos', { talosVersion: '1.13' }),
      ...controlPlane({ machine: { class: 'standard-2', image: 'ami-0123456789abcdef0' } }),
    },
    'a version that its release of Talos does not run any more': {
      version: 'v1.31.9',
      ...withProvider('talos', { talosVersion: '1.14' }),
      ...controlPlane({ machine: { class: 'standard-2', image: 'ami-0123456789abcdef0' } }),
    },
    'a typo in the configuration of kubeadm': { bootstrap: { config: { apiserver: {} } } },
    'a duration without a unit': update({ drain: { timeout: '600' } }),
    'a time that is none': update({ rolloutAfter: 'tomorrow' }),
    'health that replaces nothing and everything': health({ unhealthyRange: '[3-1]' }),
    'pods in a word': { paused: 'no' },
    'a network that the platform does not allow': { infrastructure: { existing: { network: { id: 'vpc-1' } } } },
    'a network by tags': { infrastructure: { existing: { network: { tags: { network: 'shared' } } } } },
    'an override that the platform does not allow': {
      infrastructure: { overrides: [{ kind: 'VPC', patch: { spec: { forProvider: { region: 'x' } } } }] },
    },
    'an override of a field that is none': overriding('LBTargetGroup', { healthCheck: { intervall: 30 } }),
    'an override with a number in quotes': overriding('LBTargetGroup', { healthCheck: { interval: '30' } }),
    'an override in a ConfigMap that is nowhere': {
      infrastructure: { overrides: [{ kind: 'LB', patchFrom: { configMap: { name: 'nowhere', key: 'patch' } } }] },
    },
    'an override with a patch and a ConfigMap': {
      infrastructure: {
        overrides: [{ kind: 'LB', patch: {}, patchFrom: { configMap: { name: 'settings', key: 'patch' } } }],
      },
    },
    'an override without a patch': { infrastructure: { overrides: [{ kind: 'LB' }] } },
  }),
  ...pool({
    'a typo': { replica: 3 },
    'an override of a machine with a field that is none': overriding('Instance', { cpuOptions: { coreCounts: 2 } }),
    'an override of a machine with a word for a switch': overriding('Instance', { monitoring: 'on' }),
    'an override of a machine in a ConfigMap that is nowhere': {
      infrastructure: {
        overrides: [{ kind: 'Instance', patchFrom: { configMap: { name: 'nowhere', key: 'patch' } } }],
      },
    },
    'a Cluster in capital letters': { clusterRef: { name: 'Prod' } },
    'no Cluster': { clusterRef: {} },
    'a negative number': { replicas: -1 },
    'a number that is none': { replicas: 1.5 },
    'more machines than a pool has': { replicas: 2001 },
    'more machines than the platform allows': { replicas: 1001 },
    'the role of a control plane': { role: 'control-plane' },
    'a role that is none': { role: 'master' },
    'a version without v': { version: '1.35.4' },
    'a version newer than the control plane': { version: 'v1.36.0' },
    'a version without an image': { version: 'v1.35.1' },
    'a class with a typo': machine({ class: 'standrad-2' }),
    'a list of zones without one': machine({ zones: [] }),
    'an instance type with a typo': { machine: { instanceType: 'm6i.xlagre' } },
    'an instance type that the platform does not allow': { machine: { instanceType: 'p5.48xlarge' } },
    'no size': { machine: {} },
    'two sizes': machine({ instanceType: 'm6i.large' }),
    'an image that nobody maps': machine({ image: 'debian' }),
    'an operating system that is none': machine({ os: 'macos' }),
    'Windows with cloud-init': machine({ os: 'windows' }),
    'a format whose join secrets nothing delivers': {
      ...machine({ os: 'windows', image: 'ami-0123456789abcdef0' }),
      provisioning: { format: 'cloudbase-init' },
    },
    'another capacity type': machine({ capacityType: 'reserved' }),
    'a disk that is too small': machine({ rootDisk: { sizeGiB: 1 } }),
    'a disk that is not encrypted': machine({ rootDisk: { encrypted: false } }),
    'no room to roll out': update({ maxSurge: 0, maxUnavailable: 0 }),
    'a surge of a billion': update({ maxSurge: 1_000_000_000 }),
    'a billion unavailable': update({ maxUnavailable: 1_000_000_000 }),
    'a surge in a word': update({ maxSurge: 'one' }),
    'a surge of 101%': update({ maxSurge: '101%' }),
    'a strategy that is none': update({ strategy: 'Recreate' }),
    'a fallback that is none': update({ fallback: 'None' }),
    'an order of deletion that is none': { deletion: { order: 'newest' } },
    'a label with a blank in its key': label('my team'),
    'a label with two slashes': label('a/b/c'),
    'a label with a domain in capital letters': label('Example.com/a'),
    'a label with a name that is too long': label('x'.repeat(64)),
    'a label with a value that is too long': label('a', 'x'.repeat(64)),
    'a label with a blank in its value': label('a', 'b c'),
    'a label with a value that ends with a dash': label('a', 'b-'),
    'a label that is a number': { labels: { a: 1 } },
    'a label without a value': { labels: { a: null } },
    'an annotation without a value': { annotations: { a: null } },
    'a label of the kubelet': label('kubernetes.io/arch'),
    'a label of the cloud': label('topology.kubernetes.io/zone'),
    'an annotation with a blank in its key': { annotations: { 'my team': 'x' } },
    'a taint with a blank in its key': taint({ key: 'my team', effect: 'NoSchedule' }),
    'a taint with a name that is too long': taint({ key: 'x'.repeat(64), effect: 'NoSchedule' }),
    'a taint with a blank in its value': taint({ key: 'a', value: 'b c', effect: 'NoSchedule' }),
    'a taint without an effect': taint({ key: 'a' }),
    'a taint with an unknown effect': taint({ key: 'a', effect: 'NoRun' }),
    'a taint twice': taint({ key: 'a', effect: 'NoSchedule' }, { key: 'a', value: 'b', effect: 'NoSchedule' }),
    'a taint of Kubernetes': taint({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }),
    'a health check without a unit': health({ nodeStartupTimeout: '600' }),
  }),
];
