/**
 * Updates an existing node to another version, as documented by kubeadm: kubeadm first, then `kubeadm upgrade
 * node`, then the kubelet, which is restarted. Steps that are already done are skipped. On a control plane kubeadm takes
 * the version of the API server, the controller manager and the scheduler from the cluster, so that is written first.
 */
import { minor } from 'semver';
import type { NodeScript } from '#lib/fn/node-update.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { authentication, AUTHENTICATION_FILE, limitsAnonymous } from './anonymous.ts';
import type { KubeadmConfig } from './config.ts';
import { AUDIT_POLICY, AUDIT_POLICY_FILE } from './hardening.ts';
import { PATCH_FOLDER } from './patches.ts';
import { traits } from './traits.ts';

/** What the first boot was told as well. */
type Told = Partial<Pick<KubeadmConfig, 'ignorePreflightErrors' | 'imagePullPolicy' | 'skipPhases'>>;

/** @param version  such as v1.37.2 */
export function versionScript(version: string, told: Told): NodeScript {
  const { ignorePreflightErrors = [], imagePullPolicy } = told;
  // kubeadm takes the policy only from a file whose form depends on its version. Without a pull, a check would fail.
  const ignored = [...ignorePreflightErrors, ...(imagePullPolicy === 'Never' ? ['ImagePull'] : [])];
  const flags = [listFlag('ignore-preflight-errors', ignored), listFlag('skip-phases', addonsLeftOut(version, told))];
  const upgrade = `kubeadm upgrade node${flags.join('')}`;
  return { fields: ['spec.version'], script: script(version.replace(/^v/, ''), upgrade) };
}

function listFlag(name: string, words: readonly string[]): string {
  return words.length === 0 ? '' : ` --${name}=${quoted(words.join(','))}`;
}

/**
 * With the last control plane, kubeadm brings its addons up to date. Since it has a phase for each it also creates those
 * that a cluster was made without; before, it left out an addon that was not there, and knew no such phases.
 */
function addonsLeftOut(version: string, { skipPhases }: Told): readonly string[] {
  if (minor(version) < traits.minors.since['phases of addons in upgrades']) return [];
  const skipped = new Set(skipPhases?.init);
  const skipsAll = ['addon', 'addon/all'].some((phase) => skipped.has(phase));
  return ['addon/coredns', 'addon/kube-proxy'].filter((phase) => skipsAll || skipped.has(phase));
}

/** Files that newer control planes have: the configuration of the cluster, which kubeadm applies here, may name them. */
function missingFiles(version: string): string {
  const limited = limitsAnonymous(version, {});
  return [
    [AUDIT_POLICY_FILE, AUDIT_POLICY] as const,
    ...(limited ? [[AUTHENTICATION_FILE, authentication(version)] as const] : []),
  ]
    .map(([path, text]) => `    [ -e ${path} ] || (umask 077; cat >${path}) <<'END'\n${text}END\n`)
    .join('');
}

function script(version: string, upgrade: string): string {
  return `#!/bin/sh
# Brings this node to Kubernetes v${version}.
set -eu
version='${version}'

install() {
  if command -v apt-get >/dev/null; then
    apt-get -q update
    # Somebody else may be installing; and a file that was changed here stays, without a question.
    DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold \\
      --allow-change-held-packages install "$@"
  elif command -v dnf >/dev/null; then
    dnf -y --disableexcludes=all install "$@"
  else
    echo 'slipway: cannot install packages: neither apt-get nor dnf is here' >&2
    exit 1
  fi
}

# Packages are called 1.35.5-1.1 (apt) and 1.35.5-150500.1.1 (dnf).
package() {
  if command -v apt-get >/dev/null; then printf '%s=%s-*' "$1" "$version"; else printf '%s-%s-*' "$1" "$version"; fi
}

# kubeadm finds in the cluster which version a control plane is to run.
record() {
  configuration=$(mktemp)
  kubectl --kubeconfig=/etc/kubernetes/admin.conf --namespace=kube-system get configmap kubeadm-config \\
    --output='jsonpath={.data.ClusterConfiguration}' >"$configuration"
  if ! grep -q "^kubernetesVersion: v$version$" "$configuration"; then
    sed -i "s/^kubernetesVersion: .*/kubernetesVersion: v$version/" "$configuration"
    kubeadm init phase upload-config kubeadm --config "$configuration" --kubeconfig /etc/kubernetes/admin.conf
  fi
  rm -f "$configuration"
}

if [ "$(kubeadm version -o short)" != "v$version" ]; then
  install "$(package kubeadm)"
fi
if [ "$(kubelet --version)" != "Kubernetes v$version" ]; then
  if [ -e /etc/kubernetes/manifests/kube-apiserver.yaml ]; then
${missingFiles(version)}    record
  fi
  # kubeadm writes the kubelet's configuration anew, and forgets the patches it was given when the node joined.
  if [ -d ${PATCH_FOLDER} ]; then ${upgrade} --patches ${PATCH_FOLDER}; else ${upgrade}; fi
  install "$(package kubelet)" "$(package kubectl)"
  systemctl daemon-reload
fi
systemctl restart kubelet
`;
}
