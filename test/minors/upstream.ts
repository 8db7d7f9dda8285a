/** The releases of Kubernetes that the Go module proxy lists. It serves more, so that the newest of a minor may be older. */
import { spawnSync } from 'node:child_process';
import { minor, prerelease, rcompare, valid } from 'semver';

/** The newest release of each minor version, by minor version such as 1.37. Throws when nobody answers. */
export function newest(): ReadonlyMap<string, string> {
  const { status, stdout, stderr } = spawnSync('go', ['list', '-m', '-versions', 'k8s.io/kubernetes'], {
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
  });
  if (status !== 0) throw new Error(`cannot list the releases of Kubernetes: ${(stderr ?? '').trim() || 'no Go'}`);
  return byMinor(stdout.split(/\s+/));
}

/** Without what is no release yet. */
export function byMinor(versions: readonly string[]): ReadonlyMap<string, string> {
  const releases = versions.filter((one) => valid(one) !== null && prerelease(one) === null).toSorted(rcompare);
  const first = new Map<string, string>();
  for (const release of releases) {
    const key = `1.${minor(release)}`;
    if (!first.has(key)) first.set(key, release);
  }
  return first;
}
