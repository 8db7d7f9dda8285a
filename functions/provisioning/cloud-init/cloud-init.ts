/** cloud-init: one #cloud-config, built as data. Everything besides files, users and packages is done by one script. */
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import { SCRIPT_PATH, type Step } from '../script.ts';
import { writeFiles } from './files.ts';
import { diskCommands } from './disks.ts';
import { groupCommands, groupFields } from './groups.ts';
import { withRaw } from './raw.ts';
import { storageFields } from './storage.ts';
import { userEntries } from './users.ts';
import { cloudConfigText } from './yaml.ts';
import { traits } from './traits.ts';

export const cloudInit: Provisioner<'scripted'> = {
  ...traits.expresses,
  render: (order) => cloudConfigPayload(order),
};

/** @param steps settings for which the image has no cloud-init module; the script makes them before any command */
export function cloudConfigPayload(order: Order<'scripted'>, steps: readonly Step[] = []): Payload {
  return {
    contract: 1,
    format: traits.payload,
    contentType: traits.contentType,
    value: Buffer.from(cloudConfigText(cloudConfig(order, steps))).toString('base64'),
    gzip: true,
  };
}

/**
 * Top-level keys in the order cloud-init runs them: disks, host name, certificates, users, time, packages, the script.
 */
function cloudConfig(order: Order<'scripted'>, steps: readonly Step[]): Readonly<Record<string, unknown>> {
  const { plan, customisation, owner } = order;
  const { ntp, timezone, packages, caCertificates, users } = customisation;
  const bootcmd = [...groupCommands(customisation), ...diskCommands(customisation)];
  const config = {
    preserve_hostname: false,
    hostname: plan.nodeName,
    // The name must resolve before kubeadm looks it up. Only its own line of /etc/hosts is managed, so that lines added
    // by a claim stay.
    manage_etc_hosts: 'localhost',
    write_files: writeFiles(order, steps),
    ...storageFields(customisation),
    ...(caCertificates.length === 0 ? {} : { ca_certs: { trusted: caCertificates } }),
    ...(bootcmd.length === 0 ? {} : { bootcmd }),
    ...groupFields(customisation),
    ...(users.length === 0 ? {} : { users: userEntries(users) }),
    ...(ntp === undefined ? {} : { ntp: { enabled: true, servers: ntp.servers } }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(packages.length === 0 ? {} : { package_update: true, packages }),
    // One entry: cloud-init runs the entries in a shell that continues after an error.
    runcmd: [['/bin/sh', SCRIPT_PATH]],
  };
  return withRaw(config, customisation, owner);
}
