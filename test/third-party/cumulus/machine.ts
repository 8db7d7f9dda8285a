/** Cumulus for the machine step: an instance and the port that connects it to the network, and that has the address. */
import { z } from 'zod';
import { stringAt, type KubeObject } from '#lib/api/json.ts';
import { resizable } from '#lib/cloud/fields.ts';
import type { MachineCloud, MachinePlan, VirtualMachine } from '#lib/cloud/machine.ts';
import { instanceTypeOf, type NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import { CUMULUS_FIELDS } from './fields.ts';
import { managed, reported } from './kinds.ts';

const INSTANCE = 'instance';
const PORT = 'port';

export const cumulus: MachineCloud<NeutralMachineInput> = {
  title: 'Cumulus',
  input: z.strictObject({}),
  machineKey: INSTANCE,
  overridable: {},
  laterKinds: new Set(),
  comesAndGoes: () => false,
  resizable: resizable(CUMULUS_FIELDS),
  plan({ machine, input, observed }, { region, network }, boot, { released }): MachinePlan {
    const { name, namespace } = machine.metadata;
    const cluster = machine.spec.clusterRef.name;
    const made = observed.get(INSTANCE);
    const wanted = instanceTypeOf(machine, input);
    const size = released ? wanted : (stringAt(made, 'spec', 'forProvider', 'size') ?? wanted);
    const userData = Buffer.from(boot.bytes).toString('base64');
    return {
      resources: new Map([
        [PORT, managed('Port', name, namespace, cluster, { region, networkId: network?.id ?? '' })],
        [
          INSTANCE,
          managed('Instance', name, namespace, cluster, {
            region,
            size,
            image: stringAt(made, 'spec', 'forProvider', 'image') ?? machine.spec.machine.image ?? 'any',
            portIdRef: { name },
            serves: machine.spec.role === 'control-plane' ? `${cluster}-balancer` : '',
            userData: stringAt(made, 'spec', 'forProvider', 'userData') ?? userData,
          }),
        ],
      ]),
      blockedBy: undefined,
      notes: [],
      bytes: boot.bytes.length,
      kept: size === wanted ? [] : ['size'],
      unfinished:
        released && reported(made, 'size') !== wanted
          ? `size is ${reported(made, 'size') ?? 'not reported'}`
          : undefined,
    };
  },
  read,
};

function read(observed: ReadonlyMap<string, KubeObject>): VirtualMachine {
  const instance = observed.get(INSTANCE);
  const state = reported(instance, 'state');
  const address = reported(observed.get(PORT), 'address');
  return {
    id: reported(instance, 'id'),
    running: state === 'running',
    ended: state === 'gone',
    failureDomain: undefined,
    // Nodes are identified by name, in lower case: the id is internal to the cloud.
    providerIDValues: { instanceId: instance?.metadata?.name?.toLowerCase() },
    instanceType: reported(instance, 'size'),
    noCapacity: undefined,
    addresses: address === undefined ? [] : [{ type: 'InternalIP', address }],
  };
}
