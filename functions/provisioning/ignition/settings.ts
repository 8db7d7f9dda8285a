/** Host settings as files: host name, hosts, time, kernel. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { CHRONY_FILE, chronyText } from '../chrony.ts';
import { MODULES_FILE, modulesText, SYSCTL_FILE, sysctlText } from '../kernel.ts';
import type { Order } from '../provisioner.ts';
import { ENVIRONMENT_FILE, proxyFiles } from '../proxy.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import type { Link } from './config.ts';
import { isOfPackages, TIMESYNCD_FILE } from './rules.ts';

export function settingsFiles({ plan, customisation }: Order<'scripted'>): readonly HostFile[] {
  const { ntp, sysctls, kernelModules, hosts, proxy } = customisation;
  const kernel = [
    [SYSCTL_FILE, sysctlText(sysctls)],
    [MODULES_FILE, modulesText(kernelModules)],
  ] as const;
  return [
    rootFile('/etc/hostname', `${plan.nodeName}\n`, '0644'),
    ...(hosts.length === 0 ? [] : [rootFile('/etc/hosts', hostsText(hosts), '0644', true)]),
    ...(ntp === undefined ? [] : timeFiles(ntp.servers)),
    ...proxySettings(proxy, plan.noProxy ?? []),
    ...kernel.flatMap(([path, text]) => (text === '' ? [] : [rootFile(path, text, '0644')])),
  ];
}

/** systemd reads its file before it starts anything, because Ignition runs before it; it may contain a password. */
function proxySettings(proxy: Customisation['proxy'], cluster: readonly string[]): readonly HostFile[] {
  const files = proxyFiles(proxy, cluster).filter(({ path }) => !isOfPackages(path));
  const sealed = proxy?.httpFrom !== undefined || proxy?.httpsFrom !== undefined;
  return files.map(({ path, text, append }) => ({
    ...rootFile(path, text, path === ENVIRONMENT_FILE ? '0644' : '0600', append),
    sealed,
  }));
}

/** The last line of the file in the image may have no line end. */
function hostsText(hosts: Customisation['hosts']): string {
  return `\n${hosts.map(({ address, names }) => `${[address, ...names].join(' ')}\n`).join('')}`;
}

/**
 * For both time services on images with Ignition: systemd-timesyncd (Flatcar) and chrony (Fedora CoreOS and similar).
 * Each reads its own file.
 */
function timeFiles(servers: readonly string[]): readonly HostFile[] {
  return [
    rootFile(TIMESYNCD_FILE, `[Time]\nNTP=${servers.join(' ')}\n`, '0644'),
    rootFile(CHRONY_FILE, chronyText(servers), '0644'),
  ];
}

/** The link that timedatectl would create. */
export function timezoneLinks(timezone: string | undefined): readonly Link[] {
  if (timezone === undefined) return [];
  return [{ path: '/etc/localtime', target: `../usr/share/zoneinfo/${timezone}`, overwrite: true }];
}
