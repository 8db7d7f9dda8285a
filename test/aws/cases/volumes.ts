/**
 * Disks of a claim, and volumes that somebody else attaches, as a CSI driver does: the machine changes its type and goes
 * with them attached, and the provider does not panic.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { INSTANCE, poolRef, poolSettles, SLIPWAY, TEAM } from '../../e2e/cases/scene.ts';
import { pause, until } from '../../e2e/lab/waiting.ts';
import { condition } from '../../e2e/packages/install.ts';
import type { Instance } from '../cloud/aws.ts';
import { items, textAt } from '../cloud/xml.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import { POLL } from '../provider/process.ts';
import type { Case } from './case.ts';
import { countOf, idsOf, instancesOf, namesOf, oneEach } from './instances.ts';

/** One pool of machines without and one with disks of the claim. */
const POOLS = ['prod-plain', 'prod-data'] as const;
const DISK = { name: 'data', sizeGiB: 20 } as const;
const LIMIT_SECONDS = 300;

export const volumesCase: Case = {
  name: 'volumes',
  after: ['claim'],
  async run(lab, log) {
    await lab.api.apply(pool(POOLS[0]), pool(POOLS[1], [DISK]));
    for (const name of POOLS) await poolSettles(lab, name, 1, LIMIT_SECONDS);
    const made = await both(lab);
    hold('the data disk is there', made[1]?.volumes.size === 2, [...(made[1]?.volumes.keys() ?? [])].join());
    const ids = await Promise.all(made.map((one) => attached(lab, one)));
    await pause(3 * POLL * 1000);
    await healthy(lab, 'with a volume of somebody else');
    log('both have a volume of somebody else');

    const calls = lab.proxy.calls.length;
    for (const name of POOLS) await lab.api.patch(poolRef(name), { spec: { machine: { class: 'standard-4' } } });
    await until('both have another type', { seconds: 2 * LIMIT_SECONDS, every: 1000 }, async () => {
      const types = (await both(lab)).map(({ type, state }) => `${type} ${state}`);
      return types.every((type) => type === 'm6i.xlarge running') ? { found: true } : { yet: types.join() };
    });
    for (const name of POOLS) await poolSettles(lab, name, 1, LIMIT_SECONDS);
    hold('the machines are the same', idsOf(await both(lab)) === idsOf(made));
    await healthy(lab, 'after another type');
    const after = await both(lab);
    hold(
      'the volumes stay attached',
      after.every((one, at) => [...one.volumes.values()].includes(ids[at] ?? '')),
    );
    log('both have another type, with the volume attached');

    for (const name of POOLS) await lab.api.delete(poolRef(name));
    await until('both Machines are gone', { seconds: 2 * LIMIT_SECONDS, every: 1000 }, async () => {
      const left = (await Promise.all(POOLS.map((name) => namesOf(lab, name)))).flat();
      return left.length === 0 ? { found: true } : { yet: left.join() };
    });
    await oneEach(lab, 2 * LIMIT_SECONDS);
    const terminated = countOf(lab.proxy.since(calls), 'TerminateInstances');
    hold(
      'each is terminated once, and none is made again',
      terminated === 2 && countOf(lab.proxy.since(calls), 'RunInstances') === 0,
      String(terminated),
    );
    const left = await volumesLeft(lab, made);
    hold('what was attached stays, and the disks of machines go', left.join() === ids.toSorted().join(), left.join());
    return `machines without and with a data disk: a volume attached, another type, deletion with it attached; 0 panics, ${terminated} TerminateInstances, ${ids.length} volumes of somebody else left`;
  },
};

function pool(name: string, dataDisks?: readonly (typeof DISK)[]): KubeObject {
  return {
    apiVersion: SLIPWAY,
    kind: 'NodePool',
    metadata: { name, namespace: TEAM },
    spec: {
      crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } },
      clusterRef: { name: 'prod' },
      replicas: 1,
      machine: { class: 'standard-2', ...(dataDisks === undefined ? {} : { dataDisks }) },
      update: { maxSurge: 0, maxUnavailable: 1 },
    },
  };
}

async function both(lab: AwsLab): Promise<readonly Instance[]> {
  return (await Promise.all(POOLS.map((name) => instancesOf(lab, name)))).flat();
}

/** @returns the id of the volume */
async function attached({ aws }: AwsLab, { id, zone }: Instance): Promise<string> {
  const made = await aws.call('ec2', 'CreateVolume', { AvailabilityZone: zone, Size: '7', VolumeType: 'gp3' });
  const volume = textAt(made, 'volumeId');
  await aws.call('ec2', 'AttachVolume', { VolumeId: volume, InstanceId: id, Device: '/dev/xvdaa' });
  return volume;
}

/** A frozen status would hide a panic, so that these are counted too. */
async function healthy(lab: AwsLab, when: string): Promise<void> {
  const panics = await lab.provider.panics();
  hold(`no reconcile panics ${when}`, panics === 0, String(panics));
  const objects = await lab.api.list({ ...INSTANCE, namespace: TEAM });
  const bad = objects.filter((one) => condition(one, 'Synced')?.['status'] !== 'True');
  const words = bad.map((one) => `${one.metadata?.name ?? ''}: ${String(condition(one, 'Synced')?.['message'])}`);
  hold(`every Instance is synced ${when}`, bad.length === 0, words.join('; '));
}

/** Volumes that are there, and were attached to these machines or belong to somebody else. */
async function volumesLeft({ aws }: AwsLab, machines: readonly Instance[]): Promise<readonly string[]> {
  const own = new Set(machines.flatMap(({ volumes }) => [...volumes.values()]));
  const answer = await aws.call('ec2', 'DescribeVolumes');
  const all = items(answer, 'volumeSet').map((one) => ({ id: textAt(one, 'volumeId'), size: textAt(one, 'size') }));
  return all
    .filter(({ id, size }) => own.has(id) || size === '7')
    .map(({ id }) => id)
    .toSorted();
}
