/** Azure, as far as Slipway composes it. */
import type { CloudModel } from '#simulator/cloud/machine.ts';
import { BALANCING, behind, leadsBack } from './balancing.ts';
import { IDENTITY } from './identity.ts';
import { NETWORK } from './network.ts';
import { deletedSecret, readSecret, SECRETS } from './secrets.ts';
import { MACHINE, machineOf } from './vm.ts';

export const AZURE: CloudModel = {
  name: 'azure',
  kinds: [...NETWORK, ...BALANCING, ...IDENTITY, ...SECRETS, ...MACHINE],
  machine: machineOf,
  behind,
  leadsBack,
  readSecret,
  deletedSecret,
};
