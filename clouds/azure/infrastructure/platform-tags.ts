/** Tags of the platform. */
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { refusal } from '#lib/api/refusal.ts';
import { ACCEPTED, isTag } from '../tags.ts';

/** Throws InvalidInput for a tag that Azure would not accept. */
export function checkTags(tags: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(tags).find(([key, value]) => !isTag(key, value));
  if (wrong === undefined) return;
  throw refusal(INPUT_NAME, `tags.${wrong[0]}`, wrong[1], ACCEPTED, 'InvalidInput');
}
