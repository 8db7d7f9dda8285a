/** The refusals of a format, as users read them. */
import { expect } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { PlanKind } from '#lib/api/contracts/bootstrap-plan.ts';
import { refuseFirstBoot } from './formats.ts';
import { aRenderRequest, replyTo } from './plan.fixture.ts';

/** Used wherever a claim could contain a secret. */
export const SECRET = 'hunter2';

export interface Refused {
  readonly name: string;
  /** `spec.provisioning` */
  readonly given: JsonObject;
  /** Defaults to the usual plan of the format. */
  readonly plan?: JsonObject;
}

export async function refusalOf(given: JsonObject, plan: unknown): Promise<SlipwayError> {
  const outcome = await replyTo(aRenderRequest(given, plan)).catch((thrown: unknown) => thrown);
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error('not refused');
}

/**
 * Each refusal in one line that says what to do instead, without the secret, and which of them come only when there is a
 * machine; for a golden file.
 */
export async function refusalsOf(format: string, cases: readonly Refused[], usual: JsonObject): Promise<string> {
  const lines: string[] = [];
  for (const { name, given, plan = usual } of cases) {
    const { code, message } = await refusalOf({ format, ...given }, plan);
    expect(message).toMatch(/^cannot accept [^\n]+; accepted: [^\n]+$/);
    expect(message).not.toContain(SECRET);
    const late = isAccepted({ format, ...given }, plan) ? '  (only at the Machine)\n' : '';
    lines.push(`${name}\n  ${code}: ${message}\n${late}`);
  }
  return lines.join('');
}

/** Whether a Cluster or a pool is accepted with it, of a bootstrapper with such plans. */
function isAccepted(given: JsonObject, { kind }: JsonObject): boolean {
  const claimed = Provisioning.safeParse(given);
  if (!claimed.success) return false;
  const plan = { kind: kind as PlanKind };
  try {
    refuseFirstBoot(claimed.data, { provider: 'a-bootstrapper', plan }, 'NodePool "a"', []);
    return true;
  } catch {
    return false;
  }
}
