/** Every machine so far has read its first-boot secret and deleted it: it was made once, and nobody wrote it again. */
import { hold } from '../../e2e/cases/case.ts';
import { TEAM } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Call } from '../cloud/call.ts';
import type { Case } from './case.ts';
import { counted, inWords } from './seen.ts';

const GROUP = 'secretsmanager.aws.m.upbound.io/v1beta1';
const NAME = /^(?:arn:[^/]*:secret:)?(slipway\/.*?)(?:-[A-Za-z0-9]{6})?$/;

export const secretsCase: Case = {
  name: 'secrets',
  after: ['claim'],
  async run(lab) {
    await until('nothing of the hand-over is left', { seconds: 300, every: 1000 }, async () => {
      const lists = ['Secret', 'SecretVersion'].map((kind) =>
        lab.api.list({ apiVersion: GROUP, kind, namespace: TEAM }),
      );
      const left = (await Promise.all(lists)).flat();
      return left.length === 0
        ? { found: true }
        : { yet: left.map(({ kind, metadata }) => `${kind}/${metadata?.name ?? ''}`).join() };
    });
    const deletions = lab.machines.secretCalls.filter(
      ({ action, refused }) => action === 'DeleteSecret' && refused === undefined,
    );
    const calls = lab.proxy.calls;
    const created = of(calls, 'CreateSecret');
    const twice = [...created].filter(([, count]) => count !== 1);
    hold('each secret is made once', twice.length === 0, inWords(new Map(twice)));
    const put = of(calls, 'PutSecretValue');
    const again = [...put].filter(([, count]) => count !== 1);
    hold('each has its content written once', again.length === 0, inWords(new Map(again)));
    const provider = of(calls, 'DeleteSecret');
    return `${created.size} secrets made once and written once; machines deleted ${deletions.length}, the provider ${provider.size} by name or ARN`;
  },
};

/** Of accepted calls, by the name of the secret. */
function of(calls: readonly Call[], action: string): ReadonlyMap<string, number> {
  const own = calls.filter((call) => call.action === action && call.error === undefined);
  return counted(own.map(({ about }) => NAME.exec(about)?.[1] ?? about));
}
