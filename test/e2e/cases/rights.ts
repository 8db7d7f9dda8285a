/**
 * In everything before, provider-node had only the rights of docs/install/workload-cluster.yaml in workload clusters, and
 * they were enough.
 */
import { isOfAddOns, PROVIDER_NODE, refused, strangers } from '../audit/rights.ts';
import { MACHINES } from '../workload/api-server.ts';
import { type Case, hold } from './case.ts';
import { workloadRequests } from './drained.ts';

export const rightsCase: Case = {
  name: 'rights',
  after: ['claim'],
  async run(lab) {
    const requests = await workloadRequests(lab);
    const own = requests.filter(({ user }) => user.username === PROVIDER_NODE);
    hold('provider-node asked under its own name', own.length > 0);
    // Kubelets, and whoever looks around in this lab, are the machines; add-ons are applied by the administrator.
    const ours = requests.filter((request) => !isOfAddOns(request));
    const others = strangers(ours, [PROVIDER_NODE, MACHINES]);
    hold('nobody but the providers of add-ons asked as administrator', others.length === 0, others.join());
    const lacking = refused(requests, PROVIDER_NODE);
    hold('its roles refused it nothing', lacking.length === 0, lacking.join('; '));
    return `${own.length} requests with the documented roles, none refused, none of its own as administrator`;
  },
};
