/**
 * Keeps the majority of etcd, or of another store like it, for the whole group. For any cause (a roll-out, a scale-down, a remediation, an in-place
 * update) it allows one disruptive step at a time, and only if more than half of the members stay healthy. A new
 * machine counts as an unhealthy member, except next to a single member, where there is no other way. Steps that can
 * wait (a roll-out, a scale-down, an in-place update) wait until all other members are healthy.
 */
/** Why there is no room now. */
export interface Refusal {
  /** The setting or rule that blocks the step. */
  readonly blockedBy: string;
  /** What ends the wait, as the end of "it waits until". */
  readonly until: string;
}

/** What a running step waits for; without a name it is not an observed object of the group. */
export interface Busy {
  readonly name?: string;
  /** As the end of "it waits until". */
  readonly until: string;
}

/** A member of the store; a machine that is not a node yet has no vote. */
export interface Voter {
  readonly name: string;
  readonly votes: boolean;
  readonly well: boolean;
}

export class Quorum {
  readonly #busy: Busy[];
  readonly #store: string;
  #voters: number;
  #well: number;

  /** @param store  what they are members of, by its name */
  constructor(members: readonly Voter[], busy: readonly Busy[], store = 'etcd') {
    this.#busy = [...busy];
    this.#store = store;
    this.#voters = members.filter(({ votes }) => votes).length;
    this.#well = members.filter(({ votes, well }) => votes && well).length;
  }

  /**
   * For a new object.
   * @param why Missing: a slot is empty, and the previous step has checked that a machine may join. Change: a roll-out,
   *   which does not start while a member is unhealthy
   */
  join(why: 'Missing' | 'Change'): Refusal | undefined {
    const grown = this.#voters + 1;
    if (this.#busy.length > 0) return this.#waits();
    if (why === 'Change' && this.#well < this.#voters) return this.#unhealthy(this.#well, this.#voters);
    if (this.#voters > 1 && !isMajority(this.#well, grown)) return this.#lacks(this.#well, grown);
    if (this.#voters === 1 && this.#well === 0) return this.#lacks(0, 1);
    return this.#begin('the new machine has joined');
  }

  /**
   * For an object to delete. The last member is never deleted; a healthy one only while all others are healthy. A machine
   * that is not a member yet may have joined since it was observed, so the others must have a majority without it, too.
   * @param why  GivenUp: it failed or never became a Node, and nothing depends on it
   */
  leave({ name, votes, well }: Voter, why: 'GivenUp' | 'NotWanted' = 'NotWanted'): Refusal | undefined {
    const refused = this.#unless(name);
    if (refused !== undefined) return refused;
    if (!votes && why === 'NotWanted' && this.#voters > 0 && !isMajority(this.#well, this.#voters))
      return this.#lacks(this.#well, this.#voters);
    if (votes) {
      const rest = { voters: this.#voters - 1, well: this.#well - Number(well) };
      if (well && rest.well < rest.voters) return this.#unhealthy(rest.well, rest.voters);
      if (!isMajority(rest.well, rest.voters)) return this.#lacks(rest.well, rest.voters);
      this.#voters = rest.voters;
      this.#well = rest.well;
    }
    return this.#begin('the machine that is being deleted is gone');
  }

  /** For an object that stops temporarily. */
  stop({ name, well }: Voter): Refusal | undefined {
    const refused = this.#unless(name);
    if (refused !== undefined) return refused;
    const left = this.#well - Number(well);
    const others = this.#voters - 1;
    if (left < others) return this.#unhealthy(left, others);
    if (!isMajority(left, this.#voters)) return this.#lacks(left, this.#voters);
    this.#well = left;
    return this.#begin(`the update of Machine ${name} has ended`);
  }

  /**
   * Whether a member could stop now, but not after another one is deleted: then that one is needed until the updates
   * are done.
   */
  get needsEveryMember(): boolean {
    return isMajority(this.#well - 1, this.#voters) && !isMajority(this.#well - 2, this.#voters - 1);
  }

  /** Whether one member could stop without losing the majority. */
  get canSpareOne(): boolean {
    return isMajority(this.#well - 1, this.#voters);
  }

  #begin(until: string): undefined {
    this.#busy.push({ until });
    return undefined;
  }

  /** A running step does not block its own object. */
  #unless(name: string): Refusal | undefined {
    return this.#busy.some((one) => one.name !== name) ? this.#waits(name) : undefined;
  }

  #waits(name?: string): Refusal {
    const first = this.#busy.find((one) => name === undefined || one.name !== name);
    return { blockedBy: 'one control-plane machine at a time', until: first?.until ?? 'nothing else is under way' };
  }

  #unhealthy(well: number, voters: number): Refusal {
    const members = `${this.#store} members`;
    return { blockedBy: members, until: `all other ${members} are healthy: ${well} of ${voters} are` };
  }

  #lacks(well: number, voters: number): Refusal {
    const until = `more ${this.#store} members are healthy: ${well} of ${voters} would be, needed: ${majorityOf(voters)}`;
    return { blockedBy: `the ${this.#store} majority`, until };
  }
}

function majorityOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

function isMajority(well: number, voters: number): boolean {
  return well >= majorityOf(voters);
}
