/** Flags of components of Kubernetes that the claimed version no longer has. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { at, isJsonObject } from '#lib/api/json.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { BOOTSTRAPPERS } from './registry.ts';
import { CONFIG_RULES, refuseConfig } from './configs.ts';
import { READ_UNTIL, REMOVED } from './removed-flags.ts';
import { bootstrapperTraits } from './traits.ts';

/** What a claim must also say, so that only the flag is judged. */
const ELSE: Readonly<Record<string, object>> = {
  k3s: { install: 'Skip' },
  rke2: { install: 'Skip' },
  k0s: { install: 'Skip' },
};

/** As a claim has a flag: in a map, or in a list. */
function configWith(provider: string, path: readonly string[], flag: string): object {
  const isList = provider === 'k3s' || provider === 'rke2' || provider === 'nodeadm';
  const flags: object = isList ? [`${provider === 'nodeadm' ? '--' : ''}${flag}=a`] : { [flag]: 'a' };
  return { ...ELSE[provider], ...path.reduceRight((inner, key) => ({ [key]: inner }), flags) };
}

function judged(provider: string, config: object, minor: number, role: 'control-plane' | 'worker'): string {
  try {
    refuseConfig(provider, config, { ofCluster: config, role, version: `v1.${minor}.0`, owner: 'Cluster "a/b"' });
    return 'accepted';
  } catch (thrown) {
    return SlipwayError.from(thrown).message;
  }
}

const CASES = Object.entries(CONFIG_RULES).flatMap(([provider, { flags }]) =>
  REMOVED.flatMap(({ component, flag, in: first }) => {
    const path = flags[component];
    const { oldest = 22, newest = READ_UNTIL } = bootstrapperTraits(provider).minors ?? {};
    return path === undefined || first > newest || first <= oldest ? [] : [{ provider, component, flag, first, path }];
  }),
);

test.for(CASES)('$provider: $component has no $flag from 1.$first on', ({ provider, component, flag, first, path }) => {
  const config = configWith(provider, path, flag);
  const with_ = judged(provider, config, first, 'control-plane');
  expect(with_).toContain(`spec.bootstrap.config.${path.join('.')}`);
  expect(with_).toContain(`${component} of v1.${first}.0 does not start with the flag ${flag}`);
  const before = judged(provider, config, first - 1, 'control-plane');
  expect(before.includes('does not start')).toBe(false);
});

test('the pool of a worker may have what its Cluster says of control planes', () => {
  const config = { apiServer: { extraArgs: { 'cloud-provider': 'external' } } };
  expect(judged('kubeadm', config, 35, 'worker')).toBe('accepted');
  expect(judged('kubeadm', config, 35, 'control-plane')).toContain('does not start with the flag cloud-provider');
});

const KUBELET_FIELDS: Readonly<Record<string, (values: object) => object>> = {
  kubeadm: (values) => ({ kubeletConfiguration: values }),
  k0s: (values) => ({ ...ELSE['k0s'], workerProfiles: [{ name: 'default', values }] }),
  microk8s: (values) => ({ kubeletConfiguration: values }),
  nodeadm: (values) => ({ kubelet: { config: values } }),
  talos: (values) => ({ kubelet: { extraConfig: values } }),
};

const OF_KUBELET = Object.entries(CONFIG_RULES).flatMap(
  ([
    provider,
    {
      flags: { kubelet },
    },
  ]) =>
    kubelet === undefined
      ? []
      : [
          { provider, config: configWith(provider, kubelet, 'provider-id') },
          ...(provider in KUBELET_FIELDS
            ? [{ provider, config: KUBELET_FIELDS[provider]!({ providerID: 'aws:///a/i-0' }) }]
            : []),
        ],
);

test.for(OF_KUBELET)('$provider: no claim says the provider id of machines, since each has its own', (row) => {
  expect(judged(row.provider, row.config, 35, 'worker')).toMatch(
    /(provider-id|providerID).*; accepted: nothing, since /,
  );
});

/** Flags of what is no component of Kubernetes. */
const OTHERS = /etcd|dqlite|containerd|addons|cloud-controller-manager/i;

test.for(Object.keys(CONFIG_RULES))('%s: every field with flags of a component is known to be one', (provider) => {
  const known = Object.values(CONFIG_RULES[provider]!.flags).map((path) => path.join('.'));
  const found = flagFields(BOOTSTRAPPERS[provider]!.config.schema);
  expect(found.filter((field) => !OTHERS.test(field)).toSorted()).toEqual([...known].toSorted());
});

/** Maps and lists of flags, by the words of the fields. */
function flagFields(schema: z.ZodType): readonly string[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const below = (node: unknown, path: readonly string[]): readonly string[] =>
    Object.entries(propertiesOf(node)).flatMap(([key, value]) =>
      /args?$|flags$/i.test(key) ? [[...path, key].join('.')] : below(value, [...path, key]),
    );
  return below(json, []);
}

function propertiesOf(node: unknown): object {
  const properties = at(node, 'properties');
  return isJsonObject(properties) ? properties : {};
}
