/** User data for Ignition on AWS: the open part of the first-boot data, and a script that fetches the sealed part. */
import type { Apart } from '#lib/cloud/first-boot.ts';
import { ignitionStub as stub } from '#lib/cloud/ignition-stub.ts';
import { fetchScript } from './fetch-script.ts';
import type { Place } from './place.ts';

export function ignitionStub(place: Place, apart: Apart): Uint8Array {
  return stub(fetchScript(place), apart);
}
