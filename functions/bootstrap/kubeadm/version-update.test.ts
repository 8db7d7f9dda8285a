import { expect, it, test } from 'vitest';
import { versionScript } from './version-update.ts';

it('keeps the patches of the pool for the kubelet, because kubeadm writes its configuration again', () => {
  expect(versionScript('v1.35.5', {}).script).toContain(
    'if [ -d /etc/kubernetes/patches ]; then kubeadm upgrade node --patches /etc/kubernetes/patches;',
  );
});

it('updates a node to a version in order: kubeadm, its upgrade, the kubelet, a restart', () => {
  const { fields, script } = versionScript('v1.35.5', {});
  expect(fields).toEqual(['spec.version']);
  const order = [
    "version='1.35.5'",
    'install "$(package kubeadm)"',
    'kubeadm upgrade node',
    'install "$(package kubelet)"',
    'systemctl restart kubelet',
  ];
  const places = order.map((line) => script.indexOf(line));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

it('brings a control plane the files that the configuration of its cluster may name, before kubeadm reads it', () => {
  const { script } = versionScript('v1.35.5', {});
  for (const file of ['audit-policy.yaml', 'authentication.yaml']) {
    const place = script.indexOf(`[ -e /etc/kubernetes/${file} ] || (umask 077; cat >/etc/kubernetes/${file}) <<'END'`);
    expect(place).toBeGreaterThan(script.indexOf('if [ -e /etc/kubernetes/manifests/kube-apiserver.yaml ]'));
    expect(place).toBeLessThan(script.indexOf('kubeadm upgrade node'));
  }
  expect(versionScript('v1.31.5', {}).script).not.toContain('authentication.yaml');
});

it('tells the cluster the version before kubeadm updates a control plane, which takes it from there', () => {
  const { script } = versionScript('v1.35.5', {});
  const places = ['kube-apiserver.yaml ]; then', '    record\n', 'kubeadm upgrade node --patches'].map((line) =>
    script.indexOf(line),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

it('ignores the preflight errors that the claim ignores, as at the first boot', () => {
  expect(versionScript('v1.35.5', { ignorePreflightErrors: ['SystemVerification', 'Swap'] }).script).toContain(
    "kubeadm upgrade node --ignore-preflight-errors='SystemVerification,Swap' --patches /etc/kubernetes/patches;",
  );
});

it('does not fail for an image that is never pulled', () => {
  expect(versionScript('v1.35.5', { imagePullPolicy: 'Never' }).script).toContain(
    'kubeadm upgrade node --ignore-preflight-errors=ImagePull --patches',
  );
});

test.for([
  { skipped: ['addon/coredns', 'addon/kube-proxy'], phases: " --skip-phases='addon/coredns,addon/kube-proxy'" },
  { skipped: ['addon/kube-proxy', 'mark-control-plane'], phases: ' --skip-phases=addon/kube-proxy' },
  { skipped: ['addon'], phases: " --skip-phases='addon/coredns,addon/kube-proxy'" },
  { skipped: ['mark-control-plane'], phases: '' },
])('does not create addons that the cluster was made without: $skipped', ({ skipped, phases }) => {
  const skipPhases = { init: skipped, join: [] };
  expect(versionScript('v1.35.5', { skipPhases }).script).toContain(`then kubeadm upgrade node${phases} --patches`);
  expect(versionScript('v1.31.9', { skipPhases }).script, 'it knows no such phases').not.toContain('--skip-phases');
});
