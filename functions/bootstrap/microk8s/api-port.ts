/**
 * Serves the Kubernetes API at the port that load balancers use. MicroK8s checks its health at the default port,
 * whatever port is configured, and without a response never installs the pod network. A systemd socket forwards that
 * port to the real one, only on the host. The API of a machine that has not joined yet listens there, so the socket is
 * opened after joining.
 */
import type { PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import { API_PORT, DATA, type MicroK8sFacts, OWN_API_PORT, startsCluster } from './facts.ts';

const NAME = 'slipway-microk8s-api';

export function apiPortUnits(facts: MicroK8sFacts): readonly PlanUnit[] {
  return [
    {
      name: `${NAME}.socket`,
      contents: `[Unit]
Description=Kubernetes API where MicroK8s looks for it

[Socket]
ListenStream=127.0.0.1:${OWN_API_PORT}

[Install]
WantedBy=sockets.target
`,
      enabled: startsCluster(facts),
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
}

/** Defines and calls follow_api. A run that was interrupted during the join may have left the API at either port. */
export const followApi =
  (): string => `# Joining moves the Kubernetes API, after it has written kubeconfigs for where it was.
follow_api() {
  if grep -q '^--secure-port=${API_PORT}$' ${DATA}/args/kube-apiserver; then
    sed -i 's/127[.]0[.]0[.]1:${OWN_API_PORT}$/127.0.0.1:${API_PORT}/' ${DATA}/credentials/*.config
    systemctl enable --now ${NAME}.socket
  fi
}
follow_api
`;
