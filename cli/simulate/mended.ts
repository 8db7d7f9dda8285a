/** Where what a claim is refused for is written, so that its author can mend it. */
import { type Place, placesText } from '../files/place.ts';
import { fieldIn, type Places } from '../plan/places.ts';
import { legible } from '../terminal/legible.ts';
import type { Cause, Reason } from './decisive.ts';
import { isMissing } from './missing.ts';

/** Undefined: its author can do nothing, or it is in no file. */
function placeOf(reason: Reason, places: Places): Place | undefined {
  const field = reason.field ?? fieldIn(reason.message);
  return field === undefined && !isMissing(reason.message)
    ? undefined
    : places.placeOf({ ...reason, field: field ?? '' });
}

/** Reasons with their places. */
export function withPlaces(reasons: readonly Reason[], places: Places): readonly Reason[] {
  return reasons.map((reason) => ({ ...reason, ...placeOf(reason, places) }));
}

/** What is shown below the line of a cause. */
export function placeLines({ reasons }: Cause, places: Places): readonly string[] {
  const found = reasons.flatMap((reason) => placeOf(reason, places) ?? []);
  return found.length === 0 ? [] : [`  ${legible(placesText(found))}`];
}
