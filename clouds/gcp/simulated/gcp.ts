/** Google Cloud, as far as Slipway composes it. */
import type { CloudModel } from '#simulator/cloud/machine.ts';
import { BALANCING, behind, leadsBack } from './balancing.ts';
import { IDENTITY } from './identity.ts';
import { DISK, INSTANCE, machineOf } from './instance.ts';
import { NETWORK } from './network.ts';
import { deletedSecret, readSecret, SECRETS } from './secrets.ts';

export const GCP: CloudModel = {
  name: 'gcp',
  kinds: [...NETWORK, ...BALANCING, ...IDENTITY, ...SECRETS, DISK, INSTANCE],
  machine: machineOf,
  behind,
  leadsBack,
  readSecret,
  deletedSecret,
};
