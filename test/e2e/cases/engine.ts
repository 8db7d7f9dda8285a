/**
 * Crossplane itself is upgraded from an older version, as its Helm chart does it, while machines are being replaced:
 * definitions first, then another core and another RBAC manager.
 */
import { binaries } from '../binaries/find.ts';
import { LATEST } from '../binaries/catalog.ts';
import { allHealthy, PACKAGES } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import { documents } from './scene.ts';
import { whileRolling } from './while-rolling.ts';

export const engineCase: Case = {
  name: 'engine',
  after: ['claim'],
  async run(lab, log) {
    const { binaries: next } = binaries(LATEST);
    const older = next['crossplane-core'] !== lab.binaries['crossplane-core'];
    hold('the lab begins with an older Crossplane: --crossplane 2.3.4', older);
    const result = await whileRolling(lab, log, {
      name: `Crossplane ${LATEST}`,
      edit: () => lab.api.apply(...documents('examples/aws/edits/image.yaml')),
      act: () => lab.crossplane.upgrade(next),
      check: () => allHealthy(lab.api, PACKAGES, 120),
    });
    return `to Crossplane ${LATEST} ${result}`;
  },
};
