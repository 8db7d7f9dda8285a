/** The largest pool there can be: 2,000 machines, and as many beyond them while it is rolled out. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { asSent, asStored } from '../bench/observed.ts';
import { machinesLike, poolRequest, UPDATE_INPUT, upAndReady } from '../bench/pool.ts';
import { inProcess } from '../support/in-process.ts';
import { running } from './function-process.ts';

const LARGEST = 2000;
const MEBIBYTE = 1024 * 1024;
const MOST_MEMORY = 1024 * MEBIBYTE;

/** The machines of a pool, and as many that are to be replaced by them. */
async function everyMachine(): Promise<readonly KubeObject[]> {
  const now = new Date('2026-06-01T00:00:00Z');
  const { desired } = await inProcess('slipway-function-nodepool').run(poolRequest(LARGEST, []), { now });
  const first = [...desired.resources.values()].map(({ resource }) => resource);
  const machines = machinesLike(first, LARGEST).map((machine) => asStored(upAndReady(machine)));
  const others = machines.map((machine) => renamed(machine, `${machine.metadata?.name}-old`));
  return [...machines, ...others];
}

function renamed(machine: KubeObject, name: string): KubeObject {
  return { ...machine, metadata: { ...machine.metadata, name, uid: `uid-of-${name}` } };
}

/** Bytes of memory that the process had at most. */
function peakOf(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

test.skipIf(process.platform !== 'linux')(
  'functions of a pool answer for 4,000 machines, and need less than 1 GiB for it',
  async () => {
    const pool = poolRequest(LARGEST, await everyMachine());
    const now = new Date('2026-06-01T00:00:00Z');
    const { desired, context } = await inProcess('slipway-function-nodepool').run(pool, { now });
    const update: Request = { ...pool, input: UPDATE_INPUT, desired, context, required: new Map() };
    for (const [name, request] of [
      ['nodepool', pool],
      ['in-place-update', update],
    ] as const) {
      const sent = asSent(request, 1);
      const { client, child } = await running(['--insecure', '--metrics-address', ''], {
        main: `../../functions/${name}`,
      });
      const { results, desired: answered } = await client.run(sent, { now });
      const figures = `${encodeRequest(sent).length} bytes, ${Math.round(peakOf(child.pid) / MEBIBYTE)} MiB at most`;
      process.stdout.write(`${name}, 4,000 machines: ${figures}\n`);
      expect(
        results.filter(({ severity }) => severity === 'Fatal'),
        name,
      ).toEqual([]);
      expect(answered.resources.size, name).toBeGreaterThanOrEqual(LARGEST);
      expect(peakOf(child.pid), name).toBeLessThan(MOST_MEMORY);
    }
  },
);
