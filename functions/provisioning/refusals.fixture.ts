/** Refusals of a format in readable form. */
import { expect } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { aRenderRequest, replyTo } from './plan.fixture.ts';

/** Used wherever there could be a secret. */
export const SECRET = 'hunter2';

export interface Refused {
  readonly name: string;
  /** `spec.provisioning` */
  readonly given: JsonObject;
  /** Default: the usual plan of the format. */
  readonly plan?: JsonObject;
}

export async function refusalOf(given: JsonObject, plan: unknown): Promise<SlipwayError> {
  const outcome = await replyTo(aRenderRequest(given, plan)).catch((thrown: unknown) => thrown);
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error('not refused');
}

/** Each refusal is one line that says what to do instead, and none contains the secret; for a golden. */
export async function refusalsOf(format: string, cases: readonly Refused[], usual: JsonObject): Promise<string> {
  const lines: string[] = [];
  for (const { name, given, plan = usual } of cases) {
    const { code, message } = await refusalOf({ format, ...given }, plan);
    expect(message).toMatch(/^cannot accept [^\n]+; accepted: [^\n]+$/);
    expect(message).not.toContain(SECRET);
    lines.push(`${name}\n  ${code}: ${message}\n`);
  }
  return lines.join('');
}
