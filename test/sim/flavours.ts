/**
 * What a flavour brings to roll-outs: the update rules of its pools, the zones of its clusters, and whether it can resize
 * a machine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';

const CLOUDS = join(import.meta.dirname, '../../clouds');

export interface Flavour {
  readonly name: string;
  /** The input of the step that decides about updates. */
  readonly rules: JsonObject;
  readonly zones: readonly string[];
  /** A machine stops to get another size. Otherwise another machine has that size. */
  readonly resizes: boolean;
}

/** As its page in docs/clouds says it, not as its tables do: those are what is judged. */
const TOLD: Readonly<Record<string, Pick<Flavour, 'zones' | 'resizes'>>> = {
  aws: { zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'], resizes: true },
  azure: { zones: ['westeurope-1', 'westeurope-2', 'westeurope-3'], resizes: true },
  existing: { zones: ['rack-1', 'rack-2', 'rack-3'], resizes: false },
  gcp: { zones: ['europe-west1-b', 'europe-west1-c', 'europe-west1-d'], resizes: true },
};

/** Of the folders in clouds/. */
export const FLAVOURS: readonly Flavour[] = readdirSync(CLOUDS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => flavour(name))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The flavour of roll-outs that are not about flavours. */
export const AWS: Flavour = FLAVOURS.find(({ name }) => name === 'aws')!;

function flavour(name: string): Flavour {
  const told = TOLD[name];
  if (told === undefined)
    throw new Error(`cannot roll out on ${name}: its zones are not listed in test/sim/flavours.ts`);
  return { name, ...told, rules: parse(readFileSync(join(CLOUDS, name, 'rules.yaml'), 'utf8')) as JsonObject };
}
