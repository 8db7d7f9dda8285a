/**
 * Contracts "leaving" and "lost": what the first releases of the nodepool step told the in-place-update step, one value
 * under a key each, before the contract "group" said it all. They count only where nobody writes that one. Today's
 * nodepool still writes "leaving", for an in-place-update step of those releases.
 */
import { z } from 'zod';

/** Under CONTEXT.leaving: how many objects are on their way out and still exist, whether or not they are observed. */
export const Leaving = z.int().min(0);

/** Under CONTEXT.lost: names of objects that will not become anything, and whose slots others fill. */
export const Lost = z.array(z.string().min(1).max(253)).max(10_000);
