/** Names of the API that a new Cluster asks certificates for. */
import { expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { refuseHosts } from './configs.ts';

const CONFIGS: Readonly<Record<string, (name: string) => object>> = {
  kubeadm: (name) => ({ certSANs: [name] }),
  k3s: (name) => ({ 'tls-san': [name] }),
  rke2: (name) => ({ 'tls-san': [name] }),
  talos: (name) => ({ apiServer: { certSANs: [name] } }),
};

function refused(provider: string, name: string): string {
  try {
    refuseHosts(provider, CONFIGS[provider]?.(name), 'Cluster "a/b"');
    return 'accepted';
  } catch (thrown) {
    return SlipwayError.from(thrown).message;
  }
}

test.for(Object.keys(CONFIGS))('%s has certificates for names, wildcards and addresses', (provider) => {
  for (const name of ['api.example.com', '*.example.com', '10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1'])
    expect(refused(provider, name), name).toBe('accepted');
});

const OTHERS = Object.keys(CONFIGS).filter((provider) => provider !== 'kubeadm');

test.for(['my_api.corp', 'API.corp', 'a.example.com,b.example.com'])(
  '%s is a name that kubeadm refuses, and others have in a certificate',
  (name) => {
    const line = 'accepted: a DNS name in lower case, a wildcard such as *.example.com';
    expect(refused('kubeadm', name)).toContain(line);
    for (const provider of OTHERS) expect(refused(provider, name), provider).toBe('accepted');
  },
);

test.for(['https://api.corp', 'api.corp:6443', '[::1]:6443', 'api corp', '10.0.0.0/8', 'a.corp,https://b.corp', ''])(
  '%j is a name that no client could use',
  (name) => {
    for (const provider of Object.keys(CONFIGS)) expect(refused(provider, name), provider).toContain('is not a host');
  },
);

test('the host inside a URL was meant, and no address of a block', () => {
  expect(refused('k3s', 'https://API.corp:6443')).toMatch(/; did you mean "api\.corp"\?$/);
  expect(refused('k3s', '10.0.0.0/8')).not.toContain('did you mean');
});
