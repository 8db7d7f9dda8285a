/** A generated next release in the registry of the lab, and the release of each installed object. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringAt } from '#lib/api/json.ts';
import { releaseOf } from '../../../package/build/catalog.ts';
import { RELEASE_LABEL } from '../../../package/build/release.ts';
import { ROOT } from '../binaries/find.ts';
import type { Api } from '../lab/api.ts';
import { FLAVOUR, type Lab } from '../lab/lab.ts';
import { pushPackages } from './install.ts';

/** The same code with another version, once: different images, XRDs and Compositions for Crossplane. */
export async function pushRelease({ folder, registry, platform }: Lab, version: string): Promise<void> {
  const out = join(folder, version);
  if (existsSync(out)) return;
  const program = join(ROOT, 'package/build/main.ts');
  await promisify(execFile)(process.execPath, [program, '--version', version, '--out', out], { cwd: ROOT });
  await pushPackages(registry, version, { built: out, platform, folder: join(out, 'anew') });
}

/** What is not from the release: active package revisions, XRDs, Compositions and the revision of each XR. */
export async function notOf(api: Api, version: string): Promise<readonly string[]> {
  const lists = await Promise.all([
    packagesNotOf(api, version),
    labelledNotOf(api, 'apiextensions.crossplane.io/v2', 'CompositeResourceDefinition', version),
    labelledNotOf(api, 'apiextensions.crossplane.io/v1', 'Composition', version),
    claimsNotOf(api, version),
  ]);
  return lists.flat();
}

async function packagesNotOf(api: Api, version: string): Promise<readonly string[]> {
  const kinds = ['ConfigurationRevision', 'FunctionRevision'];
  const lists = await Promise.all(kinds.map((kind) => api.list({ apiVersion: 'pkg.crossplane.io/v1', kind })));
  const active = lists.flat().filter((revision) => revision.spec?.['desiredState'] === 'Active');
  const images = new Set(active.map((revision) => stringAt(revision, 'spec', 'image')));
  const missing = releaseOf(FLAVOUR).filter(({ name }) => !images.has(`xpkg.crossplane.io/slipway/${name}:${version}`));
  return missing.map(({ name }) => `package ${name}`);
}

async function labelledNotOf(api: Api, apiVersion: string, kind: string, version: string): Promise<readonly string[]> {
  const objects = await api.list({ apiVersion, kind });
  const others = objects.filter((object) => object.metadata?.labels?.[RELEASE_LABEL] !== version);
  return others.map((object) => `${kind} ${object.metadata?.name ?? ''}`);
}

async function claimsNotOf(api: Api, version: string): Promise<readonly string[]> {
  const kinds = ['Cluster', 'NodePool', 'Machine'];
  const revisions = await api.list({ apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositionRevision' });
  const ofRelease = new Set(
    revisions
      .filter(({ metadata }) => metadata?.labels?.[RELEASE_LABEL] === version)
      .map(({ metadata }) => metadata?.name),
  );
  const xrs = await Promise.all(kinds.map((kind) => api.list({ apiVersion: 'slipway.dev/v1alpha1', kind })));
  return xrs
    .flat()
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .filter((xr) => !ofRelease.has(stringAt(xr, 'spec', 'crossplane', 'compositionRevisionRef', 'name')))
    .map((xr) => `${xr.kind} ${xr.metadata?.name ?? ''}`);
}
