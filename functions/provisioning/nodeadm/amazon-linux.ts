/**
 * Settings that the cloud-init of Amazon Linux 2023 ignores: it supports neither the time service nor the trust store
 * of its distribution. The script sets both.
 */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { CHRONY_FILE, chronyText } from '../chrony.ts';
import type { Step } from '../script.ts';
import { trusting } from '../trust.ts';

interface Done {
  /** The remaining fields for cloud-init. */
  readonly left: Customisation;
  readonly files: readonly PlanFile[];
  readonly steps: readonly Step[];
}

export function onAmazonLinux(customisation: Customisation): Done {
  const { ntp, caCertificates } = customisation;
  return {
    left: { ...customisation, ntp: undefined, caCertificates: [] },
    files: ntp === undefined ? [] : [timeFile(ntp.servers)],
    steps: [
      ...(caCertificates.length === 0 ? [] : [{ field: 'caCertificates', command: trusting(caCertificates) }]),
      ...(ntp === undefined ? [] : [{ field: 'ntp', command: 'systemctl try-restart chronyd.service' }]),
    ],
  };
}

function timeFile(servers: readonly string[]): PlanFile {
  const content = Buffer.from(chronyText(servers)).toString('base64');
  return { path: CHRONY_FILE, content, mode: '0644', owner: 'root:root', append: false, instanceVariables: false };
}
