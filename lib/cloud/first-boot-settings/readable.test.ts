/** Keys, time zones and units that a host reads, and others. */
import { expect, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { refuseUnreadable } from './readable.ts';

const judged = (settings: object): string => {
  try {
    refuseUnreadable(Provisioning.parse(settings), 'Cluster "a/b"');
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replace('cannot accept Cluster "a/b": spec.provisioning.', '');
  }
};

const KEYS = (...sshAuthorizedKeys: readonly string[]) => ({ users: [{ name: 'ops', sshAuthorizedKeys }] });
const UNIT = (contents: string) => ({ units: [{ name: 'a.service', contents }] });

test.for([
  KEYS('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFake ops@example.com', 'ecdsa-sha2-nistp256 AAAAE2VjZHNhFake=='),
  KEYS('from="10.0.0.0/8,*.example.com",command="echo a b" ssh-rsa AAAAB3NzaC1yc2EFake\n'),
  KEYS('cert-authority ssh-ed25519 AAAAC3NzaFake', 'sk-ssh-ed25519@openssh.com AAAAGnNrFake a b c'),
  KEYS('ssh-rsa-cert-v01@openssh.com AAAAHHNzaC1yc2EFake'),
  { timezone: 'UTC' },
  { timezone: 'Europe/Zurich' },
  { timezone: 'America/Argentina/Buenos_Aires' },
  { timezone: 'Etc/GMT+5' },
  { timezone: 'W-SU' },
  UNIT('# a comment\n\n[Unit]\nDescription=a\n'),
  UNIT('# managed elsewhere\n\n ; nothing yet\r\n'),
  UNIT('\ufeff[X-Own]\na=b'),
  {
    units: [
      { name: 'a.service', enabled: true, dropIns: [{ name: 'a.conf', contents: '[Service]\nEnvironment=A=b' }] },
    ],
  },
])('%j is accepted', (settings) => {
  expect(judged(settings)).toBe('accepted');
});

test.for([
  {
    settings: KEYS('ssh-ed25519 AAAAC3NzaFake', 'hunter2'),
    line: 'users[0].sshAuthorizedKeys[1]: its value is not a public key; accepted: a line of authorized_keys such as ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA… ops@example.com',
  },
  { settings: KEYS('ssh-ed25519'), line: 'users[0].sshAuthorizedKeys[0]: its value is not a public key' },
  { settings: KEYS('ssh-ed25519 hunter2'), line: 'users[0].sshAuthorizedKeys[0]: its value is not a public key' },
  {
    settings: KEYS('ssh-rsb AAAAB3NzaFake'),
    line: 'users[0].sshAuthorizedKeys[0]: its value is not a public key',
  },
  {
    settings: KEYS('-----BEGIN OPENSSH PRIVATE KEY-----'),
    line: 'users[0].sshAuthorizedKeys[0]: its value is not a public key',
  },
  {
    settings: { timezone: 'Europa/Zurich' },
    line: 'timezone: "Europa/Zurich" is not a time zone; accepted: UTC, or an area and a place such as Europe/Zurich',
  },
  { settings: { timezone: 'Zurich' }, line: 'timezone: "Zurich" is not a time zone' },
  { settings: { timezone: 'CEST' }, line: 'timezone: "CEST" is not a time zone' },
  {
    settings: UNIT('ExecStart=/bin/true --password hunter2'),
    line: 'units[0].contents: its value is not a unit; accepted: text with a section such as [Service]',
  },
  {
    settings: { units: [{ name: 'a.service', dropIns: [{ name: 'a.conf', contents: 'Environment=A=hunter2' }] }] },
    line: 'units[0].dropIns[0].contents: its value is not a unit; accepted: text with a section such as [Service]',
  },
])('$settings is refused, without what may be a secret', ({ settings, line }) => {
  const refused = judged(settings);
  expect(refused).toContain(line);
  expect(refused).not.toContain('hunter2');
});
