/** What other steps must know about data for Cloudbase-Init. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

const LINUX = 'nothing: it exists only on Linux';
const SCRIPTED = 'an image that has it, or PowerShell in commands.pre';

export const traits = {
  // A separate format name, because the script that fetches a cloud-config is a shell script.
  payload: 'cloudbase-init',
  contentType: 'text/cloud-config',
  fetchedWhole: false,
  joinSecrets: true,
  writes: ['/etc/slipway/bootstrap.ps1'],
  systems: ['Windows'],
  expresses: {
    takes: ['scripted'],
    os: 'windows',
    limits: {
      packages: 'an image that has them, or PowerShell in commands.pre',
      sysctls: LINUX,
      kernelModules: LINUX,
      kernelArguments: LINUX,
      units: 'New-Service in commands.pre',
      caCertificates: 'files, and Import-Certificate in commands.pre',
      disks: SCRIPTED,
      filesystems: SCRIPTED,
      mounts: SCRIPTED,
      swap: 'an image with a page file',
      proxy: SCRIPTED,
      registries: 'files where containerd of the image looks for them',
      raw: 'the other fields of spec.provisioning: cloudbase-init ignores keys it does not know',
    },
  },
} as const satisfies ProvisionerTraits;
