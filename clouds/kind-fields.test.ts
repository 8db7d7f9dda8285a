/** What is known of the fields of each kind agrees with what is composed, and with what claims may override. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { faultOf } from '#lib/fn/kind-fields.ts';
import { OVERRIDABLE as aws } from './aws/overridable.ts';
import { OVERRIDABLE as azure } from './azure/overridable.ts';
import { OVERRIDABLE as existing } from './existing/overridable.ts';
import { OVERRIDABLE as gcp } from './gcp/overridable.ts';
import { kindFieldsOf } from './kind-fields.ts';
import { SIMULATED_CLOUDS } from './simulated.ts';

/** Of a kind that the CRDs beside the repository lack. */
const UNKNOWN = ['FlowLog'];

const kindsOf = (cloud: string): readonly string[] =>
  (SIMULATED_CLOUDS.find(({ name }) => name === cloud)?.kinds ?? []).map(({ kind }) => kind);

describe.for(Object.entries({ aws, azure, existing, gcp }))('%s', ([cloud, overridable]) => {
  const fields = kindFieldsOf(cloud) ?? {};

  test('each kind that is composed is known, and no two have one name', () => {
    const kinds = kindsOf(cloud);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.filter((kind) => !(kind in fields))).toEqual(UNKNOWN.filter((kind) => kinds.includes(kind)));
    expect(Object.keys(fields).length).toBeGreaterThan(0);
  });

  test('every field that claims may override without a word of the platform exists', () => {
    const unknown = Object.entries(overridable).flatMap(([kind, paths]) =>
      paths
        .filter((path) => path.startsWith('spec.forProvider.'))
        .flatMap((path) => {
          const patch = path.split('.').reduceRight<JsonObject | null>((below, step) => ({ [step]: below }), null);
          return faultOf(patch ?? {}, fields, { kind })?.message ?? [];
        }),
    );
    expect(unknown).toEqual([]);
  });
});
