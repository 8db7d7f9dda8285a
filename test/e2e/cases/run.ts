/** Runs one case: the cases it needs must have passed; if it throws, the message is its result, in one line. */
import { messageOf } from '#lib/api/errors.ts';
import type { Lab } from '../lab/lab.ts';
import { type AllCalls, callsSince, readCalls } from '../report/call-metrics.ts';
import type { Counts, Outcome } from '../report/table.ts';
import { breakersSince, readBreakers } from '../writes/breaker.ts';
import { WriteRecorder } from '../writes/recorder.ts';
import { reportOf } from '../writes/tally.ts';
import type { Case } from './case.ts';
import { INSTALL, settingsOf } from './documented.ts';
import { TEAM } from './scene.ts';

export async function runCase(
  each: Case,
  lab: Lab,
  before: readonly Outcome[],
  log: (line: string) => void,
): Promise<Outcome> {
  const lacking = (each.after ?? []).filter(
    (name) => before.find((outcome) => outcome.name === name)?.result !== 'passed',
  );
  if (lacking.length > 0)
    return { name: each.name, result: 'skipped', seconds: 0, note: `starts from ${lacking.join(', ')}` };
  const started = Date.now();
  const seconds = (): number => (Date.now() - started) / 1000;
  let recorder: WriteRecorder | undefined;
  try {
    if (each.beside !== true) await withSettings(lab, each.defaults === true ? [] : settingsOf(INSTALL));
    const past = await counted(lab);
    const breakers = await readBreakers(lab.crossplane.metricsUrl);
    recorder = each.counted === true ? new WriteRecorder(lab.api, TEAM) : undefined;
    const note = await each.run(lab, log);
    const passed = { name: each.name, result: 'passed', seconds: seconds(), note } as const;
    if (recorder === undefined) return passed;
    const opened = breakersSince(breakers, await readBreakers(lab.crossplane.metricsUrl));
    return { ...passed, counts: since(past, await counted(lab)), writes: reportOf(recorder.stop(), opened) };
  } catch (thrown) {
    const message = messageOf(thrown);
    recorder?.stop();
    const lost = lab.processes.lost;
    const note = `${message}${lost.length === 0 ? '' : `; went away by themselves: ${[...new Set(lost)].join(', ')}`}`;
    return { name: each.name, result: 'failed', seconds: seconds(), note: note.replaceAll(/\s+/g, ' ') };
  }
}

async function withSettings({ crossplane }: Lab, settings: readonly string[]): Promise<void> {
  if (crossplane.settings().join() !== settings.join()) await crossplane.restartCore(settings);
}

async function counted(lab: Lab): Promise<Counts> {
  const total = (of: 'cloudCreated' | 'cloudDeleted'): number =>
    Object.values(lab.cloud.front.counts(of)).reduce((sum, count) => sum + count, 0);
  const calls: AllCalls = await readCalls(lab.runtime);
  return { calls, created: total('cloudCreated'), deleted: total('cloudDeleted') };
}

function since(past: Counts, now: Counts): Counts {
  return {
    calls: callsSince(past.calls, now.calls),
    created: now.created - past.created,
    deleted: now.deleted - past.deleted,
  };
}
