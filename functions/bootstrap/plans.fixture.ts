/** Machines of one bootstrapper, and their plans; nothing in it is a real secret. */
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import {
  aBootstrappedCluster,
  type Bootstrapped,
  machineOf,
  machineRequest,
  MACHINES,
} from '../../test/support/first-boot.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { aWorld } from '../../test/support/request.ts';
import { run } from './fn.ts';

export type MachineKind = keyof typeof MACHINES;
export const MACHINE_KINDS: readonly MachineKind[] = ['init', 'control-plane', 'worker'];

export interface Wanted {
  readonly config?: JsonObject;
  /** Of the pool; default: that of the Cluster. */
  readonly poolConfig?: JsonObject;
  readonly spec?: JsonObject;
  readonly version?: string;
  /** Additional fields of the spec of the Cluster. */
  readonly cluster?: JsonObject;
}

export interface Plans {
  readonly clusterOf: (wanted?: Wanted, initialized?: boolean) => Promise<Bootstrapped>;
  readonly machine: (kind: MachineKind, config?: JsonObject, spec?: JsonObject) => KubeObject;
  readonly requestOf: (kind: MachineKind, wanted?: Wanted) => Promise<Request>;
  readonly planOf: (kind: MachineKind, wanted?: Wanted) => Promise<ScriptedPlan>;
}

export function plansOf(provider: string, newest = 'v1.35.4'): Plans {
  /** One cluster for every configuration, before and after it was initialized, because creating keys is slow. */
  const clusters = new Map<string, Promise<Bootstrapped>>();
  const clusterOf: Plans['clusterOf'] = ({ config = {}, version = newest, cluster = {} } = {}, initialized = true) => {
    const key = JSON.stringify([config, version, cluster, initialized]);
    const spec = { version, bootstrap: { provider, config }, ...cluster };
    const found = clusters.get(key) ?? aBootstrappedCluster({ spec, initialized });
    clusters.set(key, found);
    return found;
  };
  const machine: Plans['machine'] = (kind, config = {}, spec = {}) => machineOf(kind, spec, config, provider);
  const requestOf: Plans['requestOf'] = async (kind, wanted = {}) => {
    const { config = {}, poolConfig = config, spec = {}, version = newest } = wanted;
    const cluster = await clusterOf(wanted, kind !== 'init');
    return machineRequest(cluster, machine(kind, poolConfig, { version, ...spec }));
  };
  const planOf: Plans['planOf'] = async (kind, wanted) => {
    const reply = await replyOf(run, await requestOf(kind, wanted));
    return ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
  };
  return { clusterOf, machine, requestOf, planOf };
}

/** The text of a file of the plan; undefined if there is no such file. */
export function fileIn({ files }: ScriptedPlan, path: string): string | undefined {
  const found = files.find((file) => file.path === path);
  return found === undefined ? undefined : Buffer.from(found.content, 'base64').toString();
}

/** Scripts among the files of a plan. */
export function scriptsIn({ files }: ScriptedPlan): readonly string[] {
  return files
    .map(({ content }) => Buffer.from(content, 'base64').toString())
    .filter((text) => text.startsWith('#!/bin/sh\n'));
}

/** The error that refuses a request. */
export async function refusedWith(request: Request): Promise<SlipwayError> {
  try {
    const reply = (await run(request, aWorld())).build();
    throw new Error(`it was not refused: ${JSON.stringify(reply.conditions)}`);
  } catch (thrown) {
    if (thrown instanceof SlipwayError) return thrown;
    throw thrown;
  }
}
