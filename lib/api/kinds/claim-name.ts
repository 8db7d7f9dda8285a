/**
 * How a Cluster and a NodePool may be called. Names of machines begin with it, and are host names, which have at most 63
 * characters.
 */
import { show } from '../issues.ts';

/** Machines are <pool>-<slot>-<rev>; the pool of a control plane is <cluster>-control-plane. */
export const LONGEST_NAME = {
  Cluster: 63 - '-control-plane-1999-xxxxx'.length,
  NodePool: 63 - '-1999-xxxxx'.length,
} as const;

const CHARACTERS = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const WHY = 'since names of machines and hosts start with it';

/** What is wrong with the name of a claim, and what is accepted; undefined: nothing. */
export function nameFault(kind: keyof typeof LONGEST_NAME, name: string): string | undefined {
  const longest = LONGEST_NAME[kind];
  if (CHARACTERS.test(name))
    return name.length <= longest ? undefined : refused(name, `at most ${longest} characters, ${WHY}`);
  const meant = name
    .toLowerCase()
    .replaceAll(/[._ ]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '');
  const isNear = CHARACTERS.test(meant) && meant.length <= longest;
  return refused(name, `lower-case letters, digits and -, ${WHY}${isNear ? `; did you mean "${meant}"?` : ''}`);
}

function refused(name: string, accepted: string): string {
  return `${show(name)} is not accepted; accepted: ${accepted}`;
}
