/**
 * Where the packages of a build come from, as an in-toto statement with SLSA provenance. It is not signed: whoever
 * publishes signs it with a key of their own.
 */
import { canonical } from '#lib/api/json.ts';

export interface BuildFacts {
  readonly release: string;
  readonly architectures: readonly string[];
  /** Commit of the source; undefined: not built from a clone. */
  readonly commit: string | undefined;
  /** SHA-256 of package-lock.json, which has the hash of every dependency. */
  readonly lock: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

const BUILDER = 'https://slipway.dev/package/v1';

export function provenance({ release, architectures, commit, lock, files }: BuildFacts): string {
  const source = commit === undefined ? [] : [{ uri: `pkg:generic/slipway@${release}`, digest: { gitCommit: commit } }];
  return `${canonical({
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILDER,
        externalParameters: { release, architectures },
        resolvedDependencies: [...source, { uri: 'file:package-lock.json', digest: { sha256: lock } }],
      },
      runDetails: { builder: { id: BUILDER } },
    },
  })}\n`;
}
