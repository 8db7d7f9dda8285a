/** One row of a story: what changed since the row before. */

/** What an operator sees of a pool at one moment. */
export interface Seen {
  /** Time since the story began. */
  readonly seconds: number;
  /** What happened to machines since the story began. */
  readonly log: readonly string[];
  /** Phases of updates by machine; the keys are all existing machines. */
  readonly updates: ReadonlyMap<string, string | undefined>;
  readonly serve: string;
  readonly phase: string;
  /** The most important first. */
  readonly conditions: readonly string[];
  readonly events: readonly string[];
}

const HAPPENS = 46;
const WIDTH = 118;
const INDENT = ' '.repeat(7);

export const TITLE = line('TIME', 'WHAT HAPPENS', 'SERVE', 'PHASE');

/** Undefined: nothing changed. */
export function row(before: Seen, now: Seen): string | undefined {
  const happened = happenedSince(before, now);
  const condition = now.conditions.find((one) => !before.conditions.includes(one));
  const events = now.events.slice(before.events.length);
  if (happened.length === 0 && condition === undefined && events.length === 0 && now.phase === before.phase)
    return undefined;
  const [first = '', ...others] = happened;
  return [
    line(clock(now.seconds), first, now.serve, now.phase),
    ...others.map((text) => `${INDENT}${text}`),
    ...(condition === undefined ? [] : folded(shortened(condition))),
    ...events.flatMap((text) => folded(`Event ${shortened(text)}`)),
  ].join('\n');
}

function happenedSince(before: Seen, now: Seen): readonly string[] {
  const gone = [...before.updates.keys()].filter((name) => !now.updates.has(name));
  const working = [...now.updates].filter(([name, phase]) => isWorking(phase) && before.updates.get(name) !== phase);
  return [
    ...gone.map((name) => `${name} is gone`),
    ...working.map(([name, phase]) => `${name}: update is ${phase ?? ''}`),
    ...now.log.slice(before.log.length).map((text) => (/^(edit|upgrade) /.test(text) ? 'the edit' : text)),
  ];
}

function isWorking(phase: string | undefined): boolean {
  return phase === 'Draining' || phase === 'Running';
}

/** The first machine in a message, and what it says about that machine; the others are left out. */
function shortened(text: string): string {
  const end = text.search(/; (?:Machine )?prod-/);
  return end < 0 ? text : `${text.slice(0, end)}; …`;
}

function folded(text: string): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const next = last === '' ? word : `${last} ${word}`;
    if (next.length + INDENT.length + 2 <= WIDTH) lines[lines.length - 1] = next;
    else lines.push(word);
  }
  return lines.map((one, index) => `${INDENT}${index === 0 ? '  ' : '    '}${one}`);
}

function line(time: string, what: string, serve: string, phase: string): string {
  return `${time.padEnd(INDENT.length)}${what.padEnd(HAPPENS)}${serve.padEnd(8)}${phase}`.trimEnd();
}

function clock(seconds: number): string {
  return `+${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
