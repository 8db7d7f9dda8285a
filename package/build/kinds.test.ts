/**
 * provider-node has releases of its own, and its kinds must have every field that functions write: a release that
 * allows an older one would stop every Machine with "field not declared in schema".
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gte, lte, minVersion, satisfies } from 'semver';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CATALOG } from './catalog.ts';
import { kindsDigest } from './kinds.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const PRESENT = `v${VERSION}`;

const apart = CATALOG.filter(({ isApart }) => isApart === true);

describe.for(apart.map((source) => [source.name, source] as const))('the kinds of %s', ([name, source]) => {
  const { since, sha256 } = source.kinds!;
  const crds = join(ROOT, source.content[0]!);

  test('are those that the catalog records, with the release that has them', () => {
    const now = kindsDigest(crds);
    const told = `the kinds of ${name} have changed: in package/build/catalog.ts, set "since" to the first release that will have them (${PRESENT}, or the next one if that is published) and "sha256" to "${now}"`;
    expect(sha256, told).toBe(now);
    expect(lte(since, PRESENT), `${name} ${since} is newer than ${PRESENT} of package.json: raise that`).toBe(true);
  });

  test('are in every release that another package allows', () => {
    const ranges = rangesOf(name);
    expect(Object.keys(ranges).length).toBeGreaterThan(0);
    for (const [file, range] of Object.entries(ranges)) {
      const raise = `${file} allows ${name} "${range}", of which some lack the kinds of ${since}: raise its lower bound to ">=${since}-0"`;
      expect(gte(minVersion(range)!, `${since}-0`), raise).toBe(true);
      expect(satisfies(PRESENT, range), `${file} does not allow ${name} ${PRESENT}, which is built with it`).toBe(true);
    }
  });

  test('are the same after a change of words, and others after one of a field', () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-kinds-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(crds, folder, { recursive: true });
    const file = join(folder, 'workloadnodes.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/description: .*/, 'description: other words'));
    expect(kindsDigest(folder)).toBe(kindsDigest(crds));
    writeFileSync(file, text.replace(/^( +)managementPolicies:/m, '$1another: { type: string }\n$&'));
    expect(kindsDigest(folder)).not.toBe(kindsDigest(crds));
  });
});

/** What other packages allow of it, by their file. */
function rangesOf(name: string): Readonly<Record<string, string>> {
  const found = CATALOG.flatMap(({ folder }) => {
    const file = `${folder}/crossplane.yaml`;
    const needs = at(parse(readFileSync(join(ROOT, file), 'utf8')) as KubeObject, 'spec', 'dependsOn');
    const list: readonly unknown[] = Array.isArray(needs) ? needs : [];
    return list
      .filter((need) => stringAt(need, 'package')?.endsWith(`/slipway/${name}`))
      .map((need) => [file, stringAt(need, 'version') ?? ''] as const);
  });
  return Object.fromEntries(found);
}
