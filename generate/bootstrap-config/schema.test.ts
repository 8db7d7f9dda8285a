/** The JSON schema for editors accepts the same claims as the bootstrap step. */
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { EVERY_CONFIG } from '../../functions/bootstrap/everything.fixture.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import type { BootstrapperName } from '../../functions/bootstrap/traits.ts';
import { claimSchema } from './schema.ts';

const NAMES = Object.keys(EVERY_CONFIG) as BootstrapperName[];

/** Strict: a keyword that JSON Schema does not have is an error. */
const ajv = new Ajv({ strict: true, allErrors: true });

describe.for(NAMES.map((name) => ({ name })))('the schema for editors of $name', ({ name }) => {
  const { config } = BOOTSTRAPPERS[name]!;
  const accepts = ajv.compile(claimSchema({ name, config }));
  const judge = (said: object, provider: string = name) => {
    accepts({ kind: 'Cluster', metadata: {}, spec: { version: 'v1.35.4', bootstrap: { provider, config: said } } });
    return accepts.errors ?? [];
  };
  const everything = EVERY_CONFIG[name]('v1.35.4');

  it('accepts every field, and a pool without settings', () => {
    expect(judge(everything)).toEqual([]);
    expect(accepts({ kind: 'NodePool', spec: { replicas: 3 } })).toBe(true);
  });

  it('refuses an unknown field, as the bootstrap step does', () => {
    expect(judge({ ...everything, notThere: true })).toHaveLength(1);
    expect(config.schema.safeParse({ ...everything, notThere: true }).success).toBe(false);
  });

  it('refuses every field with an invalid value, as the bootstrap step does', () => {
    for (const field of Object.keys(everything)) {
      const wrong = { ...everything, [field]: null };
      expect(judge(wrong), field).not.toEqual([]);
      expect(config.schema.safeParse(wrong).success, field).toBe(false);
    }
  });

  it('refuses the claim of another provider', () => {
    expect(judge({}, 'another')).not.toEqual([]);
  });
});
