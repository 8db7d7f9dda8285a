/** Where processes of the platform may go by the word of a claim. */
import { describe, expect, test } from 'vitest';
import { mayBeEndpoint, mayBeRepository } from './targets.ts';

describe('the endpoint of a Kubernetes API', () => {
  test.for([
    ['api.example.com', undefined],
    ['10.0.0.9', undefined],
    ['api.example.com', ['*']],
    ['api.example.com', ['*.example.com']],
    ['API.example.com', ['api.example.com']],
    ['10.0.0.9', ['10.0.0.0/8']],
    ['2001:db8:0::9', ['2001:db8::/64']],
    ['2001:db8:0::9', ['2001:db8::9']],
    ['127.0.0.1', ['127.0.0.1']],
    ['prod', ['prod']],
    ['prod.clusters.svc', ['*.clusters.svc']],
  ] as const)('%s may be one with %o', ([host, limit]) => {
    expect(mayBeEndpoint(host, limit)).toBe(true);
  });

  test.for([
    ['127.0.0.1', undefined],
    ['kubernetes.default.svc', undefined],
    ['127.0.0.1', ['*']],
    ['127.0.0.1', ['127.*', '0.0.0.0/0', '127.0.0.0/8', '*.0.0.1', '*.1']],
    ['169.254.169.254', ['*.169.254', '169.254.169.25?']],
    ['::1', ['::/0', '*']],
    ['prod', ['*', 'prod*', '*rod']],
    ['prod.clusters.svc', ['*.other.svc', '*.*', '*.clusters.*']],
    ['api.example.com', []],
    ['api.example.com', ['example.com', 'api.example.com.evil.org', '10.0.0.0/8']],
    ['11.0.0.9', ['10.0.0.0/8']],
  ] as const)('%s may not be one with %o', ([host, limit]) => {
    expect(mayBeEndpoint(host, limit)).toBe(false);
  });
});

describe('a repository of charts', () => {
  test.for([
    ['https://charts.example.com/stable', undefined],
    ['oci://registry.example.com:5000/charts', undefined],
    ['https://charts.example.com', ['*']],
    ['https://charts.example.com', ['https://charts.example.com']],
    ['https://charts.example.com/stable', ['https://charts.example.com']],
    ['oci://registry.example.com/team-a', ['oci://registry.example.com/team-']],
    ['https://charts.example.com', ['https://']],
    ['https://charts.tools.svc/stable', ['https://charts.tools.svc']],
    ['https://127.0.0.1:5000/', ['https://127.0.0.1:5000/']],
  ] as const)('%s may be one with %o', ([repository, limit]) => {
    expect(mayBeRepository(repository, limit)).toBe(true);
  });

  test.for([
    ['https://169.254.169.254/latest/meta-data', undefined],
    ['https://169.254.169.254#.example.com', undefined],
    ['https://2852039166/', undefined],
    ['https://%31%36%39.254.169.254/', undefined],
    ['oci://2130706433/charts', undefined],
    ['oci://[::ffff:127.0.0.1]:5000/charts', undefined],
    ['https://kubernetes.default.svc\\.example.com/', undefined],
    ['https://localhost:8080', ['*']],
    ['https://localhost:8080', ['https://']],
    ['https://charts.example.com.evil.org/', ['https://charts.example.com']],
    ['https://charts.example.com:8443/', ['https://charts.example.com']],
    ['https://charts.example.com/stable/../other', ['https://charts.example.com/stable']],
    ['https://charts.example.com/stable/%2e%2e/other', ['https://charts.example.com/stable']],
    ['https://charts.example.com', []],
    ['https://charts.example.com', ['oci://']],
  ] as const)('%s may not be one with %o', ([repository, limit]) => {
    expect(mayBeRepository(repository, limit)).toBe(false);
  });
});
