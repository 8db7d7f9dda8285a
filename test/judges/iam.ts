/**
 * An evaluator of IAM policies that knows which resources and condition keys each action of AWS has. It is a program in
 * the cache, like the other validators, and no dependency: its licence is not ours.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CACHE, cached, type Found } from './cache.ts';
import { runCommand } from './run.ts';

const VERSION = '0.1.173';
const FOLDER = join(CACHE, 'iam');

/** Path in the cache. */
export const IAM_EVALUATOR = ['iam', 'program.mjs'] as const;

export interface IamRequest {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

const SOURCE = `import { runSimulation } from '@cloud-copilot/iam-simulate';
import { text } from 'node:stream/consumers';
const { policy, requests } = JSON.parse(await text(process.stdin));
const account = '123456789012';
const ask = async ({ action, resource, context = {} }) => {
  const result = await runSimulation({
    request: {
      principal: \`arn:aws:sts::\${account}:assumed-role/machine/i-1\`,
      action,
      resource: { resource, accountId: account },
      contextVariables: context,
    },
    identityPolicies: [{ name: 'machine', policy }],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
  }, {});
  if (result.resultType === 'error') return \`invalid: \${JSON.stringify(result.errors)}\`;
  return result.overallResult;
};
process.stdout.write(JSON.stringify(await Promise.all(requests.map(ask))));
`;

/** Undefined when it is there, otherwise the reason. */
export function fetchIamEvaluator(): string | undefined {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = runCommand(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', `@cloud-copilot/iam-simulate@${VERSION}`],
    { cwd: FOLDER },
  );
  if (!install.ok) return install.output.slice(-500);
  writeFileSync(join(CACHE, ...IAM_EVALUATOR), SOURCE);
  return undefined;
}

export function iamEvaluator(): Found {
  return cached(...IAM_EVALUATOR);
}

/** What AWS answers to each request of a machine with that policy: Allowed, Denied, or what is wrong. */
export function evaluated(program: string, policy: string, requests: readonly IamRequest[]): readonly string[] {
  const input = JSON.stringify({ policy: JSON.parse(policy) as unknown, requests });
  const { ok, output } = runCommand(process.execPath, [program], { cwd: dirname(program), input });
  if (!ok) throw new Error(output);
  return (JSON.parse(output) as readonly string[]).map((result) => result.replace(/^(Ex|Im)plicitly/, ''));
}
