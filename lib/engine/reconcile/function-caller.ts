/** A composition function as the reconciler sees it: one call, over the wire or, in tests, in process. */
import type { FunctionClient } from '#lib/fn/client.ts';

export type FunctionCaller = Pick<FunctionClient, 'run'>;
