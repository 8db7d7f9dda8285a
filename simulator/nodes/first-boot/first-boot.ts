/**
 * First-boot data as a machine reads it, in any format. A new format needs its file and a line here; formats of third
 * parties are passed in.
 */
import type { MachineSecrets } from '../../cloud/machine.ts';
import { BootFailure } from './boot-failure.ts';
import { isBoothook, readBoothook } from './boothook.ts';
import { settings } from './bottlerocket.ts';
import { cloudConfig } from './cloud-config.ts';
import { withFetched } from './fetched.ts';
import { type FirstBoot, type Format, unzipped } from './format.ts';
import { ignition } from './ignition.ts';
import { multipart } from './nodeadm.ts';
import { machineConfig } from './talos.ts';

const FORMATS: readonly Format[] = [multipart, cloudConfig, ignition, machineConfig, settings];

const NO_SECRETS: MachineSecrets = {
  read: () => ({ refused: 'the cloud has no secret store' }),
  delete: () => undefined,
};

/**
 * Throws BootFailure if no program on the machine reads it.
 * @param userData  base64, perhaps gzipped
 * @param secrets  the cloud's secret store, for data that is not in user data; without one, fetching fails
 * @param others  formats of third parties; they are tried first
 */
export function readFirstBoot(
  userData: string | undefined,
  secrets: MachineSecrets = NO_SECRETS,
  others: readonly Format[] = [],
): FirstBoot {
  if (userData === undefined) throw new BootFailure('cloud-init: no user data');
  const raw = Buffer.from(userData, 'base64');
  const bytes = unzipped(raw);
  const text = bytes.toString('utf8');
  if (isBoothook(text)) return readBoothook(text, secrets);
  const format = [...others, ...FORMATS].find(({ recognises }) => recognises(text));
  if (format === undefined)
    throw new BootFailure('cloud-init: unhandled user data: the first line is not #cloud-config');
  if (format.neverGzipped === true && bytes !== raw)
    throw new BootFailure('ignition: not a config: the data is gzipped, which only cloud-init reads');
  return withFetched(format.read(text), secrets);
}
