/**
 * The launch configuration, read as the cluster agent of MicroK8s would if it refused what it only warns about: names of
 * fields that it does not know are ignored there, and a node would start without these settings.
 */
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import type { JsonObject } from '#lib/api/json.ts';
import { fileIn, MACHINE_KINDS, type MachineKind } from '../plans.fixture.ts';
import { LAUNCH_FILE } from './launch.ts';
import { EVERY_MICROK8S, microk8sPlans } from './microk8s.fixture.ts';

/** Null removes a flag or variable. */
const settings = z.record(z.string(), z.string().nullable()).optional();

/** Fields and types of its source, at format version 0.2.0. */
const LaunchConfiguration = z.strictObject({
  version: z.enum(['0.1.0', '0.2.0']),
  persistentClusterToken: z.string().optional(),
  join: z.strictObject({ url: z.string(), worker: z.boolean().optional() }).optional(),
  addons: z
    .array(z.strictObject({ name: z.string(), disable: z.boolean().optional(), args: z.array(z.string()).optional() }))
    .optional(),
  addonRepositories: z
    .array(z.strictObject({ name: z.string(), url: z.string(), reference: z.string().optional() }))
    .optional(),
  extraSANs: z.array(z.string()).optional(),
  containerdRegistryConfigs: z.record(z.string(), z.string()).optional(),
  extraConfigFiles: z.record(z.string(), z.string()).optional(),
  extraKubeletArgs: settings,
  extraKubeAPIServerArgs: settings,
  extraKubeProxyArgs: settings,
  extraKubeControllerManagerArgs: settings,
  extraKubeSchedulerArgs: settings,
  extraKubeliteEnv: settings,
  extraContainerdArgs: settings,
  extraContainerdEnv: settings,
  extraDqliteArgs: settings,
  extraDqliteEnv: settings,
  extraMicroK8sClusterAgentArgs: settings,
  extraMicroK8sClusterAgentEnv: settings,
  extraMicroK8sAPIServerProxyArgs: settings,
  extraMicroK8sAPIServerProxyEnv: settings,
  extraEtcdArgs: settings,
  extraEtcdEnv: settings,
  extraFlanneldArgs: settings,
  extraFlanneldEnv: settings,
  extraCNIEnv: settings,
  extraFIPSEnv: settings,
});

const PROVISIONING = {
  registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }],
  proxy: { https: 'http://proxy.example.com:3128' },
};

async function documentsOf(
  kind: MachineKind,
  config: JsonObject,
  provisioning: JsonObject,
): Promise<readonly unknown[]> {
  const plan = await microk8sPlans.planOf(kind, { config, spec: { provisioning } });
  return parseAllDocuments(fileIn(plan, LAUNCH_FILE) ?? '', { version: '1.1' }).map((one): unknown => one.toJS());
}

test.for(
  MACHINE_KINDS.flatMap((kind) => [
    { kind, name: 'the minimum', config: {}, provisioning: {} },
    { kind, name: 'everything', config: EVERY_MICROK8S, provisioning: PROVISIONING },
  ]),
)('$kind, $name: the cluster agent knows every field, and its type', async ({ kind, config, provisioning }) => {
  const documents = await documentsOf(kind, config, provisioning);
  expect(documents).toHaveLength(1);
  expect(documents.map((one) => LaunchConfiguration.safeParse(one).error?.issues)).toEqual([undefined]);
});

test.for([
  { name: 'a field with a typo', change: { extraKubeletArg: {} } },
  { name: 'a flag that is a number', change: { extraKubeletArgs: { '--max-pods': 60 } } },
  { name: 'an addon in one word', change: { addons: ['dns'] } },
  { name: 'a format that is newer', change: { version: '0.3.0' } },
])('$name would be found', async ({ change }) => {
  const [document] = await documentsOf('init', EVERY_MICROK8S, PROVISIONING);
  expect(LaunchConfiguration.safeParse({ ...(document as JsonObject), ...change }).success).toBe(false);
});
