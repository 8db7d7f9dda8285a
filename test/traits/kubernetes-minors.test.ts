/** Minor versions of Kubernetes: all places that have to be reviewed when a new one is released. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';
import { BOOTSTRAPPER_TABLES } from '../../functions/bootstrap/traits.ts';
import { RELEASES } from '../../functions/bootstrap/talos/traits.ts';

test('the table of minor versions', () => {
  const lines = Object.entries(BOOTSTRAPPER_TABLES).flatMap(([name, { minors }]) => {
    if (minors === undefined) return [`${name}: as the claim says`];
    const { oldest, newest, since = {} } = minors;
    const began = Object.entries(since).map(([what, minor]) => `${name}: since 1.${minor} ${what}`);
    return [`${name}: 1.${oldest} to ${newest === undefined ? 'any newer' : `1.${newest}`}`, ...began];
  });
  const releases = Object.entries(RELEASES).map(
    ([release, { oldest, newest }]) => `Talos ${release}: 1.${oldest} to 1.${newest}`,
  );
  expect([...lines, ...releases]).toMatchInlineSnapshot(`
    [
      "bottlerocket: as the claim says",
      "canonical-kubernetes: 1.34 to any newer",
      "k0s: 1.27 to any newer",
      "k0s: since 1.36 containerd 2",
      "k0s: since 1.36 network.coreDNS",
      "k3s: as the claim says",
      "kubeadm: 1.22 to any newer",
      "kubeadm: since 1.31 v1beta4",
      "kubeadm: since 1.32 anonymous requests by path",
      "kubeadm: since 1.34 AuthenticationConfiguration v1",
      "kubeadm: since 1.31 certificateValidityPeriod and caCertificateValidityPeriod",
      "kubeadm: since 1.34 encryptionAlgorithm ECDSA-P384",
      "kubeadm: since 1.25 patches of kubeletconfiguration",
      "kubeadm: since 1.32 patches of corednsdeployment",
      "kubeadm: since 1.32 phases of addons in upgrades",
      "kubeadm: since 1.36 no folder of volume plug-ins",
      "microk8s: 1.28 to any newer",
      "nodeadm: as the claim says",
      "rke2: as the claim says",
      "talos: 1.31 to 1.37",
      "Talos 1.13: 1.31 to 1.36",
      "Talos 1.14: 1.32 to 1.37",
    ]
  `);
});

test('no code contains a bare number of a minor version', () => {
  const files = globSync('{functions,lib,clouds}/**/*.ts', { cwd: ROOT }).filter(
    (path) => !/\.(test|fixture)\.ts$|\/traits\.ts$/.test(path),
  );
  const bare = files.filter((path) =>
    /\b(minor(\([^)]*\))?|number) *(>=|<=|<|>|===) *\d/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  expect(bare).toEqual([]);
});
