/** A settled cluster is left alone for ten minutes: nothing of Slipway writes, and the requests that remain are counted. */
import { requestsIn } from '../audit/log.ts';
import { crossplaneKinds, kindsOf, requestsOf } from '../audit/tally.ts';
import type { Lab } from '../lab/lab.ts';
import { pause } from '../lab/waiting.ts';
import { type Write, WriteRecorder } from '../writes/recorder.ts';
import { type Case, hold } from './case.ts';
import { workloadRequests } from './drained.ts';
import { machinesOf, TEAM } from './scene.ts';

/** What the last change caused is over, such as a time-to-live of functions that was for the change. */
const SETTLES_MS = 120_000;
const RESTS_MINUTES = 10;

export const restCase: Case = {
  name: 'rest',
  after: ['claim'],
  async run(lab, log) {
    await pause(SETTLES_MS);
    const before = await requests(lab);
    const begun = requestsIn(lab.kubernetes.audit).length;
    const asked = (await workloadRequests(lab)).length;
    const recorder = new WriteRecorder(lab.api, TEAM);
    await pause(RESTS_MINUTES * 60_000);
    const writes = recorder.stop().map(inWords);
    const management = requestsIn(lab.kubernetes.audit).slice(begun);
    const workload = (await workloadRequests(lab)).slice(asked);
    const kinds = crossplaneKinds(TEAM, management);
    log(`requests of Crossplane in ${RESTS_MINUTES} minutes: ${kinds.join(', ')}`);
    log(`requests of provider-node: ${kindsOf(management, workload).join(', ')}`);
    hold(`nothing is written in ${RESTS_MINUTES} minutes`, writes.length === 0, writes.slice(0, 20).join('; '));
    const after = await requests(lab);
    const perMinute = (count: number, machines: number): string => (count / machines / RESTS_MINUTES).toFixed(2);
    const machines = (await machinesOf(lab)).length;
    const [crossplane, own] = [after.crossplane - before.crossplane, after.own - before.own];
    return `${machines} machines, nothing written; requests of each in a minute: Crossplane ${perMinute(crossplane, machines)}, provider-node ${perMinute(own, machines)}`;
  },
};

async function requests(lab: Lab): Promise<{ readonly crossplane: number; readonly own: number }> {
  const all = requestsOf(TEAM, requestsIn(lab.kubernetes.audit), await workloadRequests(lab));
  return { crossplane: all.crossplane, own: all.provider + all.workload };
}

function inWords({ kind, name, writer }: Write): string {
  return `${kind}/${name} by ${writer}`;
}
