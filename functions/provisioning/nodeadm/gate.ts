/**
 * nodeadm starts the kubelet after cloud-init, even if cloud-init failed. So a boothook first makes it wait for the
 * last file of cloud-init; on every boot, because the unit may have been loaded before its drop-in existed.
 */
import type { MimePart } from './mime.ts';

/** Written when all host settings of the claim succeeded. */
export const CUSTOMISED = '/var/lib/slipway/customisation-success.complete';

const FOLDER = '/etc/systemd/system/nodeadm-run.service.d';

export const GATE: MimePart = {
  contentType: 'text/cloud-boothook',
  text: `#!/bin/sh
set -eu
mkdir -p ${FOLDER}
printf '[Unit]\\nAssertPathExists=%s\\n' ${CUSTOMISED} >${FOLDER}/90-slipway.conf
systemctl daemon-reload
`,
};
