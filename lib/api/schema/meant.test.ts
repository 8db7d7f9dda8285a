/** What somebody meant by a text that is refused: told where it is another spelling, and not where it is another name. */
import { describe, expect, test } from 'vitest';
import { Cluster } from '../kinds/cluster.ts';
import { meantAt } from './meant.ts';

const provisioning = ['spec', 'provisioning'] as const;
const USER = [...provisioning, 'users', 0, 'name'] as const;
const GROUP = [...provisioning, 'groups', 0, 'name'] as const;
const FILE = [...provisioning, 'files', 0, 'path'] as const;

test.for<readonly [PropertyKey[], unknown, string | undefined, string]>([
  [[...USER], ' ops', 'ops', 'a blank is a slip'],
  [[...USER], 'Ops', 'ops', 'hosts have small letters'],
  [[...USER], 'Administrator', undefined, 'in small letters it is another user than the one of Windows'],
  [[...GROUP], 'Administrators', undefined, 'the same of a group'],
  [[...GROUP], 'docker_users ', 'docker_users', 'no dash is put where a line is fine'],
  [[...FILE], 'C:\\app\\a.conf', '/app/a.conf', 'a path of Windows'],
  [[...FILE], 'c:/App/a.conf', '/App/a.conf', 'with slashes, and letters as they are'],
  [[...FILE], 'D:\\app\\a.conf', undefined, 'another drive has no path'],
  [[...FILE], 'C:\\tmp\\a.conf', undefined, 'what is meant is refused itself'],
  [[...FILE], 'etc/app.conf', undefined, 'nobody knows from where'],
  [[...provisioning, 'swap', 'path'], 'C:\\pagefile.sys', '/pagefile.sys', 'every path'],
  [[...provisioning, 'format'], 'Cloud_Init', 'cloud-init', 'a word of ours in another spelling'],
  [['spec', 'update', 'drain', 'timeout'], '90S', '90s', 'a duration in capitals'],
  [['spec', 'update', 'drain', 'timeout'], '90', '90s', 'without a unit'],
  [['spec', 'version'], { gitVersion: '1.35.4' }, 'v1.35.4', 'an object with a version alone'],
  [[...USER], { passwordHash: 'hunter2' }, undefined, 'what is in an object may be secret'],
  [[...FILE], ['/etc/hunter2'], undefined, 'the same of a list'],
])('%o: %o is told %s: %s', ([path, wrote, meant]) => {
  expect(meantAt(Cluster, path, wrote)).toBe(meant);
});

describe.for([{ path: USER }, { path: GROUP }])('a name at $path', ({ path }) => {
  test.for(['Administrator', 'SYSTEM', 'Guest', 'Users', 'Domain Admins'])(
    'is not told one beside %s of Windows',
    (name) => {
      expect(meantAt(Cluster, path, name)).toBeUndefined();
    },
  );
});
