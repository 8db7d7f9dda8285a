/** No file is written twice: the files of a claim and those of the plan, in the order of writing. */
import { posix } from 'node:path';
import { refusal } from '#lib/api/refusal.ts';

interface Placed {
  readonly path: string;
  readonly append?: boolean;
  /** The field of the claim, unless it is one of its files. */
  readonly field?: string;
}

/** Throws InvalidClaim for the first path that is written twice, in the order of writing. */
export function refuseDuplicates(files: readonly Placed[], what: string): void {
  const seen = new Set<string>();
  for (const { path, append, field = 'files' } of files) {
    const place = posix.normalize(path);
    if (append !== true && seen.has(place))
      throw refusal(
        what,
        `spec.provisioning.${field}`,
        path,
        'a path that nothing else writes; append: true adds to the file',
      );
    seen.add(place);
  }
}
