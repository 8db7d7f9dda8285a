/**
 * Names of GCP: a lower-case letter, then lower-case letters, digits and -, in 63 characters. Every name of a cluster
 * begins with its id, which holds namespace, name and a hash of its owner.
 */
import { joinName, shortHash } from '#lib/api/names.ts';

const LONGEST = 63;
/** Of the id of a service account. */
const LONGEST_ACCOUNT = 30;

/** Makes a name out of what Kubernetes accepts as one: names of namespaces may begin with a digit, others have dots. */
export function asName(text: string): string {
  const name = text.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
  return /^[a-z]/.test(name) ? name : `c-${name}`;
}

/** A name of one part of a cluster. @param id of the cluster in GCP */
export function nameIn(id: string, part: string): string {
  return joinName([id, part], LONGEST);
}

export function accountName(id: string, part: string): string {
  return joinName([id, part], LONGEST_ACCOUNT);
}

/**
 * Name of a machine. Machines of clusters with the same name, in other namespaces, may have the same name themselves,
 * and a provider that finds a machine of this name takes it for its own.
 */
export function instanceName(id: string, cluster: string, machine: string): string {
  const rest = machine.startsWith(`${cluster}-`) ? machine.slice(cluster.length + 1) : machine;
  const mark = shortHash([id, machine], 6);
  const room = LONGEST - id.length - mark.length - 2;
  const part = asPart(rest)
    .slice(0, Math.max(room, 0))
    .replace(/(?<!-)-+$/, '');
  return [id, part, mark].filter((one) => one !== '').join('-');
}

/**
 * Name of the secret that a machine boots from. Machines of a role have one account, which may read each secret but
 * list none, so a machine needs the name. The name holds a hash of the random uid of the Machine, which no machine learns.
 */
export function secretName(prefix: string, machine: string, uid: string | undefined): string {
  return `${prefix}${machine}_${shortHash(['first boot', uid ?? ''], 22)}`;
}

/** Name of a data disk. @param machine its name in GCP */
export function diskName(machine: string, disk: string): string {
  return joinName([machine, disk], LONGEST);
}

/** A part of a name that does not begin it. */
function asPart(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
}
