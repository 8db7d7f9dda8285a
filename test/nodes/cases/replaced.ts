/**
 * A worker of the new version joins beside those that were updated in place, as a replacement does, and no pod of theirs
 * moves or restarts.
 */
import { stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { haveJoined, letJoin } from '../lab/provider-node.ts';
import type { Case } from './case.ts';
import { pods } from './standing.ts';

export const replacedCase: Case = {
  name: 'replaced',
  async run(lab) {
    const { arrivals, claimed, kubectl, node } = lab;
    const wanted = claimed.machines.findLast(({ part }) => part === 'worker')!;
    const version = stringAt(wanted.spec, 'version') ?? '';
    const before = await pods(kubectl);
    const provider = await letJoin(lab, [wanted]);
    const machine = lab.boot(wanted, () => undefined);
    await lab.arrive(machine, () => undefined);
    await haveJoined(lab, [wanted], provider);
    const runs = stringAt(await node(wanted.name), 'status', 'nodeInfo', 'kubeletVersion');
    hold(`${wanted.name} runs ${version}`, runs === version, runs);
    const after = await pods(kubectl);
    for (const one of before) hold(`pod ${one} is as it was`, after.includes(one), after.join(', '));
    const { seconds } = arrivals.at(-1)!;
    return `${wanted.name} runs ${version} after ${Math.round(seconds)} s; ${before.length} pods are as they were`;
  },
};
