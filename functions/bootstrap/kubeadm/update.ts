/**
 * Updates an existing node to another patch version, as documented by kubeadm: kubeadm first, then `kubeadm upgrade
 * node`, then the kubelet, which is restarted. Steps that are already done are skipped. On a control plane kubeadm takes
 * the version of the API server, the controller manager and the scheduler from the cluster, so that is written first.
 */
import type { NodeScript } from '#lib/fn/node-update.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { authentication, AUTHENTICATION_FILE, limitsAnonymous } from './anonymous.ts';
import type { KubeadmConfig } from './config.ts';
import { AUDIT_POLICY, AUDIT_POLICY_FILE } from './hardening.ts';
import { PATCH_FOLDER } from './patches.ts';

/** What the first boot was told as well. */
type Preflight = Partial<Pick<KubeadmConfig, 'ignorePreflightErrors' | 'imagePullPolicy'>>;

/** @param version  such as v1.35.5 */
export function updateScript(version: string, { ignorePreflightErrors = [], imagePullPolicy }: Preflight): NodeScript {
  // kubeadm takes the policy only from a file whose form depends on its version. Without a pull, a check would fail.
  const ignored = [...ignorePreflightErrors, ...(imagePullPolicy === 'Never' ? ['ImagePull'] : [])];
  const flags = ignored.length === 0 ? '' : ` --ignore-preflight-errors=${quoted(ignored.join(','))}`;
  return { fields: ['spec.version'], script: script(version.replace(/^v/, ''), `kubeadm upgrade node${flags}`) };
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
