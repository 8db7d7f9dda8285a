/** Every machine joined by a token of its own, and none is left: the lab waits a minute for that. */
import { hold } from '../../e2e/cases/case.ts';
import { isAdmitted } from '../lab/provider-node.ts';
import type { Case } from './case.ts';

export const joinsCase: Case = {
  name: 'joins',
  async run(lab) {
    const { arrivals, kubectl } = lab;
    for (const { machine } of arrivals.filter(({ machine: { part } }) => part !== 'first control plane'))
      hold(`the token of ${machine.name} is gone`, !(await isAdmitted(lab, machine)));
    const tokens = arrivals.map(({ machine }) => machine.joinToken.toString());
    hold('no two machines have the same token', new Set(tokens).size === tokens.length);
    const type = '--field-selector=type=bootstrap.kubernetes.io/token';
    const jsonpath = '--output=jsonpath={range .items[*]}{.data.token-id} {.data.expiration}{"\\n"}{end}';
    const left = await kubectl('get', 'secrets', '--namespace=kube-system', type, jsonpath);
    const lasting = left.split('\n').filter((line) => line.trim() !== '' && line.trim().split(' ').length < 2);
    hold('every token that is left expires', lasting.length === 0, left);
    return `${arrivals.length - 1} machines joined by their own tokens, which are gone`;
  },
};
