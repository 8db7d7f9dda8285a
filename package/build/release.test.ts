import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CATALOG, packageYaml, RELEASE } from './catalog.ts';
import { RELEASE_LABEL, releaseOf } from './release.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = new Set(RELEASE.map(({ name }) => name));

describe.for(CATALOG.map((source) => [source.name, source] as const))('%s in release v0.7.3', ([, source]) => {
  const objects = objectsOf(packageYaml(ROOT, source, 'v0.7.3'));

  test('requires exactly v0.7.3 of the other packages', () => {
    const versions = needsOf(objects)
      .filter((need) => NAMES.has(nameOf(need)))
      .map((need) => need['version']);
    expect(versions.filter((version) => version !== 'v0.7.3')).toEqual([]);
  });

  test('has v0.7.3 on every XRD and Composition', () => {
    const unlabelled = objects
      .filter(({ kind }) => kind === 'CompositeResourceDefinition' || kind === 'Composition')
      .filter(({ metadata }) => metadata?.labels?.[RELEASE_LABEL] !== 'v0.7.3');
    expect(unlabelled).toEqual([]);
  });
});

test('a flavour depends on the APIs and every function, so that a release is never installed without them', () => {
  const aws = CATALOG.find(({ name }) => name === 'configuration-slipway-aws')!;
  const needed = needsOf(objectsOf(packageYaml(ROOT, aws, 'v0.7.3'))).map(nameOf);
  const released = CATALOG.filter(({ name, runs }) => runs !== undefined || name === 'configuration-slipway');
  expect(released.map(({ name }) => name).filter((name) => !needed.includes(name))).toEqual([]);
  expect(needed[0], 'the APIs come before the functions').toBe('configuration-slipway');
});

test('depends on a range of packages with releases of their own', () => {
  const aws = CATALOG.find(({ name }) => name === 'configuration-slipway-aws')!;
  const foreign = needsOf(objectsOf(packageYaml(ROOT, aws, 'v0.7.3'))).filter((need) => !NAMES.has(nameOf(need)));
  expect(foreign.map(nameOf)).toContain('provider-aws-ec2');
  expect(foreign.filter((need) => stringAt(need, 'version')?.includes('<') !== true)).toEqual([]);
});

test('no provider-aws-ec2 is accepted that cannot read the rules of security groups', () => {
  const aws = CATALOG.find(({ name }) => name === 'configuration-slipway-aws')!;
  const ec2 = needsOf(objectsOf(packageYaml(ROOT, aws, 'v0.7.3'))).find((need) => nameOf(need) === 'provider-aws-ec2');
  expect(ec2?.['version']).toBe('>=v2.6.0 <v3.0.0');
});

test('committed files have the release of package.json, so that users read the current version', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const text = readFileSync(join(ROOT, 'package/configuration-aws/crossplane.yaml'), 'utf8');
  const ours = needsOf(objectsOf(text)).filter((need) => NAMES.has(nameOf(need)));
  expect(new Set(ours.map((need) => need['version']))).toEqual(new Set([`v${version}`]));
});

test.for(['0.1.0', 'v0.1', 'latest', 'v0.1.0+build', 'v01.0.0'])('%s is not a release version', (text) => {
  expect(() => releaseOf(text)).toThrow(`cannot build version "${text}"; accepted: v and three numbers`);
});

test.for(['v0.1.0', 'v0.2.0-rc.1'])('%s is a release version', (text) => {
  expect(releaseOf(text)).toBe(text);
});

function objectsOf(yaml: string): readonly KubeObject[] {
  return parseAllDocuments(yaml).map((document) => document.toJS() as KubeObject);
}

function needsOf([meta]: readonly KubeObject[]) {
  const needs = at(meta, 'spec', 'dependsOn');
  return (Array.isArray(needs) ? needs : []).filter(isJsonObject);
}

function nameOf(need: unknown): string {
  return stringAt(need, 'package')?.split('/').at(-1) ?? '';
}
