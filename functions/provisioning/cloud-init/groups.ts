/**
 * Groups for cloud-init. It does not support group ids, so groups with an id are created before it creates the others.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { Step } from '../script.ts';

type Groups = Pick<Customisation, 'groups'>;

/** Commands of `bootcmd`, which runs on every boot: -f succeeds if the group exists, and takes another id if one is taken. */
export function groupCommands({ groups }: Groups): readonly (readonly string[])[] {
  return groups.flatMap(({ name, gid }) => (gid === undefined ? [] : [['groupadd', '-f', '-g', `${gid}`, name]]));
}

export function groupFields({ groups }: Groups): Readonly<Record<string, unknown>> {
  const others = groups.filter(({ gid }) => gid === undefined).map(({ name }) => name);
  return others.length === 0 ? {} : { groups: others };
}

/** Nothing runs without a group, or if it does not have its id: files may belong to it. */
export function groupSteps({ groups }: Groups): readonly Step[] {
  return groups.map(({ name, gid }, index) =>
    gid === undefined
      ? { field: `groups[${index}]`, command: `getent group ${name} >/dev/null` }
      : { field: `groups[${index}].gid`, command: `getent group ${name} | grep -q ':${gid}:'` },
  );
}
