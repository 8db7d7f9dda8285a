/** No request makes a function crash, tell a secret, remove what exists or answer at length. `npm run hostile` tries more. */
import { describe, expect, test } from 'vitest';
import { SUBJECTS } from './requests.ts';
import { Target, type Tried } from './run.ts';
import { namingSecret } from './secret-values.ts';
import { subjectsOf } from './subject.ts';
import { type Read, readOf, type Slow, slowExpressions } from './time.ts';

const SEEDS = 300;

describe.for(Object.keys(SUBJECTS))('%s', (name) => {
  test(`answers ${SEEDS} hostile requests as it should`, async () => {
    const target = await Target.of(name);
    const tried: Tried[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) tried.push(await target.try(seed));
    expect(tried.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    const count = (outcome: string): number => tried.filter((one) => one.outcome === outcome).length;
    expect(count('accepted'), 'some are answered, otherwise this proves nothing').toBeGreaterThan(SEEDS / 10);
    expect(count('refused'), 'some are refused, otherwise this proves nothing').toBeGreaterThan(SEEDS / 10);
  });
});

test('no text of a claim keeps a regular expression busy', async () => {
  const reads: Read[] = [];
  for (const name of Object.keys(SUBJECTS))
    for (const subject of await subjectsOf(name)) reads.push(await readOf(subject));
  expect(reads.filter(({ accepted }) => accepted).length, 'most are read to their end').toBeGreaterThan(
    reads.length / 2,
  );
  const found: Slow[] = [];
  expect(slowExpressions(reads, (slow) => found.push(slow))).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('every place where a claim may name a Secret is found, in the function that reads it', async () => {
  const found: string[] = [];
  for (const name of Object.keys(SUBJECTS))
    for (const subject of await subjectsOf(name))
      if (subject.field.path.endsWith('.secret.name') && (await namingSecret(subject)) !== undefined)
        found.push(`${name}: ${subject.field.path.replace(/^spec\./, '').replace(/\.secret\.name$/, '')}`);
  expect(found.toSorted()).toEqual([
    'addons: addons[0].chart.valuesFrom[0]',
    'bootstrap: provisioning.proxy.httpFrom',
    'bootstrap: provisioning.proxy.httpsFrom',
    'bootstrap: provisioning.registries[0].credentialsFrom',
    'provisioning: provisioning.commands.postFrom[0]',
    'provisioning: provisioning.commands.preFrom[0]',
    'provisioning: provisioning.files[0].contentFrom',
    'provisioning: provisioning.proxy.httpFrom',
    'provisioning: provisioning.proxy.httpsFrom',
    'provisioning: provisioning.units[0].contentsFrom',
    'provisioning: provisioning.units[0].dropIns[0].contentsFrom',
    'provisioning: provisioning.users[0].passwordHashFrom',
  ]);
});
