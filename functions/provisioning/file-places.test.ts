/** No file is where another one needs a folder: some formats would stop at it on first boot, others leave files out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { refuseFirstBoot } from './formats.ts';

const judged = (given: JsonObject): string => {
  try {
    const plan = { kind: 'scripted', os: ['linux'], writes: [{ path: '/etc/kubernetes/kubeadm.yaml' }] } as const;
    refuseFirstBoot(Provisioning.parse(given), { provider: 'kubeadm', plan }, 'NodePool "a"', []);
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replace('cannot accept NodePool "a": spec.provisioning.', '');
  }
};
const files = (...paths: readonly string[]): JsonObject => ({ files: paths.map((path) => ({ path, content: 'a' })) });

describe.for(['cloud-init', 'ignition', 'ignition-2.3'])('%s', (format) => {
  test.for([
    {
      paths: ['/opt/a', '/opt/a/b'],
      line: 'files[0].path: "/opt/a" is not accepted; accepted: another path, since /opt/a/b makes a folder of it',
    },
    {
      paths: ['/opt/a/b/c', '/opt/a'],
      line: 'files[0].path: "/opt/a/b/c" is not accepted; accepted: a path that is not below /opt/a, which is a file',
    },
    {
      paths: ['/etc/kubernetes/kubeadm.yaml/more'],
      line: 'files[0].path: "/etc/kubernetes/kubeadm.yaml/more" is not accepted; accepted: a path that is not below /etc/kubernetes/kubeadm.yaml, which is a file',
    },
    {
      paths: ['/etc/kubernetes'],
      line: 'files[0].path: "/etc/kubernetes" is not accepted; accepted: another path, since /etc/kubernetes/kubeadm.yaml makes a folder of it',
    },
    {
      paths: ['/etc/slipway'],
      line: 'files[0].path: "/etc/slipway" is not accepted; accepted: another path, since /etc/slipway/bootstrap.sh makes a folder of it',
    },
  ])('$line', ({ paths, line }) => {
    expect(judged({ format, ...files(...paths) })).toBe(line);
  });

  test('a file where the claim mounts something, or above it', () => {
    const mounts = [{ device: '/dev/sdb1', path: '/srv/data' }];
    for (const path of ['/srv', '/srv/data'])
      expect(judged({ format, mounts, ...files(path) })).toMatch(/^files\[0\]\.path: .* makes a folder of it$/);
  });

  test('of any two paths, exactly those are refused of which one is below the other', () => {
    const place = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(place, place, (one, other) => {
        const [left, right] = [one, other].map((names) => `/opt/${names.join('/')}`) as [string, string];
        fc.pre(left !== right);
        const isBelow = left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
        expect(judged({ format, ...files(left, right) }) === 'accepted').toBe(!isBelow);
      }),
      { numRuns: 100 },
    );
  });
});
