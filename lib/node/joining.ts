/** What a look at the token of a machine leads to, of whatever kind the token is. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Decision } from './decision.ts';

/** What a look at the token leads to. */
export type Joining =
  | { readonly way: 'Act'; readonly decision: Decision }
  /** Nobody can join by it yet. */
  | { readonly way: 'Wait'; readonly message: string }
  /** @see Report.status; `due`: seconds until it has to be extended. */
  | { readonly way: 'Done'; readonly status: JsonObject; readonly due?: number };

export const DONE = { way: 'Done', status: {} } as const;

export function act(decision: Decision): Joining {
  return { way: 'Act', decision };
}
