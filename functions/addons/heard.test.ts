/** What a team reads of an error that a provider reports: what failed, and not what somebody answered to the provider. */
import { describe, expect, test } from 'vitest';
import { withoutAnswers } from './heard.ts';

const SECRET = 'AKIAFAKEFAKEFAKE';

describe('what is answered is left out', () => {
  const CASES: readonly (readonly [name: string, said: string, want: string])[] = [
    [
      'a body that client-go quotes',
      `observe failed: an error on the server ("{\\"AccessKeyId\\":\\"${SECRET}\\"}") has prevented the request from succeeding (get namespaces)`,
      'observe failed: an error on the server ("…") has prevented the request from succeeding (get namespaces)',
    ],
    [
      'one word that client-go quotes',
      `an error on the server ("${SECRET}") has prevented the request from succeeding`,
      'an error on the server ("…") has prevented the request from succeeding',
    ],
    ['a quote without an end', `an error on the server ("${SECRET} and more`, 'an error on the server ("…"'],
    [
      'a page',
      `cannot get object: <html><head><title>${SECRET}</title></head></html> (get namespaces kube-system)`,
      'cannot get object: … (get namespaces kube-system)',
    ],
    ['an object', `cannot get object: {"token": {"a": "${SECRET}"}} (get pods)`, 'cannot get object: … (get pods)'],
    [
      'what another protocol says',
      `Get "https://10.0.0.1:22/version": net/http: HTTP/1.x transport connection broken: malformed HTTP response "SSH-2.0-${SECRET}"`,
      'Get "https://10.0.0.1:22/version": net/http: HTTP/1.x transport connection broken: malformed HTTP response "…"',
    ],
    [
      'what a registry says',
      `GET "https://r.example.com/v2/": response status code 403: denied: ${SECRET}`,
      'GET "https://r.example.com/v2/": response status code 403: denied',
    ],
    [
      'what a parser found',
      `yaml: unmarshal errors: line 1: cannot unmarshal !!str \`${SECRET} a\` into repo.IndexFile`,
      'yaml: unmarshal errors: line 1: cannot unmarshal !!str "…" into repo.IndexFile',
    ],
    [
      'a value, which may be from a Secret',
      `Deployment.apps "web" is invalid: spec.template.spec.hostname: Invalid value: "${SECRET}": must be a label`,
      'Deployment.apps "web" is invalid: spec.template.spec.hostname: Invalid value: "…": must be a label',
    ],
    ['the query of an address', `Get "https://a.example.com/x?sig=${SECRET}": EOF`, 'Get "…": EOF'],
  ];

  test.for(CASES)('%s', ([, said, want]) => {
    expect(withoutAnswers(said)).toBe(want);
    expect(want).not.toContain(SECRET);
  });
});

test.for([
  'create failed: failed to pull chart: chart "ingress" version "4.1.0" not found in https://charts.example.com repository',
  'Deployment.apps "ingress" is invalid: spec.template.spec.containers[0].image: Required value',
  'release failed: timed out waiting for the condition',
  'failed to fetch https://charts.example.com/index.yaml : 404 Not Found',
  'Get "https://api.example.com:6443/version": dial tcp 10.0.0.9:6443: connect: connection refused',
  'namespaces "apps" is forbidden: User "system:anonymous" cannot get resource "namespaces" in API group "" at the cluster scope',
  'no matches for kind "Widget" in version "example.com/v1"',
  'waited for 3 < 5 pods',
])('what failed stays: %s', (said) => {
  expect(withoutAnswers(said)).toBe(said);
});

test('takes no more than in proportion for what is quoted a hundred thousand times', () => {
  const milliseconds = (times: number): number => {
    const before = performance.now();
    for (const text of ['"', '<', '{', '`', '\\"', '<{"', 'response status code 403: '])
      withoutAnswers(text.repeat(times));
    return performance.now() - before;
  };
  // Ten times as many take a hundred times as long where each quote looks at all others.
  expect(milliseconds(100_000) / Math.max(milliseconds(10_000), 5)).toBeLessThan(50);
});
