/** What no watch tells, such as a Secret that appears, is found by the next look: as often as `--poll` says. */
import { expect, onTestFinished, test } from 'vitest';
import { HostileStage, kubeconfigTo } from './hostile/stage.ts';

/** Seconds, as long as no watch and no other timer is in between. */
async function foundAfter(poll?: number): Promise<number> {
  const stage = await HostileStage.begin({ local: true, ...(poll === undefined ? {} : { poll }) });
  onTestFinished(() => stage.end());
  await stage.until('it is missed', () => stage.said('Synced')?.includes('not found') === true);
  stage.bring(await kubeconfigTo('https://api.example.com', {}, { exec: {} }));
  const before = stage.seconds;
  await stage.until('it is found', () => stage.said('Synced')?.includes('exec') === true);
  return stage.seconds - before;
}

test('a Secret that appears is found sooner where looks are more frequent', async () => {
  expect(await foundAfter(60)).toBeLessThan((await foundAfter()) / 3);
});
