/**
 * What all bootstrappers have in common for `spec.bootstrap.config`: how it is read, what a pool may not set, flags.
 */
import { z } from 'zod';
import { line } from '#lib/api/fields/text.ts';
import { sameJson } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import type { Call } from './bootstrapper.ts';

/** Flags by name, without their dashes. */
export type Flags = Readonly<Record<string, string>>;

const areNames = (flags: Flags): boolean => Object.keys(flags).every((flag) => /^[A-Za-z][^\s=]*$/.test(flag));

export const flags = () =>
  z
    .record(z.string(), line())
    .refine(areNames, {
      error: 'has a flag that does not start with a letter; accepted: flag names without leading dashes',
    })
    .prefault({})
    .describe('Flags without their dashes.');

/** Throws InvalidClaim naming the field by its place in the claim. @param owner how to call the claim */
export function readClaimConfig<Config>(schema: z.ZodType<Config>, config: unknown, owner: string): Config {
  const nested = nestings.get(schema) ?? nestedIn(schema);
  nestings.set(schema, nested);
  const claim = parseAs(nested, { spec: { bootstrap: { config } } }, owner) as Nested<Config>;
  return claim.spec.bootstrap.config;
}

/** zod compiles each schema when it is used first. */
const nestings = new WeakMap<z.ZodType, z.ZodType>();

function nestedIn(schema: z.ZodType): z.ZodType {
  return z.looseObject({ spec: z.looseObject({ bootstrap: z.looseObject({ config: schema }) }) });
}

interface Nested<Config> {
  readonly spec: { readonly bootstrap: { readonly config: Config } };
}

/**
 * The configuration of a machine and of its Cluster, in that order.
 * @param read throws InvalidClaim naming the field
 * @param ofTheCluster fields that a worker pool may not set
 */
export function readConfigs<Config extends object>(
  { composite: machine, owner }: Call<Machine>,
  cluster: Cluster,
  read: (config: unknown, owner: string) => Config,
  ofTheCluster: readonly (keyof Config & string)[],
): readonly [Config, Config] {
  const config = read(machine.spec.bootstrap.config, owner);
  const clusterConfig = read(cluster.spec.bootstrap.config, describeObject(cluster));
  if (machine.spec.role === 'worker') refuseClusterWide(ofTheCluster, config, clusterConfig, owner);
  return [config, clusterConfig];
}

/** A worker pool cannot change what applies to the whole cluster; ignoring it silently would be wrong. */
function refuseClusterWide<Config extends object>(
  fields: readonly (keyof Config & string)[],
  pool: Config,
  cluster: Config,
  owner: string,
): void {
  const field = fields.find((name) => !sameJson(pool[name] ?? null, cluster[name] ?? null));
  if (field === undefined) return;
  throw refusalFor(
    owner,
    `spec.bootstrap.config.${field}`,
    'applies to the whole cluster; accepted: the value of the Cluster, so remove it from the pool',
  );
}
