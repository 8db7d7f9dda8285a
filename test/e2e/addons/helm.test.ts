/** With the real helm and a registry on this machine, where both are built: npm run e2e -- --build. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { PROGRAMS } from '../binaries/catalog.ts';
import { find } from '../binaries/find.ts';
import { Processes } from '../lab/processes.ts';
import { startRegistryProgram } from '../lab/registry.ts';
import { pushCharts } from './charts.ts';
import { Helm } from './helm.ts';

const program = (name: string): string | undefined => {
  const known = PROGRAMS.find((one) => one.name === name);
  return known === undefined ? undefined : find(known);
};
const [helmProgram, registryProgram] = [program('helm'), program('e2e-registry')];
const isBuilt = helmProgram !== undefined && registryProgram !== undefined;
const NETWORK = { repository: 'https://network.example.com/charts', name: 'network', version: 'v3.31.3' };

describe.skipIf(!isBuilt)('charts, with the helm that npm run e2e -- --build builds,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helm-'));
  const processes = new Processes(join(folder, 'logs'));
  let helm: Helm;

  beforeAll(async () => {
    const host = await startRegistryProgram(registryProgram ?? '', processes);
    helm = new Helm(helmProgram ?? '', host, join(folder, 'helm'));
    await pushCharts(helm, [{ ...NETWORK, content: 'network' }], join(folder, 'charts'));
  }, 60_000);

  afterAll(async () => {
    await processes.stopAll();
    rmSync(folder, { recursive: true });
  });

  test('are found by the repository, name and version of a claim', async () => {
    const file = await helm.pull(NETWORK);
    const text = await helm.render({ name: 'net', namespace: 'kube-system', file, values: { cidr: '10.0.0.0/8' } });
    const objects = parseAllDocuments(text).map((one) => one.toJS() as { readonly kind: string });
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual(['ConfigMap', 'DaemonSet']);
    expect(text).toContain('images.example.com/network:v3.31.3');
    expect(text).toContain(String.raw`{\"cidr\":\"10.0.0.0/8\"}`);
  }, 60_000);

  test('that do not exist are named in one line', async () => {
    await expect(helm.pull({ ...NETWORK, version: '9.9.9' })).rejects.toThrow(
      /^failed to pull chart "network" version "9.9.9" of https:\/\/network.example.com\/charts: not found$/,
    );
  }, 60_000);
});
