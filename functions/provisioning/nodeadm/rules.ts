/** Values that images with nodeadm cannot have. Fields that they cannot have at all are in its traits. */
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';
import { CHRONY_FILE } from '../chrony.ts';

/** Files besides those of cloud-init, which a claim has none of its own at the paths of. */
export function filesOfTime({ ntp }: Pick<Claimed, 'ntp'>): readonly string[] {
  return ntp === undefined ? [] : [CHRONY_FILE];
}

/** Throws Unsupported for the first value at fault. */
export function refuseWithNodeadm({ commands, proxy }: Pick<Claimed, 'commands' | 'proxy'>, owner: string): void {
  // cloud-init is done when nodeadm begins; a unit that waited for nodeadm would block cloud-init, and so nodeadm.
  const field = (['post', 'postFrom'] as const).find((name) => (commands[name] ?? []).length > 0);
  if (field !== undefined)
    throw cannotExpress('nodeadm', owner, `spec.provisioning.commands.${field}`, 'commands.pre, or a DaemonSet');
  refusePassword(proxy, owner);
}

/**
 * nodeadm logs every variable that it sets, also on the console.
 * @param proxy  of a claim, or with the values of Secrets in place of the references to them
 */
export function refusePassword(proxy: Claimed['proxy'], owner: string): void {
  const field = (['http', 'https'] as const).find((name) => /^[a-z]+:\/\/[^/]*@/.test(proxy?.[name] ?? ''));
  if (field === undefined) return;
  throw refusalFor(
    owner,
    `spec.provisioning.proxy.${proxy?.[`${field}From`] === undefined ? field : `${field}From`}`,
    'nodeadm cannot express a password, which it would log; accepted: a proxy without one',
    'Unsupported',
  );
}
