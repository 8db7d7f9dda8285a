/**
 * The script for an in-place update of settings from the first boot: kernel settings and trusted certificates that were
 * added or changed. Removing one needs a new machine.
 */
import type { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { NodeScript } from '#lib/fn/node-update.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { MODULES_FILE, modulesText, SYSCTL_FILE, sysctlText } from './kernel.ts';
import { trustingMore } from './trust.ts';

const FIELDS = ['spec.provisioning.sysctls', 'spec.provisioning.kernelModules', 'spec.provisioning.caCertificates'];

export function updateScript({ sysctls, kernelModules, caCertificates }: Provisioning): NodeScript {
  const parts = [
    ...(kernelModules.length === 0 ? [] : [written(MODULES_FILE, modulesText(kernelModules))]),
    ...kernelModules.map(loaded),
    ...(Object.keys(sysctls).length === 0
      ? []
      : [written(SYSCTL_FILE, sysctlText(sysctls)), `sysctl -q -p ${SYSCTL_FILE}\n`]),
    ...(caCertificates.length === 0 ? [] : [trustingMore(caCertificates)]),
  ];
  const script = `#!/bin/sh\n# Kernel settings and certificates of this node, as its Machine has them now.\nset -eu\n${parts.join('')}`;
  return { fields: FIELDS, script };
}

/** One that is built into the kernel needs no program that knows it. */
function loaded(name: string): string {
  return `[ -d /sys/module/${name.replaceAll('-', '_')} ] || modprobe ${quoted(name)}\n`;
}

/** Written to a temporary name first, so that the file is never incomplete. */
function written(path: string, text: string): string {
  const next = `${path}.next`;
  return `printf '%s' ${quoted(text)} >${next}\nmv ${next} ${path}\n`;
}
