/** Which processors a machine type of GCP has: families that end with a are Arm, and so is a4x with its Grace processors. */
import type { Architecture } from '#lib/cloud/architecture.ts';

/** Custom types without a family are of n1. */
const FAMILY = /^([a-z]+[0-9]+[a-z]*|custom)-/;

export function architectureOf(size: string): Architecture | undefined {
  const family = FAMILY.exec(size)?.[1];
  if (family === undefined) return undefined;
  return /[0-9]a$/.test(family) || family === 'a4x' ? 'arm64' : 'amd64';
}
