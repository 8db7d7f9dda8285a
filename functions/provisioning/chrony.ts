/** A complete chrony configuration, which replaces that of the image. */

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
