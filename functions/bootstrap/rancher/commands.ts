/**
 * Commands of the first boot: run the official script from a file, then start the service. A joining server may find no
 * other server and exit; systemd restarts it, so a failing start is retried for a while. The host is a node once a
 * server has signed the certificate of its kubelet.
 */
import type { Distribution, Role } from './distribution.ts';
import type { Installer } from './installer.ts';

const FOLDER = '/var/lib/slipway';

/** Seconds. Control-plane images may take long to download. */
const START_SECONDS = 900;

export interface Setup {
  readonly distribution: Distribution;
  readonly role: Role;
  readonly installer: Installer;
  /** Such as k3s1. */
  readonly release: string;
  /** Kubernetes version, such as v1.37.1. */
  readonly version: string;
}

export function commandsOf(setup: Setup): { readonly pre: string[]; readonly bootstrap: string[] } {
  return { pre: [...installing(setup)], bootstrap: [...starting(setup)] };
}

function installing({ distribution, role, installer, version, release }: Setup): readonly string[] {
  const { name } = distribution;
  const full = `${version}+${release}`;
  if (installer === 'InImage') {
    const adopt = distribution.adopt(role);
    const path = 'PATH="$PATH:/usr/local/bin:/opt/rke2/bin"';
    return [`${path} ${name} --version | grep -F '${name} version ${full} '`, ...(adopt === undefined ? [] : [adopt])];
  }
  const script = `${FOLDER}/install-${name}.sh`;
  return [
    `mkdir -p ${FOLDER}`,
    `curl -fsSL --retry 5 --retry-connrefused -o ${script} '${installer.url}'`,
    `echo '${installer.sha256}  ${script}' | sha256sum -c -`,
    distribution.install(role, full, script),
  ];
}

function starting({ distribution, role }: Setup): readonly string[] {
  const unit = `${distribution.unit(role)}.service`;
  const certificate = `/var/lib/rancher/${distribution.name}/agent/client-kubelet.crt`;
  return [
    `systemctl enable --quiet ${unit}`,
    `timeout ${START_SECONDS} sh -c 'until systemctl start ${unit}; do sleep 5; done'`,
    `timeout ${START_SECONDS} sh -c 'until [ -s ${certificate} ]; do sleep 2; done'`,
  ];
}
