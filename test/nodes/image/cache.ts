/** Where images, tools and runs are stored: below .cache, never in the repository. */
import { join } from 'node:path';
import { ROOT } from '../../e2e/binaries/find.ts';

export const CACHE = join(ROOT, '.cache/nodes');
