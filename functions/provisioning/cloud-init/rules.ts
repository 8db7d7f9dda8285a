/** Files that cloud-init writes for other settings of a claim, which has none of its own at their paths. */
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { MODULES_FILE, SYSCTL_FILE } from '../kernel.ts';
import { proxyFiles } from '../proxy.ts';

type Settings = Pick<Claimed, 'units' | 'sysctls' | 'kernelModules' | 'proxy'>;

/** Those that files of a claim cannot be together with: what is added to a file goes on. */
export function filesOfSettings({ units, sysctls, kernelModules, proxy }: Settings): readonly string[] {
  return [
    ...units.flatMap(({ name, contents, contentsFrom, dropIns }) => [
      ...(contents === undefined && contentsFrom === undefined ? [] : [`/etc/systemd/system/${name}`]),
      ...dropIns.map((dropIn) => `/etc/systemd/system/${name}.d/${dropIn.name}`),
    ]),
    ...proxyFiles(proxy, []).flatMap(({ path, append }) => (append ? [] : [path])),
    ...(Object.keys(sysctls).length === 0 ? [] : [SYSCTL_FILE]),
    ...(kernelModules.length === 0 ? [] : [MODULES_FILE]),
  ];
}
