import type { JsonObject } from '#lib/api/json.ts';
import { host } from './input.ts';

const user = (fields: JsonObject): JsonObject => host({ users: [{ name: 'ops', ...fields }] });

/** Users and groups that a host cannot have. */
export const ACCOUNTS: Readonly<Record<string, JsonObject>> = {
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
};
