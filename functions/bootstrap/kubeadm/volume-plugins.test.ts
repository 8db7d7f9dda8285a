import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { type JsonObject, at } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { aBootstrappedCluster, machineOf, machineRequest, MACHINES } from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { PROVISIONER_TRAITS } from '../../provisioning/traits.ts';
import { run } from '../fn.ts';

type Kind = keyof typeof MACHINES;

/** The folders that the controller manager and the kubelet of a machine are told. */
async function foldersOf(kind: Kind, format: string, version: string, config: JsonObject = {}) {
  const spec = { version, bootstrap: { provider: 'kubeadm', config } };
  const cluster = await aBootstrappedCluster({ spec, initialized: kind !== 'init' });
  const machine = machineOf(kind, { version, provisioning: { format } }, config);
  const { context } = await replyOf(run, machineRequest(cluster, machine));
  const plan = context[CONTEXT.bootstrapPlan] as unknown as ScriptedPlan;
  const { content = '' } = plan.files.find(({ path }) => path === '/etc/kubernetes/kubeadm.yaml') ?? {};
  const documents = parseAllDocuments(Buffer.from(content, 'base64').toString()).map((one): unknown => one.toJS());
  const flag = (name: string, ...path: readonly string[]) =>
    documents
      .map((document) => at(document, ...path))
      .flatMap((flags) => (Array.isArray(flags) ? flags : []))
      .find((one) => at(one, 'name') === name);
  return {
    manager: at(flag('flex-volume-plugin-dir', 'controllerManager', 'extraArgs'), 'value'),
    kubelet: at(flag('volume-plugin-dir', 'nodeRegistration', 'kubeletExtraArgs'), 'value'),
  };
}

const FOLDER = '/var/lib/kubelet/volume-plugins';

describe('the folder of volume plug-ins, which kubeadm before v1.36 mounts', () => {
  test.for<[Kind, string, string, JsonObject]>([
    ['init', 'ignition', 'v1.35.4', { manager: FOLDER, kubelet: FOLDER }],
    ['worker', 'ignition', 'v1.35.4', { kubelet: FOLDER }],
    ['init', 'cloud-init', 'v1.35.4', {}],
    ['init', 'ignition', 'v1.36.0', {}],
  ])('can be written to: %s, %s, %s', async ([kind, format, version, folders]) => {
    expect(await foldersOf(kind, format, version)).toEqual({ manager: undefined, kubelet: undefined, ...folders });
  });

  test.for(Object.entries(PROVISIONER_TRAITS).filter(([, { payload }]) => payload === 'ignition'))(
    'can be written to on images of every format of Ignition: %s',
    async ([format]) => {
      expect((await foldersOf('init', format, 'v1.35.4')).manager).toBe(FOLDER);
    },
  );

  test('is that of the controller manager for the kubelet, too, unless the kubelet has one of its own', async () => {
    const controllerManager = { extraArgs: { 'flex-volume-plugin-dir': '/opt/plugins' } };
    const ofBoth = { manager: '/opt/plugins', kubelet: '/opt/plugins' };
    expect(await foldersOf('init', 'ignition', 'v1.35.4', { controllerManager })).toEqual(ofBoth);
    const kubeletConfiguration = { volumePluginDir: '/opt/plugins' };
    const ofManager = { manager: '/opt/plugins', kubelet: undefined };
    expect(await foldersOf('init', 'ignition', 'v1.35.4', { controllerManager, kubeletConfiguration })).toEqual(
      ofManager,
    );
  });

  test('is that of the claim, if it names one', async () => {
    const extraArgs = { 'flex-volume-plugin-dir': '/opt/plugins' };
    const kubelet = { extraArgs: { 'volume-plugin-dir': '/opt/plugins' } };
    expect(await foldersOf('init', 'ignition', 'v1.35.4', { controllerManager: { extraArgs }, kubelet })).toEqual({
      manager: '/opt/plugins',
      kubelet: '/opt/plugins',
    });
  });
});
