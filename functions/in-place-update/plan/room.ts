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

export class Room {
  readonly #budget: Budget;
  #total: number;
  #available: number;
  #gentle: number;
  #standsIn = false;

  /**
   * @param available ready objects that stay ready: one that is being drained is none, whatever it says
   * @param gentle objects that are being updated without becoming unavailable
   */
  constructor(budget: Budget, total: number, available: number, gentle: number) {
    this.#budget = budget;
    this.#total = total;
    this.#available = available;
    this.#gentle = gentle;
  }

  takeSurge(): boolean {
    if (this.#total >= this.#budget.maxTotal) return false;
    this.#total += 1;
    return true;
  }

  takeUnavailable(wasAvailable: boolean): boolean {
    const left = this.#available - (wasAvailable ? 1 : 0);
    if (wasAvailable && left < this.#budget.minAvailable) return false;
    this.#available = left;
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
