/**
 * Another machine image: machines are replaced one after another, never below the required number. Meanwhile a whole
 * release is installed as docs/upgrade.md says, and rolled back during the next roll-out. Neither causes replacements.
 */
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, PACKAGES } from '../packages/install.ts';
import { notOf, pushRelease } from '../packages/release.ts';
import { VERSION } from '../lab/lab.ts';
import { type Case, hold } from './case.ts';
import { follow, UPGRADE } from './documented.ts';
import { documents, poolRef } from './scene.ts';
import { POOL, whileRolling } from './while-rolling.ts';

const NEXT = 'v0.1.1';

export const rollOutCase: Case = {
  name: 'roll-out',
  after: ['claim'],
  async run(lab, log) {
    await pushRelease(lab, NEXT);
    hold(`everything is ${VERSION}`, (await notOf(lab.api, VERSION)).length === 0);
    const forwards = await whileRolling(lab, log, {
      edit: () => lab.api.apply(...documents('examples/aws/edits/image.yaml')),
      ...installed(lab, 'Upgrade', NEXT),
    });
    const back = await whileRolling(lab, log, {
      edit: () => lab.api.patch(poolRef(POOL), { spec: { machine: { image: 'ami-0ccccccccccccc352' } } }),
      ...installed(lab, 'Roll back', VERSION),
    });
    return `${VERSION} → ${NEXT} ${forwards}; → ${VERSION} ${back}`;
  },
};

/** @param section  of docs/upgrade.md */
function installed(lab: Lab, section: string, release: string) {
  return {
    name: section,
    act: () => follow(lab, UPGRADE, section),
    async check() {
      await until(`packages, APIs, Compositions and claims are ${release}`, { seconds: 60 }, async () => {
        const others = await notOf(lab.api, release);
        return others.length === 0 ? { found: true } : { yet: `not: ${others.slice(0, 5).join(', ')}` };
      });
      await allHealthy(lab.api, PACKAGES, 60);
    },
  };
}
