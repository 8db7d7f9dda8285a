/** Cloud objects that are machines, in words no cloud owns: what boots them and who reaches them. */
import type { CloudKind, Thing } from './kind.ts';
import type { Region } from './region.ts';

export interface MachineFacts {
  readonly id: string;
  /** Name and namespace of the managed resource. */
  readonly owner: { readonly name: string; readonly namespace: string };
  readonly kind: string;
  readonly apiVersion: string;
  readonly zone: string;
  readonly address: string;
  readonly running: boolean;
  /** As the cloud hands it to the machine on first boot, base64. */
  readonly userData: string | undefined;
  readonly providerID: string;
}

export interface MachineEvent {
  readonly change: 'running' | 'stopped' | 'gone';
  readonly machine: MachineFacts;
}

/** One cloud: its kinds, and how its machines are found. */
export interface CloudModel {
  readonly name: string;
  readonly kinds: readonly CloudKind[];
  /** The machine a thing is; undefined when it is none. */
  readonly machine: (thing: Thing) => MachineFacts | undefined;
  /** Ids of machines a load balancer's name leads to; undefined when the name is none of ours. */
  readonly behind: (host: string, things: readonly Thing[]) => readonly string[] | undefined;
}

export interface Machines {
  find(id: string): MachineFacts | undefined;
  /** Ids of running machines that answer at a host name; undefined for a name no cloud knows. */
  answering(host: string): readonly string[] | undefined;
  eventsOf(change: 'made' | 'changed' | 'lost', thing: Thing): readonly MachineEvent[];
}

export function machinesOf(region: Region, clouds: readonly CloudModel[]): Machines {
  const machineOf = (thing: Thing): MachineFacts | undefined =>
    clouds.map(({ machine }) => machine(thing)).find((found) => found !== undefined);
  const find = (id: string): MachineFacts | undefined => {
    const thing = region.find(id);
    return thing === undefined ? undefined : machineOf(thing);
  };
  return {
    find,
    answering: (host) =>
      clouds
        .map(({ behind }) => behind(host, region.things))
        .find((ids) => ids !== undefined)
        ?.filter((id) => find(id)?.running === true),
    eventsOf: (change, thing) => {
      const machine = machineOf(thing);
      if (machine === undefined) return [];
      if (change === 'lost') return [{ change: 'gone', machine: { ...machine, running: false } }];
      return [{ change: machine.running ? 'running' : 'stopped', machine }];
    },
  };
}
