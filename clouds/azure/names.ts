/**
 * Names of Azure. Every name of a cluster begins with its id, which holds namespace, name and a hash of its owner, except
 * those of machines, which are in the resource group of their cluster or end with a hash, and of vaults, which all of
 * Azure shares.
 */
import { joinName, shortHash } from '#lib/api/names.ts';

/** Of most kinds, such as network interfaces; a virtual network has 64 characters, and a resource group 90. */
const LONGEST = 80;
/** Of a virtual machine with Linux, and of its host name. */
const LONGEST_MACHINE = 64;
/** Of a secret in a vault, less what numbers its parts. */
const LONGEST_SECRET = 120;

/** Makes a name out of what Kubernetes accepts as one: names of objects have dots, which a host name must not have. */
export function asName(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
}

/** Azure accepts them in no name of what may have a public endpoint. */
const RESERVED = /login|microsoft|windows|xbox/g;
/** Leaves room for -network in the name of a virtual network. */
const LONGEST_ID = 56;

/** The id of a cluster in Azure. A reserved word is divided, as in win-dows. */
export function clusterID(text: string): string {
  return joinName([asName(text).replaceAll(RESERVED, (word) => `${word.slice(0, 3)}-${word.slice(3)}`)], LONGEST_ID);
}

/** A name of one part of a cluster. @param id of the cluster in Azure */
export function nameIn(id: string, part: string): string {
  return joinName([id, part], LONGEST);
}

/**
 * Name of a virtual machine, in the resource group of its cluster: that of the Machine, which is also the name of its
 * node. Controllers of Azure find machines by the names of nodes.
 */
export function machineName(machine: string): string {
  return exact(machine, LONGEST_MACHINE);
}

/**
 * Name of a virtual machine in a resource group that others use, too: two clusters may have Machines of one name, and an
 * object of that name would be adopted. @param id of the cluster in Azure
 */
export function sharedMachineName(machine: string, id: string): string {
  const mark = shortHash([id, machine], 8);
  return `${asName(machine)
    .slice(0, LONGEST_MACHINE - mark.length - 1)
    .replace(/(?<!-)-+$/, '')}-${mark}`;
}

/** Name of the secrets of a machine in the vault of its role. */
export function secretName(machine: string): string {
  return exact(machine, LONGEST_SECRET);
}

/** Name of a part of a machine. @param machine its name in Azure */
export function partName(machine: string, part: string): string {
  return joinName([machine, part], LONGEST);
}

/**
 * Name of the vault of a role. The name of a deleted vault is taken for days, so that it depends on the claim object
 * itself and not on its name alone. Vaults of all of Azure share 24 characters.
 */
export function vaultName(id: string, uid: string, role: string): string {
  return `kv-${shortHash([id, uid, role], 18)}`;
}

/** The name itself if Azure accepts it, otherwise what it accepts of it, with a hash. */
function exact(text: string, longest: number): string {
  const name = asName(text);
  if (name === text && name.length <= longest) return name;
  const mark = shortHash(text, 6);
  return `${name.slice(0, longest - mark.length - 1).replace(/(?<!-)-+$/, '')}-${mark}`;
}
