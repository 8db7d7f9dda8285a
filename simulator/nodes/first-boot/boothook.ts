/**
 * User data that is a cloud-init script which fetches the real data from the cloud's secret store, writes it to the
 * place that cloud-init reads next, and deletes the secret. The simulator only reads what the script fetches;
 * test/judges runs the script with cloud-init.
 */
import { stringAt } from '#lib/api/json.ts';
import type { MachineSecrets } from '../../cloud/machine.ts';
import { BootFailure } from './boot-failure.ts';
import { cloudConfig } from './cloud-config.ts';
import { type FirstBoot, unzipped } from './format.ts';

export function isBoothook(text: string): boolean {
  return text.startsWith('#cloud-boothook\n');
}

/** Throws BootFailure, a temporary one while the secret or the permission may still arrive. */
export function readBoothook(text: string, secrets: MachineSecrets): FirstBoot {
  const where = /^WHERE = (\{.*\})$/m.exec(text)?.[1];
  const name = where === undefined ? undefined : stringAt(JSON.parse(where), 'secret');
  if (name === undefined) throw new BootFailure('cloud-init: the boothook leaves nothing to do');
  const answer = secrets.read(name);
  if ('refused' in answer) throw new BootFailure(`cannot fetch first-boot data ${name}: ${answer.refused}`, true);
  const boot = cloudConfig.read(unzipped(answer.value).toString('utf8'));
  secrets.delete(name);
  return boot;
}
