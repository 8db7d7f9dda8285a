/** A life beside the same without its refused edits: what is refused changes nothing. */
import type { Life } from './life.ts';
import { few, type Outcome, Run } from './run.ts';

export async function live(life: Life): Promise<Outcome> {
  const run = new Run(life, new Set());
  await run.go();
  const { refused } = run;
  // A pool that has no machines yet gets them later if an edit is refused.
  const isComparable = life.early === undefined && !run.pauses;
  if (run.broken.length > 0 || refused.length === 0 || !isComparable) return run;
  const twin = new Run(life, new Set(refused));
  await twin.go();
  const differences = differing(run, twin);
  return { broken: differences, log: [...run.log, ...(differences.length > 0 ? ['', 'without:', ...twin.log] : [])] };
}

/** What is refused changes nothing. */
function differing(run: Run, twin: Run): readonly string[] {
  const [own, others] = [run.written(), twin.written()];
  const more = own.filter((line) => !others.includes(line));
  const less = others.filter((line) => !own.includes(line));
  if (more.length + less.length === 0) return [];
  const said = `${few(more)} with it, and ${few(less)} without it`;
  return [`what is refused (${run.refused.join(', ')}) changes something: ${said}`];
}
