/**
 * In everything before, provider-node had only the rights of docs/install/workload-cluster.yaml in the cluster: the audit
 * log of the control plane that is left names it, and nothing was refused to it.
 */
import { PROVIDER_NODE } from '../../e2e/audit/rights.ts';
import { hold } from '../../e2e/cases/case.ts';
import type { Case } from './case.ts';

const LOG = '/var/log/kubernetes/audit/audit.log';
const OWN = `"username":"${PROVIDER_NODE}"`;

export const rightsCase: Case = {
  name: 'rights',
  async run({ arrivals }) {
    const { machine } = arrivals.find((one) => one.machine.part === 'first control plane')!;
    const lines = async (...filters: readonly string[]): Promise<string> =>
      machine.exec('sh', '-c', [`cat ${LOG}`, ...filters, 'cut -c 1-600 || true'].join(' | '));
    const own = Number(await machine.exec('grep', '-c', OWN, LOG));
    hold('provider-node asked under its own name', own > 0);
    const refused = await lines(`grep '${OWN}'`, `grep '"code":403'`, 'head -n 3');
    hold('its roles refused it nothing', refused.trim() === '', refused);
    const evictions = `grep '"subresource":"eviction"'`;
    hold('it evicted pods', (await lines(evictions, `grep '${OWN}'`)).trim() !== '');
    const others = await lines(evictions, `grep -v '${OWN}'`, 'head -n 3');
    hold('nobody else evicted pods', others.trim() === '', others);
    return `${own} requests with the documented roles, none refused`;
  },
};
