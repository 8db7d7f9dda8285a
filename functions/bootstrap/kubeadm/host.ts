/**
 * Kernel and systemd settings that every Kubernetes host needs, for any image. Programs (containerd, runc, kubelet,
 * kubeadm) and a host without swap are up to the image; the checks of kubeadm report what is missing.
 */

const MODULES_FILE = '/etc/modules-load.d/50-slipway-kubeadm.conf';
const SYSCTL_FILE = '/etc/sysctl.d/50-slipway-kubeadm.conf';

const MODULES = ['overlay', 'br_netfilter'];
const SYSCTLS = {
  // What a kubelet sets by itself and the kernel does not, so that one with protectKernelDefaults, which only looks,
  // finds it.
  'kernel.panic': 10,
  'kernel.panic_on_oops': 1,
  'net.bridge.bridge-nf-call-ip6tables': 1,
  'net.bridge.bridge-nf-call-iptables': 1,
  'net.ipv4.ip_forward': 1,
  'vm.overcommit_memory': 1,
};

export const HOST_FILES = [
  { path: MODULES_FILE, text: MODULES.map((name) => `${name}\n`).join('') },
  {
    path: SYSCTL_FILE,
    text: Object.entries(SYSCTLS)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  },
] as const;

export const HOST_COMMANDS = [
  // A kernel may have them built in. Without br_netfilter its keys are unknown, which -e ignores.
  `modprobe -a ${MODULES.join(' ')} || true`,
  `sysctl -e -q -p ${SYSCTL_FILE}`,
  // kubeadm starts kubelet but does not enable it; a node that reboots would not come back.
  'systemctl enable --quiet kubelet.service',
] as const;
