/**
 * A joining control plane runs the version of its claim, whatever version the first machine recorded in the cluster.
 */
import { stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { clusterVersion } from '../lab/cluster-version.ts';
import type { Case } from './case.ts';

export const versionCase: Case = {
  name: 'version',
  async run({ arrivals, claimed, kubectl }) {
    const joining = arrivals.find(({ machine }) => machine.part === 'joining control plane')!.machine;
    const wanted = stringAt(claimed.machines.find(({ name }) => name === joining.name)?.spec, 'version') ?? '';
    const images = await kubectl(
      'get',
      'pods',
      '--namespace=kube-system',
      `--field-selector=spec.nodeName=${joining.name}`,
      '--output=jsonpath={.items[*].spec.containers[*].image}',
    );
    const kubernetes = images.split(' ').filter((image) => /\/kube-/.test(image));
    hold(
      'its API server, controller manager and scheduler are static pods',
      kubernetes.length === 3,
      kubernetes.join(),
    );
    for (const image of kubernetes) hold(`${image} is of ${wanted}`, image.endsWith(`:${wanted}`));
    const said = await clusterVersion(kubectl);
    hold(`the cluster says ${wanted}`, said === wanted, said);
    return `${joining.name} runs ${wanted}; the cluster, which had said an older version, says so, too`;
  },
};
