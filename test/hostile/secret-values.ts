/** Every place where a claim may name a Secret, found by naming one, and values of it that are hard to look through. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { decodeAnswer } from '#lib/wire/answer.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { answer } from '#lib/wire/shell.ts';
import { aWorld } from '../support/request.ts';
import { having, quiet, type Subject } from './subject.ts';

/** What the API server accepts of one Secret. */
export const MOST = 1024 * 1024;

const NAMED = 'named-by-a-claim';

/**
 * Calls with what was asked for by a name that the claim says: one that uses the value, and one that may not, and says
 * so. Undefined: the field names no Secret.
 */
export async function namingSecret(subject: Subject): Promise<((value: string) => readonly Request[]) | undefined> {
  const request = having(alone(subject), NAMED);
  const { requirements } = decodeAnswer(
    (await answer({ run: subject.run, logger: quiet }, encodeRequest(request), aWorld())).bytes,
  );
  const asked = [...requirements].filter(([, { kind, matchName }]) => kind === 'Secret' && matchName === NAMED);
  if (asked.length === 0) return undefined;
  return (value) =>
    [clusterOf(request), 'another'].map((cluster) => {
      const secret = secretOf(request, cluster, value);
      return {
        ...request,
        required: new Map([...request.required, ...asked.map(([key]) => [key, [secret]] as const)]),
      };
    });
}

/** The claim says nothing that a reference would contradict. */
function alone(subject: Subject): Subject {
  const { observed } = subject.request;
  const { provisioning: _provisioning, ...spec } = observed.composite.spec ?? {};
  return {
    ...subject,
    request: { ...subject.request, observed: { ...observed, composite: { ...observed.composite, spec } } },
  };
}

function clusterOf({ observed }: Request): string {
  const { kind, metadata, spec } = observed.composite;
  return (kind === 'Cluster' ? metadata?.name : stringAt(spec, 'clusterRef', 'name')) ?? '';
}

/** Its key is the sample of keys in claims. @param cluster  which may use it, by its label */
function secretOf({ observed }: Request, cluster: string, value: string): KubeObject {
  const { namespace = '' } = observed.composite.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: NAMED, namespace, labels: { 'slipway.dev/cluster': cluster } },
    data: { sampled: Buffer.from(value).toString('base64') },
  };
}

/** What separates, names, opens or nests: in one line, in many, and in a line of a program. */
const UNITS = [
  'k=v:',
  'a:b@',
  '"a":"b",',
  'key=value\n',
  'a: b\n',
  '- a\n',
  '- &a b\n',
  '[',
  '[]',
  '{a,',
  'a',
  '\n',
  ' ',
  "'",
  '%41',
  '\\n',
  'a: b\n---\n',
];

/** Pumps of a value, in bytes; the size of what is parsed changes what is done with it. */
export function secretPumps(most: number): readonly string[] {
  const sizes = [most / 32, most / 9, most];
  return sizes.flatMap((size) => [
    ...UNITS.map((unit) => unit.repeat(size / unit.length)),
    `APP={${'"feature":"on",'.repeat(size / 15 - 1)}}`,
    JSON.stringify(Object.fromEntries(Array.from({ length: size / 16 }, (_, at) => [`k${at}`, `v${at}`]))),
    `a: &a [${'b, '.repeat(size / 8)}]\n${'b: *a\n'.repeat(size / 12)}`,
  ]);
}
