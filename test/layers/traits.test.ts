/**
 * The only imports from other functions that are allowed are the two collections of traits, and what bootstrappers and formats refuse. The test runs the linter
 * itself.
 */
import { expect, test } from 'vitest';
import { refusedOf } from './linter.ts';

interface Case {
  readonly file: string;
  readonly imports: string;
  readonly refused: boolean;
}

const allowed = (file: string, ...imports: readonly string[]): readonly Case[] =>
  imports.map((one) => ({ file, imports: one, refused: false }));
const refused = (file: string, ...imports: readonly string[]): readonly Case[] =>
  imports.map((one) => ({ file, imports: one, refused: true }));

const CASES: readonly Case[] = [
  ...allowed('functions/machine/a.ts', '../bootstrap/traits.ts', '../provisioning/traits.ts'),
  ...allowed('functions/in-place-update/plan/a.ts', '../../bootstrap/traits.ts'),
  ...refused('functions/machine/a.ts', '../bootstrap/registry.ts', '../bootstrap/kubeadm/traits.ts'),
  ...refused('functions/machine/a.ts', '../provisioning/fn.ts', '../provisioning/talos/talos.ts', '../cluster/fn.ts'),
  ...refused('functions/in-place-update/plan/a.ts', '../../bootstrap/kubeadm/kubeadm.ts', '../../nodepool/traits.ts'),
  ...allowed('functions/bootstrap/k3s/traits.ts', '#lib/cloud/traits.ts', '#lib/api/words.ts'),
  ...refused('functions/bootstrap/k3s/traits.ts', '../rancher/rancher.ts', '#lib/fn/reply.ts', 'semver'),
  ...allowed('functions/bootstrap/traits.ts', './k3s/traits.ts', '#lib/cloud/traits.ts'),
  ...refused('functions/bootstrap/traits.ts', './k3s/k3s.ts', './registry.ts', '#lib/fn/reply.ts', 'semver'),
  ...allowed('functions/nodepool/a.ts', '../bootstrap/configs.ts'),
  ...allowed('functions/bootstrap/configs.ts', './k3s/rules.ts', './claim-config.ts', '#lib/api/json.ts'),
  ...refused('functions/bootstrap/configs.ts', './k3s/k3s.ts', './registry.ts', '#lib/fn/reply.ts', 'semver'),
  ...allowed('functions/bootstrap/k0s/rules.ts', './config.ts', '../claim-config.ts', 'semver'),
  ...refused('functions/bootstrap/k0s/rules.ts', './machine.ts', '../machine-facts.ts', '#lib/fn/reply.ts'),
  ...allowed('functions/nodepool/a.ts', '../provisioning/formats.ts'),
  ...allowed(
    'functions/provisioning/formats.ts',
    './talos/rules.ts',
    './traits.ts',
    '#lib/cloud/first-boot-settings/settings.ts',
  ),
  ...refused('functions/provisioning/formats.ts', './talos/talos.ts', './registry.ts', '#lib/fn/reply.ts', 'node:path'),
  ...allowed('functions/provisioning/talos/rules.ts', '#lib/cloud/first-boot-settings/settings.ts', '../kernel.ts'),
  ...refused('functions/provisioning/talos/rules.ts', './talos.ts', '../host-file.ts', '#lib/fn/reply.ts', 'node:path'),
  ...refused('clouds/aws/machine/a.ts', '../../../functions/bootstrap/traits.ts'),
  ...refused('lib/cloud/a.ts', '../../functions/provisioning/traits.ts'),
];

test('other functions import only traits and rules of bootstrappers and provisioners, which import only data and rules', () => {
  const probes = CASES.map(({ file, imports }) => ({ from: file, specifier: imports }));
  const refusedProbes = refusedOf(probes);
  expect(CASES.map((one, index) => ({ ...one, refused: refusedProbes.has(probes[index]!) }))).toEqual(CASES);
});
