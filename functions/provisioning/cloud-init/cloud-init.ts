/** cloud-init: one #cloud-config, built as data. Whatever it does besides files and users is one script. */
import { stringify } from 'yaml';
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { Order } from '../provisioner.ts';
import { writeFiles } from './files.ts';
import { SCRIPT_PATH } from './script.ts';

export function cloudInit(order: Order): Payload {
  const text = `#cloud-config\n${stringify(cloudConfig(order), { lineWidth: 0, aliasDuplicateObjects: false, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })}`;
  return {
    contract: 1,
    format: 'cloud-config',
    contentType: 'text/cloud-config',
    value: Buffer.from(text).toString('base64'),
    gzip: true,
  };
}

/** Top-level keys in the order cloud-init runs them: host name, files, users, time, packages, commands. */
export function cloudConfig(order: Order): Readonly<Record<string, unknown>> {
  const { plan, customisation } = order;
  const { ntp, timezone, packages, caCertificates } = customisation;
  return {
    hostname: plan.nodeName,
    // The name must resolve before kubeadm looks it up; only its own line of /etc/hosts is managed.
    manage_etc_hosts: 'localhost',
    write_files: writeFiles(order),
    ...(caCertificates.length === 0 ? {} : { ca_certs: { trusted: caCertificates } }),
    ...users(customisation),
    ...(ntp === undefined ? {} : { ntp: { enabled: true, servers: ntp.servers } }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(packages.length === 0 ? {} : { package_update: true, packages }),
    // One entry: cloud-init runs them in a shell that goes on after an error.
    runcmd: [['/bin/sh', SCRIPT_PATH]],
  };
}

/** The image's own user stays: without "default" it would not be made. */
function users({ users: wanted }: Provisioning): Readonly<Record<string, unknown>> {
  if (wanted.length === 0) return {};
  const entries = wanted.map(({ name, gecos, groups, shell, sudo, sshAuthorizedKeys, passwordHash }) => ({
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(shell === undefined ? {} : { shell }),
    ...(sudo === undefined ? {} : { sudo }),
    ...(sshAuthorizedKeys.length === 0 ? {} : { ssh_authorized_keys: sshAuthorizedKeys }),
    ...(passwordHash === undefined ? { lock_passwd: true } : { lock_passwd: false, hashed_passwd: passwordHash }),
  }));
  return { users: ['default', ...entries] };
}
