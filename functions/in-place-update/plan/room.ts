/**
 * The one purse of a group. Whatever takes an object away, stops it or adds one – a roll-out, a scale-down, a
 * remediation – asks here first, so that no combination of them takes more than the budget has.
 */
import type { Quorum, Refusal } from './quorum.ts';

export interface Budget {
  /** What the XR asks for; while a control plane shrinks step by step it keeps more. */
  readonly replicas: number;
  /** How many objects there may be, those on their way out included. */
  readonly maxTotal: number;
  /** How many must be ready. */
  readonly minAvailable: number;
  /** How many of those that are wanted may be unavailable. */
  readonly maxUnavailable: number;
  /** Objects already on their way out: they still count. */
  readonly leaving: number;
  readonly strategy: 'RollingUpdate' | 'OnDelete';
  readonly fallback: 'Recreate' | 'Hold';
}

/** How many objects there are when a call begins. */
export interface Present {
  /** All there are, those on their way out included. */
  readonly total: number;
  /** Ready objects that stay ready: one that is being drained is none, whatever it says. */
  readonly available: number;
  /** Objects that are being updated without becoming unavailable. */
  readonly gentle: number;
  /** Objects that serve or may serve again; one that was never ready does not count. */
  readonly counting: number;
  /** Undefined: the objects are no members of etcd. */
  readonly quorum: Quorum | undefined;
}

/** What an object weighs when it goes or stops. */
export interface Standing {
  readonly name: string;
  readonly available: boolean;
  /** Ready, but perhaps not for as long as it takes to count as available. */
  readonly ready: boolean;
  /** Whether `counting` includes it. */
  readonly counts: boolean;
  /** Whether it is a member of etcd, and one that is well. */
  readonly votes: boolean;
  readonly well: boolean;
}

export class Room {
  readonly #budget: Budget;
  readonly #quorum: Quorum | undefined;
  #counting: number;
  #total: number;
  #available: number;
  #gentle: number;
  #standsIn = false;

  constructor(budget: Budget, { total, available, gentle, counting, quorum }: Present) {
    this.#budget = budget;
    this.#total = total;
    this.#available = available;
    this.#gentle = gentle;
    this.#counting = counting;
    this.#quorum = quorum;
  }

  /** For one more object. @param why Missing: its slot has none. Change: it is made beside another one */
  add(why: 'Missing' | 'Change'): Refusal | undefined {
    const { maxTotal, replicas } = this.#budget;
    if (this.#total >= maxTotal) {
      const until = `one of ${this.#total} machines is deleted: at most ${maxTotal} may exist, ${maxTotal - replicas} more than replicas`;
      return { blockedBy: 'update.maxSurge', until };
    }
    const refused = this.#quorum?.join(why);
    if (refused === undefined) this.#total += 1;
    return refused;
  }

  /**
   * For an object that goes. One that is not ready costs nothing now, but it may come back: all of them at once may be
   * a moment's trouble. So enough must stay for the budget if they all do, not counting those that never were ready.
   */
  remove(one: Standing): Refusal | undefined {
    return this.#lacks(one) ?? this.#quorum?.leave(one) ?? this.#take(one);
  }

  /** For an object that will not come back: given up, or lost. One that serves all the same is not let go for free. */
  discard(one: Standing): Refusal | undefined {
    if (one.available || one.ready) return this.remove(one);
    return this.#quorum?.leave(one) ?? this.#take(one);
  }

  /** For an update that stops its object for a while. */
  stop(one: Standing): Refusal | undefined {
    return this.#lacks({ ...one, counts: true }) ?? this.#quorum?.stop(one) ?? this.#take({ ...one, counts: true });
  }

  /** For an update that leaves its object available. */
  touch(): Refusal | undefined {
    const most = Math.max(1, this.#budget.maxUnavailable);
    if (this.#gentle >= most)
      return { blockedBy: 'update.maxUnavailable', until: `another update has ended: at most ${most} at a time` };
    this.#gentle += 1;
    return undefined;
  }

  /** Where none may be unavailable: one more object, once, so that others can be updated while it stands in for them. */
  addStandIn(): boolean {
    if (this.#standsIn || this.#budget.maxUnavailable > 0 || this.add('Change') !== undefined) return false;
    this.#standsIn = true;
    return true;
  }

  /** Whether an object that could go is the one that lets others be updated. */
  get needsStandIn(): boolean {
    const { maxUnavailable, replicas } = this.#budget;
    if (this.#quorum?.needsEveryMember === true) return true;
    if (maxUnavailable > 0 || this.#available - replicas > 1) return false;
    return this.#quorum?.canSpareOne ?? true;
  }

  #lacks({ available, ready, counts }: Standing): Refusal | undefined {
    const { minAvailable } = this.#budget;
    const until = `more than ${minAvailable} machines are ready: ${this.#available} are`;
    const refused = { blockedBy: 'update.maxUnavailable', until };
    if (available) return this.#available > minAvailable ? undefined : refused;
    // It serves though it does not count yet: the others must be enough without it.
    if (ready && this.#available < minAvailable) return refused;
    return !counts || this.#counting > minAvailable ? undefined : refused;
  }

  #take({ available, counts }: Standing): undefined {
    if (available) this.#available -= 1;
    if (counts) this.#counting -= 1;
    return undefined;
  }
}
