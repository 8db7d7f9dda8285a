/**
 * The update budget of a group. Everything that deletes, stops or adds an object (a roll-out, a scale-down, a
 * remediation) asks here first, so that no combination of them exceeds the budget.
 */
import { counted } from '#lib/api/counted.ts';
import type { Quorum, Refusal } from './quorum.ts';

export interface Budget {
  /** Replicas of the XR; while a control plane shrinks step by step, the number is larger. */
  readonly replicas: number;
  /** Maximum number of objects, including those being deleted. */
  readonly maxTotal: number;
  /** Minimum number of ready objects. */
  readonly minAvailable: number;
  /** Maximum number of unavailable replicas. */
  readonly maxUnavailable: number;
  /** Objects that are being deleted: they still count. */
  readonly leaving: number;
  readonly strategy: 'RollingUpdate' | 'OnDelete';
  readonly fallback: 'Recreate' | 'Hold';
}

/** The number of objects at the start of a call. */
export interface Present {
  /** All objects, including those being deleted. */
  readonly total: number;
  /** Ready objects that stay ready; an object that is being drained does not count, whatever it reports. */
  readonly available: number;
  /** Objects in a non-disruptive update. */
  readonly undisruptive: number;
  /** Objects that are ready or were ready before. */
  readonly counting: number;
  /** Undefined: the objects are not etcd members. */
  readonly quorum: Quorum | undefined;
}

/** How an object counts in the budget when it is deleted or stopped. */
export interface MemberWeight {
  readonly name: string;
  readonly available: boolean;
  /** Ready, but maybe not long enough to count as available. */
  readonly ready: boolean;
  /** Whether `counting` includes it. */
  readonly counts: boolean;
  /** Whether it is an etcd member, and healthy. */
  readonly votes: boolean;
  readonly well: boolean;
}

export class Room {
  readonly #budget: Budget;
  readonly #quorum: Quorum | undefined;
  #counting: number;
  #total: number;
  #available: number;
  #undisruptive: number;
  #standsIn = false;

  constructor(budget: Budget, { total, available, undisruptive, counting, quorum }: Present) {
    this.#budget = budget;
    this.#total = total;
    this.#available = available;
    this.#undisruptive = undisruptive;
    this.#counting = counting;
    this.#quorum = quorum;
  }

  /** For a new object. @param why Missing: its slot is empty. Change: it is created to replace another one */
  add(why: 'Missing' | 'Change'): Refusal | undefined {
    const { maxTotal, replicas } = this.#budget;
    if (this.#total >= maxTotal) {
      const until = `one of ${counted(this.#total, 'machine')} is deleted: at most ${maxTotal} may exist, ${maxTotal - replicas} more than replicas`;
      return { blockedBy: 'update.maxSurge', until };
    }
    const refused = this.#quorum?.join(why);
    if (refused === undefined) this.#total += 1;
    return refused;
  }

  /**
   * For an object to delete. An object that is not ready costs nothing now, but it may become ready again, and a short
   * outage may affect all of them. So enough objects must remain for the budget if all become ready again; objects that
   * never were ready do not count.
   */
  remove(one: MemberWeight): Refusal | undefined {
    return this.#lacks(one) ?? this.#quorum?.leave(one) ?? this.#take(one);
  }

  /** For an object that is given up or lost. If it is still ready, it counts in the budget. */
  discard(one: MemberWeight): Refusal | undefined {
    if (one.available || one.ready) return this.remove(one);
    return this.#quorum?.leave(one, 'GivenUp') ?? this.#take(one);
  }

  /** For a disruptive update. */
  stop(one: MemberWeight): Refusal | undefined {
    return this.#lacks({ ...one, counts: true }) ?? this.#quorum?.stop(one) ?? this.#take({ ...one, counts: true });
  }

  /** For a non-disruptive update. */
  touch(): Refusal | undefined {
    const most = Math.max(1, this.#budget.maxUnavailable);
    if (this.#undisruptive >= most)
      return { blockedBy: 'update.maxUnavailable', until: `another update has ended: at most ${most} at a time` };
    this.#undisruptive += 1;
    return undefined;
  }

  /** If none may be unavailable: allows one extra object, once, as a temporary replacement while others are updated. */
  addStandIn(): boolean {
    if (this.#standsIn || this.#budget.maxUnavailable > 0 || this.add('Change') !== undefined) return false;
    this.#standsIn = true;
    return true;
  }

  /** Whether an object that could be deleted is the temporary replacement. */
  get needsStandIn(): boolean {
    const { maxUnavailable, replicas } = this.#budget;
    if (this.#quorum?.needsEveryMember === true) return true;
    if (maxUnavailable > 0 || this.#available - replicas > 1) return false;
    return this.#quorum?.canSpareOne ?? true;
  }

  #lacks({ available, ready, counts }: MemberWeight): Refusal | undefined {
    const { minAvailable } = this.#budget;
    const until = `more than ${counted(minAvailable, 'machine')} ${minAvailable === 1 ? 'is' : 'are'} ready: ${this.#available} ${this.#available === 1 ? 'is' : 'are'}`;
    const refused = { blockedBy: 'update.maxUnavailable', until };
    if (available) return this.#available > minAvailable ? undefined : refused;
    // It is ready although it does not count yet: the others must be enough without it.
    if (ready && this.#available < minAvailable) return refused;
    return !counts || this.#counting > minAvailable ? undefined : refused;
  }

  #take({ available, counts }: MemberWeight): undefined {
    if (available) this.#available -= 1;
    if (counts) this.#counting -= 1;
    return undefined;
  }
}
