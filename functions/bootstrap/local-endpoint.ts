/**
 * The address of the Kubernetes API as a local one of control planes, where packets of a machine to itself do not pass the
 * load balancer. It is a route, as the guest agent of a cloud makes it: programs that list the addresses of a host do not
 * take it for one of the node.
 */
import { isIPv4 } from 'node:net';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';

const UNIT = 'slipway-api-address.service';

/**
 * kubeadm asks the API by its endpoint while it starts a cluster, so the first machine has the route before. A machine
 * that joins needs the other ones until it has joined.
 * @param host  of the endpoint; undefined: machines reach themselves by it
 */
export function withLocalEndpoint(
  plan: ScriptedPlan,
  host: string | undefined,
  { role, bootstrap }: Pick<Machine['spec'], 'role' | 'bootstrap'>,
): ScriptedPlan {
  if (host === undefined || !isIPv4(host) || role !== 'control-plane') return plan;
  const starts = bootstrap.action === 'Init';
  const post = starts ? [] : [`systemctl enable --now ${UNIT}`];
  return {
    ...plan,
    units: [...plan.units, { name: UNIT, contents: contentsOf(host), enabled: starts }],
    commands: { ...plan.commands, post: [...post, ...plan.commands.post] },
  };
}

/** The metric of the route. A guest agent of a cloud adds a route of its own, which fails if both metrics are the same. */
const contentsOf = (host: string): string => `[Unit]
Description=Kubernetes API of this machine at the address of its load balancer

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'ip route replace local ${host}/32 dev lo metric 1024'

[Install]
WantedBy=multi-user.target
`;
