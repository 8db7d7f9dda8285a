/** Virtual time: actions run in order of (time, sequence); nothing here ever waits for a real clock. */

export interface Timer {
  cancel(): void;
}

interface Entry {
  readonly time: number;
  readonly sequence: number;
  action: (() => void | Promise<void>) | undefined;
}

export class Scheduler {
  readonly #start: number;
  readonly #speedup: number;
  readonly #heap: Entry[] = [];
  #time: number;
  #sequence = 0;

  /** A speedup divides the duration of everything. */
  constructor(start: Date, speedup = 1) {
    this.#start = start.getTime();
    this.#speedup = speedup;
    this.#time = this.#start;
  }

  get now(): Date {
    return new Date(this.#time);
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (this.#time - this.#start) / 1000;
  }

  /** The current instant in the format of Kubernetes: RFC 3339, whole seconds. */
  get stamp(): string {
    return `${this.now.toISOString().slice(0, 19)}Z`;
  }

  /** The second since the start at which something that takes this long ends; a speedup shortens that. */
  end(seconds: number): number {
    return this.seconds + Math.max(0, seconds) / this.#speedup;
  }

  /** Runs an action after a number of seconds, divided by the speedup. */
  after(seconds: number, action: () => void | Promise<void>): Timer {
    return this.#push(this.#time + Math.max(0, Math.round((seconds * 1000) / this.#speedup)), action);
  }

  /** Runs an action at a second since the start, or at the current instant if that has passed. */
  at(seconds: number, action: () => void | Promise<void>): Timer {
    return this.#push(Math.max(this.#time, this.#start + Math.round(seconds * 1000)), action);
  }

  /** Seconds since the start of the next action; undefined if there is none. */
  get next(): number | undefined {
    this.#dropCancelled();
    const entry = this.#heap[0];
    return entry === undefined ? undefined : (entry.time - this.#start) / 1000;
  }

  /** Moves time to a second since the start, never back. */
  advanceTo(seconds: number): void {
    this.#time = Math.max(this.#time, this.#start + Math.round(seconds * 1000));
  }

  /** Advances to the next instant and runs everything that is due then, including what becomes due while it runs. */
  async step(): Promise<boolean> {
    this.#dropCancelled();
    const first = this.#heap[0];
    if (first === undefined) return false;
    this.#time = first.time;
    for (let entry = this.#heap[0]; entry !== undefined && entry.time <= this.#time; entry = this.#heap[0]) {
      this.#pop();
      await entry.action?.();
    }
    return true;
  }

  #push(time: number, action: () => void | Promise<void>): Timer {
    const entry: Entry = { time, sequence: this.#sequence++, action };
    this.#heap.push(entry);
    this.#siftUp(this.#heap.length - 1);
    return { cancel: () => (entry.action = undefined) };
  }

  #dropCancelled(): void {
    while (this.#heap[0] !== undefined && this.#heap[0].action === undefined) this.#pop();
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#siftDown(0);
  }

  #siftUp(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #siftDown(from: number): void {
    let index = from;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) if (this.#before(child, least)) least = child;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #before(left: number, right: number): boolean {
    const a = this.#heap[left];
    const b = this.#heap[right];
    if (a === undefined || b === undefined) return false;
    return a.time < b.time || (a.time === b.time && a.sequence < b.sequence);
  }

  #swap(left: number, right: number): void {
    const a = this.#heap[left];
    const b = this.#heap[right];
    if (a === undefined || b === undefined) return;
    this.#heap[left] = b;
    this.#heap[right] = a;
  }
}
