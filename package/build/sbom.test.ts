import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleProgram } from './bundle.ts';
import { provenance } from './provenance.ts';
import { baseComponents, npmComponents, sbom } from './sbom.ts';

const ROOT = join(import.meta.dirname, '../..');
const HASH = /^[0-9a-f]{128}$/;

describe('the list of what is in a function', () => {
  test('has each npm package of its bundle once, with version, licence and hash of the lock file', async () => {
    const { modules } = await bundleProgram(ROOT, 'functions/nodepool');
    const found = npmComponents(ROOT, modules);
    const names = found.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['@grpc/grpc-js', 'pino', 'prom-client', 'zod']));
    // gRPC brings another version of protobufjs than ours.
    expect(new Set(found.map(({ purl }) => purl)).size).toBe(found.length);
    expect(found.filter(({ license, sha512 = '' }) => license === undefined || !HASH.test(sha512))).toEqual([]);
  });

  test('has no package that is only used to develop', async () => {
    const { modules } = await bundleProgram(ROOT, 'functions/nodepool');
    const names = npmComponents(ROOT, modules).map(({ name }) => name);
    expect(names.filter((name) => /^(vitest|fast-check|typescript|prettier|ajv|rolldown)$/.test(name))).toEqual([]);
  });

  test('refuses a module of a package that the lock file does not have', () => {
    const path = join(ROOT, 'node_modules/unknown/index.js');
    expect(() => npmComponents(ROOT, [path])).toThrow(
      'cannot list "unknown": package-lock.json does not have node_modules/unknown',
    );
  });

  test('names the software of the layer below', () => {
    expect(baseComponents('24.1.0', 'libc6 2.36-9+deb12u13\n', 'amd64')).toEqual([
      { name: 'node', version: '24.1.0', purl: 'pkg:npm/node@24.1.0', license: 'MIT' },
      {
        name: 'libc6',
        version: '2.36-9+deb12u13',
        purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64&distro=bookworm',
      },
    ]);
  });

  test('is CycloneDX, and has the same bytes for the same input', () => {
    const components = baseComponents('24.1.0', '', 'amd64');
    const text = sbom('function-cluster', 'v0.1.0', components);
    expect(JSON.parse(text)).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'function-cluster', version: 'v0.1.0' } },
      components: [{ type: 'library', name: 'node', version: '24.1.0', purl: 'pkg:npm/node@24.1.0' }],
    });
    expect(sbom('function-cluster', 'v0.1.0', components)).toBe(text);
  });
});

test('provenance names every file, the commit and the lock file, and no machine or time', () => {
  const facts = { release: 'v0.1.0', architectures: ['amd64'], commit: 'c0ffee', lock: 'l0ck' };
  const statement: unknown = JSON.parse(provenance({ ...facts, files: [{ name: 'a.xpkg', sha256: '00' }] }));
  expect(statement).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'a.xpkg', digest: { sha256: '00' } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://slipway.dev/package/v1',
        externalParameters: { release: 'v0.1.0', architectures: ['amd64'] },
        resolvedDependencies: [
          { uri: 'pkg:generic/slipway@v0.1.0', digest: { gitCommit: 'c0ffee' } },
          { uri: 'file:package-lock.json', digest: { sha256: 'l0ck' } },
        ],
      },
      runDetails: { builder: { id: 'https://slipway.dev/package/v1' } },
    },
  });
});
