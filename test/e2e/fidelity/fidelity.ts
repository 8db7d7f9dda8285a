/** Compares the embedded engine with the real one for every XR at every step. If they differ, simulator is wrong. */
import { join } from 'node:path';
import type { KubeObject } from '#lib/api/json.ts';
import { startFunctions } from '../../../cli/processes/functions.ts';
import { difference } from './compare.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { type EngineBinaries, RealEngine } from './real-engine.ts';
import type { Rendering } from './rendering.ts';
import { type Start, stages } from './stages.ts';
import { variants } from './variants.ts';
import { Wire } from './wire.ts';

export interface Comparison {
  readonly stage: string;
  readonly xr: string;
  /** Undefined: equal. */
  readonly difference: string | undefined;
  /** The XR at that moment, and what it composes: for validate.ts. */
  readonly rendered: readonly KubeObject[];
}

/** Steps at which failures are tested as well: with few and with many observed objects. */
const WRONG_AT = new Set(['first machine', 'rolling out']);

/**
 * @param flavour name of a folder in examples/
 * @param folder for the input of the real engine; used by nothing else
 */
export async function compareEngines(
  binaries: EngineBinaries,
  flavour: string,
  folder: string,
  log: (line: string) => void,
): Promise<readonly Comparison[]> {
  const functions = await startFunctions({ clock: 'request', ownSignals: true });
  const wires = [await Wire.to(functions), await Wire.to(functions)] as const;
  const embedded = new EmbeddedEngine(wires[0]);
  const real = new RealEngine(binaries, join(folder, 'real'), wires[1]);
  const comparisons: Comparison[] = [];
  const seen = new Set<string>();
  const isFirst = (what: string): boolean => !seen.has(what) && seen.add(what).has(what);
  try {
    for await (const start of stages(functions, flavour)) {
      if (isFirst(start.stage)) log(`stage: ${start.stage}`);
      // One XR of each kind is enough.
      const wrong = WRONG_AT.has(start.stage) && isFirst(`${start.stage} ${start.xr.kind}`) ? variants(start) : [];
      for (const each of [start, ...wrong]) {
        const [here, there] = await Promise.all([embedded.render(each), real.render(each)]);
        comparisons.push(compared(each, here, there));
      }
    }
  } finally {
    embedded.stop();
    for (const wire of wires) wire.stop();
    functions.stop();
  }
  return comparisons;
}

function compared(start: Start, here: Rendering, there: Rendering): Comparison {
  const { stage, xr } = start;
  const status = there.composite?.status;
  return {
    stage,
    xr: `${xr.kind} ${xr.metadata?.name ?? ''}`,
    difference: difference(start, here, there),
    rendered: [status === undefined ? xr : { ...xr, status }, ...there.composed],
  };
}
