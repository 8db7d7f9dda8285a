/** chrony's whole configuration, for images whose own is not to be asked. */

export const CHRONY_FILE = '/etc/chrony.conf';

export function chronyText(servers: readonly string[]): string {
  return [
    ...servers.map((server) => `server ${server} iburst`),
    'driftfile /var/lib/chrony/drift',
    'makestep 1.0 3',
    'rtcsync',
    '',
  ].join('\n');
}
