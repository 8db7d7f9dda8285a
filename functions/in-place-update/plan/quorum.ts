/**
 * The majority of etcd as a property of the whole group: whoever asks – a roll-out, a scale-down, a remediation, an
 * update in place – gets one disruptive step at a time, and only one after which more than half of the members are
 * well. A newcomer counts as a member that is not well, except beside a single member, where no other way exists. What
 * can wait – a roll-out, a scale-down, an update in place – waits until every other member is well.
 */
/** Why there is no room now. */
export interface Refusal {
  /** The setting, or the rule, that stands in the way. */
  readonly blockedBy: string;
  /** What makes room, as the end of "it waits until". */
  readonly until: string;
}

/** What a step that is under way waits for; without a name it is none of the group's observed objects. */
export interface Busy {
  readonly name?: string;
  /** As the end of "it waits until". */
  readonly until: string;
}

/** A member as etcd sees it: what is no node yet has no vote. */
export interface Voter {
  readonly name: string;
  readonly votes: boolean;
  readonly well: boolean;
}

export class Quorum {
  readonly #busy: Busy[];
  #voters: number;
  #well: number;

  constructor(members: readonly Voter[], busy: readonly Busy[]) {
    this.#busy = [...busy];
    this.#voters = members.filter(({ votes }) => votes).length;
    this.#well = members.filter(({ votes, well }) => votes && well).length;
  }

  /**
   * For an object that is made.
   * @param why Missing: a slot has none, and the step before has looked whether it may come. Change: a roll-out asks,
   *   which begins nothing while a member is not well
   */
  join(why: 'Missing' | 'Change'): Refusal | undefined {
    const grown = this.#voters + 1;
    if (this.#busy.length > 0) return this.#waits();
    if (why === 'Change' && this.#well < this.#voters) return this.#unwell(this.#well, this.#voters);
    if (this.#voters > 1 && !isMajority(this.#well, grown)) return this.#lacks(this.#well, grown);
    if (this.#voters === 1 && this.#well === 0) return this.#lacks(0, 1);
    return this.#begin('the new machine has joined');
  }

  /** For an object that goes. The last member never does; one that is well goes only while all the others are. */
  leave({ name, votes, well }: Voter): Refusal | undefined {
    const refused = this.#unless(name);
    if (refused !== undefined) return refused;
    if (votes) {
      const rest = { voters: this.#voters - 1, well: this.#well - Number(well) };
      if (well && rest.well < rest.voters) return this.#unwell(rest.well, rest.voters);
      if (!isMajority(rest.well, rest.voters)) return this.#lacks(rest.well, rest.voters);
      this.#voters = rest.voters;
      this.#well = rest.well;
    }
    return this.#begin('the machine that is being deleted is gone');
  }

  /** For an object that stops for a while. */
  stop({ name, well }: Voter): Refusal | undefined {
    const refused = this.#unless(name);
    if (refused !== undefined) return refused;
    const left = this.#well - Number(well);
    const others = this.#voters - 1;
    if (left < others) return this.#unwell(left, others);
    if (!isMajority(left, this.#voters)) return this.#lacks(left, this.#voters);
    this.#well = left;
    return this.#begin(`the update of Machine ${name} has ended`);
  }

  /** Whether a member could stop now, and could not once another one is gone: then that one is needed until updates are done. */
  get needsEveryMember(): boolean {
    return isMajority(this.#well - 1, this.#voters) && !isMajority(this.#well - 2, this.#voters - 1);
  }

  /** Whether one of the members could stop without the majority being lost. */
  get canSpareOne(): boolean {
    return isMajority(this.#well - 1, this.#voters);
  }

  #begin(until: string): undefined {
    this.#busy.push({ until });
    return undefined;
  }

  /** A step that is under way does not keep its own object from going on. */
  #unless(name: string): Refusal | undefined {
    return this.#busy.some((one) => one.name !== name) ? this.#waits(name) : undefined;
  }

  #waits(name?: string): Refusal {
    const first = this.#busy.find((one) => name === undefined || one.name !== name);
    return { blockedBy: 'one control-plane machine at a time', until: first?.until ?? 'nothing else is under way' };
  }

  #unwell(well: number, voters: number): Refusal {
    return { blockedBy: 'etcd members', until: `all other etcd members are healthy: ${well} of ${voters} are` };
  }

  #lacks(well: number, voters: number): Refusal {
    const until = `more etcd members are healthy: ${well} of ${voters} would be, needed: ${majorityOf(voters)}`;
    return { blockedBy: 'the etcd majority', until };
  }
}

function majorityOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

function isMajority(well: number, voters: number): boolean {
  return well >= majorityOf(voters);
}
