/**
 * One case with one seed: up to its moment, the deletion, the outage, deletion of everything else, and what is left.
 */
import { Dice } from '#simulator/clock/dice.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { Judge } from './judge.ts';
import { type Case, nameOf } from './matrix.ts';
import { Person } from './person.ts';
import { aPool, aStage, CLUSTER, NAMESPACE, type Stage } from './stage.ts';

export interface Outcome {
  readonly broken: readonly string[];
  readonly refusals: readonly string[];
  readonly drained: number;
  /** Virtual seconds from the deletion to the end. */
  readonly seconds: number;
}

/** Virtual seconds. */
const MADE_WITHIN = 3600;
const OUTAGE = 400;
/** Until the user deletes everything else. */
const REACTION_SECONDS = 120;
const ROUND = 20;
const LIMIT = 3 * 3600;

export async function runCase(one: Case, seed: number): Promise<Outcome> {
  const dice = new Dice(seed);
  const stage = aStage(seed, one.object === 'control-plane Machine' ? 3 : 1);
  const { engine } = stage;
  const judge = new Judge(engine);
  await reach(stage, one, dice);
  const begin = engine.seconds;
  takeAway(stage, one.down);
  const person = new Person(engine, judge, one.propagation);
  person.begin(one);
  await pass(stage, dice.between(0, REACTION_SECONDS, 'reaction', nameOf(one)));
  while (!isOver(stage, judge) && engine.seconds < begin + LIMIT) {
    if (one.object !== 'Namespace') person.goOn();
    await pass(stage, ROUND);
  }
  judge.end();
  // A Cluster with pools is not deleted before them, and the error names what prevents it.
  if (one.object === 'Cluster' && one.moment !== 'half made' && !(person.refusals[0] ?? '').includes('prod-general'))
    judge.broken.push(`the first deletion of the Cluster was answered ${person.refusals[0] ?? 'with yes'}`);
  if (one.object === 'control-plane NodePool' && one.moment !== 'half made')
    if (!(person.refusals[0] ?? '').includes('it is the control plane of Cluster'))
      judge.broken.push(`the deletion of the control plane's pool was answered ${person.refusals[0] ?? 'with yes'}`);
  const { broken, drained } = judge;
  return { broken: [...new Set(broken)], refusals: person.refusals, drained, seconds: engine.seconds - begin };
}

async function reach(stage: Stage, one: Case, dice: Dice): Promise<void> {
  const { engine } = stage;
  const { moment } = one;
  if (moment === 'half made') return pass(stage, dice.between(5, 450, 'half', nameOf(one)));
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: MADE_WITHIN });
  if (!reached) throw new Error('the cluster did not come up');
  if (moment === 'Ready') return;
  if (dice.between(0, 1, 'edit', nameOf(one)) < 0.5) engine.apply(aPool({ machine: { class: 'standard-8' } }));
  else engine.apply({ ...engine.get(CLUSTER)!, spec: { ...aSpec(stage), version: 'v1.35.5' } });
  await pass(stage, dice.between(10, 300, 'rolling', nameOf(one)));
}

function aSpec({ engine }: Stage) {
  const { crossplane: _machinery, ...spec } = engine.get(CLUSTER)?.spec ?? {};
  return spec;
}

function takeAway({ engine, silence }: Stage, down: Case['down']): void {
  if (down === 'functions') silence(OUTAGE);
  if (down === 'node provider') engine.stop('node', OUTAGE);
  if (down === 'cloud provider') engine.stop('cloud', OUTAGE);
}

function isOver({ engine }: Stage, judge: Judge): boolean {
  return (
    judge.left.length === 0 && engine.list({ apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE }).length === 0
  );
}

async function pass({ engine }: Stage, seconds: number): Promise<void> {
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
}
