/** Names of claims, the same in both kinds. */
import type { Input } from './input.ts';

const CALLED: Readonly<Record<string, string>> = {
  'a name of 260 letters': 'x'.repeat(260),
  'a name one letter too long': 'x'.repeat(53),
  'a name with a dot': 'team.prod',
  'a name in capitals': 'Prod',
  'a name with an underscore': 'my_prod',
  'a name that ends with a dash': 'prod-',
};

export const named = (kind: Input['kind']): readonly Input[] =>
  Object.entries(CALLED).map(([name, called]) => ({ name, kind, spec: {}, called }));
