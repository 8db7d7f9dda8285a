/**
 * A machine whose first-boot data has a script that fetches the rest from the cloud's secret store before the host
 * becomes a node. The simulator only reads what the script fetches; tests of the script are beside its source.
 */
import type { MachineSecrets } from '../../cloud/machine.ts';
import { BootFailure } from './boot-failure.ts';
import { type FirstBoot, unzipped } from './format.ts';
import { ignition } from './ignition.ts';

const SCRIPT = '/etc/slipway/first-boot.sh';

/** Throws BootFailure, a temporary one while the secret or the permission may still arrive. */
export function withFetched(boot: FirstBoot, secrets: MachineSecrets): FirstBoot {
  const script = boot.files.find(({ path }) => path === SCRIPT)?.content;
  if (script === undefined) return boot;
  const name = /^secret='([^']+)'$/m.exec(script)?.[1];
  if (name === undefined) throw new BootFailure(`${SCRIPT}: names no secret`);
  const answer = secrets.read(name);
  if ('refused' in answer) throw new BootFailure(`cannot fetch first-boot data ${name}: ${answer.refused}`, true);
  const sealed = ignition.read(unzipped(answer.value).toString('utf8'));
  secrets.delete(name);
  return { files: [...boot.files, ...sealed.files], text: `${boot.text}\n${sealed.text}` };
}
