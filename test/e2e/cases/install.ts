/** Follows docs/install.md: one command installs the flavour, and Crossplane resolves its dependencies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at, type KubeObject } from '#lib/api/json.ts';
import { ROOT } from '../binaries/find.ts';
import { NAMESPACE } from '../lab/crossplane.ts';
import { FLAVOUR, type Lab, VERSION } from '../lab/lab.ts';
import { type Look, until } from '../lab/waiting.ts';
import { allHealthy, condition, PACKAGES, rewrite, settings } from '../packages/install.ts';
import { labelsOf } from '../runtime/provider-process.ts';
import { type Case, hold } from './case.ts';
import { follow, INSTALL } from './documented.ts';
import { nameOf } from './scene.ts';

const XRDS = { apiVersion: 'apiextensions.crossplane.io/v2', kind: 'CompositeResourceDefinition' } as const;
const DEFINITIONS = { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'ManagedResourceDefinition' } as const;

/** Kinds whose CRD is not in ../shared/crds, from which the packages of the providers are made. */
const ABSENT = new Set(['flowlogs.ec2.aws.m.upbound.io']);

export const installCase: Case = {
  name: 'install',
  defaults: true,
  async run(lab) {
    await lab.api.apply(...rewrite(lab.registry), ...settings(lab.registry));
    await follow(lab, INSTALL, 'Install');
    const packages = await allHealthy(lab.api, PACKAGES, 180);
    await until('every XRD is established', { seconds: 30 }, async () => {
      const xrds = await lab.api.list(XRDS);
      const not = xrds.filter((xrd) => condition(xrd, 'Established')?.['status'] !== 'True').map(nameOf);
      return xrds.length === 3 && not.length === 0
        ? { found: true }
        : { yet: `${xrds.length} XRDs; not: ${not.join()}` };
    });
    await until('the kinds that compositions need are active, and only those', { seconds: 60 }, async () => {
      const definitions = await lab.api.list(DEFINITIONS);
      const isActive = (one: KubeObject): boolean => one.spec?.['state'] === 'Active';
      const waiting = activated().filter((name) => !definitions.some((one) => isActive(one) && nameOf(one) === name));
      hold('some definitions stay inactive', !definitions.every(isActive));
      return waiting.length === 0 ? { found: true } : { yet: `not active: ${waiting.join()}` };
    });
    // Crossplane runs no pod of a provider before one of its kinds is active.
    await until('two pods of provider-node with the names that the pages select them by', { seconds: 60 }, () =>
      selected(lab),
    );
    await follow(lab, INSTALL, 'Connect a team');
    return `${packages.length} packages from ${FLAVOUR} ${VERSION}`;
  },
};

/** Whether the Deployment that Crossplane made is as docs/install/provider-node.yaml and docs/operations.md need it. */
async function selected({ api }: Lab): Promise<Look<true>> {
  const deployments = await api.list({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: NAMESPACE });
  const own = deployments.find((one) => nameOf(one).includes('provider-node'));
  if (own === undefined) return { yet: 'no Deployment' };
  const labels = Object.entries(labelsOf(own)).map(([key, value]) => `${key}=${value}`);
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const typed = [...page.matchAll(/--selector (?<selector>\S+)/g)].map(({ groups }) => groups?.['selector'] ?? '');
  const [spread] = (at(own, 'spec', 'template', 'spec', 'topologySpreadConstraints') ?? []) as readonly unknown[];
  const spreads = Object.entries(at(spread, 'labelSelector', 'matchLabels') ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  const isSelected = [typed, spreads].every((list) => list.length > 0 && list.every((each) => labels.includes(each)));
  const replicas = at(own, 'spec', 'replicas');
  if (isSelected && replicas === 2) return { found: true };
  return { yet: `${JSON.stringify(replicas)} pods with ${labels.join()}; ${[...typed, ...spreads].join()}` };
}

/** Definitions that the package of the flavour activates. */
function activated(): readonly string[] {
  const policy: unknown = parse(readFileSync(join(ROOT, 'package/configuration-aws/activation.yaml'), 'utf8'));
  const names = at(policy, 'spec', 'activate');
  return (Array.isArray(names) ? names : []).map(String).filter((name) => !ABSENT.has(name));
}
