/**
 * A settled cluster is left alone until the provider has looked at every machine ten times: no spec changes, nobody asks
 * AWS for a change. What the looks cost is told for each kind.
 */
import { AWS_KINDS, apiVersionOf, groupOf } from '#clouds/aws/kinds.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { requestsIn } from '../../e2e/audit/log.ts';
import { hold } from '../../e2e/cases/case.ts';
import { machinesOf, nameOf, TEAM } from '../../e2e/cases/scene.ts';
import { lengthOf } from '../../e2e/audit/log.ts';
import { pause, until } from '../../e2e/lab/waiting.ts';
import { ENDED } from '../cloud/aws.ts';
import { type Call, isRead } from '../cloud/call.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import { POLL } from '../provider/process.ts';
import type { Case } from './case.ts';
import { costOf } from './cost.ts';
import { counted, inWords } from './seen.ts';

const POLLS = 10;
/** Nobody changed anything for that long. */
const SETTLED_MS = 3 * POLL * 1000;

export const restCase: Case = {
  name: 'rest',
  after: ['claim'],
  async run(lab, log) {
    await settled(lab);
    const before = await generations(lab);
    const [calls, audit] = [lab.proxy.calls.length, lengthOf(lab.kubernetes.audit)];
    const began = Date.now();
    log(`settled: ${before.size} managed resources`);
    await until('the provider looks at every machine ten times', { seconds: 600, every: 1000 }, async () => {
      const looks = await looksAt(lab, lab.proxy.since(calls));
      const least = Math.min(...looks.values());
      return least >= POLLS ? { found: true } : { yet: `${least} looks` };
    });
    const seen = lab.proxy.since(calls);
    const after = await generations(lab);
    const changed = [...after].flatMap(([name, { generation }]) =>
      before.get(name)?.generation === generation ? [] : [`${name} ${before.get(name)?.generation} → ${generation}`],
    );
    const writes = counted(specWrites(lab, audit));
    log(`writes to specs, changed or not: ${inWords(writes)}`);
    const mutations = counted(seen.filter((call) => !isRead(call)).map(({ action, about }) => `${action} ${about}`));
    const lines = costOf(seen, POLLS);
    for (const line of lines) log(line);
    hold('no spec changes', changed.length === 0, changed.join(', '));
    hold('AWS is asked for no change', mutations.size === 0, inWords(mutations));
    const high = [...after.values()].map(({ generation }) => generation);
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    return `${after.size} managed resources, ${POLLS} polls in ${minutes} min: 0 generations changed (highest ${Math.max(...high)}), 0 mutating of ${seen.length} calls, ${(seen.length / after.size / POLLS).toFixed(1)} calls per object and poll`;
  },
};

/** No change is asked of AWS for a while. */
async function settled({ proxy }: AwsLab): Promise<void> {
  await until('nothing changes any more', { seconds: 600, every: 5000 }, () => {
    const last = proxy.calls.findLast((call) => !isRead(call));
    const ago = Date.now() - (last?.at ?? 0);
    return ago >= SETTLED_MS ? { found: true } : { yet: `${last?.action ?? ''} ${Math.round(ago / 1000)} s ago` };
  });
  await pause(SETTLED_MS);
}

interface Generation {
  readonly generation: number;
}

/** Of every managed resource of the team, by kind and name. */
export async function generations({ api }: AwsLab): Promise<ReadonlyMap<string, Generation>> {
  const lists = await Promise.all(
    AWS_KINDS.map((kind) => api.list({ apiVersion: apiVersionOf(kind), kind, namespace: TEAM })),
  );
  return new Map(lists.flat().map((one) => [`${one.kind}/${nameOf(one)}`, { generation: generationOf(one) }]));
}

function generationOf({ metadata }: KubeObject): number {
  const { generation } = (metadata ?? {}) as { readonly generation?: number };
  return generation ?? 0;
}

async function looksAt(lab: AwsLab, calls: readonly Call[]): Promise<ReadonlyMap<string, number>> {
  const names = new Set((await machinesOf(lab)).map(nameOf));
  const own = (await lab.aws.instances()).filter(
    ({ tags, state }) => names.has(tags.get('Name') ?? '') && !ENDED.has(state),
  );
  const looks = counted(calls.filter(({ action }) => action === 'DescribeInstances').map(({ about }) => about));
  return new Map(own.map(({ id }) => [id, looks.get(id) ?? 0]));
}

const GROUPS: ReadonlySet<string> = new Set(AWS_KINDS.map(groupOf));
const WRITES = new Set(['create', 'update', 'patch', 'delete']);

/** Requests that may change a spec, by kind and who asked. */
function specWrites({ kubernetes: { audit } }: AwsLab, from: number): readonly string[] {
  return requestsIn(audit, from)
    .filter(({ objectRef, verb }) => GROUPS.has(objectRef?.apiGroup ?? '') && WRITES.has(verb))
    .filter(({ objectRef }) => objectRef?.subresource === undefined)
    .map(({ objectRef, verb, user }) => `${verb} ${objectRef?.resource ?? ''} by ${user.username.split(':').at(-1)}`);
}
