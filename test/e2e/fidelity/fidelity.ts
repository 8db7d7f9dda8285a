/** Compares the embedded engine with the real one over every XR at every rung. Where they differ, lib/engine is wrong. */
import { mkdirSync } from 'node:fs';
import { startFunctions } from '../../../cli/processes/functions.ts';
import type { Binaries } from '../binaries/find.ts';
import { difference, renderHere } from './compare.ts';
import { renderReally } from './real-engine.ts';
import { type Start, refused, rungs } from './rungs.ts';

export interface Comparison {
  readonly rung: string;
  readonly xr: string;
  /** Undefined: equal. */
  readonly difference: string | undefined;
}

export async function compareEngines(
  binaries: Pick<Binaries, 'crossplane' | 'crossplane-core'>,
  folder: string,
  log: (line: string) => void,
): Promise<readonly Comparison[]> {
  mkdirSync(folder, { recursive: true });
  const functions = await startFunctions({ clock: 'request', ownSignals: true });
  const comparisons: Comparison[] = [];
  const compared = async (start: Start): Promise<Comparison> => {
    const [here, there] = await Promise.all([
      outcome(() => renderHere(functions, start)),
      outcome(() => renderReally(binaries, functions, folder, start)),
    ]);
    return { rung: start.rung, xr: nameOf(start), difference: differenceOf(here, there) };
  };
  try {
    let last = '';
    for await (const start of rungs(functions)) {
      const first = comparisons.length === 0;
      if (start.rung !== last) log(`rung: ${start.rung}`);
      last = start.rung;
      comparisons.push(await compared(start));
      if (first) comparisons.push(await compared(refused(start)));
    }
  } finally {
    functions.stop();
  }
  return comparisons;
}

type Outcome = { readonly objects: Awaited<ReturnType<typeof renderHere>> } | { readonly error: string };

async function outcome(render: () => ReturnType<typeof renderHere>): Promise<Outcome> {
  try {
    return { objects: await render() };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function differenceOf(here: Outcome, there: Outcome): string | undefined {
  if ('objects' in here && 'objects' in there) return difference(here.objects, there.objects);
  if ('objects' in here) return `only the real engine fails: ${'error' in there ? there.error : ''}`;
  if ('objects' in there) return `only the embedded engine fails: ${here.error}`;
  const [ours, theirs] = [causeOf(here.error), causeOf(there.error)];
  return ours === theirs ? undefined : `they fail differently: embedded "${ours}", real "${theirs}"`;
}

/** What the function said, without what each engine puts before it. */
function causeOf(error: string): string {
  return /returned a fatal result: (?<cause>.*)$/.exec(error)?.groups?.['cause'] ?? error;
}

function nameOf({ xr }: Start): string {
  return `${xr.kind} ${xr.metadata?.name ?? ''}`;
}
