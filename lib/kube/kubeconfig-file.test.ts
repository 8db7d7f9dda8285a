/** What kubectl takes for a kubeconfig is one here too: as it is written by hand, by programs, and over several files. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { contextOf } from './context.ts';
import { loadKubeconfig } from './kubeconfig-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
const NOW = new Date('2026-01-01T00:00:00Z');

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Written {
  readonly cluster?: object;
  readonly user?: object;
  readonly userName?: string;
  readonly current?: string | null;
}

const config = (name: string, { cluster = {}, user = {}, userName = name, current = name }: Written = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: `https://${name}.example.org`, ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: userName } }],
    'current-context': current,
  });

const used = (file?: string) => contextOf(loadKubeconfig(file), undefined, NOW);

describe('of several files', () => {
  afterEach(() => void vi.unstubAllEnvs());

  test.for([
    {
      name: 'the first has an empty current context',
      texts: [config('a', { current: '' }), config('b')],
      context: 'b',
    },
    { name: 'the first has none', texts: [config('a', { current: null }), config('b')], context: 'b' },
    { name: 'both have one', texts: [config('a'), config('b')], context: 'a' },
    { name: 'the first is empty', texts: ['', config('b')], context: 'b' },
    { name: 'the last is empty', texts: [config('a'), ''], context: 'a' },
  ])('$context is the context if $name', async ({ texts, context }) => {
    const files = texts.map((text, i) => written(`several-${i}`, text));
    vi.stubEnv('KUBECONFIG', files.join(':'));
    expect((await used()).name).toBe(context);
  });

  it('an empty one alone is told as such', () => {
    const file = written('alone', '');
    vi.stubEnv('KUBECONFIG', file);
    expect(() => loadKubeconfig(undefined)).toThrow(
      `cannot read kubeconfig "${file}": it holds no kubeconfig: it is empty`,
    );
  });
});

it('goes without credentials in a context whose user is empty', async () => {
  const { credentials } = await used(written('no-user', config('a', { userName: '' })));
  expect(credentials.headers).toEqual({});
});

it('has no proxy where proxy-url is empty', async () => {
  const { hasProxy } = await used(written('no-proxy', config('a', { cluster: { 'proxy-url': '' } })));
  expect(hasProxy).toBe(false);
});

it('finds the file of a token beside it, and takes it over a token', async () => {
  written('token', 'not-a-real-token\n');
  const file = written('token-file', config('a', { user: { tokenFile: 'token', token: 'another' } }));
  expect((await used(file)).credentials.headers).toEqual({ Authorization: 'Bearer not-a-real-token' });
});

it('names the file of a token that is not there', async () => {
  const file = written('no-token-file', config('a', { user: { tokenFile: '/nowhere/token' } }));
  await expect(used(file)).rejects.toThrow('credentials of context "a": cannot read "/nowhere/token": no such file');
});

it('finds a program beside it that gets credentials', async () => {
  const answer = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'not-real' },
  };
  chmodSync(written('login', `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`), 0o700);
  const exec = { apiVersion: answer.apiVersion, command: './login', args: null, env: null };
  const { credentials } = await used(written('program', config('a', { user: { exec } })));
  expect(credentials.headers).toEqual({ Authorization: 'Bearer not-real' });
});

describe('an entry that the context does not use', () => {
  const beside = (list: string, entry: unknown): string => {
    const parts = JSON.parse(config('a')) as Record<string, unknown[]>;
    return JSON.stringify({ ...parts, [list]: [...(parts[list] ?? []), entry] });
  };

  test.for([
    ['clusters', { name: 'b', cluster: {} }],
    ['clusters', { name: 'b', cluster: { server: '' } }],
    ['clusters', { name: 'b', cluster: null }],
    ['clusters', { name: 'b' }],
    ['clusters', { cluster: { server: 'https://b.example.org' } }],
    ['clusters', null],
    ['users', { name: 'b' }],
    ['users', { user: {} }],
    ['users', null],
    ['users', { name: 'b', user: { tokenFile: '/nowhere/token' } }],
    ['users', { name: 'b', user: { 'client-certificate': '/nowhere/cert', 'client-key': '/nowhere/key' } }],
    ['contexts', { name: 'b' }],
    ['contexts', { name: 'b', context: null }],
    ['contexts', { name: 'b', context: {} }],
    ['contexts', { name: 'b', context: { cluster: 'gone', user: 'gone' } }],
    ['contexts', null],
  ] as const)('may lack a part, as with kubectl: %s %j', async ([list, entry]) => {
    expect((await used(written('beside', beside(list, entry)))).name).toBe('a');
  });

  test.for([
    ['clusters', { name: 'b', cluster: { server: 5 } }, 'clusters[1].cluster.server'],
    ['clusters', { name: 5 }, 'clusters[1].name'],
    ['contexts', { name: 'b', context: { cluster: 5 } }, 'contexts[1].context.cluster'],
  ] as const)('may have no other form, as with kubectl: %s %j', ([list, entry, field]) => {
    expect(() => loadKubeconfig(written('form', beside(list, entry)))).toThrow(`${field} is of another form`);
  });

  it('says what it lacks once a context uses it', async () => {
    const file = written('lacking', beside('contexts', { name: 'b' }));
    await expect(contextOf(loadKubeconfig(file), 'b', NOW)).rejects.toThrow('context "b": it names no cluster');
  });
});
