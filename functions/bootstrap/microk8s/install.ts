/** The snap of MicroK8s that a machine gets. */
import { minor } from 'semver';
import { snapInstallScript } from '../snap/install.ts';
import type { Facts } from './facts.ts';

/** The track is the Kubernetes minor; confined ones have tracks of their own. */
export function installScript({ machine, config }: Facts): string {
  const classic = config.confinement === 'classic';
  const channel = `1.${minor(machine.spec.version)}${classic ? '' : '-strict'}/${config.riskLevel}`;
  return snapInstallScript({ name: 'microk8s', title: 'MicroK8s', channel, classic }, machine);
}
