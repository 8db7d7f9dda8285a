/**
 * In everything before, provider-node had only the rights of docs/install/workload-cluster.yaml in the cluster: the audit
 * log of the control plane that is left names it, and nothing stayed refused to it.
 */
import type { Request } from '../../e2e/audit/log.ts';
import { PROVIDER_NODE, refused } from '../../e2e/audit/rights.ts';
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
    const own = (await machine.exec('grep', OWN, LOG)).trim().split('\n');
    const lacking = refused(
      own.map((line) => JSON.parse(line) as Request),
      PROVIDER_NODE,
    );
    hold('its roles refused it nothing', lacking.length === 0, lacking.join('; '));
    const evictions = `grep '"subresource":"eviction"'`;
    hold('it evicted pods', (await lines(evictions, `grep '${OWN}'`)).trim() !== '');
    const others = await lines(evictions, `grep -v '${OWN}'`, 'head -n 3');
    hold('nobody else evicted pods', others.trim() === '', others);
    return `${own.length} requests with the documented roles, none refused`;
  },
};
