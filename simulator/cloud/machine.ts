/** Cloud objects that are machines, independent of the cloud: what they boot and how they are reached. */
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Store } from '../store/store.ts';
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
  /** As the cloud passes it to the machine on first boot, in base64. */
  readonly userData: string | undefined;
  /** The cloud's id of its image. */
  readonly image: string | undefined;
  readonly providerID: string;
}

export interface MachineEvent {
  readonly change: 'running' | 'stopped' | 'gone';
  readonly machine: MachineFacts;
}

/** Response of the secret store of the cloud. */
export type SecretAnswer = { readonly value: Buffer } | { readonly refused: string };

/** The secret store of the cloud, with the permissions of a machine's own identity. */
export interface MachineSecrets {
  read(name: string): SecretAnswer;
  /** Deletes without recovery; a refusal is not reported. */
  delete(name: string): void;
}

/** One cloud: its kinds, and how its machines are found. */
export interface CloudModel {
  readonly name: string;
  readonly kinds: readonly CloudKind[];
  /** The machine that a cloud object represents; undefined if it is not a machine. */
  readonly machine: (thing: CloudObject) => MachineFacts | undefined;
  /** Ids of the machines behind a load balancer, by its name and port; undefined if the name is not of this cloud. */
  readonly behind: (host: string, port: number, things: readonly CloudObject[]) => readonly string[] | undefined;
  /** Whether a load balancer leads a machine behind it back to itself, by its name. @default true */
  readonly leadsBack?: (host: string, things: readonly CloudObject[]) => boolean;
  readonly readSecret: (region: Region, machine: CloudObject, name: string) => SecretAnswer;
  /** Kinds of objects, besides `kinds`, by which it runs. @default [] */
  readonly owned?: readonly { readonly apiVersion: string; readonly kind: string }[];
  /** For a cloud whose provider is not like others: it is told once, and then runs by what happens in the store. */
  readonly start?: (parts: OwnProviderParts) => void;
  /** Cloud objects that disappear when a machine deletes a secret. */
  readonly deletedSecret: (region: Region, machine: CloudObject, name: string) => readonly CloudObject[];
}

export interface OwnProviderParts {
  /** provider-node runs elsewhere, and is not played. */
  readonly elsewhere: boolean;
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  /** A cloud object came into being. */
  readonly put: (thing: CloudObject) => void;
  /** It is gone. */
  readonly remove: (thing: CloudObject) => void;
}

export interface Machines {
  find(id: string): MachineFacts | undefined;
  /** Ids of running machines that respond at a host name and port; undefined for an unknown name. */
  answering(host: string, port: number): readonly string[] | undefined;
  /** Whether a machine behind a load balancer reaches itself by its name, without the address of its own. */
  leadsBack(host: string): boolean;
  secretsOf(id: string): MachineSecrets;
  eventsOf(change: 'made' | 'changed' | 'lost', thing: CloudObject): readonly MachineEvent[];
}

/** @param onDeleted  called with what a machine deleted without its provider */
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
    leadsBack: (host) => clouds.every(({ leadsBack }) => leadsBack?.(host, region.things) ?? true),
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
