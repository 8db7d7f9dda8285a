/**
 * A worker of the new version joins beside those that were updated in place, as a replacement does, and no pod of theirs
 * moves, and no pod of the DaemonSet restarts.
 */
import { stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { haveJoined, letJoin } from '../lab/provider-node.ts';
import type { Lab } from '../lab/lab.ts';
import type { Case } from './case.ts';
import { everyPod, pods } from './standing.ts';
import { EVERYWHERE } from './updates.ts';

export const replacedCase: Case = {
  name: 'replaced',
  async run(lab) {
    const { arrivals, claimed, kubectl, node } = lab;
    const wanted = claimed.machines.findLast(({ part }) => part === 'worker')!;
    const version = stringAt(wanted.spec, 'version') ?? '';
    const before = await standing(kubectl);
    const provider = await letJoin(lab, [wanted]);
    const machine = lab.boot(wanted, () => undefined);
    await lab.arrive(machine, () => undefined);
    await haveJoined(lab, [wanted], provider);
    const runs = stringAt(await node(wanted.name), 'status', 'nodeInfo', 'kubeletVersion');
    hold(`${wanted.name} runs ${version}`, runs === version, runs);
    const after = await standing(kubectl);
    for (const one of before) hold(`pod ${one} is as it was`, after.includes(one), after.join(', '));
    const { seconds } = arrivals.at(-1)!;
    return `${wanted.name} runs ${version} after ${Math.round(seconds)} s; ${before.length} pods are as they were`;
  },
};

const standing = async (kubectl: Lab['kubectl']): Promise<readonly string[]> => [
  ...(await everyPod(kubectl)),
  ...(await pods(kubectl, EVERYWHERE)),
];
