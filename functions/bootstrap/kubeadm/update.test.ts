import { expect, it } from 'vitest';
import { updateScript } from './update.ts';

it('keeps the patches of the pool for the kubelet, because kubeadm writes its configuration again', () => {
  expect(updateScript('v1.35.5').script).toContain(
    'if [ -d /etc/kubernetes/patches ]; then kubeadm upgrade node --patches /etc/kubernetes/patches;',
  );
});

it('updates a node to a version in order: kubeadm, its upgrade, the kubelet, a restart', () => {
  const { fields, script } = updateScript('v1.35.5');
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

it('tells the cluster the version before kubeadm updates a control plane, which takes it from there', () => {
  const { script } = updateScript('v1.35.5');
  const places = ['kube-apiserver.yaml ]; then record; fi', 'kubeadm upgrade node --patches'].map((line) =>
    script.indexOf(line),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});
