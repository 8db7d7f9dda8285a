import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CATALOG, packageYaml } from './catalog.ts';
import { RELEASE_LABEL, releaseOf } from './release.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = new Set(CATALOG.map(({ name }) => name));

describe.for(CATALOG.map((source) => [source.name, source] as const))('%s in release v0.7.3', ([, source]) => {
  const objects = objectsOf(packageYaml(ROOT, source, 'v0.7.3'));

  test('needs exactly v0.7.3 of what is released with it', () => {
    const versions = needsOf(objects)
      .filter((need) => NAMES.has(nameOf(need)))
      .map((need) => need['version']);
    expect(versions.filter((version) => version !== 'v0.7.3')).toEqual([]);
  });

  test('says v0.7.3 on every XRD and Composition', () => {
    const unlabelled = objects
      .filter(({ kind }) => kind === 'CompositeResourceDefinition' || kind === 'Composition')
      .filter(({ metadata }) => metadata?.labels?.[RELEASE_LABEL] !== 'v0.7.3');
    expect(unlabelled).toEqual([]);
  });
});

test('a flavour needs the APIs and every function, or a release could go in without them', () => {
  const aws = CATALOG.find(({ name }) => name === 'configuration-slipway-aws')!;
  const needed = needsOf(objectsOf(packageYaml(ROOT, aws, 'v0.7.3'))).map(nameOf);
  const released = CATALOG.filter(({ name, runs }) => runs !== undefined || name === 'configuration-slipway');
  expect(released.map(({ name }) => name).filter((name) => !needed.includes(name))).toEqual([]);
  expect(needed[0], 'the APIs come before what writes them').toBe('configuration-slipway');
});

test('what has a release of its own is needed in a range', () => {
  const aws = CATALOG.find(({ name }) => name === 'configuration-slipway-aws')!;
  const foreign = needsOf(objectsOf(packageYaml(ROOT, aws, 'v0.7.3'))).filter((need) => !NAMES.has(nameOf(need)));
  expect(foreign.map(nameOf)).toContain('provider-aws-ec2');
  expect(foreign.filter((need) => stringAt(need, 'version')?.includes('<') !== true)).toEqual([]);
});

test("what is committed is the release of package.json, so that people read today's version", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const text = readFileSync(join(ROOT, 'package/configuration-aws/crossplane.yaml'), 'utf8');
  const ours = needsOf(objectsOf(text)).filter((need) => NAMES.has(nameOf(need)));
  expect(new Set(ours.map((need) => need['version']))).toEqual(new Set([`v${version}`]));
});

test.for(['0.1.0', 'v0.1', 'latest', 'v0.1.0+build', 'v01.0.0'])('%s is no version of a release', (text) => {
  expect(() => releaseOf(text)).toThrow(`cannot build version "${text}"; accepted: v and three numbers`);
});

test.for(['v0.1.0', 'v0.2.0-rc.1'])('%s is one', (text) => {
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
