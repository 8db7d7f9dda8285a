/** Progress of a simulation: a tree that is redrawn, or a line for each notable event. */
import type { Engine, Happening, Snapshot } from '#simulator/engine.ts';
import { LiveRegion } from '../terminal/live.ts';
import { legible } from '../terminal/legible.ts';
import { columnsOf, drawsFrames, styleFor } from '../terminal/style.ts';
import { duration, hanging, SteadyColumns } from '../terminal/table.ts';
import { type TreeOptions, treeLines } from './tree.ts';

export interface Progress {
  /** Removes the live region. */
  end(): void;
  /** Milliseconds under which 95 of 100 calls stayed. */
  p95(): number;
}

/** A pool of many machines would hide everything else: where the screen is too small, their number stands for them. */
function fitting(snapshot: Snapshot, rows: number, options: TreeOptions): readonly string[] {
  return treeLines(snapshot, snapshot.composites.length < rows / 3 ? options : { ...options, mostChildren: 5 });
}

function momentLine({ at, moment: { ref, text } }: Extract<Happening, { readonly type: 'moment' }>): string {
  return `${duration(at).padStart(7)}  ${ref.kind} ${ref.name}  ${legible(text)}`;
}

/** Watches an engine. @param stream where to show it: a terminal gets the tree, anything else lines */
export function showProgress(engine: Engine, stream: NodeJS.WriteStream): Progress {
  const style = styleFor(stream);
  const region = drawsFrames(stream) ? new LiveRegion(stream) : undefined;
  const columns = new SteadyColumns();
  const milliseconds: number[] = [];
  const unsubscribe = engine.subscribe((happening) => {
    if (happening.type === 'call') milliseconds.push(happening.milliseconds);
    if (region !== undefined)
      region.draw(() => [
        style('quiet', `simulated time ${duration(engine.seconds)}`),
        ...fitting(engine.snapshot(), stream.rows || 24, { style, columns, width: (columnsOf(stream) ?? 80) - 1 }),
      ]);
    else if (happening.type === 'moment')
      stream.write(`${hanging(momentLine(happening), columnsOf(stream) ?? Infinity).join('\n')}\n`);
  });
  return {
    end() {
      unsubscribe();
      region?.clear();
    },
    p95: () => milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * 0.95)] ?? 0,
  };
}
