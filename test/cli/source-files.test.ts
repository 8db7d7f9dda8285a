/** Files from which another program makes objects are named with the command that makes them. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slipway } from './slipway.ts';
import { folderWith } from './written.ts';

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../base]\n';

describe('a file from which another program makes objects', () => {
  const sources = [
    { what: 'a kustomization', name: 'kustomization.yaml', text: KUSTOMIZATION, makes: 'kubectl kustomize' },
    { what: 'one that says no kind', name: 'kustomization.yml', text: 'resources: [a]\n', makes: 'kubectl kustomize' },
    { what: 'a chart', name: 'Chart.yaml', text: 'apiVersion: v2\nname: a\nversion: 1.0.0\n', makes: 'helm template' },
  ];
  const commands = [
    ['validate'],
    ['simulate'],
    ['plan'],
    ['plan', '--delete'],
    ['describe', 'cluster', 'prod'],
    ['payload'],
    ['validate', '-f'],
  ];
  const cases = sources.flatMap((source) => commands.map((command) => ({ ...source, command })));
  test.for(cases)('is named with what makes them: $what, $command', async ({ name, text, makes, command }) => {
    const path = folderWith(name, text);
    const { code, stderr } = await slipway(...command, path);
    const [line, hint] = stderr.split('\n');
    expect(line).toMatch(`slipway: cannot use "${join(path, name)}": it is `);
    expect(line).toMatch(`; accepted: the objects that ${makes} makes of it`);
    expect(hint).toBe(`  for example: ${makes} ${path} > objects.yaml, and give objects.yaml instead`);
    expect(code).toBe(2);
  });
});
