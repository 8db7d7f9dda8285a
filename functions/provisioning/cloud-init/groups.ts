/** Groups in cloud-init's words. It knows no numbers; so numbered ones are made before it makes the others. */
import type { Customisation } from '#lib/api/fields/provisioning.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Step } from '../script.ts';

type Groups = Pick<Customisation, 'groups'>;

export function groupFields({ groups }: Groups): Readonly<Record<string, unknown>> {
  const numbered = groups.flatMap(({ name, gid }) => (gid === undefined ? [] : [[name, gid] as const]));
  const others = groups.filter(({ gid }) => gid === undefined).map(({ name }) => name);
  return {
    // Run at every boot: -f says nothing about a group that is there, and picks another number where it is taken.
    ...(numbered.length === 0
      ? {}
      : { bootcmd: numbered.map(([name, gid]) => ['groupadd', '-f', '-g', `${gid}`, name]) }),
    ...(others.length === 0 ? {} : { groups: others }),
  };
}

/** Nothing is run with a group that has not its number: files may belong to it. */
export function groupSteps({ groups }: Groups): readonly Step[] {
  return groups.flatMap(({ name, gid }, index) =>
    gid === undefined
      ? []
      : [{ field: `groups[${index}].gid`, command: `getent group ${quoted(name)} | grep -q ':${gid}:'` }],
  );
}
