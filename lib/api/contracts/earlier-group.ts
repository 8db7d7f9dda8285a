/**
 * Contracts "leaving" and "lost": what the nodepool step of the first releases told the in-place-update step, one value
 * under a key each, before the contract "group" replaced them. They are only used without that contract. The current
 * nodepool still writes "leaving", for an in-place-update step of those releases.
 */
import { z } from 'zod';

/** Under CONTEXT.leaving: how many objects are being deleted and still exist, whether or not they are observed. */
export const Leaving = z.int().min(0);

/** Under CONTEXT.lost: names of objects that will never become ready, and whose slots other objects fill. */
export const Lost = z.array(z.string().min(1).max(253)).max(10_000);
