/**
 * setuid, setgid and sticky: a step of the script sets them. Linux takes them away when the owner of a file is set, which
 * cloud-init does after the mode; older specifications of Ignition leave them out.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Step } from './script.ts';

export function modeSteps({ files }: Pick<Customisation, 'files'>): readonly Step[] {
  return files.flatMap(({ path, mode }, index) =>
    mode.startsWith('0') ? [] : [{ field: `files[${index}].mode`, command: `chmod ${mode} ${quoted(path)}` }],
  );
}
