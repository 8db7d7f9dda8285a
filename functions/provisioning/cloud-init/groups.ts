/**
 * Groups for cloud-init. It does not support group ids, so groups with an id are created before it creates the others.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { Step } from '../script.ts';

type Groups = Pick<Customisation, 'groups'>;

export function groupFields({ groups }: Groups): Readonly<Record<string, unknown>> {
  const numbered = groups.flatMap(({ name, gid }) => (gid === undefined ? [] : [[name, gid] as const]));
  const others = groups.filter(({ gid }) => gid === undefined).map(({ name }) => name);
  return {
    // Runs on every boot: -f succeeds if the group exists, and chooses another id if the id is taken.
    ...(numbered.length === 0
      ? {}
      : { bootcmd: numbered.map(([name, gid]) => ['groupadd', '-f', '-g', `${gid}`, name]) }),
    ...(others.length === 0 ? {} : { groups: others }),
  };
}

/** Nothing runs without a group, or if it does not have its id: files may belong to it. */
export function groupSteps({ groups }: Groups): readonly Step[] {
  return groups.map(({ name, gid }, index) =>
    gid === undefined
      ? { field: `groups[${index}]`, command: `getent group ${name} >/dev/null` }
      : { field: `groups[${index}].gid`, command: `getent group ${name} | grep -q ':${gid}:'` },
  );
}
