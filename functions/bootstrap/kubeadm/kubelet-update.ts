/**
 * Brings a KubeletConfiguration to a node that exists, as kubeadm documents it: patches beside the configuration that the
 * cluster keeps, from which kubeadm writes the file anew. The kubelet restarts only if that file changed; pods go on. A
 * kubelet that does not stay up gets its former file back, and the patches of it, which an upgrade would apply.
 *
 * The script sets what the claim says and nothing of its own: above all no cgroup driver, which the kubelet takes from
 * the container runtime from 1.36 on, and which no node changes while it runs.
 */
import type { NodeScript } from '#lib/fn/node-update.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { bringing } from '#lib/fn/brought-files.ts';
import { planFile } from '../plan-file.ts';
import { PATCH_FOLDER, type PatchFile } from './patches.ts';

const CONFIG = '/var/lib/kubelet/config.yaml';
/** The file and the patches with which the kubelet last ran, as long as newer ones are not known to work. */
const FORMER = '/run/slipway-kubelet-former';
/** Seconds. A kubelet that cannot read its settings ends at once, and systemd starts it again. */
const STAYS_UP = 15;

/** @param patches  those of kubeletconfiguration, as the first boot of this machine would write them now */
export function kubeletScript(patches: readonly PatchFile[]): NodeScript {
  const names = patches.map(({ path }) => path);
  const files = patches.map(({ path, text }) => planFile(path, text, '0644'));
  const script = `#!/bin/sh
# Settings of the kubelet of this node, as its Machine has them now.
set -eu
stays_up() {
  for _ in $(seq ${STAYS_UP}); do
    sleep 1
    [ "$(systemctl show --property=ActiveState --value kubelet.service)" = active ] || return 1
    [ "$(systemctl show --property=NRestarts --value kubelet.service)" = 0 ] || return 1
  done
}
if [ ! -e ${FORMER} ]; then
  rm -rf ${FORMER}.next
  mkdir -p ${FORMER}.next/patches
  cp -p ${CONFIG} ${FORMER}.next/config.yaml
  [ -z "$(ls ${PATCH_FOLDER} 2>/dev/null)" ] || cp -p ${PATCH_FOLDER}/* ${FORMER}.next/patches/
  mv ${FORMER}.next ${FORMER}
fi
${bringing(files, '/run/slipway-kubelet-patches.pending')}for patch in ${PATCH_FOLDER}/kubeletconfiguration*; do
  case "$patch" in
    ${[...names, '-'].map(quoted).join(' | ')}) ;;
    *) rm -f "$patch" ;;
  esac
done
mkdir -p ${PATCH_FOLDER}
# The Kubernetes API may be away for a while.
tries=1
until kubeadm upgrade node phase kubelet-config --patches ${PATCH_FOLDER}; do
  [ "$tries" -lt 12 ] || exit 1
  tries=$((tries + 1))
  sleep 10
done
if [ "$(cat ${FORMER}/config.yaml)" != "$(cat ${CONFIG})" ]; then
  systemctl restart kubelet.service
  if ! stays_up; then
    journalctl --quiet --no-pager --output=cat --unit=kubelet.service --lines=5 || true
    cp -p ${FORMER}/config.yaml ${CONFIG}
    systemctl restart kubelet.service
    rm -f ${PATCH_FOLDER}/*
    [ -z "$(ls ${FORMER}/patches)" ] || cp -p ${FORMER}/patches/* ${PATCH_FOLDER}/
    rm -rf ${FORMER} "$pending"
    echo 'slipway: the kubelet does not run with these settings, and has its former ones again' >&2
    exit 1
  fi
fi
rm -rf ${FORMER} "$pending"
`;
  return { fields: ['spec.bootstrap.config.kubeletConfiguration'], script };
}
