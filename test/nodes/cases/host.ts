/** Each host has the provisioning of its Machine: files, users and kernel settings. */
import { at } from '#lib/api/json.ts';
import type { File, Provisioning, User } from '#lib/api/fields/provisioning.ts';
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';

export const hostCase: Case = {
  name: 'host',
  async run({ arrivals }) {
    const count = { files: 0, users: 0, sysctls: 0 };
    for (const { machine } of arrivals) {
      const { files, users, sysctls } = at(machine.spec, 'provisioning') as unknown as Provisioning;
      for (const file of files) await checkFile(machine, file);
      for (const user of users) await checkUser(machine, user);
      for (const [name, value] of Object.entries(sysctls)) {
        const seen = (await machine.exec('sysctl', '-n', name)).trim();
        hold(`${machine.name}: ${name} is ${value}`, seen === value, seen);
      }
      count.files += files.length;
      count.users += users.length;
      count.sysctls += Object.keys(sysctls).length;
    }
    for (const [what, number] of Object.entries(count)) hold(`the claim asks for ${what}`, number > 0);
    return `${count.files} files, ${count.users} users, ${count.sysctls} kernel parameters as claimed`;
  },
};

async function checkFile({ name, exec }: Machine, { path, mode, owner, content }: File): Promise<void> {
  const seen = (await exec('stat', '--format=0%a %U:%G', path)).trim();
  hold(`${name}: ${path} is ${mode} ${owner}`, seen === `${mode} ${owner}`, seen);
  const text = await exec('cat', path);
  hold(`${name}: ${path} says what was claimed`, text === content, `${text.length} bytes`);
}

async function checkUser(
  { name, exec }: Machine,
  { name: user, groups, shell, sshAuthorizedKeys }: User,
): Promise<void> {
  const [, , , , , home = '', shellSeen = ''] = (await exec('getent', 'passwd', user)).trim().split(':');
  if (shell !== undefined) hold(`${name}: ${user} logs in with ${shell}`, shellSeen === shell, shellSeen);
  const groupsSeen = (await exec('id', '--name', '--groups', user)).trim().split(' ');
  for (const group of groups) hold(`${name}: ${user} is in ${group}`, groupsSeen.includes(group), groupsSeen.join(' '));
  const keys = await exec('cat', `${home}/.ssh/authorized_keys`);
  for (const key of sshAuthorizedKeys) hold(`${name}: ${user} may log in with its key`, keys.includes(key));
}
