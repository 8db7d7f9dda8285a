/** slipway simulate: runs claims with the real functions on a simulated cloud until they are Ready. */
import { counted } from '#lib/api/counted.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import type { Engine, Snapshot } from '#simulator/engine.ts';
import { yamlText } from '#lib/api/yaml.ts';
import { EXIT, errorLine } from '../exit.ts';
import { legible } from '../terminal/legible.ts';
import { type Output, outputTo } from '../terminal/output.ts';
import { drawsFrames } from '../terminal/style.ts';
import { hanging, wrapped } from '../terminal/table.ts';
import { hostPlaces } from '../plan/cautions/hosts.ts';
import type { Places } from '../plan/places.ts';
import { causesOf, reasonsOf } from './decisive.ts';
import { placeLines, withPlaces } from './mended.ts';
import { isNotInCloud, isUnknownProgram, isWithoutComposition, isWithoutHosts } from './missing.ts';
import { clusterNotes, placeholderNotes } from './notes.ts';
import { showProgress } from './progress.ts';
import { saveObjects } from './save.ts';
import { converge, prepare, type Prepared, type SimulationOptions } from './simulation.ts';
import { summaryLines, timelineLines } from './summary.ts';
import { treeLines } from './tree.ts';

export type OutputFormat = 'table' | 'json' | 'yaml';

export interface Result {
  readonly output: OutputFormat;
  /** File for the result; standard output by default. */
  readonly outputFile?: string | undefined;
  /** File for the final objects; none by default. */
  readonly save?: string | undefined;
}

/** Runs a simulation and prints its result. @returns the exit code */
export async function simulate(options: SimulationOptions, { output, outputFile, save }: Result): Promise<number> {
  const began = performance.now();
  const result = outputTo(outputFile);
  const simulation = prepare(options);
  try {
    const engine = await started(simulation);
    const code = await run(engine, options, output, result, began, simulation);
    const ofClusters = [...clusterNotes(engine.snapshot()), ...placeholderNotes(engine)];
    for (const note of [...ofClusters, ...simulation.notes]) process.stderr.write(errorLine(note));
    if (save !== undefined) {
      const objects = counted(saveObjects(engine, save), 'object');
      process.stderr.write(errorLine(`wrote ${objects}, without Secrets, to "${save}"`));
    }
    return code;
  } finally {
    simulation.stop();
  }
}

async function started(simulation: Prepared): Promise<Engine> {
  if (!drawsFrames(process.stderr)) return simulation.start();
  process.stderr.write('starting functions …');
  return simulation.start().finally(() => process.stderr.write('\r\u001B[K'));
}

async function run(
  engine: Engine,
  options: SimulationOptions,
  output: OutputFormat,
  result: Output,
  began: number,
  { places }: Pick<Prepared, 'places'>,
): Promise<number> {
  // Facts go to standard output alone, so that a program can read them.
  const progress = showProgress(engine, output === 'table' ? process.stdout : process.stderr);
  const reached = await converge(engine, options);
  progress.end();
  const snapshot = engine.snapshot();
  const hosts = engine.list(HOST);
  const seconds = (performance.now() - began) / 1000;
  result.write(
    output === 'table'
      ? people(
          snapshot,
          reached,
          { seconds, p95: progress.p95() },
          { ...result, limit: options.limit, places: places(), hosts },
        )
      : machines(snapshot, output, places()),
  );
  if (snapshot.violations.length > 0) return EXIT.failed;
  return reached ? EXIT.done : EXIT.notConverged;
}

/** `ready` first, and why not: it is what most readers look for. */
export function machines(snapshot: Snapshot, output: OutputFormat, places: Places): string {
  const { ready, ...rest } = snapshot;
  const facts = { ready, reasons: withPlaces(reasonsOf(snapshot), places), ...rest };
  return output === 'yaml' ? yamlText(facts) : `${JSON.stringify(facts, null, 2)}\n`;
}

const GONE = 'Done: every claim was deleted, and nothing is left in the cloud.';

const UNMENDED = 'It stopped early: nothing changes until this is mended.';

const NO_FURTHER =
  'It stopped early: simulated machines go no further, real ones may. With the same files and options, slipway payload shows what they run on their first boot.';

const EMPTY =
  'A simulated cloud begins empty: leave managementPolicies and the external name out, and it makes what is only observed.';

const NO_COMPOSITION =
  'slipway validate says which Compositions there are; --compositions FOLDER simulates with yours.';

const HOST = { apiVersion: NODE_API_VERSION, kind: 'Host' };

function whereHostsAre(hosts: readonly KubeObject[]): string {
  const known = hosts.length === 0 ? 'none' : hostPlaces(hosts);
  return `Hosts are objects that their owner writes, in the namespace of the Cluster: the files have ${known}.`;
}

function people(
  snapshot: Snapshot,
  reached: boolean,
  real: { readonly seconds: number; readonly p95: number },
  {
    style,
    width,
    limit,
    places,
    hosts,
  }: Pick<Output, 'style' | 'width'> & {
    readonly limit: number;
    readonly places: Places;
    readonly hosts: readonly KubeObject[];
  },
): string {
  const causes = reached ? [] : causesOf(snapshot);
  const reasons = causes.map(({ line }) => line);
  const said = reached
    ? [style('good', snapshot.composites.length === 0 ? GONE : 'Ready: everything the claims ask for exists.')]
    : [
        ...causes.flatMap((cause) => [style('bad', `Not ready: ${cause.line}`), ...placeLines(cause, places)]),
        ...(reasons.some(isNotInCloud) ? [EMPTY] : []),
        ...(reasons.some(isWithoutComposition) ? [NO_COMPOSITION] : []),
        ...(reasons.some(isWithoutHosts) ? [whereHostsAre(hosts)] : []),
        ...(snapshot.seconds < limit ? [reasons.some(isUnknownProgram) ? NO_FURTHER : UNMENDED] : []),
      ];
  const violations = snapshot.violations.map((text) => style('bad', `violation: ${legible(text)}`));
  const verdict = [...violations, ...said].flatMap((line) =>
    width === undefined ? [line] : line.startsWith(' ') ? hanging(line, width) : wrapped(line, width),
  );
  const timeline = width !== undefined ? [...timelineLines(snapshot, style, width), ''] : [''];
  const tree = treeLines(snapshot, { style, width, said: reasons, decides: reached ? [] : reasonsOf(snapshot) });
  return [
    ...timeline,
    ...tree,
    ...(tree.length > 0 ? [''] : []),
    ...summaryLines(snapshot, real, style, width),
    '',
    ...verdict,
    '',
  ].join('\n');
}
