/**
 * nodeadm starts the kubelet after cloud-init, also when cloud-init failed. So before cloud-init does anything else it is told
 * to wait for what cloud-init writes last; at every boot, since a unit may have been read before it had its drop-in.
 */
import type { MimePart } from './mime.ts';

/** Written when everything a claim asks of the host succeeded. */
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
