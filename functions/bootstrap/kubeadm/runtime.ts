/** Registry mirrors and the proxy of containerd and kubelet, which neither reads from anywhere else. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { FilledRegistry } from '#lib/api/fields/customisation.ts';
import type { Proxy } from '#lib/api/fields/host.ts';
import type { RegistriesUpdate } from '../registries-update.ts';
import { mirrorFiles, proxyDropIns } from '../runtime-files.ts';

const CERTS = '/etc/containerd/certs.d';

/** containerd reads mirrors only from the folder in its configuration; otherwise they would be ignored silently. */
const READS_MIRRORS = `containerd config dump | grep -q '${CERTS}' || {
  echo 'slipway: containerd does not read ${CERTS}: its config.toml needs config_path' >&2
  exit 1
}`;

/** containerd reads them before each pull. */
export function mirrorsOf(registries: readonly FilledRegistry[], owner: string): RegistriesUpdate {
  return { files: mirrorFiles(CERTS, registries, owner), check: READS_MIRRORS };
}

interface RuntimeSettings {
  readonly proxy?: Proxy | undefined;
  readonly registries: readonly FilledRegistry[];
}

export function runtimeFiles(
  { proxy, registries }: RuntimeSettings,
  cluster: readonly string[],
  owner: string,
): readonly PlanFile[] {
  return [...mirrorFiles(CERTS, registries, owner), ...proxyDropIns(['containerd', 'kubelet'], proxy, cluster)];
}

/** Before anything of Kubernetes starts: kubelet is started by kubeadm, containerd may be running. */
export function runtimeCommands({ proxy, registries }: RuntimeSettings): readonly string[] {
  return [
    ...(proxy === undefined ? [] : ['systemctl daemon-reload', 'systemctl try-restart containerd.service']),
    ...(registries.length === 0 ? [] : [READS_MIRRORS]),
  ];
}
