/** The end of users: Ignition has no such field, and useradd leaves it out for accounts of services. */
import type { User } from '#lib/api/fields/provisioning.ts';
import type { Step } from './script.ts';

export function expirySteps(users: readonly User[]): readonly Step[] {
  return users.flatMap(({ name, expires }, index) =>
    expires === undefined ? [] : [{ field: `users[${index}].expires`, command: `usermod -e ${expires} ${name}` }],
  );
}
