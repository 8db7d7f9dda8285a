/** One value for every field of a claim that Talos can express. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';

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

/**
 * `spec.provisioning` as far as Talos can express it; kernel arguments are set on installation, which 1.14 does not
 * support.
 */
export function everyTalosProvisioning(release: '1.13' | '1.14'): JsonObject {
  if (release === '1.13') return EVERY_TALOS_PROVISIONING;
  const { kernelArguments: _boots, ...rest } = EVERY_TALOS_PROVISIONING;
  return { ...rest, files: [{ path: '/etc/team/motd', content: 'Wëlcome\n', mode: '0600' }] };
}
