/**
 * What all bootstrappers have in common for `spec.bootstrap.config`: how it is read, what a pool may not set, flags.
 */
import { z } from 'zod';
import { line } from '#lib/api/fields/text.ts';
import { own, sameJson } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { foreignFault, textFault, textsIn } from '#lib/api/machine-variables.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import type { Call } from './bootstrapper.ts';
import { type FlagFields, refuseRemovedFlags } from './removed-flags.ts';

export { type FlagFields, refuseRemovedFlags } from './removed-flags.ts';

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

/** What a bootstrapper makes of `spec.bootstrap.config`, and what it refuses of it. */
export interface ConfigRules<Config extends object> {
  /** Throws InvalidClaim naming the field. */
  readonly read: (config: unknown, owner: string) => Config;
  /** Fields that a worker pool may not set. */
  readonly ofTheCluster: readonly (keyof Config & string)[];
  /** Paths of lists of names and addresses that certificates are for; left out: none. */
  readonly hosts?: readonly (readonly string[])[];
  readonly flags: FlagFields;
  /** Whether the first boot of its machines replaces references such as ${SLIPWAY_ADDRESS} in flags of the kubelet. */
  readonly expands?: true;
  /** Whether it refuses names among them that are no DNS name in lower case; left out: it takes any. */
  readonly checksHosts?: boolean;
  /** Throws for what is read, and no machine can have. */
  readonly refuse?: (config: Config, asked: AskedConfig<Config>) => void;
}

interface AskedConfig<Config> {
  readonly ofCluster: Config;
  readonly role: Machine['spec']['role'];
  /** Of Kubernetes, on the machine. */
  readonly version: string;
  /** Name of the claim in messages. */
  readonly owner: string;
}

/** The configuration of a machine and of its Cluster, in that order. */
export function readConfigs<Config extends object>(
  { composite: machine, owner }: Call<Machine>,
  cluster: Cluster,
  rules: ConfigRules<Config>,
): readonly [Config, Config] {
  const { role, version, bootstrap } = machine.spec;
  const config = rules.read(bootstrap.config, owner);
  const ofCluster = rules.read(cluster.spec.bootstrap.config, describeObject(cluster));
  refuseIn(rules, config, { ofCluster, role, version, owner });
  return [config, ofCluster];
}

/** Refuses a claim as it would refuse its machines. */
export type RefuseConfig = (config: unknown, asked: AskedConfig<unknown>) => void;

export function refusing<Config extends object>(rules: ConfigRules<Config>): RefuseConfig {
  return (config, { ofCluster, ...asked }) => {
    const { owner } = asked;
    refuseIn(rules, rules.read(config, owner), { ...asked, ofCluster: rules.read(ofCluster, owner) });
  };
}

function refuseIn<Config extends object>(
  { ofTheCluster, flags, expands, refuse }: ConfigRules<Config>,
  config: Config,
  asked: AskedConfig<Config>,
): void {
  if (asked.role === 'worker') refuseClusterWide(ofTheCluster, config, asked.ofCluster, asked.owner);
  refuseRemovedFlags(flags, config, asked);
  refuseWords(config, expands === true ? flags.kubelet?.join('.') : undefined, asked.owner);
  refuse?.(config, asked);
}

/** Throws InvalidClaim for words that no machine replaces. @param takes  the field with the flags of the kubelet */
function refuseWords(config: object, takes: string | undefined, owner: string): void {
  const own = 'has another value on each machine';
  const instead = takes === undefined ? `${own}; accepted: the value itself` : `${own}; accepted: in ${takes}`;
  const fault = textFault(config, (path) => (takes !== undefined && path.startsWith(takes) ? true : instead));
  const foreign = textsIn(config).map(([path, text]) => ({ path, reason: foreignFault(text) }));
  const found = fault ?? foreign.find(({ reason }) => reason !== undefined);
  if (found?.reason !== undefined) throw refusalFor(owner, `spec.bootstrap.config.${found.path}`, found.reason);
}

/** Throws InvalidClaim for a key that has its own field. @param owned by key, what is accepted */
export function refuseOwned(
  given: Readonly<Record<string, unknown>>,
  owned: Readonly<Record<string, string>>,
  field: string,
  owner: string,
): void {
  for (const [key, instead] of Object.entries(owned))
    if (given[key] !== undefined) throw refusal(owner, `spec.bootstrap.config.${field}.${key}`, given[key], instead);
}

/** The same for a list of flags, such as `--node-labels=a=b`. @param owned by the name of the flag */
export function refuseOwnedFlags(
  flags: readonly string[],
  owned: Readonly<Record<string, string>>,
  field: string,
  owner: string,
): void {
  for (const [index, flag] of flags.entries()) {
    const instead = own(owned, flag.replace(/^-+/, '').split('=')[0] ?? '');
    if (instead !== undefined) throw refusal(owner, `spec.bootstrap.config.${field}[${index}]`, flag, instead);
  }
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
