/**
 * The port MicroK8s' own reconciling asks whether the Kubernetes API is up, whatever port that has: without an answer it never
 * installs the pod network. A socket of systemd leads it to the real one, from the host itself alone.
 */
import type { PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import { API_PORT } from './facts.ts';

const NAME = 'slipway-microk8s-api';
const ASKED = 16_443;

export const apiPortUnits: readonly PlanUnit[] = [
  {
    name: `${NAME}.socket`,
    contents: `[Unit]
Description=Kubernetes API where MicroK8s looks for it

[Socket]
ListenStream=127.0.0.1:${ASKED}

[Install]
WantedBy=sockets.target
`,
    enabled: true,
  },
  {
    name: `${NAME}.service`,
    contents: `[Unit]
Description=Kubernetes API where MicroK8s looks for it
Requires=${NAME}.socket
After=${NAME}.socket

[Service]
ExecStart=/usr/lib/systemd/systemd-socket-proxyd 127.0.0.1:${API_PORT}
`,
    enabled: false,
  },
];
