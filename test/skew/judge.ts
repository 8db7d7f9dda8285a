/** No object is removed and none is changed, judged by observed objects and the reply. */
import { expect } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';

/** As Crossplane identifies objects: by name, group and kind, never by version. */
const identity = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion.split('/').slice(0, -1).join('/')} ${kind} ${metadata?.name ?? ''}`;

/** @param settled  what this release desires for the same objects by itself */
export function expectNothingLost({ observed }: Request, reply: ReplyData, settled: ReplyData): void {
  for (const [key, { resource }] of observed.resources) {
    const desired = reply.resources.get(key)?.resource;
    expect(desired, `${key} is withdrawn`).toBeDefined();
    expect(identity(desired!), `${key} becomes another object`).toBe(identity(resource));
    const own = settled.resources.get(key)?.resource;
    if (own === undefined) expect(desired, `${key}, which nobody here knows`).toEqual(asDesired(resource));
    else {
      expect(desired!.spec, `${key} is changed`).toEqual(own.spec);
      expect(desired!['data'], `${key} is changed`).toEqual(own['data']);
    }
  }
}
