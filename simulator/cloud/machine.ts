/** Cloud objects that are machines, in words no cloud owns: what boots them and who reaches them. */
import type { CloudKind, CloudObject } from './kind.ts';
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
  /** The cloud's id of its image. */
  readonly image: string | undefined;
  readonly providerID: string;
}

export interface MachineEvent {
  readonly change: 'running' | 'stopped' | 'gone';
  readonly machine: MachineFacts;
}

/** What the cloud's secret store answers. */
export type SecretAnswer = { readonly value: Buffer } | { readonly refused: string };

/** The cloud's secret store, as a machine's own identity may use it. */
export interface MachineSecrets {
  read(name: string): SecretAnswer;
  /** For good; not heard when it is refused. */
  delete(name: string): void;
}

/** One cloud: its kinds, and how its machines are found. */
export interface CloudModel {
  readonly name: string;
  readonly kinds: readonly CloudKind[];
  /** The machine a thing is; undefined when it is none. */
  readonly machine: (thing: CloudObject) => MachineFacts | undefined;
  /** Ids of machines a load balancer leads to by its name and a port; undefined when the name is none of ours. */
  readonly behind: (host: string, port: number, things: readonly CloudObject[]) => readonly string[] | undefined;
  readonly readSecret: (region: Region, machine: CloudObject, name: string) => SecretAnswer;
  /** Things that are gone when a machine deletes a secret. */
  readonly deletedSecret: (region: Region, machine: CloudObject, name: string) => readonly CloudObject[];
}

export interface Machines {
  find(id: string): MachineFacts | undefined;
  /** Ids of running machines that answer at a host name and port; undefined for a name no cloud knows. */
  answering(host: string, port: number): readonly string[] | undefined;
  secretsOf(id: string): MachineSecrets;
  eventsOf(change: 'made' | 'changed' | 'lost', thing: CloudObject): readonly MachineEvent[];
}

/** @param onDeleted  told what a machine deleted, which no provider knows */
export function machinesOf(
  region: Region,
  clouds: readonly CloudModel[],
  onDeleted: (thing: CloudObject) => void,
): Machines {
  const machineOf = (thing: CloudObject): MachineFacts | undefined =>
    clouds.map(({ machine }) => machine(thing)).find((found) => found !== undefined);
  const cloudOf = (thing: CloudObject): CloudModel | undefined =>
    clouds.find(({ machine }) => machine(thing) !== undefined);
  const find = (id: string): MachineFacts | undefined => {
    const thing = region.find(id);
    return thing === undefined ? undefined : machineOf(thing);
  };
  return {
    find,
    answering: (host, port) =>
      clouds
        .map(({ behind }) => behind(host, port, region.things))
        .find((ids) => ids !== undefined)
        ?.filter((id) => find(id)?.running === true),
    secretsOf: (id) => ({
      read: (name) => {
        const thing = region.find(id);
        const cloud = thing === undefined ? undefined : cloudOf(thing);
        if (thing === undefined || cloud === undefined) return { refused: 'the machine is gone' };
        return cloud.readSecret(region, thing, name);
      },
      delete: (name) => {
        const thing = region.find(id);
        if (thing === undefined) return;
        for (const gone of cloudOf(thing)?.deletedSecret(region, thing, name) ?? []) {
          region.remove(gone);
          onDeleted(gone);
        }
      },
    }),
    eventsOf: (change, thing) => {
      const machine = machineOf(thing);
      if (machine === undefined) return [];
      if (change === 'lost') return [{ change: 'gone', machine: { ...machine, running: false } }];
      return [{ change: machine.running ? 'running' : 'stopped', machine }];
    },
  };
}
