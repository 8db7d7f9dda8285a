/** What the budgets leave, taken bit by bit in one call. */

export interface Budget {
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
  readonly total: number;
  readonly available: number;
  readonly gentle: number;
  readonly counting: number;
}

export class Room {
  readonly #budget: Budget;
  #counting: number;
  #total: number;
  #available: number;
  #gentle: number;
  #standsIn = false;

  /**
   * @param total all there are, those on their way out included
   * @param available ready objects that stay ready: one that is being drained is none, whatever it says
   * @param gentle objects that are being updated without becoming unavailable
   * @param counting objects that stay, but for those that are what they should be and not ready yet
   */
  constructor(budget: Budget, { total, available, gentle, counting }: Present) {
    this.#budget = budget;
    this.#total = total;
    this.#available = available;
    this.#gentle = gentle;
    this.#counting = counting;
  }

  takeSurge(): boolean {
    if (this.#total >= this.#budget.maxTotal) return false;
    this.#total += 1;
    return true;
  }

  /**
   * For an object that goes. One that is not ready costs nothing now, but it may come back: all of them at once may be
   * a moment's trouble. So enough must stay for the budget if they all do, not counting those that never were ready.
   */
  takeUnavailable(wasAvailable: boolean): boolean {
    const { minAvailable } = this.#budget;
    if (wasAvailable ? this.#available <= minAvailable : this.#counting <= minAvailable) return false;
    if (wasAvailable) this.#available -= 1;
    this.#counting -= 1;
    return true;
  }

  /**
   * Where none may be unavailable: one more object, once, so that others can be updated while it stands in for them.
   */
  takeStandIn(): boolean {
    if (this.#standsIn || this.#budget.maxUnavailable > 0 || !this.takeSurge()) return false;
    this.#standsIn = true;
    return true;
  }

  /** Whether an object that could go is the one that stands in. */
  needsStandIn(): boolean {
    return this.#budget.maxUnavailable === 0 && this.#available - this.#budget.minAvailable <= 1;
  }

  /** For an update that leaves its object available. */
  takeGentle(): boolean {
    if (this.#gentle >= Math.max(1, this.#budget.maxUnavailable)) return false;
    this.#gentle += 1;
    return true;
  }
}
