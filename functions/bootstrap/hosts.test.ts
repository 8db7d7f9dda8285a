/** Names that certificates of an API are for are judged in every bootstrapper that has them, before a new Cluster exists. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { at, isJsonObject, type JsonObject, stringAt } from '#lib/api/json.ts';
import { refuseHosts } from './configs.ts';
import { BOOTSTRAPPERS } from './registry.ts';

/** Paths of fields that say so themselves. */
function fieldsOf(schema: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const properties = at(schema, 'properties');
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, one]) => {
    const isFound = stringAt(one, 'description')?.startsWith('Additional names') === true;
    return [...(isFound ? [[...path, name]] : []), ...fieldsOf(one, [...path, name])];
  });
}

const FIELDS = Object.entries(BOOTSTRAPPERS).flatMap(([provider, { config }]) =>
  fieldsOf(z.toJSONSchema(config.schema, { unrepresentable: 'any', io: 'input' })).map((path) => ({ provider, path })),
);

const configOf = (path: readonly string[], value: unknown): JsonObject =>
  path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value) as JsonObject;

function judged(provider: string, path: readonly string[], name: string): string {
  try {
    refuseHosts(provider, configOf(path, ['api.example.com', name]), 'Cluster "a"');
    return 'accepted';
  } catch (thrown) {
    return (thrown as Error).message.replace(/^cannot accept Cluster "a": spec\.bootstrap\.config\./, '');
  }
}

test('every bootstrapper with such names is found', () => {
  expect(new Set(FIELDS.map(({ provider }) => provider))).toEqual(
    new Set(['canonical-kubernetes', 'k0s', 'k3s', 'kubeadm', 'microk8s', 'rke2', 'talos']),
  );
});

test.for(FIELDS)('$provider: $path', ({ provider, path }) => {
  const field = `${path.join('.')}[1]`;
  const refused = {
    'https://api.example.com': '; did you mean "api.example.com"?',
    'api.example.com:6443': '; did you mean "api.example.com"?',
    'my api': '',
    '10.0.0.0/8': '',
  };
  for (const [name, meant] of Object.entries(refused)) {
    const line = judged(provider, path, name);
    expect(line).toContain(`${field}: ${JSON.stringify(name)} is not a host; accepted: `);
    expect(line.split('; did you mean')[1] ?? '', name).toBe(meant.replace('; did you mean', ''));
  }
  for (const name of ['api', '10.0.0.9', 'fd00::9', '*.example.com'])
    expect(judged(provider, path, name)).toBe('accepted');
});

test.for(['API.example.com', 'api.*.example.com', '*', '10.0.0.256'])('kubeadm has no certificate for %s', (name) => {
  expect(judged('kubeadm', ['certSANs'], name)).toContain('is not a host; accepted: ');
});
