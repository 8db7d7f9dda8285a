/** A scanner's rules for AWS, on everything that a cluster and its machines compose by default. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import * as clusters from '../../functions/cluster/cluster.fixture.ts';
import * as machines from '../../functions/machine/machine.fixture.ts';
import { checkov, scanned } from './checkov.ts';

const found = checkov();
if ('missing' in found) process.stdout.write(`skipped: rules of checkov for AWS: ${found.missing}\n`);

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
const ROW = /^\| `(?<check>CKV2?_AWS_\d+)`\s*\|/gm;

async function composed(aws: JsonObject = {}): Promise<readonly KubeObject[]> {
  const { reply: cluster } = await clusters.settled(clusters.aClaim(), clusters.anInput({ aws }));
  const booting = await machines.call({ input: machines.HANDED_OVER });
  const running = await machines.answer(await machines.lived(machines.WORLD.joined, { input: machines.HANDED_OVER }));
  const managed = ({ resources }: ReplyData) =>
    [...resources.values()].map(({ resource }) => resource).filter(clusters.isManaged);
  const secrets = managed(booting).filter(({ kind }) => kind === 'Secret' || kind === 'SecretVersion');
  return [...managed(cluster), ...secrets, ...managed(running).filter(({ kind }) => kind === 'Instance')];
}

test.skipIf('missing' in found)('every rule holds but those that docs/security.md lists with a reason', async () => {
  if ('missing' in found) return;
  const { passed, findings } = scanned(found.path, await composed());
  const listed = [...PAGE.matchAll(ROW)].map(({ groups }) => groups?.['check'] ?? '');
  const broken = new Map(findings.map(({ check, title, resource }) => [check, `${check} ${title}: ${resource}`]));
  expect([...broken].filter(([check]) => !listed.includes(check)).map(([, line]) => line)).toEqual([]);
  expect(
    listed.filter((check) => !broken.has(check)),
    'exceptions that are not needed any more',
  ).toEqual([]);
  expect(passed).toBeGreaterThan(150);
});

test.skipIf('missing' in found)('with flow logs, the rule for them holds, too', async () => {
  if ('missing' in found) return;
  const flowLogs = { destination: 'arn:aws:s3:::audit' };
  const { findings } = scanned(found.path, await composed({ flowLogs }));
  expect(findings.filter(({ check }) => check === 'CKV2_AWS_11')).toEqual([]);
});
