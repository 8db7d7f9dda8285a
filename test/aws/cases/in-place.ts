/** What changes without another machine: instance type, root disk and tags; ids stay, and only a new type stops a machine. */
import type { KubeObject } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { documents, poolRef, poolSettles } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { withInputs } from '../../e2e/packages/platform.ts';
import { items, textAt } from '../cloud/xml.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';
import { actionsAbout, countOf, idsOf, instancesOf } from './instances.ts';
import { counted, inWords } from './seen.ts';

const POOL = 'prod-memory';
const TYPE = 'r6i.2xlarge';
const LIMIT_SECONDS = 300;
const RESIZE = ['StopInstances', 'ModifyInstanceAttribute', 'StartInstances'];
const SIZE = 120;
const TAG = 'cost-centre';

export const inPlaceCase: Case = {
  name: 'in place',
  after: ['claim'],
  async run(lab, log) {
    const before = await instancesOf(lab, POOL);
    const calls = lab.proxy.calls.length;
    await lab.api.apply(...documents('examples/aws/edits/instance-type.yaml'));
    await until(`AWS has ${TYPE}`, { seconds: 2 * LIMIT_SECONDS, every: 1000 }, async () => {
      const seen = (await instancesOf(lab, POOL)).map(({ type, state }) => `${type} ${state}`);
      return seen.every((one) => one === `${TYPE} running`) ? { found: true } : { yet: seen.join() };
    });
    await poolSettles(lab, POOL, before.length, LIMIT_SECONDS);
    hold('the machines are the same', idsOf(await instancesOf(lab, POOL)) === idsOf(before));
    const orders = before.map(({ id }) => actionsAbout(id, lab.proxy.since(calls), RESIZE).join());
    hold(
      'each is stopped, changed and started once',
      orders.every((one) => one === RESIZE.join()),
      orders.join(' and '),
    );
    log(`${TYPE}: ${RESIZE.join(', ')} for each of ${before.length}`);

    const disks = await rootDisks(lab);
    const tags = await tagged(lab);
    hold('the machines are still the same', idsOf(await instancesOf(lab, POOL)) === idsOf(before));
    return `${before.length} machines ${TYPE} by ${RESIZE.join(', ')}; ${disks}; ${tags}; same ids`;
  },
};

async function rootDisks(lab: AwsLab): Promise<string> {
  const calls = lab.proxy.calls.length;
  await lab.api.patch(poolRef(POOL), { spec: { machine: { rootDisk: { sizeGiB: SIZE } } } });
  await until(`root disks have ${SIZE} GiB`, { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    const sizes = await Promise.all((await instancesOf(lab, POOL)).map(({ id }) => sizeOfRoot(lab, id)));
    return sizes.every((size) => size === String(SIZE)) ? { found: true } : { yet: sizes.join() };
  });
  await poolSettles(lab, POOL, 2, LIMIT_SECONDS);
  const seen = lab.proxy.since(calls);
  hold('no machine is stopped for a larger disk', countOf(seen, 'StopInstances') === 0);
  return `root disks of ${SIZE} GiB by ${countOf(seen, 'ModifyVolume')} ModifyVolume`;
}

async function sizeOfRoot({ aws }: AwsLab, id: string): Promise<string> {
  const answer = await aws.call('ec2', 'DescribeVolumes', {
    'Filter.1.Name': 'attachment.instance-id',
    'Filter.1.Value.1': id,
  });
  const root = items(answer, 'volumeSet').find((one) =>
    items(one, 'attachmentSet').some((attachment) => textAt(attachment, 'device') === '/dev/sda1'),
  );
  return textAt(root, 'size');
}

/** Of the platform, as it writes them into its Composition: they reach every object, and none is made again. */
async function tagged(lab: AwsLab): Promise<string> {
  const calls = lab.proxy.calls.length;
  await compositionWith(lab, { ClusterInput: { tags: { [TAG]: 'lab' } } });
  const all = await instancesOf(lab);
  await until('every machine has the tag', { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    const missing = (await instancesOf(lab)).filter(({ tags }) => tags.get(TAG) !== 'lab');
    return missing.length === 0 ? { found: true } : { yet: `${missing.length} without it` };
  });
  const seen = lab.proxy.since(calls).filter(({ action }) => /Instances|Volume|Delete|Create(?!Tags)/.test(action));
  const others = seen.filter(({ action }) => !action.startsWith('Describe'));
  hold('tags change and nothing else', others.length === 0, inWords(counted(others.map(({ action }) => action))));
  return `a tag on ${all.length} machines by ${countOf(lab.proxy.since(calls), 'CreateTags')} CreateTags`;
}

/** Writes inputs into the Composition for Clusters, as the platform would into its own. */
export async function compositionWith({ api }: AwsLab, inputs: Readonly<Record<string, object>>): Promise<void> {
  const ref = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'clusters.aws.slipway.dev' };
  const [changed] = withInputs([await api.get(ref)], inputs as Parameters<typeof withInputs>[1]);
  const { spec } = changed as KubeObject;
  await api.patch(ref, { spec: { pipeline: spec?.['pipeline'] } });
}
