/**
 * User data that is a script of cloud-init's, which fetches the real data from the cloud's secret store, lays it where
 * cloud-init looks next, and deletes the secret. Of the script only what it fetches is read; that it works is shown
 * with cloud-init itself, by test/judges.
 */
import { stringAt } from '#lib/api/json.ts';
import type { MachineSecrets } from '../../cloud/machine.ts';
import { BootFailure } from './boot-failure.ts';
import { cloudConfig } from './cloud-config.ts';
import { type FirstBoot, unzipped } from './format.ts';

export function isBoothook(text: string): boolean {
  return text.startsWith('#cloud-boothook\n');
}

/** Throws BootFailure; one that may pass while the secret or the permission is on its way. */
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
