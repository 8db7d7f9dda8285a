/**
 * The machines of the emulated AWS: whatever runs there boots from the user data that AWS holds, with its secret from
 * Secrets Manager, and becomes a Node of a real API server, by the simulator's code for machines.
 */
import { Dice } from '#simulator/clock/dice.ts';
import { Scheduler } from '#simulator/clock/scheduler.ts';
import type { MachineEvent, MachineFacts, Machines as Facts, MachineSecrets } from '#simulator/cloud/machine.ts';
import { Journal } from '#simulator/facts/journal.ts';
import { Recorder } from '#simulator/facts/recorder.ts';
import { Workloads } from '#simulator/nodes/workloads.ts';
import { defineBuiltins } from '#simulator/store/builtins.ts';
import { Store } from '#simulator/store/store.ts';
import { messageOf } from '#lib/api/errors.ts';
import { INSTANCE, TEAM } from '../../e2e/cases/scene.ts';
import { pause } from '../../e2e/lab/waiting.ts';
import type { WorkloadClusters } from '../../e2e/workload/workload-clusters.ts';
import { type Aws, ENDED, type Instance } from '../cloud/aws.ts';

export interface MachinesParts {
  readonly aws: Aws;
  readonly workloads: WorkloadClusters;
  /** How many times faster than real machines. */
  readonly speedup: number;
  readonly log: (line: string) => void;
}

interface Known {
  readonly facts: MachineFacts;
  readonly state: string;
}

interface SecretRequest {
  readonly SecretId: string;
  readonly ForceDeleteWithoutRecovery?: true;
}

/** What a machine asked of Secrets Manager. */
export interface SecretCall {
  readonly action: 'GetSecretValue' | 'DeleteSecret';
  readonly secret: string;
  readonly refused: string | undefined;
}

const LOOK_MS = 1_000;
const TICK_MS = 50;

export class Machines {
  readonly secretCalls: SecretCall[] = [];
  readonly journal: Journal;
  readonly #parts: MachinesParts;
  readonly #clock: Scheduler;
  readonly #known = new Map<string, Known>();
  readonly #listeners: ((event: MachineEvent) => void)[] = [];
  readonly #running: Promise<unknown>;
  #stopped = false;

  constructor(parts: MachinesParts) {
    const { workloads, speedup, log } = parts;
    this.#parts = parts;
    this.#clock = new Scheduler(new Date(), speedup);
    const dice = new Dice(1);
    const store = new Store(this.#clock, dice);
    defineBuiltins(store.kinds);
    store.kinds.defineOpen(INSTANCE.apiVersion, INSTANCE.kind);
    this.journal = new Journal(this.#clock, store);
    const recorder = new Recorder(this.#clock, (event) => this.journal.event(event));
    const shared = { store, clock: this.#clock, dice, recorder, journal: this.journal };
    const source = {
      machines: this.#facts(),
      onMachine: (listener: (event: MachineEvent) => void) => void this.#listeners.push(listener),
    };
    const running = (id: string): boolean => this.#isRunning(id);
    void new Workloads(shared, source, {}, {}, (cluster) => workloads.changed(cluster, running)); // runs by its listener
    this.journal.subscribe((heard) => {
      if (heard.type === 'moment') log(`${heard.moment.ref.name}: ${heard.moment.text}`);
    });
    this.#running = Promise.all([this.#ticks(), this.#looks()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  #isRunning(id: string): boolean {
    return this.#known.get(id)?.facts.running === true;
  }

  async #ticks(): Promise<void> {
    while (!this.#stopped) {
      const seconds = (Date.now() - this.#clock.now.getTime()) / 1000 + this.#clock.seconds;
      while ((this.#clock.next ?? Infinity) <= seconds) await this.#clock.step();
      this.#clock.advanceTo(seconds);
      await pause(TICK_MS);
    }
  }

  async #looks(): Promise<void> {
    while (!this.#stopped) {
      try {
        for (const instance of await this.#parts.aws.instances()) await this.#seen(instance);
      } catch (thrown) {
        this.#parts.log(`cannot look at machines: ${messageOf(thrown)}`);
      }
      await pause(LOOK_MS);
    }
  }

  async #seen(instance: Instance): Promise<void> {
    const { id, state, tags, zone, address, image } = instance;
    const known = this.#known.get(id);
    if (known?.state === state || (known === undefined && state !== 'running')) return;
    const owner = { name: tags.get('Name') ?? id, namespace: TEAM };
    const facts = {
      ...INSTANCE,
      id,
      owner,
      zone,
      address,
      image,
      running: state === 'running',
      userData: known?.facts.userData ?? (await this.#parts.aws.userData(id)),
      providerID: `aws:///${zone}/${id}`,
    };
    this.#known.set(id, { facts, state });
    this.#parts.log(`${owner.name} (${id}): ${state}`);
    for (const listener of this.#listeners) listener({ change: changeTo(state), machine: facts });
  }

  /** Load balancers answer at once, and lead everywhere. */
  #facts(): Facts {
    return {
      find: (id) => this.#known.get(id)?.facts,
      answering: () => undefined,
      leadsBack: () => true,
      secretsOf: () => this.#secrets(),
      eventsOf: () => [],
    };
  }

  #secrets(): MachineSecrets {
    return {
      read: (name) => {
        const { SecretBinary, SecretString, __type, message } = this.#call('GetSecretValue', { SecretId: name });
        if (SecretBinary !== undefined) return { value: Buffer.from(SecretBinary, 'base64') };
        if (SecretString !== undefined) return { value: Buffer.from(SecretString) };
        return { refused: `${__type ?? ''}: ${message ?? ''}` };
      },
      delete: (name) => void this.#call('DeleteSecret', { SecretId: name, ForceDeleteWithoutRecovery: true }),
    };
  }

  #call(action: SecretCall['action'], body: SecretRequest): Readonly<Record<string, string>> {
    const said = this.#parts.aws.secret(action, body);
    this.secretCalls.push({ action, secret: body.SecretId, refused: said['__type'] });
    return said;
  }
}

function changeTo(state: string): MachineEvent['change'] {
  if (state === 'running') return 'running';
  return ENDED.has(state) ? 'gone' : 'stopped';
}
