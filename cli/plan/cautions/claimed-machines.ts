/** The machines that a Cluster or a pool would have, by its words and its Composition: nothing is called. */
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Step } from '#simulator/reconcile/composition.ts';
import { isEnvironmentConfig } from '../environment.ts';
import { ownerOf } from '../machines.ts';
import { machinePipeline, pipelineFor } from '../pipelines.ts';
import { find, isSlipway, nameOf, type PlanWorld } from '../world.ts';

export type World = Omit<PlanWorld, 'functions'>;

/** What is known of the machines that a Cluster or a pool makes. */
export interface ClaimedMachines {
  readonly claim: KubeObject;
  /** Undefined: there is none in the world. */
  readonly cluster: KubeObject | undefined;
  readonly machine: unknown;
  /** Undefined: nobody says it. */
  readonly cloud: string | undefined;
  readonly defaultImage: string | undefined;
  /** What the platform calls sizes. */
  readonly classes: Readonly<Record<string, string>>;
  /** Inputs of Slipway's steps: of the claim, and of its machines. Undefined: there is none. */
  readonly input: JsonObject;
  readonly ofMachine: JsonObject | undefined;
}

/** Undefined: its Composition has no step of ours. */
export function machinesOf(world: World, claim: KubeObject): ClaimedMachines | undefined {
  const input = inputIn(pipelineFor(world, claim), claim.kind);
  if (input === undefined) return undefined;
  const isCluster = isSlipway(claim, 'Cluster');
  const ref = { kind: 'Cluster', namespace: claim.metadata?.namespace, name: ownerOf(claim).cluster };
  const cluster = isCluster ? claim : find(world, ref);
  const ofCluster = isCluster || cluster === undefined ? undefined : inputIn(pipelineFor(world, cluster), 'Cluster');
  const ofMachine = inputIn(machinePipeline(world, claim), 'Machine');
  return {
    claim,
    cluster,
    machine: isCluster ? at(claim.spec, 'controlPlane', 'machine') : at(claim.spec, 'machine'),
    cloud: stringAt(input, 'cloud') ?? stringAt(ofCluster, 'cloud'),
    defaultImage: defaultImageOf(world, input),
    classes: classesOf(world, ofMachine ?? input),
    input,
    ofMachine,
  };
}

function inputIn(steps: readonly Step[], kind: string): JsonObject | undefined {
  const inputs = steps.map(({ input }) => input);
  return inputs.filter(isJsonObject).find((input) => stringAt(input, 'kind') === `${kind}Input`);
}

/** Of first boot: that of the claim, else that of its Cluster. */
export function formatOf({ claim, cluster }: Pick<ClaimedMachines, 'claim' | 'cluster'>): string | undefined {
  return stringAt(claim.spec, 'provisioning', 'format') ?? stringAt(cluster?.spec, 'provisioning', 'format');
}

function defaultImageOf(world: Pick<World, 'objects'>, input: JsonObject): string | undefined {
  return stringAt(configOf(world, input), 'data', 'defaultImage') ?? stringAt(input, 'defaultImage');
}

function classesOf(world: Pick<World, 'objects'>, input: JsonObject): Readonly<Record<string, string>> {
  const tables = [at(input, 'classes'), at(configOf(world, input), 'data', 'classes')].filter(isJsonObject);
  return Object.assign({}, ...tables) as Readonly<Record<string, string>>;
}

/** What the platform adds to an input. */
function configOf({ objects }: Pick<World, 'objects'>, input: JsonObject): KubeObject | undefined {
  const name = stringAt(input, 'environmentConfig');
  return objects.find((one) => isEnvironmentConfig(one) && nameOf(one) === name);
}
