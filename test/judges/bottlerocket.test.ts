/** Settings of Bottlerocket: what another TOML parser reads, and whether every setting is known. */
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aBottlerocketPlan, rendered } from '../../functions/provisioning/plan.fixture.ts';
import { anEksCluster, anEksMachine } from '../support/eks.ts';
import { EVERY_BOTTLEROCKET } from '../../functions/bootstrap/bottlerocket/everything.fixture.ts';
import { EVERY_BOTTLEROCKET_PROVISIONING } from '../../functions/provisioning/bottlerocket/everything.fixture.ts';
import { firstBoot } from '../support/first-boot.ts';
import { bottlerocketProblem, NOT_JUDGED, readToml, tomlReader } from './bottlerocket.ts';

const MARKS: JsonObject = {
  labels: { 'example.com/team': 'blue', tier: '' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'dedicated', effect: 'NoExecute' },
  ],
};

async function userData(provisioning: JsonObject, config: JsonObject = {}): Promise<string> {
  const spec = { ...MARKS, provisioning: { format: 'bottlerocket', ...provisioning } };
  return (await firstBoot(anEksCluster('bottlerocket'), anEksMachine('bottlerocket', spec, config))).text;
}

let plain = '';
let everything = '';
beforeAll(async () => {
  plain = await userData({});
  everything = await userData(EVERY_BOTTLEROCKET_PROVISIONING, EVERY_BOTTLEROCKET);
});

const found = tomlReader();
if ('missing' in found) process.stdout.write(`skipped: a reader of TOML: ${found.missing}\n`);
process.stdout.write(`not judged of Bottlerocket: ${NOT_JUDGED}\n`);
const python = 'path' in found ? found.path : '';

describe.skipIf(python === '')('settings of Bottlerocket', () => {
  test('are valid and known, plain and with everything a claim can say', () => {
    expect(bottlerocketProblem(python, plain)).toBeUndefined();
    expect(bottlerocketProblem(python, everything)).toBeUndefined();
  });

  test.for([
    ['a setting there is none of', '[settings.kubernetes]\nmaxpods = 60\n'],
    ['a group there is none of', '[settings.kubernets]\nmax-pods = 60\n'],
    ['a number that is a text', '[settings.kubernetes]\nmax-pods = "60"\n'],
    ['a taint without an effect', '[settings.kubernetes.node-taints]\na = ["b"]\n'],
    ['a group twice', '[settings.ntp]\n[settings.ntp]\n'],
  ] as const)('with %s are refused, which proves that the judge reads them', ([, toml]) => {
    expect(bottlerocketProblem(python, toml)).toMatch(/./);
  });

  test('are read the same by another TOML parser, whatever they contain', async () => {
    const awkward = fc.constantFrom(
      '"',
      "'",
      '\\',
      '\r\n',
      '\n',
      '\t',
      '#',
      '{{ v }}',
      '%',
      'é',
      '😀',
      '\u0000',
      '\u0085',
    );
    const text = fc.array(awkward, { maxLength: 6 }).map((pieces) => pieces.join(''));
    const tree = fc.dictionary(
      fc.constantFrom('a', 'b-c', 'd.e', 'f g', '"', 'é', ''),
      fc.oneof(text, fc.array(text)),
      {
        noNullPrototype: true,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { maxLength: 8 }), async (trees) => {
        const raw = { bottlerocket: { group: Object.fromEntries(trees.map((one, index) => [`${index}`, one])) } };
        const toml = await rendered({ format: 'bottlerocket', raw }, aBottlerocketPlan());
        expect(readToml(python, toml)).toEqual(JSON.parse(JSON.stringify(parse(toml))));
      }),
      { numRuns: 40 },
    );
  });
});
