/** A flow log to a folder of a bucket, which the platform writes into its Composition, becomes Ready. */
import { hold } from '../../e2e/cases/case.ts';
import { TEAM } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { condition } from '../../e2e/packages/install.ts';
import { items, textAt } from '../cloud/xml.ts';
import type { Case } from './case.ts';
import { compositionWith } from './in-place.ts';

const BUCKET = 'flow-logs-of-the-lab';
const DESTINATION = `arn:aws:s3:::${BUCKET}/clusters/prod/`;
const FLOW_LOG = { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'FlowLog', namespace: TEAM } as const;

export const flowLogCase: Case = {
  name: 'flow log',
  after: ['claim'],
  async run(lab) {
    await lab.aws.bucket(BUCKET);
    const calls = lab.proxy.calls.length;
    await compositionWith(lab, {
      ClusterInput: {
        aws: { flowLogs: { destination: DESTINATION, trafficType: 'REJECT', maxAggregationSeconds: 600 } },
      },
    });
    await until('the FlowLog is Ready', { seconds: 300, every: 1000 }, async () => {
      const logs = await lab.api.list(FLOW_LOG);
      const ready = logs.filter((one) => condition(one, 'Ready')?.['status'] === 'True');
      const words = logs.map((one) => JSON.stringify(one.status?.['conditions'])).join();
      return logs.length === 1 && ready.length === 1 ? { found: true } : { yet: words };
    });
    const answer = await lab.aws.call('ec2', 'DescribeFlowLogs');
    const destinations = items(answer, 'flowLogSet').map((one) => textAt(one, 'logDestination'));
    hold('AWS has the folder', destinations.join() === DESTINATION, destinations.join());
    const made = lab.proxy.since(calls).filter(({ action }) => action === 'CreateFlowLogs').length;
    hold('it is made once', made === 1, String(made));
    return `Ready at ${DESTINATION}, ${made} CreateFlowLogs`;
  },
};
