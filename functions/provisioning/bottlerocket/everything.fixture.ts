/** One value for every field of a claim that Bottlerocket can express. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';

/** `spec.provisioning` as far as Bottlerocket can express it. */
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
