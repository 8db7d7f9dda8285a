/** The claim of examples/aws for one pair: three control-plane machines and a worker. */
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { leastConfig } from '../../functions/bootstrap/least.fixture.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import type { Pair } from './pairs.ts';

/** Of Kubernetes, where the least configuration of a bootstrapper is older than the version of the example. */
const VERSIONS: Readonly<Record<string, string>> = { talos: 'v1.36.2' };

export function claimOf({ provider, format }: Pair): readonly KubeObject[] {
  const objects = readObjects([join(ROOT, 'examples/aws')]);
  const cluster = objects.find(({ kind }) => kind === 'Cluster')!;
  const pool = objects.find(({ kind }) => kind === 'NodePool')!;
  const provisioning = { ...sayable(cluster.spec?.['provisioning'], format), format };
  const bootstrap = { provider, config: leastConfig(provider) };
  const version = VERSIONS[provider] ?? cluster.spec?.['version'];
  return [
    { ...cluster, spec: { ...cluster.spec, version, bootstrap, provisioning } },
    { ...pool, spec: { ...pool.spec, replicas: 1 } },
  ];
}

/** A format refuses fields that it cannot express. */
function sayable(provisioning: unknown, format: string): JsonObject {
  const limits = PROVISIONERS[format]?.limits ?? {};
  const fields = isJsonObject(provisioning) ? Object.entries(provisioning) : [];
  return Object.fromEntries(fields.filter(([field]) => !Object.hasOwn(limits, field)));
}
